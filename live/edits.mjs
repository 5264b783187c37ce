// What a reader changed on this page, kept by the browser until it is reset.

const KEY = `autograd-live ${location.pathname}`;

export class Edits {
  constructor() {
    this.seen = new Map();
  }

  // Returns a cell's name: the book's code, so that an edit never meets other code.
  nameFor(original) {
    const times = (this.seen.get(original) ?? 0) + 1;
    this.seen.set(original, times);
    return times === 1 ? original : `${original}\n#${times}`;
  }

  get(name) {
    return this.read()[name];
  }

  // Text that is null forgets the edit. Read anew: another window may have written.
  set(name, text) {
    const all = this.read();
    if (text === (all[name] ?? null)) return;
    if (text === null) delete all[name];
    else all[name] = text;
    try {
      if (Object.keys(all).length) localStorage.setItem(KEY, JSON.stringify(all));
      else localStorage.removeItem(KEY);
    } catch {
      // A browser that keeps nothing: the edit lives as long as the page.
    }
  }

  read() {
    try {
      return JSON.parse(localStorage.getItem(KEY)) ?? {};
    } catch {
      return {};
    }
  }
}
