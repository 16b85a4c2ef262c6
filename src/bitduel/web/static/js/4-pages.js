// Pages around the games: the name is remembered in this browser, and a picture of a whole game is walked by arrow keys.
(() => {
  "use strict";

  const [NAME, SENT] = ["bitduel-name", "bitduel-name-sent"];
  const THIS_TAB = "sessionStorage";

  // What a browser may keep, if it is allowed to.
  const recall = (key, where = "localStorage") => {
    try {
      return window[where].getItem(key) || "";
    } catch {
      return "";
    }
  };
  const keep = (key, value, where = "localStorage") => {
    try {
      if (value) window[where].setItem(key, value);
      else window[where].removeItem(key);
    } catch {
      // Then it is asked for again next time.
    }
  };

  // A name is remembered once a match shows that the site has taken it, and forgotten where it is refused.
  const sent = recall(SENT, THIS_TAB);
  keep(SENT, "", THIS_TAB);
  if (sent && document.querySelector("main[data-live]")) keep(NAME, sent.slice(1));
  const refused = document.querySelector('input[autocomplete="nickname"][aria-invalid]');
  if (refused && refused.value === recall(NAME)) keep(NAME, "");

  const nameField = document.querySelector('input[autocomplete="nickname"]');
  if (nameField && !nameField.value && !nameField.hasAttribute("aria-invalid")) nameField.value = recall(NAME);

  document.addEventListener("submit", (event) => {
    const form = event.target;
    const field = form.querySelector('input[autocomplete="nickname"]');
    if (field) keep(SENT, `=${field.value.trim()}`, THIS_TAB);
    if (!form.matches("[data-names]") || field || !recall(NAME)) return;
    const carried = document.createElement("input");
    Object.assign(carried, { type: "hidden", name: "remembered", value: recall(NAME) });
    form.append(carried);
  });

  // The number of matches that wait is asked for only where somebody has played.
  const PLAYED = "bitduel-played";
  const badge = document.querySelector("[data-waiting]");
  const showWaiting = async () => {
    try {
      const { waiting } = await (await fetch("/waiting")).json();
      badge.querySelector("[data-count]").textContent = waiting;
      badge.hidden = !waiting;
    } catch {
      // Then the list of matches tells it.
    }
  };
  if (document.querySelector("main[data-live], .again-grid")) keep(PLAYED, "yes");
  if (badge?.hidden && recall(PLAYED) && !document.querySelector(".again-grid")) showWaiting();

  // Sheets are printed by the browser's own command; this button only saves looking for it. What the form asks for by
  // now has to be shown first.
  for (const button of document.querySelectorAll("[data-print]")) {
    const { form } = button;
    const note = form.querySelector("[data-print-note]");
    const check = () => {
      const inputs = Array.from(form.querySelectorAll("input"));
      const isChanged = inputs.some((input) => input.checked !== input.defaultChecked || input.value !== input.defaultValue);
      button.disabled = isChanged;
      note.textContent = isChanged ? "Show the sheets again to print what you changed." : "";
    };
    button.hidden = false;
    button.addEventListener("click", () => window.print());
    form.addEventListener("input", check);
    window.addEventListener("pageshow", check);
    check();
  }

  // One stop for the Tab key, and arrows inside, as in any grid.
  for (const board of document.querySelectorAll("[data-roving]")) {
    const cells = Array.from(board.querySelectorAll("a"));
    const middle = (cell) => {
      const box = cell.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const enter = (cell) => {
      for (const other of cells) other.tabIndex = other === cell ? 0 : -1;
    };
    // The nearest cell in a direction, straight ahead before aside.
    const next = (from, [right, down]) => {
      const [x, y] = middle(from);
      const far = (cell) => {
        const [to, at] = middle(cell);
        const ahead = (to - x) * right + (at - y) * down;
        const aside = Math.abs((to - x) * down) + Math.abs((at - y) * right);
        return ahead > 4 && aside < ahead + 4 ? ahead + 8 * aside : Infinity;
      };
      return cells.reduce((best, cell) => (far(cell) < best[0] ? [far(cell), cell] : best), [Infinity, null])[1];
    };
    if (cells.length) enter(cells[0]);
    board.addEventListener("focusin", (event) => cells.includes(event.target) && enter(event.target));
    board.addEventListener("keydown", (event) => {
      const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
      const target = ways[event.key] && next(event.target, ways[event.key]);
      if (!target) return;
      event.preventDefault();
      event.stopPropagation();
      target.focus();
    });
  }
})();
