// Answers of a lesson without loading the page anew: a form that only asks becomes a link, and links are stepped to.
(() => {
  "use strict";

  // What is said to an answer may stand below the edge of a phone.
  const main = document.querySelector("main.learn");
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  const show = () => {
    const said = main.querySelector(".answer");
    if (said) said.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });
  };
  if (main) new MutationObserver(show).observe(main, { childList: true });

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
