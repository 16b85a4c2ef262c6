// Counts down the time that the server has said; whether it is up, only the server decides.
(() => {
  "use strict";

  const SHORT = 10; // seconds from which little time is left
  const began = new WeakMap();

  const text = (seconds) => {
    const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const two = (number) => String(number).padStart(2, "0");
    return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
  };

  const show = () => {
    for (const clock of document.querySelectorAll("[role=timer][data-seconds]")) {
      if (!began.has(clock)) began.set(clock, performance.now());
      const passed = "running" in clock.dataset ? (performance.now() - began.get(clock)) / 1000 : 0;
      const left = Math.max(0, Math.ceil(Number(clock.dataset.seconds) - passed));
      const shown = clock.querySelector("b");
      if (shown.textContent !== text(left)) shown.textContent = text(left);
      clock.classList.toggle("short", "running" in clock.dataset && left <= SHORT);
    }
  };

  show();
  setInterval(show, 200);
})();
