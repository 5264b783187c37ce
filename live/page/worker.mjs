// Python in a worker, so that a loop that never ends leaves the page alive.
import { forget, keep, kept } from "./image.mjs";

const here = new URL(".", import.meta.url);
const say = (text, loaded = null) => postMessage({ type: "status", text, loaded });
const STACK = 58 * 1024; // bytes; see book_live/stack.py
const OWN = "/book.zip"; // the Python side, where Python finds it
let ready = null;

// An error of Pyodide itself may surface only here.
const failed = (error) => {
  const text = String(error?.message ?? error).split("\n")[0];
  forget(); // in case it came from the image
  postMessage({ type: "failed", text });
};
addEventListener("unhandledrejection", (event) => failed(event.reason));
addEventListener("error", (event) => failed(event));

onmessage = ({ data }) => {
  if (data.type === "ask") postMessage({ type: "answer" });
  else if (data.type === "start") {
    able = there(data.sign);
    ready = start(data.pyodide);
    ready.catch(failed);
  } else run(data);
};

async function start(indexURL) {
  const began = performance.now();
  const [sizes, image] = await Promise.all([json("sizes.json"), kept()]);
  count("Python", sizes.python);
  const [{ loadPyodide }, files] = await Promise.all([
    import(`${indexURL}pyodide.mjs`),
    bytes("python.zip"),
  ]);
  const pyodide = await python(loadPyodide, image, {
    indexURL,
    lockFileURL: new URL("pyodide-lock.json", here).href,
    packageBaseUrl: here.href,
    fsInit: (FS) => FS.writeFile(OWN, new Uint8Array(files)),
  });
  const packages = new Packages(pyodide, sizes);
  await packages.load(["autograd_lib"]);
  if (!packages.done.has("autograd_lib")) throw new Error("the book's library cannot be loaded");
  const send = (output) => postMessage({ type: "output", output: JSON.parse(output) });
  const kernel = pyodide.pyimport("book_live.kernel").start(send, stackLimit(pyodide._module));
  pyodide.setInterruptBuffer(signals);
  const version = pyodide.runPython("sys.version.split()[0]");
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  postMessage({ type: "ready", text: `Python ${version} is ready, after ${seconds} seconds.` });
  return { kernel, packages, FS: pyodide.FS };
}

// Returns Pyodide, from an image if there is one. Otherwise it leaves one for the next time,
// which must be taken before any object of JavaScript is handed to Python.
async function python(loadPyodide, image, options) {
  if (image) {
    try {
      const pyodide = await loadPyodide({ ...options, _loadSnapshot: image });
      pyodide.runPython("import random; random.seed()"); // else the same numbers each time
      return pyodide;
    } catch {
      await forget();
    }
  }
  const pyodide = await loadPyodide({ ...options, _makeSnapshot: true });
  pyodide.runPython(`import sys; sys.path.insert(0, "${OWN}"); import book_live.early`);
  try {
    keep(pyodide.makeMemorySnapshot());
  } catch {
    // This Pyodide takes no images: then each start is like the first.
  }
  return pyodide;
}

// Returns a function that sets a limit on the stack of CPython, or removes it. If CPython
// has no such limit, it does nothing, and nesting that is too deep ends Python.
function stackLimit(python) {
  const limit = python._PyUnstable_ThreadState_SetStackProtection;
  const letGo = python._PyUnstable_ThreadState_ResetStackProtection;
  if (!limit || !letGo) return () => {};
  const bottom = python._emscripten_stack_get_base();
  const thread = python._PyThreadState_Get();
  return (on) => (on ? limit(thread, bottom - STACK, STACK) : letGo(thread));
}

// Python looks here regularly for a signal, such as that of Ctrl+C. Memory to which the
// page could write one is shared only under headers that a plain host does not send.
// A worker that is busy can ask one thing: whether an address of its page is still there.
const SIGINT = 2;
const OFTEN = 200; // milliseconds
let sign = null; // the address, while a cell runs
let next = 0; // when to ask
let able = false; // until an address of the page's could be asked for
const signals = {
  get 0() {
    const now = performance.now();
    if (!sign || now < next) return 0;
    const stopped = !there(sign);
    next = now + (stopped ? 5 : 1) * OFTEN; // what is stopped has to put things in order
    return stopped ? SIGINT : 0;
  },
  set 0(none) {}, // Python takes the signal away
};

function there(address) {
  try {
    const request = new XMLHttpRequest();
    request.open("GET", address, false);
    request.send();
    return true;
  } catch {
    return false;
  }
}

// The reader's own file lies in the working folder, as it does beside a notebook. It is
// written only if it is another text, since a cell may write it, too.
const OWN_FILE = "mine.py";
let written = null;

