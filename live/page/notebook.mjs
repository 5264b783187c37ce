// The page as a notebook: the book's own, with the reader's code and its outputs.

export async function download(address, cells) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error("the book's notebook cannot be reached");
  const notebook = merged(await answer.json(), cells);
  const file = new Blob([JSON.stringify(notebook, null, 1)], { type: "application/x-ipynb+json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = address.pathname.split("/").at(-1);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// A cell that the page does not show stays as it is in the notebook; a cell of the
// reader's own stands below the cell that it was added to.
export function merged(notebook, cells) {
  const byId = new Map(notebook.cells.map((cell) => [cell.id, cell]));
  const made = [];
  let above = null;
  for (const live of cells) {
    const cell = live.own ? ownCell(made.length) : byId.get(live.id);
    if (!cell) continue;
    if (live.own) made.push({ cell, above });
    cell.source = live.source;
    cell.outputs = live.area.kept();
    cell.execution_count = live.count;
    above = cell;
  }
  for (const { cell, above: before } of made) {
    notebook.cells.splice(notebook.cells.indexOf(before) + 1, 0, cell);
  }
  return notebook;
}

function ownCell(n) {
  return { cell_type: "code", id: `own-${n + 1}`, metadata: { tags: ["own"] }, source: "", outputs: [] };
}
