// Lessons: answers without loading the page anew, and the progress that this browser keeps; every page works without it.
(() => {
  "use strict";

  const SIGNS = { done: "✓", helped: "~", skipped: "–" };
  const WORDS = { done: ", done", helped: ", done with help", skipped: ", skipped" };
  const ORDER = ["skipped", "helped", "done"];
  const LEARNT = 7;

  // What is said to an answer, and where to go on, may stand below the edge of a phone.
  const main = document.querySelector("main.learn");
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  const show = () => {
    const said = main.querySelector("#again, #next-step") || main.querySelector(".answer");
    if (said) said.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });
  };

  // One entry for each game: the step that was seen last, the mark of each step, practice, learnt, mastered.
  const old = (slug) => {
    try {
      return bitduelProgress.person() ? 0 : Number(window.localStorage.getItem(`bitduel-lesson-${slug}`));
    } catch {
      return 0;
    }
  };
  // Where a browser kept only the step that comes next, those before it count as done.
  const carriedOver = (slug) => {
    const step = Math.min(old(slug) || 1, 100);
    return { step, steps: Object.fromEntries(Array.from({ length: step - 1 }, (_, at) => [at + 1, "done"])) };
  };
  const of = (slug) => {
    const stored = bitduelProgress.get("lessons")[slug];
    const progress = bitduelProgress.isObject(stored) ? stored : carriedOver(slug);
    const steps = Object.entries(bitduelProgress.isObject(progress.steps) ? progress.steps : {});
    const practice = typeof progress.practice === "string" ? progress.practice : "";
    return { ...progress, practice, steps: Object.fromEntries(steps.filter(([, how]) => ORDER.includes(how))) };
  };
  const change = (slug, changes) => bitduelProgress.set("lessons", { ...bitduelProgress.get("lessons"), [slug]: { ...of(slug), ...changes } });
  const mark = (slug, number, how) => {
    const { steps } = of(slug);
    if (ORDER.indexOf(how) > ORDER.indexOf(steps[number])) change(slug, { steps: { ...steps, [number]: how } });
  };
  const answered = ({ steps }) => Object.values(steps).filter((how) => how !== "skipped").length;
  // The step to go on with: the one that was seen last; once that is answered, the next open one, or one that was skipped.
  const reached = (slug, count) => {
    const { step, steps } = of(slug);
    const open = Array.from({ length: count }, (_, at) => at + 1).filter((number) => !steps[number] || steps[number] === "skipped");
    if (!(step >= 1) || !open.length) return 0;
    return open.includes(step) ? step : (open.find((number) => number > step) ?? open[0]);
  };
  const count = ({ steps }, how) => Object.values(steps).filter((each) => each === how).length;

  // The steps at which there was help, until they are answered.
  const helped = (slug) => [of(slug).help ?? []].flat().map(String);
  const noteHelp = (slug, number) => change(slug, { help: [...new Set([...helped(slug), number])] });

  // A step is done when it is answered: with help where a hint was opened or an answer was wrong before.
  const note = () => {
    const place = main?.querySelector("[data-number]");
    if (!place) return;
    const { lesson: slug, number, right } = place.dataset;
    if (new URLSearchParams(window.location.search).has("step")) change(slug, { step: Number(number) });
    if (right === "0") noteHelp(slug, number);
    if (right === "1") {
      mark(slug, number, helped(slug).includes(number) ? "helped" : "done");
      change(slug, { help: helped(slug).filter((each) => each !== number) });
    }
    const progress = of(slug);
    for (const each of main.querySelectorAll("[data-place]")) {
      const how = progress.steps[each.dataset.place];
      each.className = how || "";
      each.querySelector(".sign").textContent = SIGNS[how] || "";
      each.querySelector("[data-said]").textContent = WORDS[how] || "";
    }
    main.querySelector("[data-legend]").hidden = !Object.keys(progress.steps).length;
  };
  const offerNext = () => {
    const place = main?.querySelector("[data-number]");
    if (!place || new URLSearchParams(window.location.search).has("step")) return;
    const step = reached(place.dataset.lesson, Number(place.dataset.steps));
    if (step < 2) return;
    const link = Object.assign(document.createElement("a"), { href: `?step=${step}`, textContent: `Continue with step ${step}` });
    place.append(" · ", link);
  };
  if (main) {
    new MutationObserver(() => {
      note();
      show();
    }).observe(main, { childList: true });
    main.addEventListener("toggle", (event) => {
      const place = main.querySelector("[data-number]");
      if (event.target.id === "hint" && event.target.open && place) noteHelp(place.dataset.lesson, place.dataset.number);
    }, true);
    main.addEventListener("click", (event) => {
      const place = main.querySelector("[data-number]");
      if (place && event.target.closest("[data-skip]")) mark(place.dataset.lesson, place.dataset.number, "skipped");
    });
    offerNext();
    note();
  }

  // The result of practice, and a match that shows mastery.
  const practice = document.querySelector("[data-practice]");
  // It counts once, where its questions were answered here: an address alone shows nothing.
  const isOwn = (slug, row) => {
    const puzzles = bitduelProgress.get("puzzles");
    const runs = bitduelProgress.isObject(puzzles.runs) ? puzzles.runs : {};
    if (runs[slug]?.row !== row.replaceAll("+", "1").replaceAll("x", "0")) return false;
    bitduelProgress.set("puzzles", { ...puzzles, runs: { ...runs, [slug]: null } });
    return true;
  };
  if (practice) {
    const { practice: slug, row } = practice.dataset;
    if (isOwn(slug, row)) change(slug, { practice: row, learnt: of(slug).learnt || "learnt" in practice.dataset });
  }
  const mastered = document.querySelector("[data-mastered]");
  if (mastered) change(mastered.dataset.mastered, { mastered: true });

  // What is earned in a game, in signs and words.
  const earned = (slug, steps) => {
    const progress = of(slug);
    const [done, helped, skipped] = [answered(progress), count(progress, "helped"), count(progress, "skipped")];
    const right = Array.from(progress.practice || "").filter((each) => each === "+").length;
    const details = [helped && `${helped} with help`, skipped && `${skipped} skipped`].filter(Boolean).join(", ");
    const lines = [];
    if (Object.keys(progress.steps).length) lines.push([done >= steps, `Lesson: ${done} of ${steps} steps${details ? ` (${details})` : ""}`]);
    if (progress.practice) lines.push([progress.learnt, `Practice: ${right} of ${progress.practice.length}${progress.learnt ? ", learnt" : `, ${LEARNT} are enough`}`]);
    if (progress.mastered) lines.push([true, "Mastered"]);
    const puzzles = bitduelProgress.solvedPuzzles(slug);
    if (puzzles.count) lines.push([true, `Puzzles: ${puzzles.count} solved, up to grade ${puzzles.grade}`]);
    return lines;
  };
  const showEarned = (card) => {
    const place = card.querySelector("[data-earned]");
    const lines = earned(card.dataset.lessonCard, Number(card.dataset.steps));
    if (!place || !lines.length) return;
    const items = lines.map(([isDone, text]) => {
      const sign = Object.assign(document.createElement("span"), { textContent: isDone ? "✓ " : "○ " });
      sign.setAttribute("aria-hidden", "true");
      const item = document.createElement("li");
      item.append(sign, text);
      return item;
    });
    place.replaceChildren(...items);
    place.hidden = false;
  };

  // The same in one line, beside a game on the home page.
  const showBriefly = (slug, steps) => {
    const place = document.querySelector(`[data-earned-in="${slug}"]`);
    const progress = of(slug);
    const puzzles = bitduelProgress.solvedPuzzles(slug);
    const done = answered(progress);
    const learnt = progress.mastered ? "mastered" : progress.learnt ? "learnt" : done && `lesson ${done} of ${steps}`;
    const parts = [learnt, puzzles.count && `puzzles up to grade ${puzzles.grade}`].filter(Boolean).join(", ");
    if (!place || !parts) return;
    place.textContent = `${parts[0].toUpperCase()}${parts.slice(1)}`;
    place.hidden = false;
  };

  // The next step, on the page of a game and at home: the first lesson that was begun and not finished.
  const proceed = (place, slug, step) => {
    const link = place.querySelector("[data-step-link]");
    link.href = `/games/${slug}/learn?step=${step}`;
    link.textContent = `Continue with step ${step}`;
  };
  const showNext = () => {
    const card = document.querySelector("[data-lesson-card]");
    if (card) {
      showEarned(card);
      const step = reached(card.dataset.lessonCard, Number(card.dataset.steps));
      if (step > 1) proceed(card, card.dataset.lessonCard, step);
    }
    const home = document.querySelector("[data-lessons]");
    if (!home) return;
    const lessons = JSON.parse(home.dataset.lessons);
    for (const [slug, , steps] of lessons) showBriefly(slug, steps.length);
    const begun = lessons.find(([slug, , steps]) => reached(slug, steps.length) > 1);
    if (!begun) return;
    const [slug, title, steps] = begun;
    const step = reached(slug, steps.length);
    home.querySelector("[data-step-count]").textContent = `${answered(of(slug))} of ${steps.length} done`;
    home.querySelector("[data-step-title]").textContent = steps[step - 1];
    home.querySelector("[data-step-game]").textContent = title;
    home.querySelector("[data-step-bar]")?.style.setProperty("width", `${(100 * answered(of(slug))) / steps.length}%`);
    proceed(home, slug, step);
  };
  showNext();

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-learn]") || !event.submitter) return;
    event.preventDefault();
    if (main.hasAttribute("aria-busy")) return;
    const address = new URL(form.action);
    address.search = new URLSearchParams(new FormData(form, event.submitter));
    address.hash = "";
    const link = document.createElement("a");
    link.href = address;
    link.dataset.step = "0";
    link.hidden = true;
    main.append(link);
    link.click();
    link.remove();
  });
})();
