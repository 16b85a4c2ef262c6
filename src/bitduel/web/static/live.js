// Live updates, keys and smooth changes; every page works without it.
(() => {
  "use strict";

  const room = document.querySelector("[data-live]");
  const main = document.querySelector("main");
  const announcer = document.getElementById("announcer");
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  let latest = 0;
  let told = 0;
  let others = null;

  const announce = (text) => {
    if (announcer && text) announcer.textContent = text;
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

  // Put new contents into the page; drawings that only changed in places move there.
  const place = (nodes) => {
    const before = Array.from(main.querySelectorAll("figure .picture"));
    main.replaceChildren(...nodes);
    if (calm.matches) return;
    const pairs = Array.from(main.querySelectorAll("figure .picture"), (after, i) => [before[i], after]);
    const moving = pairs.filter(([old, after]) => old && alike(old, after));
    for (const [old, after] of moving) after.replaceWith(old);
    main.getBoundingClientRect();
    for (const [old, after] of moving) become(old, after);
  };

  // What has the focus now, so that the same thing can have it afterwards.
  const focused = () => {
    const at = document.activeElement;
    if (!at || !main.contains(at) || at === main) return null;
    if (at.id) return `#${CSS.escape(at.id)}`;
    if (at.rel) return `[rel="${CSS.escape(at.rel)}"]`;
    if (at.dataset.step) return `.steps [data-step="${CSS.escape(at.dataset.step)}"]`;
    return at.name ? `[name="${CSS.escape(at.name)}"][value="${CSS.escape(at.value)}"]` : "form[data-move] button";
  };

  const refocus = (selector) => {
    if (!selector) return;
    const again = main.querySelector(selector) || main.querySelector("form[data-move] button") || main;
    again.focus({ preventScroll: true });
  };

  const status = () => Array.from(main.querySelectorAll("[data-say]"), (line) => line.textContent.trim()).join(" ");

  // Change the page, and tell those who do not see it what is new.
  const change = (nodes, also) => {
    const keep = focused();
    const said = status();
    const drawn = [main.querySelector(".board svg"), nodes.map((node) => node.querySelector?.(".board svg")).find(Boolean)];
    const act = () => {
      place(nodes);
      also();
      offerCopies();
      showStep();
      refocus(keep);
      if (status() !== said) announce(status());
    };
    if (!document.startViewTransition || calm.matches || (drawn[0] && drawn[1] && alike(...drawn))) return act();
    const transition = document.startViewTransition(act);
    for (const stage of [transition.ready, transition.finished]) stage.catch(() => {});
  };

  const swap = (html) => {
    const parsed = new DOMParser().parseFromString(html, "text/html");
    const page = parsed.getElementById("match");
    const state = parsed.querySelector(".match");
    if (!state) throw new Error("no match in the answer");
    change(Array.from((page || parsed.body).childNodes), () => {
      Object.assign(room.dataset, page ? page.dataset : {}, state.dataset);
      const turn = room.querySelector("form[data-move]") ? "● " : "";
      document.title = `${turn}${room.querySelector("h1").textContent} · bitduel`;
    });
  };

  const refresh = async () => {
    const number = ++latest;
    try {
      const answer = await fetch(room.dataset.fragment, { credentials: "same-origin", cache: "no-store" });
      const html = await answer.text();
      if (answer.ok && number === latest) swap(html);
    } catch {
      // The stream reconnects by itself and tells again.
    }
  };

  // An event says how many moves there are, whether it is over, and what else may have changed.
  const hear = (event) => {
    const [ply, state, ...rest] = event.data.split(" ");
    const moved = ply !== room.dataset.ply || (state === "over") !== (room.dataset.over === "true");
    const came = others === null ? room.querySelector(".invite") !== null : others !== rest.join(" ");
    others = rest.join(" ");
    told = Number(ply) || 0;
    if ((moved || came) && !room.hasAttribute("aria-busy")) refresh();
  };

  // A stream that breaks is opened again by the browser; one that is refused, by us.
  const listen = () => {
    const stream = new EventSource(room.dataset.live);
    stream.addEventListener("changed", hear);
    stream.addEventListener("error", () => {
      if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 5000);
    });
  };

  const tell = (text) => {
    const place = room.querySelector(".status");
    if (place) place.textContent = text;
    announce(text);
  };

  const send = async (form, button) => {
    const number = ++latest;
    const body = new URLSearchParams(new FormData(form, button));
    room.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin" });
      const html = await answer.text();
      if (answer.status === 409) await refresh();
      else if (!answer.ok) {
        form.dataset.plain = "";
        form.requestSubmit(button);
      } else if (number === latest) {
        swap(html);
        if (answer.redirected) history.replaceState(null, "", answer.url);
      }
    } catch {
      // Nobody answered: stay here, for the same move can be sent again without harm.
      tell("There is no connection. Please try again.");
    } finally {
      room.removeAttribute("aria-busy");
      if (told > Number(room.dataset.ply)) refresh();
    }
  };

  // Step through a review without loading the page anew.
  const step = async (address, remember) => {
    if (main.hasAttribute("aria-busy")) return;
    main.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, { credentials: "same-origin" });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main[data-review]");
      if (!answer.ok || !fresh) throw new Error(answer.statusText);
      change(Array.from(fresh.childNodes), () => remember && history.pushState(null, "", address));
    } catch {
      window.location.assign(address);
    } finally {
      main.removeAttribute("aria-busy");
    }
  };

  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.repeat && !event.key.startsWith("Arrow")) return;
    if (event.target.closest("input:not([readonly]), textarea, select")) return;
    const target = {
      ArrowLeft: () => document.querySelector('a[rel="prev"]'),
      ArrowRight: () => document.querySelector('a[rel="next"]'),
    }[event.key]?.() || document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (!target) return;
    event.preventDefault();
    target.click();
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
    announce("The link is copied.");
    setTimeout(() => (button.textContent = "Copy"), 2000);
  };

  const showStep = () => {
    const [list, now] = [main.querySelector(".steps"), main.querySelector('.steps [aria-current="step"]')];
    if (now) list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
  };

  const offerCopies = () => {
    for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!room || !form.matches("[data-move]") || "plain" in form.dataset || !event.submitter) return;
    event.preventDefault();
    if (!room.hasAttribute("aria-busy")) send(form, event.submitter);
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(button);
    const column = event.target.closest(".column[data-ply]");
    if (column) document.querySelector(`[data-step="${column.dataset.ply}"]`)?.click();
    const link = event.target.closest("[data-review] a:is([rel], [data-step])");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    step(link.href, true);
  });

  document.addEventListener("keydown", press);
  offerCopies();
  showStep();
  if (main.matches("[data-review]")) window.addEventListener("popstate", () => step(window.location.href, false));
  if (room) listen();
  if (room) window.addEventListener("pageshow", (event) => event.persisted && refresh());
})();
