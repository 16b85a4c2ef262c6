// Looks whether an opponent was found: in the lobby, and on the pages that are visited meanwhile.
(() => {
  "use strict";

  const EVERY = 2000; // milliseconds between two looks
  const WAITING = "lobby"; // the mark of a tab that waits
  const place = document.querySelector("[data-lobby]");
  const began = performance.now();
  let bar = null;

  // A browser that may keep nothing looks in the lobby only.
  const kept = (work, otherwise = null) => {
    try {
      return work(sessionStorage);
    } catch {
      return otherwise;
    }
  };
  const isWaiting = () => kept((storage) => storage.getItem(WAITING), place);
  const forget = () => {
    kept((storage) => storage.removeItem(WAITING));
    bar?.remove();
    bar = null;
  };

  const waited = () => Number(place.dataset.waited) + (performance.now() - began) / 1000;

  const offer = () => {
    for (const part of place.querySelectorAll("[data-after]")) part.hidden = waited() < Number(part.dataset.after);
  };

  const tell = (text, url) => {
    if (!bar) {
      bar = document.createElement("p");
      bar.className = "lobby-bar";
      bar.setAttribute("role", "status");
      document.querySelector("header.top").after(bar);
    }
    if (bar.dataset.text === text) return;
    bar.dataset.text = text;
    bar.classList.toggle("found", Boolean(url));
    const link = document.createElement("a");
    link.href = url || "/lobby";
    link.textContent = url ? "Play now" : "Lobby";
    if (url) link.className = "button primary";
    bar.replaceChildren(`${text} `, link);
  };

  // The clock starts when both have opened the match, so a page that nobody sees does not open it.
  const call = () => (document.title = "● Your opponent is here · bitduel");

  const hear = (found) => {
    if (found.state === "paired" && found.url === window.location.pathname) return forget();
    if (found.state === "paired" && place) return document.hidden ? call() : window.location.assign(found.url);
    if (found.state === "paired") return tell(`Someone is here to play ${found.title} with you.`, found.url);
    if (found.state === "waiting") return place || tell("Still looking for an opponent.");
    forget();
    if (place) window.location.reload();
  };

  const look = async () => {
    try {
      const answer = await fetch("/lobby/state", { credentials: "same-origin", cache: "no-store" });
      if (answer.ok) hear(await answer.json());
      else if (answer.status === 404) forget();
    } catch {
      // It is asked again soon.
    }
  };

  if (place) {
    kept((storage) => storage.setItem(WAITING, "1"));
    offer();
    setInterval(offer, 500);
  }
  if (!isWaiting()) return;
  if (!place) look();
  document.addEventListener("visibilitychange", () => document.hidden || look());
  setInterval(() => isWaiting() && look(), EVERY);
})();
