// The reader's own file, mine.py: kept for all pages of the site, written into the folder
// in which a page works, and changed in a panel on pages that begin with it.
import { button } from "./bar.mjs";
import { editor } from "./editor.mjs";
import { Kept } from "./kept.mjs";

const NAME = "mine.py";
const ROOT = new URL("../..", import.meta.url).pathname; // of the site
const BEGINS = /^\s*(?:\w+ = )?(?:begin|after)\(["']\w+["']\)/m; // the cell that may take it
const SAID = /^engine: (.*?yours, (\d+) of (\d+)(?:; (\d+) to come)?|.*)$/m; // by that cell

export class Mine {
  // page: has cells, a bar, and runs cells.
  constructor(page) {
    this.page = page;
    this.kept = new Kept(ROOT + NAME);
    this.first = page.cells.find(({ original }) => BEGINS.test(original));
    if (this.first) this.show();
  }

  // The text of the file, or null if there is none.
  get text() {
    return this.kept.read().source ?? null;
  }

  // An empty text removes it. What a run said of another text is forgotten.
  keep(text) {
    const whole = this.kept.update((all) => {
      for (const name of ["source", "passed", "of", "coming"]) delete all[name];
      if (text.trim()) all.source = text;
    });
    if (!whole) this.page.bar.say(`This browser keeps no ${NAME}: download it before you leave the page.`);
  }

  // Reads what a cell said of the engine. A page counts the accidents up to its own step,
  // so that of the same text the largest count is kept.
  heard(outputs) {
    const text = outputs.map((output) => [output.text ?? ""].flat().join("")).join("");
    const found = SAID.exec(text);
    if (!found) return;
    const [, line, passed, of, coming = 0] = found;
    const accident = text.slice(found.index + found[0].length).trim();
    if (this.panel) this.say(line, line.startsWith("yours") ? "" : accident);
    if (of === undefined) return;
    this.kept.update((all) => {
      if (!all.source || (all.of && +all.of > +of)) return;
      Object.assign(all, { passed, of, coming: String(coming) });
    });
  }

  show() {
    this.panel = document.createElement("details");
    this.panel.className = "live-mine";
    this.summary = document.createElement("summary");
    const about = document.createElement("p");
    about.textContent = `Your own engine, a file ${NAME}, takes the place of this page's as soon as it passes the accidents up to this page. This browser keeps it for all pages.`;
    this.view = editor({
      text: this.text ?? "",
      label: `${NAME}, your engine. Escape, then Tab, leaves the editor.`,
      run: () => this.try(),
      changed: () => this.changed(),
    });
    const file = Object.assign(document.createElement("input"), { type: "file", accept: ".py", hidden: true });
    file.ariaLabel = `A file to upload as ${NAME}`;
    file.onchange = async () => {
      if (file.files.length) this.write(await file.files[0].text());
      file.value = "";
    };
    const tools = document.createElement("div");
    tools.className = "live-tools";
    this.removing = button(`Remove ${NAME}`, `Forget ${NAME}; this page's engine is the book's again`, () => this.remove());
    this.saving = button(`Download ${NAME}`, `Download ${NAME}`, () => this.download());
    tools.append(
      button("Try it", "Run this page up to the cell with which its engine begins", () => this.try()),
      button(`Upload ${NAME}`, `Choose a file that becomes ${NAME}`, () => file.click()),
      this.saving, this.removing, file,
    );
    this.said = document.createElement("pre");
    this.said.className = "live-accident";
    this.said.role = "status";
    this.panel.append(this.summary, about, this.view.dom, tools, this.said);
    this.page.bar.element.after(this.panel);
    this.changed(false);
  }

  // line: what the engine's first cell said, without its first word.
  say(line, accident = "") {
    this.summary.textContent = `Engine: ${line}`;
    this.said.textContent = accident;
    this.said.hidden = !accident;
  }

  changed(keep = true) {
    const text = this.view.state.doc.toString();
    if (keep) this.keep(text);
    const some = text.trim() !== "";
    this.removing.hidden = this.saving.hidden = !some;
    this.say(some ? "yours, not tried on this page yet" : "the book's");
  }

  write(text) {
    const { length } = this.view.state.doc;
    this.view.dispatch({ changes: { from: 0, to: length, insert: text } });
  }

  // Another window may have changed the file since.
  try() {
    const text = this.text ?? "";
    if (text !== this.view.state.doc.toString() && text.trim()) this.write(text);
    this.page.runTo(this.first);
  }

  remove() {
    const before = this.view.state.doc.toString();
    this.write("");
    this.view.focus();
    const back = () => (this.write(before), this.page.bar.say(`${NAME} is back.`));
    this.page.bar.say(`${NAME} is removed.`, false, { action: ["Undo", back] });
  }

  download() {
    const content = new Blob([this.view.state.doc.toString()], { type: "text/x-python" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(content);
    link.download = NAME;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }
}
