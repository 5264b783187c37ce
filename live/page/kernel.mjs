// One Python in a worker: runs a cell at a time, and can be interrupted or ended.

const PATIENCE = 3000; // milliseconds to stop, or for an answer after a page was frozen

export class Kernel {
  // places: the addresses of code and pyodide; first: a promise to wait for before Python
  // starts; say: takes its state, and whether it is busy.
  constructor(places, first, say) {
    this.places = places;
    this.first = first;
    this.say = say;
    this.worker = null;
    this.ready = false;
    this.job = null; // the cell that runs, or waits until Python is ready
    this.file = () => null; // the text of the reader's own file, or null
  }

  // Starts Python, unless it is there.
  async start() {
    await this.first;
    if (this.worker) return;
    const worker = new Worker(new URL("worker.mjs", this.places.code), { type: "module" });
    this.worker = worker;
    worker.onmessage = ({ data }) => this.worker === worker && this.heard(data);
    worker.onerror = (event) => {
      if (this.worker === worker) this.failed(event.message || "its program is missing");
    };
    const sign = URL.createObjectURL(new Blob());
    worker.postMessage({ type: "start", pyodide: this.places.pyodide.href, sign });
  }

  // Ends Python; running and waiting cells return as stopped.
  end() {
    this.worker?.terminate();
    this.worker = null;
    this.ready = false;
    this.close({ ended: "stopped" });
  }

  // The cell has run, or will not run.
  close(result) {
    const { job } = this;
    if (!job) return;
    this.job = null;
    URL.revokeObjectURL(job.sign);
    job.done(result);
  }

  // Interrupts the running cell by revoking its sign. Returns a promise of whether that
  // helped: a long call of NumPy cannot be interrupted.
  interrupt() {
    const { job } = this;
    job.stopped = true;
    URL.revokeObjectURL(job.sign);
    return new Promise((done) => {
      job.heard = done;
      setTimeout(done, PATIENCE, false);
    });
  }

  // number: the cell's; begin: called when it begins, returns its source; put: takes each
  // output. Returns a promise of how it ended, and the cell's count.
  run(number, begin, put) {
    this.start();
    return new Promise((done) => {
      this.job = { number, begin, put, done };
      if (this.ready) this.send();
      else this.say(`Cell ${number} runs when Python is ready…`, true);
    });
  }

  send() {
    const { number, begin } = this.job;
    this.say(`Running cell ${number}…`, true);
    const sign = this.job.sign = URL.createObjectURL(new Blob());
    this.worker.postMessage({ type: "run", number, source: begin(), sign, file: this.file() });
  }

  heard(message) {
    const { job } = this;
    if (message.type === "status") {
      const then = job && !this.ready ? ` Then cell ${job.number} runs.` : "";
      this.say(message.text + then, true, message.loaded);
    } else if (message.type === "ready") {
      this.ready = true;
      this.say(message.text);
      if (job) this.send();
    } else if (message.type === "output") job?.put(message.output);
    else if (message.type === "failed") this.failed(message.text);
    else if (message.type === "answer") this.answered?.(true);
    else if (message.type === "done") {
      job.heard?.(true);
      this.close(job.stopped ? { ...message, ended: "interrupted" } : message);
    }
  }

  failed(text) {
    this.end();
    this.say(`Python has ended: ${text}. The next cell that runs begins anew.`);
  }

  // Whether Python still exists. While it computes it cannot answer, and is left alone.
  answers() {
    if (!this.worker) return Promise.resolve(false);
    if (this.ready && this.job) return Promise.resolve(true);
    return new Promise((done) => {
      this.answered = done;
      setTimeout(done, PATIENCE, false);
      this.worker.postMessage({ type: "ask" });
    });
  }
}
