// One cell of a live page: an editor in place of the code, its buttons, its outputs.
import { button } from "./bar.mjs";
import { editor } from "./editor.mjs";
import { OutputArea } from "./outputs.mjs";

export class LiveCell {
  // actions: edits, which keeps changes; run and runAbove, which the page does.
  constructor(input, number, { edits, run, runAbove }) {
    this.number = number;
    this.cell = input.closest("div.cell");
    this.mayFail = this.cell.classList.contains("tag_raises-exception");
    this.original = input.querySelector("pre").textContent.replace(/\n$/, "");
    this.edits = edits;
    this.name = edits.nameFor(this.original);
    this.count = null;
    const still = input.firstElementChild;
    still.hidden = true;
    this.view = editor({
      text: edits.get(this.name) ?? this.original,
      label: `Code of cell ${number}. Escape, then Tab, leaves the editor.`,
      run,
      changed: () => this.changed(),
    });
    const tools = document.createElement("div");
    tools.className = "live-tools";
    this.resetButton = this.tool("Reset", "the code of the book", () => this.reset());
    tools.append(this.tool("Run", "Shift+Enter", run));
    if (number > 1) tools.append(this.tool("Run to here", "all cells above, and this one", runAbove));
    tools.append(this.resetButton);
    input.append(this.view.dom, tools);
    this.still = still;
    this.changed();
    this.area = new OutputArea(this.placeOfOutputs(input), number);
  }

  tool(text, what, action) {
    const made = button(text, `${text} (${what})`, action);
    made.ariaLabel = `${text}, cell ${this.number}`;
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

  get source() {
    return this.view.state.doc.toString();
  }

  changed() {
    const edited = this.source !== this.original;
    this.resetButton.hidden = !edited;
    this.edits.set(this.name, edited ? this.source : null);
  }

  reset() {
    const focused = document.activeElement === this.resetButton;
    const length = this.view.state.doc.length;
    this.view.dispatch({ changes: { from: 0, to: length, insert: this.original } });
    this.area.restore();
    this.count = null;
    // The button is gone now; the keyboard stays where it was.
    if (focused) this.cell.querySelector(".live-tools button").focus();
  }

  wait() {
    this.cell.classList.add("live-waiting");
  }

  rest() {
    this.cell.classList.remove("live-waiting", "live-running");
    this.area.end();
  }

  // Returns "ok", "error" or "stopped".
  async run(kernel) {
    this.cell.classList.replace("live-waiting", "live-running");
    this.area.begin();
    const { ended, count } = await kernel.run(this.number, this.source, (output) => this.area.put(output));
    this.count = count ?? null;
    this.rest();
    if (ended === "error") this.area.element.closest("details")?.setAttribute("open", "");
    return ended;
  }
}
