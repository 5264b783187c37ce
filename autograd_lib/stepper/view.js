// One graph: its drawing or table, its code and its steps in words, at any step.

class View {
  constructor(box, words) {
    this.box = box;
    this.graph = box.querySelector(".stepper-graph");
    this.words = [...words.querySelectorAll("li")];
    this.trace = JSON.parse(box.dataset.trace);
    delete box.dataset.trace;
    this.steps = this.trace.steps;
    this.last = this.steps.length - 1;
    this.model = model(this.trace);
    this.leaves = [...this.model.values];
    this.at = 0;
    this.calculate();
    this.showCode();
    this.unpack();
  }

  calculate() {
    this.numbers = calculated(this.trace, ...this.model.numbersAt(this.leaves));
  }

  // A drawing is an image until now.
  unpack() {
    const url = this.graph.querySelector("img")?.getAttribute("src");
    if (url) {
      this.graph.innerHTML = decodeURIComponent(url.slice(url.indexOf(",") + 1));
      const svg = this.graph.firstElementChild;
      this.described = svg.getAttribute("aria-label");
    }
    this.findParts();
  }

  findParts() {
    this.graph.querySelectorAll("[data-end=used]").forEach((half) => this.closeGap(half));
    this.parts = [...this.graph.querySelectorAll("[data-part]")];
    for (const part of this.parts) {
      if (part.dataset.part[0] === "n") part.classList.add("stepper-node");
      const leaf = Number(part.dataset.part.slice(1));
      if (part.dataset.part === `n${leaf}` && this.model.free.includes(leaf)) {
        part.classList.add("stepper-free");
      }
    }
  }

  // An arrow has a gap for its slope. As long as none stands there, a line closes it.
  closeGap(half) {
    const { part } = half.dataset;
    const [path, other] = ["used", "user"].map((end) =>
      this.graph.querySelector(`[data-part="${part}"][data-end="${end}"] path`));
    const [from, to] = [path, other].map((one) => one.getAttribute("d").match(/-?[\d.]+/g));
    const line = path.cloneNode();
    line.setAttribute("d", `M${from.slice(-2)}L${to.slice(0, 2)}`);
    line.setAttribute("class", "stepper-gap");
    half.append(line);
  }

  showCode() {
    if (!this.trace.code) return;
    const frame = document.createElement("div");
    frame.className = "stepper-code";
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", "Code");
    frame.tabIndex = 0; // it scrolls on a phone
    this.code = this.trace.code[0].map((line) => {
      const code = document.createElement("code");
      code.textContent = line || " ";
      return code;
    });
    frame.append(...this.code);
    this.graph.after(frame);
    this.codeFrame = frame;
  }

  seen(at) {
    return Object.assign({}, ...this.steps.slice(0, at + 1).map((s) => s[2]));
  }

  // Shows a step. What is `held` keeps its gradient of the step before; `next` is the
  // node that a question is about.
  show(at, { held = [], next = "" } = {}) {
    this.at = Math.min(at, this.last);
    const [title, node, changed] = this.steps[this.at];
    const [seen, before] = [this.seen(this.at), this.seen(this.at - 1)];
    this.box.dataset.phase = title;
    for (const part of this.parts) {
      const name = part.dataset.part;
      const texts = [...part.querySelectorAll("text, td")].slice(-2);
      const [first, second, look] = seen[name] ?? [this.trace.nodes.length ? "?" : "", ""];
      part.dataset.look = look ?? "";
      const lines = [first, held.includes(name) ? before[name]?.[1] ?? "" : second];
      texts.forEach((text, k) => { text.textContent = filled(lines[k], this.numbers); });
      part.dataset.state = name === (next || node) ? "now"
        : name in changed && !next ? "changed" : name in seen ? "done" : "waits";
    }
    this.words.forEach((li, k) => {
      li.ariaCurrent = k === this.at ? "step" : null;
      for (const data of li.querySelectorAll("data")) {
        data.textContent = written(this.numbers, data.value);
      }
    });
    this.markCode(next || node);
    // With the frame that shows it: until then, to ask where things are costs a layout.
    requestAnimationFrame(() => this.reveal([next || node, ...Object.keys(changed)]));
  }

  markCode(node) {
    if (!this.code) return;
    const { code: [, made], written } = this.trace;
    const given = made.filter((_, i) => !this.trace.nodes[i][1]).flat();
    const lines = written?.[this.at]
      ?? (node ? made[Number(node.slice(1))] : this.at ? [] : given);
    const soFar = written?.slice(0, this.at + 1).flat();
    this.code.forEach((line, k) => {
      line.ariaCurrent = lines.includes(k) ? "step" : null;
      line.dataset.state = !soFar || soFar.includes(k) ? "done" : "waits";
    });
  }

  // Within the drawing's own frame only: a page that moves by itself loses its reader.
  // What does not fit as a whole shows the node at work, with its last receiver or not.
  reveal(names) {
    const present = names.filter(Boolean);
    const shown = present.length ? present : [`n${this.trace.nodes.length - 1}`];
    const receivers = shown.filter((name) => name[0] === "n").slice(-1);
    const frame = this.graph.getBoundingClientRect();
    const choices = [shown, [shown[0], ...receivers], shown.slice(0, 1)]
      .map((some) => this.around(some));
    const fits = (box) => box.width <= frame.width && box.height <= frame.height;
    const box = choices.find((choice) => choice && fits(choice)) ?? choices.at(-1);
    if (!box) return;
    this.graph.scrollLeft += box.x + box.width / 2 - frame.x - frame.width / 2;
    this.graph.scrollTop += box.y + box.height / 2 - frame.y - frame.height / 2;
    const line = this.code?.findLast((one) => one.ariaCurrent);
    if (!line) return;
    const [one, all] = [line, this.codeFrame].map((part) => part.getBoundingClientRect());
    this.codeFrame.scrollTop += one.y + one.height / 2 - all.y - all.height / 2;
  }

  around(names) {
    const boxes = this.parts.filter((part) => names.includes(part.dataset.part))
      .map((part) => part.getBoundingClientRect());
    if (!boxes.length) return undefined;
    const [x, y] = ["left", "top"].map((side) => Math.min(...boxes.map((box) => box[side])));
    const [right, bottom] = ["right", "bottom"].map((side) =>
      Math.max(...boxes.map((box) => box[side])));
    return { x, y, width: right - x, height: bottom - y };
  }

  sentence(at) {
    return this.words[Math.min(at, this.last)].innerHTML;
  }

  // The steps that a click on a node leads to.
  stops(name) {
    const works = this.steps.flatMap((s, i) => (s[1] === name ? [i] : []));
    const changes = this.steps.flatMap((s, i) => (name in s[2] ? [i] : []));
    return works.length ? works : [changes[0], changes.at(-1)];
  }

  set(leaf, value) {
    this.leaves[leaf] = value;
    this.calculate();
    this.describe();
    this.show(this.at);
  }

  // The drawing's description says the numbers that it was made with.
  describe() {
    const { nodes } = this.trace;
    const changed = this.model.free.filter((i) => this.leaves[i] !== nodes[i][2]);
    const now = changed.map((i) => `${nodes[i][0]} = ${short(this.leaves[i])}`).join(", ");
    this.graph.querySelector("svg")?.setAttribute("aria-label",
      now ? `With ${now} in place of the numbers at first: ${this.described}` : this.described);
  }
}
