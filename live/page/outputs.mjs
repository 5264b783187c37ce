// The outputs of a cell: stored as in a notebook, and shown as on the page.
import { shown, textBox } from "./mime.mjs";
import { overwritten } from "./streams.mjs";
import { write } from "./traceback.mjs";

const byDisplayId = new Map(); // the place of each output that may be replaced

export class OutputArea {
  constructor(element, number) {
    this.element = element;
    this.number = number;
    this.still = [...element.childNodes];
    this.outputs = null; // none yet: the static ones are there
  }

  // A cell begins: its old outputs go, but the page does not jump.
  begin() {
    this.element.style.minHeight = `${this.element.offsetHeight}px`;
    this.element.setAttribute("aria-busy", "true");
    this.clear();
  }

  end() {
    this.element.style.minHeight = "";
    this.element.removeAttribute("aria-busy");
    // Outputs wider than the page can be scrolled by keyboard, as at the start.
    dispatchEvent(new Event("resize"));
  }

  restore() {
    this.outputs = null;
    this.element.replaceChildren(...this.still);
  }

  clear() {
    this.outputs = [];
    this.element.replaceChildren();
    this.clearFirst = false;
  }

  // Returns the outputs for a notebook; a progress bar that is gone leaves no trace.
  kept() {
    return (this.outputs ?? [])
      .filter((output) => output.output_type !== "stream" || overwritten(output.text))
      .map(({ transient, ...output }) => output);
  }

  put(output) {
    const kind = output.output_type;
    if (kind === "clear_output") {
      if (output.wait) this.clearFirst = true;
      else this.clear();
      return;
    }
    if (kind === "update_display_data") return replace(output);
    if (this.clearFirst) this.clear();
    if (kind === "stream") return this.stream(output);
    const element = kind === "error" ? traceback(output) : shown(output, this.number);
    const id = output.transient?.display_id;
    if (id) byDisplayId.set(id, { area: this, output, element });
    this.outputs.push(output);
    this.element.append(element);
    runScripts(element);
  }

  stream({ name, text }) {
    let last = this.outputs.at(-1);
    if (last?.output_type !== "stream" || last.name !== name) {
      last = { output_type: "stream", name, text: "" };
      this.outputs.push(last);
      this.element.append(textBox(name === "stderr" ? "stream stderr" : "stream"));
    }
    last.text += text;
    const box = this.element.lastElementChild;
    const lines = overwritten(last.text);
    box.querySelector("pre").textContent = lines;
    box.hidden = !lines;
  }
}

function replace({ data, metadata, transient }) {
  const place = byDisplayId.get(transient.display_id);
  if (!place) return;
  Object.assign(place.output, { data, metadata });
  const element = shown(place.output, place.area.number);
  place.element.replaceWith(element);
  place.element = element;
  runScripts(element);
}

function traceback(output) {
  const box = textBox("traceback");
  write(box.querySelector("pre"), output);
  return box;
}

// Scripts inserted as text do not run; new elements with the same text do.
function runScripts(element) {
  for (const old of element.querySelectorAll("script")) {
    const script = document.createElement("script");
    for (const { name, value } of old.attributes) script.setAttribute(name, value);
    script.textContent = old.textContent;
    old.replaceWith(script);
  }
}
