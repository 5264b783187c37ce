// Makes a page live: its cells, a bar with what concerns all of them, and one Python.
import { Bar } from "./bar.mjs";
import { LiveCell } from "./cell.mjs";
import { Edits } from "./edits.mjs";
import { Kernel } from "./kernel.mjs";
import { download } from "./notebook.mjs";
import { keepForLater } from "./offline.mjs";

const INPUTS = "div.cell .cell_input";

// places: the addresses of code, pyodide and notebook, and the button that was pressed.
export async function start(places) {
  await styled(new URL("live.css", places.code));
  const edits = new Edits();
  const inputs = [...document.querySelectorAll(INPUTS)];
  const bar = new Bar(places.button, {
    runAll: () => run(cells),
    stop: () => end("Stopped. Python was ended, and its variables are gone. Run the cells from the top again."),
    restart: () => end("Python begins anew, without variables."),
    reset: () => cells.forEach((cell) => cell.reset()),
    download: () => download(places.notebook, cells).catch((e) => bar.say(`No notebook: ${e.message}`)),
  });
  bar.say("Loading Python…");
  await keepForLater(places);
  let why = ""; // a Python was ended, which the reader is told until there is a new one
  const kernel = new Kernel(places, (text, busy) => {
    bar.say(why + text, busy);
    if (!busy) why = "";
  });
  const cells = inputs.map((input, i) => new LiveCell(input, i + 1, {
    edits,
    run: () => run([cells[i]]),
    runAbove: () => run(cells.slice(0, i + 1)),
  }));
  kernel.start();

  // Runs some cells in order, up to the first error that is none on purpose.
  async function run(some) {
    some.forEach((cell) => cell.wait());
    for (const cell of some) {
      bar.say(`Running cell ${cell.number}…`, true);
      const ended = await cell.run(kernel);
      if (ended === "stopped" || (ended === "error" && !cell.mayFail)) {
        some.forEach((other) => other.rest());
        if (ended === "error") bar.say(`Cell ${cell.number} ended with an error.`);
        return;
      }
    }
    const last = some.at(-1).number;
    bar.say(some.length > 1 ? `${some.length} cells have run.` : `Cell ${last} has run.`);
  }

  function end(text) {
    kernel.end();
    cells.forEach((cell) => cell.rest());
    why = `${text} `;
    bar.say(text);
    kernel.start();
  }

  // A browser may freeze a page that is left, and end what the page had running.
  window.addEventListener("pageshow", async (event) => {
    if (!event.persisted || await kernel.answers()) return;
    end("Python ended while you were away. Run the cells from the top again.");
  });
}

function styled(href) {
  return new Promise((done, failed) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = done;
    link.onerror = () => failed(new Error("its style sheet is missing"));
    document.head.append(link);
  });
}