function place(FS, text) {
  if (text === written) return;
  if (text !== null) FS.writeFile(OWN_FILE, text);
  else if (FS.analyzePath(OWN_FILE).exists) FS.unlink(OWN_FILE);
  written = text;
}

async function run({ number, source, sign: given, file }) {
  const done = { type: "done", ended: "error" };
  try {
    const { kernel, packages, FS } = await ready;
    place(FS, file);
    await packages.loadFor(source);
    next = performance.now() + OFTEN;
    sign = able ? given : null;
    if (await kernel.run(source, number)) done.ended = "ok";
    done.count = kernel.count;
  } catch (error) {
    // Stopped at its end; or an error of Pyodide: out of memory, a missing file.
    if (error.type !== "KeyboardInterrupt") return failed(error);
  } finally {
    sign = null;
  }
  postMessage(done);
}

// Loads packages when a cell is about to need them.
class Packages {
  constructor(pyodide, sizes) {
    this.pyodide = pyodide;
    this.sizes = sizes;
    this.python = pyodide.pyimport("book_live.packages");
    this.byImport = new Map();
    for (const [key, entry] of Object.entries(pyodide.lockfile.packages)) {
      for (const name of entry.imports) this.byImport.set(name, key);
    }
    this.available = this.python.offer([...this.byImport.keys()]);
    this.done = new Set();
  }

  async loadFor(source) {
    if (await this.load(this.python.needed(source).toJs())) say("Running…");
  }

  // Returns the bytes of packages and of those that they need, and the bytes sent.
  size(keys) {
    const { packages } = this.pyodide.lockfile;
    const all = new Set();
    const pending = [...keys];
    while (pending.length) {
      const key = pending.pop();
      if (all.has(key) || !packages[key]) continue;
      all.add(key);
      pending.push(...(packages[key].depends ?? []));
    }
    const loaded = this.pyodide.loadedPackages;
    const sizes = [...all].filter((key) => !(packages[key].name in loaded)).map((key) => this.sizes[key]);
    return [0, 1].map((i) => sizes.reduce((sum, size) => sum + size[i], 0));
  }

  // Returns whether there was something to load, and it was loaded.
  async load(names) {
    const wanted = names.filter((name) => this.byImport.has(name) && !this.done.has(name));
    if (!wanted.length) return false;
    count(wanted.join(", "), this.size(wanted.map((name) => this.byImport.get(name))));
    const problems = [];
    const [, drawing] = await Promise.all([
      this.pyodide.loadPackage(wanted.map((name) => this.byImport.get(name)), {
        messageCallback: () => {},
        errorCallback: (text) => problems.push(text),
      }).catch((error) => problems.push(error.message)),
      wanted.includes("graphviz") ? graphviz() : null,
    ]);
    if (drawing) this.pyodide.registerJsModule("book_page", drawing);
    // A package that could not be loaded is an ImportError when the cell runs.
    if (problems.length) {
      const why = `could not be loaded (${problems[0]}). If the book was published anew, reload this page: your changes are kept`;
      for (const name of wanted) this.available.failed.set(name, why);
      say(`${wanted.join(", ")} ${why}.`);
      return false;
    }
    for (const name of wanted) {
      this.done.add(name);
      this.python.settle(name);
    }
    return true;
  }
}

// Reports the progress of a download: what = its name, total = its bytes, sent = those of
// them that go over the network.
function count(what, [total, sent]) {
  const text = `Loading ${what}: ${megabytes(sent)}, once…`;
  progress = { text, total, done: 0, said: 0 };
  say(text, [0, total]);
}

function megabytes(bytes) {
  const number = bytes / 1e6;
  return `${number < 1 ? number.toFixed(1) : Math.round(number)} MB`;
}

// Counts the bytes of all downloads.
let progress = null;
const fetchAll = self.fetch;
self.fetch = async (...request) => {
  const answer = await fetchAll(...request);
  if (!answer.body || !progress) return answer;
  const counted = answer.body.pipeThrough(new TransformStream({
    transform(part, out) {
      progress.done += part.byteLength;
      const now = performance.now();
      if (progress.done < progress.total && now - progress.said > 100) {
        progress.said = now;
        say(progress.text, [progress.done, progress.total]);
      }
      out.enqueue(part);
    },
  }));
  return new Response(counted, answer);
};

// Returns a module for Python that draws graphs, or nothing if it cannot be loaded.
async function graphviz() {
  try {
    const viz = await (await import("./lib/viz.mjs")).instance();
    const draw = (dot, format, engine) => viz.render(dot, { format, engine }).output ?? "";
    return { draw };
  } catch {
    return null;
  }
}

async function json(name) {
  return (await fetched(name)).json();
}

async function bytes(name) {
  return (await fetched(name)).arrayBuffer();
}

async function fetched(name) {
  const answer = await fetch(new URL(name, here));
  if (!answer.ok) throw new Error(`${name} is missing`);
  return answer;
}
