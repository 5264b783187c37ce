// Before anything is painted: the theme that was chosen, or else the system's. Where a
// browser keeps nothing, what the theme wants kept lasts as long as the page.
(() => {
  let kept;
  try {
    kept = localStorage;
    kept.getItem("mode");
  } catch {
    const all = new Map();
    kept = {
      getItem: (key) => all.get(key) ?? null,
      setItem: (key, value) => void all.set(key, String(value)),
      removeItem: (key) => void all.delete(key),
    };
    Object.defineProperty(window, "localStorage", { value: kept });
  }
  const mode = kept.getItem("mode") || "auto";
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const root = document.documentElement.dataset;
  root.mode = mode;
  root.theme = mode === "auto" ? (dark ? "dark" : "light") : mode;
  // Who comes to the top of a page needs no exact height of what is far below it.
  const [visit] = performance.getEntriesByType("navigation");
  if (visit?.type === "navigate" && !location.hash) root.arriving = "";
})();
