// Shows changes to code that the book no longer has, so that no edition hides a reader's work.
import { button } from "./bar.mjs";

export function showOrphans(kept, bar) {
  const lost = Object.entries(kept.read().cells).filter(([id]) => !document.getElementById(`cell-${id}`));
  if (!lost.length) return;
  const box = document.createElement("details");
  box.className = "live-orphans";
  const summary = document.createElement("summary");
  summary.textContent = lost.length === 1
    ? "A change of yours belongs to code that the book has changed since"
    : `${lost.length} changes of yours belong to code that the book has changed since`;
  box.append(summary);
  for (const [id, { source }] of lost) {
    const code = document.createElement("pre");
    code.textContent = source;
    code.tabIndex = 0;
    const forget = button("Forget", "Forget this change", () => {
      kept.keep(id, null);
      code.remove();
      forget.remove();
      if (!box.querySelector("pre")) box.remove();
    });
    box.append(code, forget);
  }
  bar.after(box);
}
