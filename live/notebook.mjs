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

// A cell of the notebook that the page does not show has none there, and stays.
export function merged(notebook, cells) {
  const waiting = [...cells];
  for (const cell of notebook.cells) {
    if (cell.cell_type !== "code") continue;
    if (waiting[0]?.original !== [cell.source].flat().join("").replace(/^\n+|\s+$/g, "")) continue;
    const live = waiting.shift();
    cell.source = live.source;
    cell.outputs = live.area.kept();
    cell.execution_count = live.count;
  }
  return notebook;
}
