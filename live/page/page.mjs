// Makes a page live: its cells, a bar for all of them, and one Python.
import { Bar } from "./bar.mjs";
import { LiveCell } from "./cell.mjs";
import { Kept } from "./kept.mjs";
import { Kernel } from "./kernel.mjs";
import { Mine } from "./mine.mjs";
import { download } from "./notebook.mjs";
import { keepForLater } from "./offline.mjs";
import { showOrphans } from "./orphans.mjs";
import { newCell } from "./own.mjs";
import { keepPlace } from "./place.mjs";

const INPUTS = "div.cell .cell_input";

// places: the addresses of code, pyodide and notebook, the button that was pressed, and the
// cell at which it stood, if it did.
export async function start(places) {
  await styled(new URL("live.css", places.code));
  document.querySelectorAll(".live-here, .live-kept").forEach((one) => one.remove());
  const restore = keepPlace();
  const page = new Page(places);
  restore();
  const pressed = page.cells.find(({ cell }) => cell === places.cell);
  if (pressed) {
    if (pressed.cell.classList.contains("tag_exercise")) pressed.view.focus();
    page.runTo(pressed);
  }
}

class Page {
  constructor(places) {
    this.places = places;
    this.kept = new Kept();
    this.why = ""; // a Python was ended, which the reader is told until there is a new one
    this.bar = new Bar(places.button, places.minutes, {
      runAll: () => this.runAll(this.cells),
      stop: () => this.stop(),
      restart: () => this.end("Python begins anew, without variables."),
      reset: () => this.resetAll(),
      download: () => this.download(),
    });
    this.bar.say(`Loading Python: ${places.size}, once…`, true);
    // Python loads while the cells are made. The files that it fetches first are kept.
    const listening = keepForLater(places);
    const first = navigator.serviceWorker?.controller ? null : listening;
    this.kernel = new Kernel(places, first, (text, busy, loaded) => {
      this.bar.say(this.why + text, busy, { loaded });
      if (!busy) this.why = "";
    });
    this.kernel.file = () => this.mine.text;
    this.kernel.start();
    this.turn = Promise.resolve(); // what is asked for has its turn after this
    this.stops = 0;
    this.cells = [];
    const { own } = this.kept.read();
    for (const input of document.querySelectorAll(INPUTS)) {
      const cell = new LiveCell(input, this.cells.length + 1, this);
      this.cells.push(cell);
    }
    for (const cell of [...this.cells]) {
      for (const source of [...(own[cell.id] ?? [])].reverse()) this.add(cell, source);
    }
    showOrphans(this.kept, this.bar.element);
    this.mine = new Mine(this);
    // A browser may freeze a page that the reader left, and end its worker.
    window.addEventListener("pageshow", async (event) => {
      if (!event.persisted || await this.kernel.answers()) return;
      this.end("Python ended while you were away. Run the cells from the top again.");
    });
  }

  // The reader's text is kept until it is reset.
  changed(cell) {
    const whole = cell.own
      ? this.keepOwn(this.above(cell))
      : this.kept.keep(cell.id, cell.edited ? cell.source : null, cell.original);
    if (!whole) this.bar.say("This browser keeps no changes: download the page before you leave it.");
  }

  heard(outputs) {
    this.mine.heard(outputs);
  }

  judge(cell, sign) {
    if (cell.id && !cell.own) this.kept.judge(cell.id, sign);
  }

  // then: "next" goes on to the next cell, "add" to a new one.
  run(cell, then = "stay") {
    if (then === "next") this.next(cell)?.view.focus();
    if (then === "add") this.add(cell).view.focus();
    this.runAll([cell]);
  }

  // The next cell that is not folded away.
  next(cell) {
    return this.cells.slice(this.cells.indexOf(cell) + 1).find(({ view }) => view.dom.checkVisibility());
  }

  runTo(cell) {
    this.runAll(this.cells.slice(0, this.cells.indexOf(cell) + 1));
  }

  // Runs cells after those that wait already, unless all of them are among these.
  runAll(some) {
    if (some.every((cell) => cell.doing === "waiting")) return;
    some.forEach((cell) => cell.wait());
    const { stops } = this;
    const go = () => stops === this.stops && this.runNow(some);
    this.turn = this.turn.then(go, go);
  }

  // Runs cells in order, up to the first error that is not on purpose.
  async runNow(some) {
    some.forEach((cell) => cell.wait()); // one that has run meanwhile too
    for (const cell of some) {
      const ended = await cell.run(this.kernel);
      if (!(ended === "ok" || (ended === "error" && cell.mayFail))) {
        some.forEach((other) => other.rest());
        if (ended === "stopped") this.letGo();
        if (ended === "error") this.bar.say(`Cell ${cell.number} ended with an error.`);
        if (ended === "interrupted") {
          cell.halt();
          this.bar.say(`Stopped in cell ${cell.number}. Python has kept its variables.`);
        }
        return;
      }
    }
    const last = some.at(-1).number;
    this.bar.say(some.length > 1 ? `${some.length} cells have run.` : `Cell ${last} has run.`);
  }

