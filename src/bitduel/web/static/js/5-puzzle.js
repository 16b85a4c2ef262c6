// Puzzles: days in a row and what to ask again are kept in this browser; every page works without it.
(() => {
  "use strict";

  const KEPT = "bitduel-puzzles";
  const WAITS = [1, 2, 4, 8, 16]; // days until a puzzle is asked again, one step further each time it is known
  const RIGHT = "✓";

  const recall = () => {
    try {
      const kept = JSON.parse(window.localStorage.getItem(KEPT)) || {};
      return { days: kept.days || {}, cards: kept.cards || {}, last: kept.last };
    } catch {
      return { days: {}, cards: {} };
    }
  };

  const keep = (kept) => {
    try {
      window.localStorage.setItem(KEPT, JSON.stringify(kept));
    } catch {
      // Then nothing is remembered.
    }
  };

  const later = (day, days) => {
    const date = new Date(`${day}T00:00:00Z`);
    date.setUTCDate(date.getUTCDate() + days);
    return date.toISOString().slice(0, 10);
  };
  const today = () => new Date().toISOString().slice(0, 10);

  // Days in a row that were solved, up to this one or the one before it.
  const streak = (days, upTo) => {
    const solved = (day) => (days[day] || "").endsWith(RIGHT);
    let day = solved(upTo) ? upTo : later(upTo, -1);
    let count = 0;
    for (; solved(day); day = later(day, -1)) count += 1;
    return count;
  };

  const inRow = (count) => (count === 1 ? "Solved today: the first day of a row." : `${count} days in a row.`);

  // What was not known at the first try is asked again tomorrow; what was, later and later, if it is asked again at all.
  const note = (cards, number, known) => {
    const card = cards[number];
    if (known && !card) return;
    const times = known ? card.known + 1 : 0;
    if (times > WAITS.length) delete cards[number];
    else cards[number] = { known: times, due: later(today(), WAITS[Math.max(0, times - 1)]) };
  };

  const settle = () => {
    const main = document.querySelector("main[data-puzzle][data-over]");
    if (!main) return;
    const { puzzle, day, signs } = main.dataset;
    const kept = recall();
    const result = `${puzzle} ${signs}`;
    if (kept.last !== result) note(kept.cards, puzzle, signs === RIGHT); // Loading the page again is no new answer.
    kept.last = result;
    if (day && "today" in main.dataset && !kept.days[day]) kept.days[day] = signs;
    keep(kept);
    if (day) tell(main, kept, day);
  };

  // The first result of a day counts, and the line to share says how many days there are in a row.
  const tell = (main, kept, day) => {
    const line = document.getElementById("share-line");
    const count = "today" in main.dataset ? streak(kept.days, day) : 0;
    const place = main.querySelector("[data-streak]");
    if (line && kept.days[day]) line.value = line.value.replace(/[?✗✓-]+$/u, kept.days[day]);
    if (line && count > 1 && !line.value.includes("streak")) line.value += ` · streak ${count}`;
    if (place && count) {
      place.textContent = inRow(count);
      place.hidden = false;
    }
    for (const button of main.querySelectorAll("[data-share-line]")) button.hidden = !navigator.share;
  };

  const offer = () => {
    const kept = recall();
    const due = Object.keys(kept.cards).filter((number) => kept.cards[number].due <= today());
    const place = document.querySelector("[data-due]");
    if (place && due.length) {
      const link = document.createElement("a");
      Object.assign(link, { className: "button", href: `/puzzles?number=${Number(due[0])}`, textContent: `Try again what you got wrong (${due.length})` });
      place.replaceChildren(link);
      place.hidden = false;
    }
    const row = document.querySelector(".at-once [data-streak]");
    const count = streak(kept.days, today());
    if (row && count) {
      row.textContent = count === 1 ? "1 day so far" : `${count} days in a row`;
      row.hidden = false;
    }
  };

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-share-line]");
    if (!button) return;
    try {
      await navigator.share({ text: document.getElementById(button.dataset.shareLine).value });
    } catch {
      // Whoever thinks better of it has shared nothing; the line is there to be copied.
    }
  });

  // Those who do not see the page hear what became of the move that they have sent.
  const say = () => {
    const announcer = document.getElementById("announcer");
    const verdict = document.querySelector("main[data-puzzle] .answer");
    if (announcer && verdict) setTimeout(() => (announcer.textContent = verdict.textContent.trim()), 300);
  };

  offer();
  settle();
  say();
})();
