// One Python in a worker: runs cells one after the other, and can be ended at any time.

const PATIENCE = 3000; // milliseconds for an answer after a page was frozen

export class Kernel {
  // places: the addresses of code and pyodide; say: takes what it is doing, and if busy.
  constructor(places, say) {
    this.places = places;
    this.say = say;
    this.queue = [];
  }

  start() {
    const worker = new Worker(new URL("worker.mjs", this.places.code), { type: "module" });
    this.worker = worker;
    worker.onmessage = ({ data }) => this.worker === worker && this.heard(data);
    worker.onerror = (event) => {
      if (this.worker === worker) this.failed(event.message || "its program is missing");
    };
    worker.postMessage({ type: "start", pyodide: this.places.pyodide.href });
  }

  // Ends Python; what was running or waiting comes back as stopped.
  end() {
    this.worker?.terminate();
    this.worker = null;
    this.queue.splice(0).forEach((job) => job.done({ ended: "stopped" }));
  }

  // number: the cell's; put: takes each output. Returns a promise of how it ended, and the cell's count.
  run(number, source, put) {
    if (!this.worker) this.start();
    return new Promise((done) => {
      this.queue.push({ number, source, put, done });
      if (this.queue.length === 1) this.next();
    });
  }

  next() {
    if (!this.queue.length) return;
    const { number, source } = this.queue[0];
    this.worker?.postMessage({ type: "run", number, source });
  }

  heard(message) {
    const [job] = this.queue;
    if (message.type === "status") this.say(message.text, message.busy, message.loaded);
    else if (message.type === "output") job?.put(message.output);
    else if (message.type === "failed") this.failed(message.text);
    else if (message.type === "answer") this.answered?.(true);
    else if (message.type === "done") {
      this.queue.shift();
      job?.done(message);
      this.next();
    }
  }

  failed(text) {
    this.end();
    this.say(`Python has ended: ${text}. The next cell that runs begins anew.`);
  }

  // Whether Python is still there. One that computes cannot answer, and is let be.
  answers() {
    if (!this.worker) return Promise.resolve(false);
    if (this.queue.length) return Promise.resolve(true);
    return new Promise((done) => {
      this.answered = done;
      setTimeout(done, PATIENCE, false);
      this.worker.postMessage({ type: "ask" });
    });
  }
}