  // Returns the cell above that defines a name and has not run, if there is one.
  makerOf(name, cell) {
    const makes = new RegExp(`^(?:def|class)\\s+${name}\\b|^(?:[\\w, ]*\\b)?${name}\\b[\\w, ]*=(?!=)|^\\s*(?:from|import)\\s.*\\b${name}\\b`, "m");
    const above = this.cells.slice(0, this.cells.indexOf(cell));
    return above.find((other) => other.ran === null && makes.test(other.source));
  }

  // A cell of the reader's own, below another.
  add(cell, source = "") {
    const added = new LiveCell(newCell(cell, source), `${parseInt(cell.number)}+`, this);
    this.cells.splice(this.cells.indexOf(cell) + 1, 0, added);
    this.keepOwn(this.above(added));
    return added;
  }

  remove(cell) {
    const above = this.above(cell);
    const { source } = cell;
    const before = this.cells[this.cells.indexOf(cell) - 1];
    this.cells.splice(this.cells.indexOf(cell), 1);
    cell.cell.remove();
    this.keepOwn(above);
    before.view.focus();
    const back = () => {
      this.add(before, source);
      this.bar.say("The cell is back.");
    };
    this.bar.say("The cell is gone.", false, { action: ["Undo", back] });
  }

  // Returns the book's cell above a reader's own one, and all own cells below that.
  above(cell) {
    return this.cells.slice(0, this.cells.indexOf(cell)).findLast((other) => !other.own);
  }

  ownBelow(cell) {
    const from = this.cells.indexOf(cell) + 1;
    const next = this.cells.findIndex((other, i) => i >= from && !other.own);
    return this.cells.slice(from, next < 0 ? undefined : next);
  }

  keepOwn(cell) {
    return this.kept.keepOwn(cell.id, this.ownBelow(cell).map((one) => one.source));
  }

  resetAll() {
    const changed = this.cells.filter((cell) => !cell.own && (cell.edited || cell.area.outputs));
    const before = changed.map((cell) => [cell, cell.source]);
    const checks = this.kept.read().checks;
    changed.forEach((cell) => cell.reset());
    const edited = before.filter(([cell, source]) => source !== cell.original);
    const n = edited.length;
    const undo = ["Undo", () => {
      for (const [cell, source] of edited) cell.source = source;
      for (const [id, sign] of Object.entries(checks)) this.kept.judge(id, sign);
      this.bar.say(`${counted(n)} brought back.`);
    }];
    this.bar.say(`${counted(n)} reset.`, false, { action: n ? undo : null });
  }

  download() {
    const checks = Object.values(this.kept.read().checks);
    const solved = checks.filter((sign) => sign === "✓").length;
    const all = this.cells.filter(({ cell }) => cell.classList.contains("tag_exercise")).length;
    const said = all ? ` ${solved} of ${all} exercises are solved in it.` : "";
    return download(this.places.notebook, this.cells)
      .then(() => this.bar.say(`The notebook is downloaded.${said}`))
      .catch((error) => this.bar.say(`No notebook: ${error.message}`));
  }

  // Cells that wait for their turn are dropped.
  letGo() {
    this.stops += 1;
    this.cells.filter((cell) => cell.doing === "waiting").forEach((cell) => cell.rest());
  }

  // At the second press, or if Python does not respond, it is ended.
  async stop() {
    const { job, ready } = this.kernel;
    if (!job) return this.bar.say("Nothing is running.");
    if (!ready) {
      this.bar.say("Stopped before a cell ran. Python is still loading…", true);
      return this.kernel.close({ ended: "stopped" });
    }
    this.letGo();
    this.bar.say("Stopping…", true);
    if (!job.stopped && await this.kernel.interrupt()) return;
    if (this.kernel.job === job) this.end("Stopped. Python was ended, and its variables are gone. Run the cells from the top again.");
  }

  end(text) {
    this.kernel.end();
    this.cells.forEach((cell) => (cell.rest(), cell.forget()));
    this.why = `${text} `;
    this.bar.say(text);
    this.kernel.start();
  }
}

function counted(n) {
  return n === 1 ? "1 cell was" : `${n} cells were`;
}

function styled(href) {
  return new Promise((done, failed) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = done;
    link.onerror = () => failed(new Error("its style sheet is missing"));
    document.head.append(link);
  });
}
