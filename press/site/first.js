// Before anything is painted: the chosen theme, otherwise the system's. If a browser
// stores nothing, the theme's settings last as long as the page.
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
  // At the top of a page, exact heights of distant parts are not needed.
  const [visit] = performance.getEntriesByType("navigation");
  if (visit?.type === "navigate" && !location.hash) root.arriving = "";
})();
