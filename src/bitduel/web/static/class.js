// The pages of a class: live by events of the server, or by asking now and then; every page works without it.
(() => {
  "use strict";

  const room = document.querySelector("[data-class]");
  const main = document.querySelector("main");
  const announcer = document.getElementById("announcer");
  const PAUSE = 700; // milliseconds between two requests for the page's part
  const LOOK = 5000; // milliseconds after which a page without a stream asks
  const READ = 4000; // milliseconds for which the end of a match is shown before the next one begins
  const NEW = 2000; // milliseconds for which a new name is lit
  const PART = { "bitduel-part": "class" };

  const announce = (text) => {
    if (announcer && text) announcer.textContent = announcer.textContent === text ? `${text}\u00a0` : text;
  };
  const said = (place) => Array.from(place.querySelectorAll("[data-say]"), (line) => line.textContent.trim()).join(" ");

  // Make one part of the page say what another says; what is typed, open or focused stays.
  const becomes = (old, fresh, byHand) => {
    if (old.isEqualNode(fresh)) return;
    const isOther = old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName || (old.id || "") !== (fresh.id || "");
    if (isOther || old.dataset?.seconds || fresh.nodeName === "svg") return old.replaceWith(fresh);
    if (old.nodeType !== Node.ELEMENT_NODE) return void (old.nodeValue = fresh.nodeValue);
    for (const { name } of Array.from(old.attributes)) if (!fresh.hasAttribute(name) && name !== "open" && name !== "hidden") old.removeAttribute(name);
    for (const { name, value } of Array.from(fresh.attributes)) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    const known = new Map(Array.from(old.children, (child) => [child.id, child]));
    let place = old.firstChild;
    for (const wanted of Array.from(fresh.childNodes)) {
      const same = wanted.id ? known.get(wanted.id) : null;
      if (same && same !== place) old.insertBefore(same, place);
      const here = same || (place && !(place.id && place.id !== (wanted.id || "")) ? place : null);
      if (here) {
        place = here.nextSibling;
        becomes(here, wanted, byHand);
      } else old.insertBefore(wanted, place);
    }
    while (place) {
      const next = place.nextSibling;
      if (byHand || !place.matches?.("[data-hold]")) place.remove();
      place = next;
    }
  };

  // Only the house rules of the game that is chosen are offered.
  const chooseGame = () => {
    const game = document.querySelector("[data-chooser] [name=game]");
    if (!game) return;
    for (const rules of document.querySelectorAll("[data-game]")) rules.hidden = rules.dataset.game !== game.value;
  };
  document.addEventListener("change", chooseGame);

  const names = () => new Set(Array.from(room.querySelectorAll(".screen-names [id]"), (name) => name.id));

  const light = (before) => {
    for (const name of room.querySelectorAll(".screen-names [id]")) {
      if (before.has(name.id)) continue;
      name.classList.add("arrived");
      setTimeout(() => name.classList.remove("arrived"), NEW);
    }
  };

  const part = () => room?.querySelector(".class-part");
  const show = (html, byHand = false) => {
    const fresh = new DOMParser().parseFromString(html, "text/html").querySelector(".class-part");
    if (!fresh || !part()) return false;
    const [before, known] = [said(room), names()];
    becomes(part(), document.importNode(fresh, true), byHand);
    light(known);
    chooseGame();
    if (said(room) !== before) announce(said(room));
    settle();
    return true;
  };

  // Where there is something to do now, the page goes there; the end of a match can be read first.
  let go = part()?.dataset.go || "";
  let leaving = null;
  const isBusy = () => main?.dataset.over === "false" && room !== main && !room.classList.contains("class-pupil");
  const leave = () => {
    if (isBusy()) return void (leaving = null);
    window.location.assign(part().dataset.go || window.location.href);
  };
  const settle = () => {
    const next = part()?.dataset.go || "";
    const isPaused = "paused" in (part()?.dataset || {});
    if (room.classList.contains("class-bar") && main) {
      main.inert = isPaused;
      document.documentElement.toggleAttribute("data-class-paused", isPaused);
    }
    if (!next || next === go || isPaused) return void (go = next && go);
    if (leaving) return;
    const wait = main?.dataset.over === "true" ? READ : 0;
    leaving = setTimeout(leave, wait);
  };

  const address = () => room.dataset.classPage || window.location.href;
  let latest = 0; // of several answers under way only the last one asked for is shown
  let asked = 0;
  let isAsking = false;
  let again = false;
  const refresh = async () => {
    if (isAsking || performance.now() - asked < PAUSE) {
      if (!again) setTimeout(() => ((again = false), refresh()), PAUSE);
      again = true;
      return;
    }
    isAsking = true;
    asked = performance.now();
    const number = ++latest;
    try {
      const answer = await fetch(address(), { headers: PART, credentials: "same-origin", cache: "no-store" });
      if (answer.status === 404 || answer.status === 403) return window.location.reload();
      const html = await answer.text();
      if (answer.ok && !answer.redirected && number === latest) show(html);
    } catch {
      // It is asked again soon.
    } finally {
      isAsking = false;
    }
  };

  let stream = null;
  let retry = null;
  const listen = () => {
    stream?.close();
    stream = null;
    clearTimeout(retry);
    if (document.hidden) return;
    const opened = (stream = new EventSource(room.dataset.class));
    opened.addEventListener("changed", refresh);
    opened.addEventListener("error", () => {
      if (opened.readyState !== EventSource.CLOSED || opened !== stream) return;
      stream = null;
      retry = setTimeout(listen, LOOK);
    });
  };

  // Boards that play move on without events of the class.
  const every = () => {
    const seconds = Number(part()?.dataset.every || 0);
    if (!document.hidden && (seconds || stream?.readyState !== EventSource.OPEN)) refresh();
    setTimeout(every, seconds ? seconds * 1000 : LOOK);
  };

  // Forms and links of the page change its part only.
  const send = async (form, button) => {
    main?.setAttribute("aria-busy", "true");
    try {
      const body = new URLSearchParams(new FormData(form, button));
      const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin" });
      const html = await answer.text();
      latest += 1;
      if (answer.redirected) history.replaceState(null, "", answer.url);
      const isShown = (room === main && show(html, true)) || (answer.ok && replace(html));
      if (!isShown) window.location.assign(answer.redirected ? answer.url : window.location.pathname);
    } catch {
      announce("The site isn’t answering. Please try again.");
    } finally {
      main?.removeAttribute("aria-busy");
    }
  };
  const replace = (html) => {
    const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("main");
    if (!fresh || !main || fresh.className !== main.className) return false;
    main.replaceChildren(...fresh.childNodes);
    announce(said(main));
    return true;
  };
  const look = async ({ href, hash }) => {
    const number = ++latest;
    try {
      const answer = await fetch(href, { headers: PART, credentials: "same-origin" });
      const html = await answer.text();
      if (number !== latest) return;
      history.pushState(null, "", href);
      if (!answer.ok || !show(html, true)) throw new Error(answer.statusText);
      if (hash) document.querySelector(hash)?.scrollIntoView({ block: "nearest" });
    } catch {
      window.location.assign(href);
    }
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-class-form]") || !event.submitter || event.submitter.formMethod === "get") return;
    event.preventDefault();
    if (!main?.hasAttribute("aria-busy")) send(form, event.submitter);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-class-link]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    look(link);
  });

  // The class of a code is named as soon as the code is whole.
  const code = document.querySelector("[data-class-code] [name=code]");
  const title = document.querySelector("[data-class-title]");
  const nameClass = async () => {
    const typed = code.value.replace(/\s/g, "");
    title.className = "class-title";
    title.textContent = "";
    if (typed.length !== 5) return;
    try {
      const answer = await fetch(`/class/${encodeURIComponent(typed)}/title`, { credentials: "same-origin" });
      const found = answer.ok ? await answer.json() : null;
      if (code.value.replace(/\s/g, "") !== typed) return;
      if (found?.names) return window.location.assign(`/class/${found.code}`);
      title.classList.toggle("good", Boolean(found));
      title.textContent = found ? `✓ ${found.title || "Your class"}` : "There is no class with this code.";
      const back = document.querySelector("[data-class-return]");
      if (!found || !back) return;
      const link = Object.assign(document.createElement("a"), { href: `/class/${found.code}/return`, textContent: "Come back with your PIN" });
      back.replaceChildren("Were you here before? ", link);
    } catch {
      // The form says it when it is sent.
    }
  };
  code?.addEventListener("input", nameClass);
  if (code?.value) nameClass();
  chooseGame();

  if (!room) return;
  if ("fullScreen" in room.dataset) {
    document.addEventListener("dblclick", () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.()));
    document.addEventListener("keydown", (event) => event.key === "f" && document.documentElement.requestFullscreen?.());
  }
  settle();
  listen();
  document.addEventListener("visibilitychange", () => (listen(), document.hidden || refresh()));
  window.addEventListener("online", listen);
  window.addEventListener("popstate", () => window.location.reload());
  window.addEventListener("pageshow", (event) => event.persisted && window.location.reload());
  setTimeout(every, LOOK);
})();
