// Sharing, times of this place, and what to do without a connection; every page works without it.
(() => {
  "use strict";

  // The style sheet shows the buttons for sharing where the device can share.
  if (navigator.share) document.documentElement.dataset.canShare = "";

  const share = async ({ dataset }) => {
    const url = document.getElementById(dataset.share).value;
    try {
      await navigator.share({ title: document.title, text: dataset.shareText, url });
    } catch {
      // Whoever thinks better of it has shared nothing; the link is there to be copied.
    }
  };

  const day = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate());

  const said = (date) => {
    const time = date.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });
    const ago = Math.round((day(new Date()) - day(date)) / 86_400_000);
    if (ago === 0 || ago === 1) return `${ago ? "yesterday" : "today"}, ${time}`;
    return `${date.toLocaleDateString([], { dateStyle: "medium" })}, ${time}`;
  };

  for (const place of document.querySelectorAll("time[datetime]")) {
    const date = new Date(place.dateTime);
    if (Number.isNaN(date.valueOf())) continue;
    place.title = place.textContent;
    place.textContent = said(date);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-share]");
    if (button) share(button);
    if (event.target.closest("[data-again]")) window.location.reload();
  });

  // In place of a page that could not be had: look whether the site is there again, and then open that page.
  const look = async () => {
    try {
      const answer = await fetch("/offline", { method: "HEAD" });
      if (answer.ok) window.location.reload();
    } catch {
      // Not yet.
    }
  };

  if (document.querySelector("[data-offline]") && window.location.pathname !== "/offline") {
    window.addEventListener("online", look);
    setInterval(look, 5000);
  }

  // A browser that cannot keep the page for later shows its own.
  navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
})();
