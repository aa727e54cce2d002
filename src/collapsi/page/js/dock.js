// On a narrow screen the board stays in sight, small and at the top, while one reads the review.

import { $ } from "./dom.js";

const NARROW = "(max-width: 56rem)"; // one column
const MIN_SEEN = 0.5; // of the board

export function start(app) {
  const narrow = matchMedia(NARROW);
  const seen = new Map(); // by element: whether it can be seen
  const change = () => {
    const isDocked = narrow.matches && seen.get($("place")) === false && seen.get($("review")) === true;
    if (isDocked !== $("dock").hidden) return;
    $("place").style.height = isDocked ? `${$("place").offsetHeight}px` : ""; // nothing moves
    $("frame").classList.toggle("docked", isDocked);
    $("dock").hidden = !isDocked;
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, intersectionRatio, boundingClientRect } of entries)
        seen.set(target, target === $("review") ? isIntersecting : intersectionRatio >= MIN_SEEN || boundingClientRect.top > 0);
      change();
    },
    { threshold: [0, MIN_SEEN] },
  );
  observer.observe($("place"));
  observer.observe($("review"));
  narrow.addEventListener("change", change);
  $("dock-back").addEventListener("click", () => app.step(() => app.shown.ply - 1));
  $("dock-forward").addEventListener("click", () => app.step(() => app.shown.ply + 1));
}

/** Describe the position next to the small board. */
export function update() {
  $("dock-said").textContent = $("turn").textContent;
}
