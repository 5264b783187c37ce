// The browser's store for a reader: changed cells, added cells, and results of checks.
//
// One entry for each page, all cells by their ids in the notebook:
//   {"cells": {id: {source, original}}, "own": {id: [source, …]}, "checks": {id: "✓"},
//    "numbers": of the chapters, by which its exercises are named (see button.js)}

const PREFIX = "autograd-live ";
const here = (page) => PREFIX + page;
const { numbers } = JSON.parse(document.querySelector("script[data-moved]")?.dataset.moved || "{}");

export class Kept {
  // page: the page's address within the site; the storage is another one in tests.
  constructor(page = location.pathname, storage = window.localStorage) {
    this.page = page;
    this.storage = storage;
  }

  // Read each time, since another window may have written.
  read() {
    let found = null;
    try {
      found = JSON.parse(this.storage.getItem(here(this.page)));
    } catch {
      // Storage that is not allowed, or an entry that is not ours.
    }
    return { cells: {}, own: {}, checks: {}, ...found };
  }

  // change: gets the stored object, and changes it. Returns whether the browser stored it.
  update(change) {
    const all = this.read();
    const before = JSON.stringify(all);
    change(all);
    const after = JSON.stringify(all);
    if (after === before) return true;
    try {
      const empty = Object.values(all).every((part) => !Object.keys(part).length);
      if (empty) this.storage.removeItem(here(this.page));
      else this.storage.setItem(here(this.page), JSON.stringify({ ...all, numbers }));
      return true;
    } catch {
      return false; // no room, or not allowed
    }
  }

  // Keeps a cell's source, beside the book's that it was made from; null forgets it.
  keep(id, source, original) {
    return this.update(({ cells }) => {
      if (source === null) delete cells[id];
      else cells[id] = { source, original };
    });
  }

  // Keeps the sources of a reader's own cells below a cell.
  keepOwn(id, sources) {
    return this.update(({ own }) => {
      if (sources.length) own[id] = sources;
      else delete own[id];
    });
  }

  // Keeps the last result of a check.
  judge(id, sign) {
    return this.update(({ checks }) => {
      if (sign === null || sign === "○") delete checks[id];
      else checks[id] = sign;
    });
  }
}

// Returns the sign at the beginning of a check's verdict, or undefined.
export function signOf(outputs) {
  const texts = outputs.map(({ data }) => [data?.["text/plain"] ?? ""].flat().join(""));
  return texts.map((text) => /^[✓✗○](?= )/.exec(text)?.[0]).findLast(Boolean);
}
