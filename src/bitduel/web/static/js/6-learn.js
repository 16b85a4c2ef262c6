// Answers of a lesson without loading the page anew: a form that only asks becomes a link, and links are stepped to.
(() => {
  "use strict";

  // What is said to an answer, and where to go on, may stand below the edge of a phone.
  const main = document.querySelector("main.learn");
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  const show = () => {
    const said = main.querySelector("#again, #next-step") || main.querySelector(".answer");
    if (said) said.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });
  };
  if (main) new MutationObserver(show).observe(main, { childList: true });

  // How far one has come is remembered in this browser, if it is allowed to; who comes back is shown the way.
  const remember = (count) => {
    const key = `bitduel-lesson-${count.dataset.lesson}`;
    const kept = Number(window.localStorage.getItem(key));
    if (new URLSearchParams(window.location.search).has("step")) {
      window.localStorage.setItem(key, count.dataset.number);
    } else if (kept > 1) {
      const link = document.createElement("a");
      link.href = `?step=${kept}`;
      link.textContent = `Go on with step ${kept}`;
      count.append(" · ", link);
    }
  };
  try {
    const count = main?.querySelector(".count");
    if (count) remember(count);
  } catch {
    // Then the lesson begins at its first step.
  }

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
