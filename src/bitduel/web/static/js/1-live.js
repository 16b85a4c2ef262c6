// Live updates, keys and smooth changes; every page works without it.
(() => {
  "use strict";

  const room = document.querySelector("[data-live]");
  const main = document.querySelector("main");
  const announcer = document.getElementById("announcer");
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  const AT_EASE = 450; // milliseconds in which the same key pressed again makes no second move
  const STEP = 550; // milliseconds between one's own move and the answer to it
  const LOOK = 2000; // milliseconds after which a page without a stream asks how the match stands
  const SELDOM = 10; // and one that nobody sees, so many times as long
  const SLOTS = ["bitduel-1", "bitduel-2", "bitduel-3"]; // so many streams a browser opens
  const MOVE = "[name=move]:enabled";
  let latest = 0;
  let told = null;
  let stream = null;
  let letGo = () => {};
  let lost = null;
  let byHand = false;
  let awaited = null;
  let pressed = { move: null, at: -Infinity };

  // The same text once more is news only if it differs.
  const announce = (text) => {
    if (announcer && text) announcer.textContent = announcer.textContent === text ? `${text}\u00a0` : text;
  };

  // Two drawings of the same shape: tags and numbers of parts agree everywhere.
  const alike = (a, b) =>
    a.tagName === b.tagName &&
    a.children.length === b.children.length &&
    Array.from(a.children).every((child, i) => alike(child, b.children[i]));

  // Make one drawing say what the other says, part by part, so that what differs can move.
  const become = (a, b) => {
    for (const { name } of Array.from(a.attributes)) if (!b.hasAttribute(name)) a.removeAttribute(name);
    for (const { name, value } of Array.from(b.attributes)) if (a.getAttribute(name) !== value) a.setAttribute(name, value);
    if (!a.children.length && a.textContent !== b.textContent) a.textContent = b.textContent;
    Array.from(a.children).forEach((child, i) => become(child, b.children[i]));
  };

  const drawings = () => Array.from(main.querySelectorAll("figure .drawing, figure .history"));

  // Let drawings that only changed in places move there.
  const glide = (before) => {
    if (calm.matches) return;
    const pairs = drawings().map((after, i) => [before[i], after]);
    const moving = pairs.filter(([old, after]) => old && alike(old, after));
    for (const [old, after] of moving) after.replaceWith(old);
    main.getBoundingClientRect();
    for (const [old, after] of moving) become(old, after);
  };

  // Show whose turn it is: the solid half of the turn bar slides, and the frame takes the colour.
  const setTurn = (seat) => {
    for (const part of main.querySelectorAll("[data-turn]")) part.dataset.turn = seat;
  };

  const slide = (from) => {
    const turn = main.querySelector(".frame")?.dataset.turn;
    if (calm.matches || !from || !turn || from === turn) return;
    setTurn(from);
    main.getBoundingClientRect();
    setTurn(turn);
  };

  const top = () => main.querySelector("figure.board")?.getBoundingClientRect().top ?? null;

  // Put new contents into the page; what was open stays open, and the board where it is.
  const place = (nodes) => {
    const before = drawings();
    const stood = top();
    const open = Array.from(main.querySelectorAll("details.drawer[id][open]"), (part) => part.id);
    const turn = main.querySelector(".frame")?.dataset.turn;
    main.replaceChildren(...nodes);
    slide(turn);
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    glide(before);
    if (stood !== null && top() !== null) window.scrollBy({ top: top() - stood, behavior: "instant" });
  };

  // What has the focus now, so that the same thing can have it afterwards.
  const focused = () => {
    const at = document.activeElement;
    if (!at || !main.contains(at) || at === main) return null;
    if (at.id) return `#${CSS.escape(at.id)}`;
    if (at.rel) return `[rel="${CSS.escape(at.rel)}"]`;
    if (at.dataset.step) return `.steps [data-step="${CSS.escape(at.dataset.step)}"]`;
    return at.name ? `[name="${CSS.escape(at.name)}"][value="${CSS.escape(at.value)}"]:enabled` : MOVE;
  };

  // The focus stays where it was; while it is another's turn it waits there for one's own.
  const refocus = (selector) => {
    const wanted = selector || (document.activeElement === main ? awaited : null);
    if (!wanted) return;
    const again = main.querySelector(wanted);
    awaited = again ? null : wanted;
    (again || main.querySelector(MOVE) || main).focus({ preventScroll: true });
  };

  const status = () => Array.from(main.querySelectorAll("[data-say]"), (line) => line.textContent.trim()).join(" ");

  const show = (part) => part?.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });

  // Change the page, and tell those who do not see it what is new.
  const change = (nodes, also) => {
    const drawing = "figure .drawing";
    const drawn = [main.querySelector(drawing), nodes.map((node) => node.querySelector?.(drawing)).find(Boolean)];
    // A transition acts later: by then another change may have told the same.
    const act = () => {
      const keep = focused();
      const said = status();
      const { ply, over } = { ...room?.dataset };
      place(nodes);
      also();
      offer();
      showStep();
      refocus(keep);
      if (status() !== said || room?.dataset.ply !== ply) announce(status());
      if (lost) mournAgain();
      if (room?.dataset.over === "true" && over === "false") show(main.querySelector(".state"));
    };
    if (!document.startViewTransition || calm.matches || (drawn[0] && drawn[1] && alike(...drawn))) return act();
    const transition = document.startViewTransition(act);
    for (const stage of [transition.ready, transition.finished]) stage.catch(() => {});
  };

  const wait = (time) => new Promise((done) => setTimeout(done, time));

  // One's own move first, then the answer: two steps that one sees.
  const own = async (between) => {
    const figure = main.querySelector("figure.board");
    const next = between && between.content.querySelector(".picture");
    if (!figure || !next || calm.matches || Number(between.dataset.between) !== Number(room.dataset.ply) + 1) return;
    const before = drawings();
    const keep = focused();
    figure.querySelector(".picture").replaceWith(next);
    glide(before);
    refocus(keep);
    sound(440);
    await wait(STEP);
  };

  const swap = async (html, number) => {
    const parsed = new DOMParser().parseFromString(html, "text/html");
    const page = parsed.getElementById("match");
    const state = parsed.querySelector(".match");
    if (!state) throw new Error("no match in the answer");
    const moved = state.dataset.ply !== room.dataset.ply;
    const next = main.querySelector(".again") && state.querySelector("[data-next]");
    if (next) return window.location.assign(next.href);
    await own(state.querySelector("template[data-between]"));
    if (number !== latest) return;
    change(Array.from((page || parsed.body).childNodes), () => {
      Object.assign(room.dataset, page ? page.dataset : {}, state.dataset);
      const turn = room.querySelector(MOVE) ? "● " : "";
      document.title = `${turn}${room.querySelector("h1").textContent} · bitduel`;
    });
    if (moved) sound(state.dataset.over === "true" ? 660 : 550);
  };

  const refresh = async () => {
    const number = ++latest;
    try {
      const answer = await fetch(room.dataset.fragment, { credentials: "same-origin", cache: "no-store" });
      const html = await answer.text();
      if (answer.ok && number === latest) await swap(html, number);
    } catch {
      // The stream reconnects by itself and tells again.
    }
  };

  // An event says where the match is; a page that shows another moment is old.
  const old = () => told !== null && told !== room.querySelector(".match")?.dataset.moment;
  const hear = (event) => {
    told = event.data;
    if (old() && !room.hasAttribute("aria-busy")) refresh();
  };

  // A browser has few connections to one site, so its pages share a few places for streams:
  // the page one looks at takes a place, the others look now and then how their match stands.
  const hush = () => {
    stream?.close();
    stream = null;
    letGo();
  };

  const takePlace = (name, options) =>
    new Promise((answer) => {
      const held = (lock) => {
        answer(Boolean(lock));
        return lock && new Promise((done) => (letGo = done));
      };
      navigator.locks.request(name, options, held).catch(hush);
    });

  const findPlace = async () => {
    if (!navigator.locks) return true;
    for (const name of SLOTS) if (await takePlace(name, { ifAvailable: true })) return true;
    return document.hasFocus() && takePlace(SLOTS[Math.floor(Math.random() * SLOTS.length)], { steal: true });
  };

  // A stream that breaks is opened again by the browser; one that is refused, by us.
  const listen = async () => {
    hush();
    if (document.hidden || !(await findPlace())) return;
    const opened = (stream = new EventSource(room.dataset.live));
    opened.addEventListener("changed", hear);
    opened.addEventListener("error", () => {
      if (opened.readyState === EventSource.CLOSED && opened === stream) setTimeout(listen, 5000);
    });
  };

  let turns = 0;
  const look = async () => {
    if (stream || (document.hidden && ++turns % SELDOM)) return;
    try {
      const answer = await fetch(room.dataset.look, { credentials: "same-origin", cache: "no-store" });
      if (answer.ok) hear({ data: await answer.text() });
    } catch {
      // It is asked again soon.
    }
  };

  const tell = (text) => {
    const place = room.querySelector(".status");
    if (place) place.textContent = text;
    announce(text);
  };

  // A move that nobody answered can be sent again without harm: it says at which ply it was made.
  const mourn = (form, button) => {
    lost = { name: button.name, value: button.value, ply: room.dataset.ply };
    const reason = navigator.onLine ? "The site isn't answering." : "You're offline.";
    const text = `${reason} This hasn't been sent yet.`;
    const again = document.createElement("button");
    again.type = "button";
    again.className = "primary resend";
    again.textContent = "Send it again";
    again.addEventListener("click", () => form.requestSubmit(button));
    room.querySelector(".said")?.replaceChildren(`${text} `, again);
    announce(text);
  };

  // What was lost is still to be done where the page has changed and the match has not gone on.
  const lostButton = () =>
    lost && lost.ply === room.dataset.ply
      ? Array.from(room.querySelectorAll("form:is([data-move], [data-settle]) button")).find(
          (button) => button.name === lost.name && button.value === lost.value && !button.disabled,
        )
      : null;

  const mournAgain = () => {
    const button = lostButton();
    if (button) mourn(button.form, button);
    else lost = null;
  };

  const sendLost = () => {
    const button = lostButton();
    lost = button ? lost : null;
    if (button) button.form.requestSubmit(button);
    else refresh();
  };

  const write = (part, text) => {
    const was = Array.from(part.childNodes);
    part.replaceChildren(text);
    return () => part.replaceChildren(...was);
  };

  // From the click on it is the other's turn; returns what gives it back if the move was not taken.
  const pass = (button) => {
    const turn = main.querySelector(".frame").dataset.turn;
    const next = String(3 - turn);
    const word = Array.from(button.querySelectorAll(".verb, .makes")).findLast((part) => part.offsetParent);
    const notes = Array.from(main.querySelectorAll(".turn-bar [data-seat]"), (seat) => {
      const note = seat.querySelector("[data-waiting]");
      return write(note, seat.dataset.seat === next ? note.dataset.waiting : "sent");
    });
    const texts = [[word, "sent"], [main.querySelector(".state .said"), "Sent."], [main.querySelector(".state .status"), "\u00a0"]].filter(([part]) => part);
    const undo = [...notes, ...texts.map(([part, text]) => write(part, text))];
    button.classList.add("pending");
    setTurn(next);
    return () => {
      button.classList.remove("pending");
      setTurn(turn);
      for (const each of undo) each();
    };
  };

  const send = async (form, button) => {
    const number = ++latest;
    const body = new URLSearchParams(new FormData(form, button));
    room.setAttribute("aria-busy", "true");
    pressed = { move: button.value, at: performance.now() };
    const giveBack = button.name === "move" ? pass(button) : () => {};
    if (lost) tell("Sending again...");
    lost = null;
    try {
      const headers = { "bitduel-part": "main" };
      const answer = await fetch(form.action, { method: "POST", body, headers, credentials: "same-origin" });
      const html = await answer.text();
      if (answer.status === 409) {
        giveBack();
        await refresh();
      } else if (!answer.ok) {
        form.dataset.plain = "";
        form.requestSubmit(button);
      } else if (number === latest) {
        const there = answer.headers.get("content-location") || (answer.redirected && answer.url);
        if (there) history.replaceState(null, "", there);
        await swap(html, number);
      }
    } catch {
      giveBack();
      mourn(form, button);
    } finally {
      room.removeAttribute("aria-busy");
      if (old()) refresh();
    }
  };

  // A short sound for every move, for those who have switched it on.
  let audio = null;
  const recall = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const keep = (key, value) => {
    try {
      localStorage.setItem(key, value);
    } catch {
      // Then it is as it was.
    }
  };
  const sounds = () => recall("sound") === "on";
  const sound = (pitch) => {
    if (!sounds()) return;
    audio ||= new AudioContext();
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.08, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.12);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.13);
  };

  // Keys of one character can be switched off, for those who speak to their computer or press keys by mistake.
  const hasKeys = () => recall("keys") !== "off";
  const switchKeys = () => {
    keep("keys", hasKeys() ? "off" : "on");
    offer();
  };

  const switchSound = () => {
    keep("sound", sounds() ? "off" : "on");
    offer();
    sound(550);
  };

  // Step through a review without loading the page anew.
  const step = async (address, remember) => {
    if (main.hasAttribute("aria-busy")) return;
    main.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, { credentials: "same-origin" });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main[data-review]");
      if (!answer.ok || !fresh) throw new Error(answer.statusText);
      change(Array.from(fresh.childNodes), () => remember && history.pushState(null, "", answer.url));
    } catch {
      window.location.assign(address);
    } finally {
      main.removeAttribute("aria-busy");
    }
  };

  // A second half of a double click, or of a key that is pressed twice, makes no second move.
  // What has just appeared cannot be pressed by hand while its animation runs: only the style sheet measures that time.
  const meant = (button) => {
    if (lost) return true;
    if (byHand) return !button.getAnimations().some(({ animationName }) => animationName === "arriving");
    return button.value !== pressed.move || performance.now() - pressed.at > AT_EASE;
  };

  const press = (event) => {
    if (event.repeat && event.key === "Enter" && event.target.closest("[name=move]")) event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.repeat && !event.key.startsWith("Arrow")) return;
    if (event.target.closest("input:not([readonly]), textarea, select")) return;
    if (event.key.length === 1 && !hasKeys()) return;
    const target = {
      "?": () => document.querySelector("#keys-drawer > summary"),
      ArrowLeft: () => document.querySelector('a[rel="prev"]'),
      ArrowRight: () => document.querySelector('a[rel="next"]'),
    }[event.key]?.() || document.querySelector(`[data-key="${CSS.escape(event.key)}"]:not(:disabled)`);
    if (!target) return;
    event.preventDefault();
    target.click();
    if (event.key === "?") show(target.parentElement);
  };

  const copy = async (button) => {
    const field = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      field.select();
      if (!document.execCommand("copy")) return;
    }
    button.textContent = "Copied";
    announce("Link copied.");
    setTimeout(() => (button.textContent = "Copy"), 2000);
  };

  const showStep = () => {
    const [list, now] = [main.querySelector(".steps"), main.querySelector('.steps [aria-current="step"]')];
    if (now) list.scrollTop = now.offsetTop - list.offsetTop - (list.clientHeight - now.offsetHeight) / 2;
  };

  // What only works with this script is offered by it.
  const offer = () => {
    for (const button of document.querySelectorAll("[data-copy], [data-sound], [data-keys]")) button.hidden = false;
    const moves = document.querySelector(".side .scroll");
    const chosen = moves?.querySelector('[aria-current="step"]');
    if (chosen) moves.scrollTop += chosen.getBoundingClientRect().top - moves.getBoundingClientRect().top - (moves.clientHeight - chosen.offsetHeight) / 2;
    else if (moves && main.querySelector("#back-to-now")) moves.scrollTop = 0;
    else if (moves) moves.scrollTop = moves.scrollHeight;
    label("[data-sound]", sounds(), ["Sound is off", "Sound is on"]);
    label("[data-keys]", hasKeys(), ["Keys are off", "Keys are on"]);
    document.documentElement.toggleAttribute("data-no-keys", !hasKeys());
  };

  const label = (selector, isOn, texts) => {
    const button = document.querySelector(selector);
    button?.setAttribute("aria-pressed", String(isOn));
    if (button) button.textContent = texts[Number(isOn)];
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!room || !form.matches("[data-move], [data-settle]") || "plain" in form.dataset || !event.submitter) return;
    event.preventDefault();
    const wanted = !form.matches("[data-move]") || meant(event.submitter);
    if (wanted && !room.hasAttribute("aria-busy")) send(form, event.submitter);
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(button);
    if (event.target.closest("[data-sound]")) switchSound();
    if (event.target.closest("[data-keys]")) switchKeys();
    const shortcut = event.target.closest(".shortcuts a, .to-rules");
    if (shortcut) document.querySelector(shortcut.hash).open = true;
    const column = event.target.closest(".column[data-ply]");
    if (column) document.querySelector(`[data-step="${column.dataset.ply}"]`)?.click();
    const link = event.target.closest("[data-review] a:is([rel], [data-step])");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    step(link.href, true);
  });

  document.addEventListener("click", (event) => (byHand = event.detail > 0), true);
  document.addEventListener("pointerdown", () => (document.documentElement.dataset.hand = ""));
  document.addEventListener("keydown", () => delete document.documentElement.dataset.hand, true);
  document.addEventListener("keydown", press);
  document.addEventListener("animationend", (event) => event.animationName === "lit" && (main.dataset.seen = ""));
  offer();
  showStep();
  if (main.matches("[data-review]")) window.addEventListener("popstate", () => step(window.location.href, false));
  if (!room) return;
  listen();
  document.addEventListener("visibilitychange", listen);
  window.addEventListener("online", () => {
    sendLost();
    listen();
  });
  window.addEventListener("focus", () => stream || listen());
  setInterval(look, LOOK);
  window.addEventListener("pageshow", (event) => event.persisted && refresh());
})();
