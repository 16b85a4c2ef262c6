// Puzzles: results of days, the streak and what to ask again are kept in this browser; every page works without it.
(() => {
  "use strict";

  const FIRST_ROW = "2026-11-18"; // before, a result was the tries, of which the last was right
  const WAITS = [1, 2, 4, 8, 16]; // days until a puzzle is asked again, one step further each time it is known
  const LONGEST = 100_000; // days that a clock may be wrong
  const BRIDGE = 7; // one missed day in so many does not end a streak
  const [RIGHT, WRONG] = ["✓", "✗"];
  const SENT = "bitduel-puzzle-sent"; // the puzzle and the play from which an answer was sent here; whoever opens an address sends none
  const main = document.querySelector("main");

  const isDay = (text) => typeof text === "string" && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  const later = (day, days) => {
    const date = new Date(`${day}T00:00:00Z`);
    date.setUTCDate(date.getUTCDate() + days);
    return date.toISOString().slice(0, 10);
  };
  // The day is that of the page: the clock of a browser may be wrong. A page without a day goes by how wrong it was.
  const today = () => {
    const place = document.querySelector("[data-today], [data-today-card], [data-week] [aria-current]");
    const own = new Date().toISOString().slice(0, 10);
    const day = place?.dataset.today || place?.dataset.todayCard || place?.dataset.day;
    const { behind } = bitduelProgress.get("clock");
    if (!day) return Number.isInteger(behind) && Math.abs(behind) < LONGEST ? later(own, behind) : own;
    const days = (Date.parse(day) - Date.parse(own)) / 86_400_000;
    const wrong = Math.abs(days) > 1 ? days : 0; // around midnight, one of the two may have a new day already
    if (wrong !== (behind || 0)) bitduelProgress.set("clock", { behind: wrong });
    return day;
  };

  const isResult = (result) => {
    const texts = typeof result === "string" ? [result] : [result?.marks, result?.play ?? "", result?.second ?? ""];
    return texts.every((text) => typeof text === "string");
  };

  // Results of the old puzzles keep the streak; the old puzzles to ask again are gone.
  const recall = () => {
    const kept = bitduelProgress.get("puzzles");
    const entries = (value) => Object.entries(bitduelProgress.isObject(value) ? value : {});
    const days = {};
    for (const [day, result] of entries(kept.days)) {
      if (!isDay(day) || !isResult(result)) continue;
      const old = typeof result === "string";
      const marks = !old ? result.marks : day >= FIRST_ROW ? result : result === RIGHT ? RIGHT : result.endsWith(RIGHT) ? "~" : WRONG;
      days[day] = old ? { marks, own: true } : result;
    }
    const stored = entries(kept.cards).filter(([, card]) => Number.isInteger(card?.known) && isDay(card.due));
    const cards = stored.filter(([id]) => !/^\d+$/.test(id) || id.length === 6);
    const dropped = kept.dropped === true || cards.length < stored.length;
    const solved = bitduelProgress.isObject(kept.solved) ? kept.solved : {};
    // What was begun, by day or by puzzle: a day stays until it has a result, all else until the day after.
    const isNew = (day) => isDay(day) && day >= later(today(), -1);
    const one = isDay(kept.begun?.date) ? { [kept.begun.date]: { play: kept.begun.play, day: kept.begun.date } } : kept.begun;
    const begun = entries(one).filter(([key, each]) => each?.play && typeof each.play === "string" && (isNew(each.day) || (isDay(key) && !days[key])));
    const runs = entries(kept.runs).filter(([, run]) => typeof run?.row === "string" && isNew(run.day));
    return { days, cards: Object.fromEntries(cards), dropped, begun: Object.fromEntries(begun), solved, runs: Object.fromEntries(runs) };
  };
  const keep = (kept) => bitduelProgress.set("puzzles", kept);

  const hasMarks = (result) => Boolean(result?.marks);
  const isSolved = (result) => hasMarks(result) && (!result.marks.includes(WRONG) || (result.second && !result.second.includes(WRONG)));
  const isClean = (result) => hasMarks(result) && Array.from(result.marks).every((mark) => mark === RIGHT);

  // Days in a row, each on its own date, up to this one or the one before it; and the missed days between them.
  const streak = (days, upTo, counts = isSolved) => {
    const counted = (day) => days[day]?.own && counts(days[day]);
    const missed = (day) => !(days[day]?.own && isSolved(days[day])); // a day solved with help ends a streak of days without
    const bridged = [];
    let day = counted(upTo) ? upTo : later(upTo, -1);
    let count = 0;
    while (true) {
      const last = bridged.at(-1);
      if (counted(day)) count += 1;
      else if (count && missed(day) && counted(later(day, -1)) && (!last || later(day, BRIDGE) <= last)) bridged.push(day);
      else return { count, bridged };
      day = later(day, -1);
    }
  };
  const best = (days) => Math.max(0, ...Object.keys(days).map((day) => streak(days, day).count));

  // What was not known at the first try is asked again tomorrow; what was, later and later, but only when it is due.
  const note = (cards, id, known) => {
    const card = cards[id];
    if (known && (!card || card.due > today())) return;
    const times = known ? card.known + 1 : 0;
    if (times > WAITS.length) delete cards[id];
    else cards[id] = { known: times, due: later(today(), WAITS[Math.max(0, times - 1)]) };
  };

  const mark = ({ puzzle, play }) => {
    try {
      window.sessionStorage.setItem(SENT, `${puzzle} ${play}`);
    } catch {
      // Then what is sent does not count.
    }
  };
  const taken = () => {
    try {
      const value = window.sessionStorage.getItem(SENT);
      window.sessionStorage.removeItem(SENT);
      return value?.split(" ") ?? [];
    } catch {
      return [];
    }
  };

  const reveal = (place, text) => {
    if (!place) return;
    if (text !== undefined) place.textContent = text;
    place.hidden = false;
  };

  // Every puzzle that was solved counts once, by game and grade.
  const noteSolved = (solved, { puzzle, game, grade, marks }) => {
    if (!puzzle || !grade || marks.includes(WRONG)) return;
    const own = bitduelProgress.isObject(solved[game]) ? solved[game] : {};
    const ids = Array.isArray(own[grade]) ? own[grade] : [];
    solved[game] = { ...own, [grade]: [...new Set([...ids, puzzle])] };
  };

  // Whoever missed a puzzle today has seen its solution.
  const isSeen = (card) => card?.known === 0 && card.due > today();

  // The first result of a day counts; so does that of the second try at a sister of the puzzle of the day.
  const record = (kept, { puzzle, play, marks, date, second, today: now, game, grade }, clean) => {
    const seen = isSeen(kept.cards[puzzle]);
    note(kept.cards, puzzle, clean);
    if (!seen) noteSolved(kept.solved, { puzzle, game, grade, marks });
    if (date && !kept.days[date]) kept.days[date] = { marks, play, own: date >= now };
    const first = kept.days[second];
    if (first && first.own && !first.second && !isSolved(first) && !seen && second >= now) first.second = marks;
  };

  const settle = () => {
    const state = main.querySelector("[data-puzzle]");
    if (!state) return;
    const kept = recall();
    const { puzzle, play, date } = state.dataset;
    const [over, [sentTo, from]] = ["over" in state.dataset, taken()];
    if (sentTo === puzzle) {
      const address = leftAt(kept, state.dataset, from);
      if (address) lead(address, date || puzzle);
      else if (address === null) goFurther(kept, state.dataset, over, "clean" in state.dataset);
      else reveal(state.querySelector("[data-uncounted]"));
    } else if (!play) goOn(kept, state.dataset);
    if (over && date) tell(state, kept);
  };

  // An answer counts only if it goes on from where the puzzle, or the practice, was left here: null then.
  // If not, the address of that place; empty where nothing was begun here.
  const leftAt = ({ begun, runs }, { puzzle, date, game, run, second }, from) => {
    const row = runs[game]?.row ?? "";
    if (run !== undefined && run !== row) return row && addressOf({ game, run: row });
    const play = begun[date || puzzle]?.play ?? "";
    return from === play ? null : play && addressOf({ puzzle, date, game, run, second, play });
  };
  const addressOf = ({ puzzle, date, game, run, second, play }) => {
    const [path, fields] = run !== undefined ? [`/games/${game}/practice`, { row: run }] : date ? ["/puzzle", { date }] : ["/puzzles", { id: puzzle, day: second }];
    const given = Object.entries({ ...fields, play }).filter(([, value]) => value);
    return `${path}?${new URLSearchParams(given)}`;
  };
  const goFurther = (kept, place, over, clean) => {
    const { puzzle, play, date, game, run } = place;
    kept.begun[date || puzzle] = { play, day: today() };
    if (run !== undefined) kept.runs[game] = { row: over ? `${run}${clean ? 1 : 0}` : run, day: today() };
    if (over) {
      delete kept.begun[date || puzzle];
      record(kept, place, clean);
    }
    keep(kept);
  };

  // What was stored and can't be read any more is begun afresh.
  const lead = async (address, key) => {
    const reply = await fetch(address).catch(() => null);
    if (reply?.status !== 400) return window.location.replace(address);
    const kept = recall();
    delete kept.begun[key];
    delete kept.days[key]?.play;
    keep(kept);
  };

  // Who comes back to a puzzle, or to practice, goes on with it; or sees the result of a day.
  const goOn = (kept, place) => {
    const { puzzle, date, game, run } = place;
    const query = new URLSearchParams(window.location.search);
    if (query.has("again") || query.has("play")) return;
    const row = kept.runs[game]?.row;
    if (run === "" && row) return lead(addressOf({ game, run: row }), puzzle);
    const play = kept.days[date]?.play || kept.begun[date || puzzle]?.play;
    if (play) lead(addressOf({ ...place, play }), date || puzzle);
  };

  const tell = (state, kept) => {
    const { date } = state.dataset;
    const result = kept.days[date];
    const second = state.querySelector("[data-second-try]");
    if (second && result?.second) {
      second.hidden = true;
      document.getElementById("more").textContent = "Another one like this";
    }
    const isShown = result?.second && result.play === state.dataset.play;
    if (isShown && isSolved(result)) state.querySelector("#result").textContent = "Solved with the second try";
    const { count } = streak(kept.days, date);
    const line = document.getElementById("share-line");
    if (!line || !result?.own) return;
    const rows = [result.marks, result.second].filter(Boolean);
    line.value = [line.value.split("\n")[0], ...rows].join("\n") + (count > 1 ? ` · streak ${count}` : "");
    line.rows = rows.length + 2;
    if (count > 1) reveal(state.querySelector("[data-share-streak]"), `· ${count} days in a row`);
  };

  const showStreak = ({ days }) => {
    const place = document.querySelector("[data-streak]");
    const { count } = streak(days, today());
    if (!place || count < 2) return;
    const clean = streak(days, today(), isClean).count;
    const [number, words] = [document.createElement("b"), document.createElement("span")];
    number.textContent = `${count} days`;
    words.textContent = ` in a row; best ${best(days)}${clean > 1 ? `, ${clean} with every move at once` : ""}`;
    place.replaceChildren(number, words);
    place.hidden = false;
  };

  const showMonth = ({ days }) => {
    const month = document.querySelector("[data-month]");
    if (!month) return;
    const bridged = streak(days, today()).bridged;
    const cells = Array.from(month.querySelectorAll("[data-day]"));
    for (const cell of cells) {
      const result = days[cell.dataset.day];
      const missed = !isSolved(result) && bridged.includes(cell.dataset.day);
      const state = isClean(result) ? "first" : isSolved(result) ? "solved" : missed ? "bridged" : "open";
      const lamp = cell.querySelector(".mark-lamp");
      lamp?.setAttribute("class", `mark-lamp ${state}`);
      cell.classList.toggle("bridged", missed);
      const said = cell.querySelector("[data-said]");
      const words = { first: "every move at once", solved: "solved", bridged: "missed, streak kept", open: hasMarks(result) ? "not solved" : "open" };
      if (said) said.textContent = `: ${words[state]}`;
      if (missed) reveal(month.querySelector("[data-bridged]"));
    }
    const open = cells.filter((cell) => cell.href);
    const solved = open.filter((cell) => isSolved(days[cell.dataset.day])).length;
    month.querySelector("[data-solved-count]").textContent = `${solved} of ${open.length} solved`;
    reveal(month.querySelector("[data-legend]"));
  };

  // What is asked again, and whether today's puzzle is done, on the pages that lead to puzzles.
  const showToday = ({ days, cards, dropped }) => {
    const due = Object.keys(cards).filter((id) => cards[id].due <= today());
    const place = document.querySelector("[data-due]");
    if (place && due.length) {
      const link = document.createElement("a");
      Object.assign(link, { className: "button", href: `/puzzles?id=${encodeURIComponent(due[0])}`, textContent: `Retry the puzzles you got wrong (${due.length})` });
      place.replaceChildren(link);
      place.hidden = false;
    }
    if (dropped) reveal(document.querySelector("[data-dropped]"));
    const result = days[document.querySelector("[data-today-card]")?.dataset.todayCard || today()];
    if (!hasMarks(result)) return;
    const tag = document.querySelector("[data-solved-today]");
    reveal(tag, isSolved(result) ? "✓ solved" : "done");
    for (const link of document.querySelectorAll("[data-puzzle-link]")) link.textContent = "See your result";
    const row = document.querySelector("[data-marks-today]");
    if (row) row.textContent = result.marks;
    const greeting = document.querySelector("[data-greeting]");
    if (greeting) greeting.textContent = "Today's puzzle is done. Take the next step of a lesson, or start a game.";
    // The one filled button then leads to the lesson.
    const [lead, next] = [document.querySelector(".again-grid > .today .primary"), document.querySelector(".again-grid [data-step-link]")];
    if (lead && next) {
      lead.classList.remove("primary");
      next.classList.add("primary");
    }
  };

  // The last days on the home page: every move at once, solved, or not.
  const showWeek = ({ days }) => {
    const week = document.querySelector("[data-week]");
    if (!week) return;
    const { bridged } = streak(days, today());
    for (const item of week.children) {
      const result = days[item.dataset.day];
      const missed = bridged.includes(item.dataset.day);
      if (isSolved(result)) item.querySelector(".lamp-dot").classList.add(isClean(result) ? "lit" : "solved");
      item.querySelector("[data-said]").textContent = isSolved(result) ? "solved" : missed ? "missed, streak kept" : "";
      if (missed) item.querySelector(".lamp-dot").textContent = "·";
    }
  };
  const showDaysInARow = ({ days }) => {
    const place = document.querySelector("[data-days-in-a-row]");
    const { count } = streak(days, today());
    if (place && count > 1) place.textContent = `${count} days in a row`;
  };

  // The name and the streak in the header, in room that is empty without them.
  const showMe = ({ days }) => {
    const me = document.querySelector("[data-me]");
    if (!me) return;
    const { count: inARow } = streak(days, today());
    const count = inARow > 1 ? inARow : 0; // one day is no streak
    const name = bitduelProgress.name();
    me.hidden = !count && !name;
    me.querySelector("[data-me-name]").textContent = name;
    const lamp = me.querySelector("[data-me-streak]");
    lamp.textContent = count || "";
    lamp.hidden = !count;
    me.setAttribute("aria-label", [name, count && `${count} days in a row`].filter(Boolean).join(", "));
  };

  // The server writes the time to the next puzzle; here it stays true.
  const countDown = () => {
    const place = document.querySelector("[data-left]");
    if (!place) return;
    const minutes = Math.max(1, Math.floor((86_400_000 - (Date.now() % 86_400_000)) / 60_000));
    const text = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
    if (place.textContent !== text) place.textContent = text;
  };

  const show = () => {
    settle();
    const kept = recall();
    for (const part of [showStreak, showMonth, showToday, showWeek, showDaysInARow, showMe]) part(kept);
    countDown();
  };

  // What is sent from here is marked before it is; with scripts the page is not loaded anew: a form becomes a link.
  const state = () => main.querySelector("[data-puzzle]");
  document.addEventListener("click", (event) => event.target.closest("#hint, #go-on") && state() && mark(state().dataset), true);
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-puzzle-form]")) return;
    mark(state().dataset);
    if (!event.submitter) return;
    event.preventDefault();
    if (main.hasAttribute("aria-busy")) return;
    event.submitter.classList.add("pending");
    const address = new URL(form.action);
    address.search = new URLSearchParams(new FormData(form, event.submitter));
    const link = Object.assign(document.createElement("a"), { href: address, hidden: true });
    link.dataset.step = "0";
    main.append(link);
    link.click();
  });

  show();
  if (main.matches(".puzzle-main")) new MutationObserver((changes) => changes.some(({ addedNodes }) => Array.from(addedNodes).some((node) => node.matches?.("[data-puzzle]"))) && show()).observe(main, { childList: true });
  if (document.querySelector("[data-left]") || main.matches(".puzzle-main")) setInterval(countDown, 20_000);
})();
