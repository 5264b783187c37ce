// Shows a returning reader their changes and results, before Python is loaded.
import { Kept } from "./kept.mjs";

export function show(button) {
  const { cells, checks } = new Kept().read();
  const changed = Object.keys(cells).filter((id) => mark(id, "changed by you"));
  for (const [id, sign] of Object.entries(checks)) {
    mark(id, sign === "✓" ? "✓ solved" : "✗ not solved yet");
  }
  const n = changed.length;
  if (n) button.lastElementChild.textContent = ` this page (${n} ${n > 1 ? "cells" : "cell"} changed)`;
}

// Returns whether the page has the cell.
function mark(id, text) {
  const input = document.querySelector(`#cell-${CSS.escape(id)} .cell_input`);
  if (!input) return false;
  const note = Object.assign(document.createElement("span"), { className: "live-kept" });
  note.textContent = text;
  input.append(note);
  return true;
}
