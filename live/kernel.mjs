// One Python in a worker: runs cells one after the other, and can be interrupted or ended.

const PATIENCE = 3000; // milliseconds to stop, or for an answer after a page was frozen

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
    const sign = URL.createObjectURL(new Blob());
    worker.postMessage({ type: "start", pyodide: this.places.pyodide.href, sign });
  }

  // What is running, if anything is; it is stopped where it was interrupted.
  get running() {
    return this.queue[0];
  }

  // Ends Python; what was running or waiting comes back as stopped.
  end() {
    this.worker?.terminate();
    this.worker = null;
    this.drop(0);
  }

  drop(from) {
    for (const job of this.queue.splice(from)) {
      URL.revokeObjectURL(job.sign);
      job.done({ ended: "stopped" });
    }
  }

  // Interrupts what is running, by taking away its sign, and lets go of what is waiting.
  // Returns a promise of whether that helped: a long call of NumPy's hears nothing.
  interrupt() {
    this.drop(1);
    const [job] = this.queue;
    job.stopped = true;
    URL.revokeObjectURL(job.sign);
    return new Promise((done) => {
      job.heard = done;
      setTimeout(done, PATIENCE, false);
    });
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
    const [job] = this.queue;
    job.sign = URL.createObjectURL(new Blob());
    const { number, source, sign } = job;
    this.worker?.postMessage({ type: "run", number, source, sign });
  }

  heard(message) {
    const [job] = this.queue;
    if (message.type === "status") this.say(message.text, message.busy, message.loaded);
    else if (message.type === "output") job?.put(message.output);
    else if (message.type === "failed") this.failed(message.text);
    else if (message.type === "answer") this.answered?.(true);
    else if (message.type === "done") {
      this.queue.shift();
      URL.revokeObjectURL(job.sign);
      job.heard?.(true);
      job.done(job.stopped ? { ...message, ended: "interrupted" } : message);
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
