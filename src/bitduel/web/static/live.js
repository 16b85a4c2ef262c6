// Live updates, keys and smooth changes; every page works without it.
(() => {
  "use strict";

  const room = document.querySelector("[data-live]");
  const announcer = document.getElementById("announcer");
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  let latest = 0;

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

  const place = (nodes) => {
    const before = room.querySelector(".board svg");
    room.replaceChildren(...nodes);
    const after = room.querySelector(".board svg");
    if (calm.matches || !before || !after || !alike(before, after)) return;
    after.replaceWith(before);
    before.getBoundingClientRect();
    become(before, after);
  };

  // What has the focus now, so that the same thing can have it afterwards.
  const focused = () => {
    const at = document.activeElement;
    if (!at || !room.contains(at) || at === room) return null;
    if (at.id) return `#${CSS.escape(at.id)}`;
    return at.name ? `[name="${CSS.escape(at.name)}"][value="${CSS.escape(at.value)}"]` : "form[data-move] button";
  };

  const refocus = (selector) => {
    if (!selector) return;
    const again = room.querySelector(selector) || room.querySelector("form[data-move] button") || room;
    again.focus({ preventScroll: true });
  };

  const status = () => Array.from(room.querySelectorAll("[data-say]"), (line) => line.textContent.trim()).join(" ");

  const swap = (html, title) => {
    const parsed = new DOMParser().parseFromString(html, "text/html");
    const fresh = parsed.querySelector("#match") || parsed.body;
    const state = fresh.querySelector(".match");
    if (!state) throw new Error("no match in the answer");
    const keep = focused();
    const said = status();
    const moved = () => {
      place(Array.from(fresh.childNodes));
      room.dataset.ply = state.dataset.ply;
      room.dataset.over = state.dataset.over;
      offerCopies();
      refocus(keep);
      if (status() !== said) announce(status());
      mark();
    };
    const shapes = [room.querySelector(".board svg"), fresh.querySelector(".board svg")];
    const same = shapes[0] && shapes[1] && alike(shapes[0], shapes[1]);
    if (document.startViewTransition && !calm.matches && !same) document.startViewTransition(moved);
    else moved();
  };

  // The title says when it is your turn, for those who look at another tab.
  const mark = () => {
    const title = document.title.replace(/^● /, "");
    document.title = room.querySelector("form[data-move]") ? `● ${title}` : title;
  };

  const refresh = async () => {
    const number = ++latest;
    try {
      const answer = await fetch(room.dataset.fragment, { credentials: "same-origin", cache: "no-store" });
      const html = await answer.text();
      if (answer.ok && number === latest) swap(html);
    } catch {
      // The stream reconnects by itself and asks again.
    }
  };

  const listen = () => {
    const stream = new EventSource(room.dataset.live);
    stream.addEventListener("changed", (event) => {
      if (event.data !== room.dataset.ply || room.dataset.over === "true") refresh();
    });
    let opened = false;
    stream.addEventListener("open", () => {
      if (opened) refresh();
      opened = true;
    });
    window.addEventListener("pagehide", () => stream.close());
    window.addEventListener("pageshow", (event) => {
      if (event.persisted) window.location.reload();
    });
  };

  const send = async (form, button) => {
    const number = ++latest;
    const body = new URLSearchParams(new FormData(form, button));
    room.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin" });
      const html = await answer.text();
      if (answer.status === 409) return await refresh();
      if (!answer.ok) throw new Error(answer.statusText);
      if (number === latest) swap(html);
    } catch {
      form.dataset.plain = "";
      form.requestSubmit(button);
    } finally {
      room.removeAttribute("aria-busy");
    }
  };

  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
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
    const column = event.target.closest("[data-ply].column");
    if (column) document.querySelector(`[data-step="${column.dataset.ply}"]`)?.click();
  });

  document.addEventListener("keydown", press);
  offerCopies();
  document.querySelector('.steps [aria-current="step"]')?.scrollIntoView({ block: "nearest" });
  if (room) listen();
})();
