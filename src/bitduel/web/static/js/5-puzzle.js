// Puzzles: days in a row and what to ask again are kept in this browser; every page works without it.
(() => {
  "use strict";

  const KEPT = "bitduel-puzzles";
  const WAITS = [1, 2, 4, 8, 16]; // days until a puzzle is asked again, one step further each time it is known
  const [RIGHT, SHOWN] = ["✓", "-"];
  const SENT = "bitduel-puzzle-sent"; // which puzzle an answer was sent to from here; whoever opens an address sends none
  const GOES_ON = "bitduel-puzzle-goes-on";

  const recall = () => {
    try {
      const kept = JSON.parse(window.localStorage.getItem(KEPT)) || {};
      return { days: kept.days || {}, cards: kept.cards || {}, last: kept.last, begun: kept.begun };
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

  const mark = (name, value) => {
    try {
      window.sessionStorage.setItem(name, value);
    } catch {
      // Then what is sent does not count.
    }
  };
  const taken = (name) => {
    try {
      const value = window.sessionStorage.getItem(name);
      window.sessionStorage.removeItem(name);
      return value;
    } catch {
      return null;
    }
  };

  // Tries of today are kept as they are made, by their address, so that whoever comes back goes on with them.
  const begin = (kept, day, address) => {
    const url = new URL(address, window.location.href);
    url.searchParams.delete("step");
    if (!kept.days[day]) kept.begun = { day, url: url.pathname + url.search };
  };
  const isFresh = () => {
    const said = new URLSearchParams(window.location.search);
    return !["tries", "hints", "show"].some((name) => said.has(name));
  };

  const settle = () => {
    const main = document.querySelector("main[data-puzzle]");
    if (!main) return;
    const { puzzle, day, signs } = main.dataset;
    const [kept, own, goesOn] = [recall(), taken(SENT) === puzzle, taken(GOES_ON)];
    const [over, counts] = ["over" in main.dataset, Boolean(day) && "today" in main.dataset];
    if (own && over) {
      const result = `${puzzle} ${signs}`;
      if (kept.last !== result) note(kept.cards, puzzle, signs === RIGHT); // Loading the page again is no new answer.
      kept.last = result;
      if (counts && !kept.days[day]) kept.days[day] = signs;
      if (kept.begun?.day === day) delete kept.begun;
    } else if (own && counts) begin(kept, day, window.location.href);
    if (own) keep(kept);
    if (day && over) tell(main, kept, day);
    else if (counts && isFresh()) welcome(main, kept, day);
    if (goesOn && !over) reveal(main.querySelector("[data-goes-on]"));
  };

  const reveal = (place) => place && (place.hidden = false);

  // Who comes back to the puzzle of today goes on with what was tried, or is told what came of it.
  const welcome = (main, kept, day) => {
    const result = kept.days[day];
    const line = document.getElementById("done-line");
    if (result && line) {
      line.value = inShare(line.value, result, streak(kept.days, day));
      if (result.endsWith(SHOWN)) main.querySelector("[data-done] p").textContent = "You have seen the answer of today's puzzle.";
      reveal(main.querySelector("[data-done]"));
    } else if (kept.begun?.day === day && String(kept.begun.url).startsWith("/puzzle?")) {
      mark(GOES_ON, "1");
      window.location.replace(kept.begun.url);
    }
  };

  const inShare = (line, signs, count) => {
    const told = line.replace(/ · [?✗✓-]*$/u, ` · ${signs}`);
    return count > 1 && !told.includes("streak") ? `${told} · streak ${count}` : told;
  };

  // What is sent from here is marked before it is; a hint is shown without loading the page anew.
  document.addEventListener("submit", (event) => {
    const main = event.target.closest("main[data-puzzle]");
    if (main) mark(SENT, main.dataset.puzzle);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("main[data-puzzle] :is(#hint, #show)");
    if (!link) return;
    const { puzzle, day, today } = link.closest("main").dataset;
    const kept = recall();
    if (link.id === "show") mark(SENT, puzzle);
    else if (day && today !== undefined) {
      begin(kept, day, link.href);
      keep(kept);
    }
  }, true);

  // The first result of a day counts, and the line to share says how many days there are in a row.
  const tell = (main, kept, day) => {
    const line = document.getElementById("share-line");
    const count = "today" in main.dataset ? streak(kept.days, day) : 0;
    const place = main.querySelector("[data-streak]");
    if (line && kept.days[day]) line.value = inShare(line.value, kept.days[day], count);
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
