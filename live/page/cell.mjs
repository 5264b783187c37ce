// One cell of a live page: an editor in place of the code, its buttons, its outputs.
import { button } from "./bar.mjs";
import { editor } from "./editor.mjs";
import { signOf } from "./kept.mjs";
import { OutputArea } from "./outputs.mjs";

export class LiveCell {
  // input: the element with the code; number: the cell's on the page, or "3a" for one of
  // the reader's own; page: the page, with its functions for cells.
  constructor(input, number, page) {
    this.number = number;
    this.page = page;
    this.cell = input.closest("div.cell");
    this.id = this.cell.id.replace(/^cell-/, "");
    this.mayFail = this.cell.classList.contains("tag_raises-exception");
    this.own = this.cell.classList.contains("live-own");
    const still = input.firstElementChild;
    this.original = input.querySelector("pre").textContent.replace(/\n$/, "");
    const kept = this.own ? null : page.kept.read().cells[this.id];
    still.hidden = true;
    this.count = null;
    this.view = editor({
      text: kept?.source ?? this.original,
      label: `Code of cell ${number}. Escape, then Tab, leaves the editor.`,
      run: (then) => page.run(this, then),
      changed: () => this.changed(),
    });
    this.tools = document.createElement("div");
    this.tools.className = "live-tools";
    this.resetButton = this.tool("Reset", "the code of the book", () => this.reset());
    this.tools.append(this.tool("Run", "Shift+Enter", () => page.run(this)));
    if (number !== 1) {
      const above = () => page.runTo(this);
      this.tools.append(this.tool("Run to here", "all cells above, and this one", above));
    }
    this.tools.append(this.tool("+", "a cell of your own below; Alt+Enter", () => page.add(this)));
    if (this.own) this.tools.append(this.tool("Remove", "this cell", () => page.remove(this)));
    else this.tools.append(this.resetButton);
    this.mark = document.createElement("span");
    this.mark.className = "live-mark";
    this.tools.append(this.mark);
    input.append(this.view.dom, this.tools);
    this.area = new OutputArea(this.placeOfOutputs(input), number);
    this.ran = null;
    if (kept && kept.original !== this.original) this.tellOfNewEdition(kept);
    this.resetButton.hidden = !this.edited;
    this.say();
  }

  tool(text, what, action) {
    const made = button(text, `${text} (${what})`, action);
    made.ariaLabel = text === "+" ? `Add a cell below cell ${this.number}` : `${text}, cell ${this.number}`;
    return made;
  }

  // Where the static outputs are, or would be.
  placeOfOutputs(input) {
    let found = this.cell.querySelector(".cell_output");
    if (!found) {
      found = document.createElement("div");
      found.className = "cell_output docutils container";
      const hidden = this.cell.classList.contains("tag_hide-cell");
      (hidden ? input.parentElement : this.cell).append(found);
    }
    return found;
  }

  tellOfNewEdition({ original }) {
    const note = document.createElement("p");
    note.className = "live-edition";
    note.textContent = "The book's code has changed since you wrote this. Reset shows the new code.";
    note.title = `It was:\n${original}`;
    this.tools.after(note);
    this.edition = note;
  }

  get source() {
    return this.view.state.doc.toString();
  }

  set source(text) {
    const { length } = this.view.state.doc;
    this.view.dispatch({ changes: { from: 0, to: length, insert: text } });
  }

  get edited() {
    return this.source !== this.original;
  }

  changed() {
    this.resetButton.hidden = !this.edited;
    this.page.changed(this);
    this.say();
  }

  // Labels the outputs below: the book's, this code's, or those of earlier code.
  say() {
    const stale = this.ran !== null && this.ran !== this.source;
    const text = {
      waiting: "waiting",
      running: "running…",
    }[this.doing] ?? (stale ? "changed since it ran" : this.ran !== null ? `run ${this.count ?? ""}` : "not run yet");
    this.mark.textContent = text;
    this.mark.classList.toggle("live-stale", stale);
  }

  reset() {
    const focused = document.activeElement === this.resetButton;
    this.source = this.original;
    this.area.restore();
    this.edition?.remove();
    this.count = this.ran = null;
    this.page.judge(this, null);
    this.say();
    // The button is gone now; the focus stays in its place.
    if (focused) this.tools.querySelector("button").focus();
  }

  wait() {
    this.doing = "waiting";
    this.cell.classList.add("live-waiting");
    this.say();
  }

  rest() {
    this.doing = null;
    this.cell.classList.remove("live-waiting", "live-running");
    this.area.end();
    this.say();
  }

  // The outputs below were made before the interruption.
  halt() {
    this.mark.textContent = "stopped";
  }

  // Python was restarted: the outputs below are those of the earlier Python.
  forget() {
    if (this.ran === null) return;
    this.ran = null;
    this.say();
  }

  // Python runs this cell next, with the code as it is now.
  begin() {
    this.doing = "running";
    this.cell.classList.replace("live-waiting", "live-running");
    this.area.begin();
    this.say();
    this.ran = this.source;
    return this.ran;
  }

  // Returns "ok", "error", "interrupted", or "stopped" if Python was ended.
  async run(kernel) {
    const { ended, count } = await kernel.run(this.number, () => this.begin(), (output) => this.area.put(output));
    this.count = count ?? null;
    if (ended !== "ok" && ended !== "error") this.ran = null;
    this.rest();
    this.page.heard(this.area.outputs ?? []);
    const sign = signOf(this.area.outputs ?? []);
    if (sign) this.page.judge(this, sign);
    if (ended === "error") {
      this.area.element.closest("details")?.setAttribute("open", "");
      this.helpWithName();
    }
    return ended;
  }

  // Leads the reader to the earlier cell that defines a missing name.
  helpWithName() {
    const error = this.area.outputs.findLast((output) => output.output_type === "error");
    const name = error?.ename === "NameError" && /^name '(\w+)'/.exec(error.evalue)?.[1];
    const maker = name && this.page.makerOf(name, this);
    if (!maker) return;
    const note = document.createElement("p");
    note.className = "live-help";
    note.append(`${name} is made in cell ${maker.number}, which has not run. `);
    note.append(button("Run to here", "All cells above, and this one", () => this.page.runTo(this)));
    this.area.element.append(note);
  }
}
