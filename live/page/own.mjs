// A cell of the reader's own, in the markup of the book's.

export function newCell(cell, source) {
  const element = document.createElement("div");
  element.className = "cell live-own docutils container";
  element.innerHTML = '<div class="cell_input docutils container"><div class="highlight"><pre></pre></div></div>';
  element.querySelector("pre").textContent = source;
  cell.cell.after(element);
  return element.firstElementChild;
}
