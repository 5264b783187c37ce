// The control that keeps the whole book for reading without a network. The code that does
// so is loaded at a click. A plain script, as button.js.
(() => {
  const SHELF = "autograd-book";
  const live = new URL(".", document.currentScript.src).href;
  const root = new URL("..", live).href;
  let box, page, sizes, said, bar, buttons;

  function begin() {
    box = document.getElementById("book-offline");
    if (!box?.dataset.sizes) return;
    page = box.dataset;
    sizes = JSON.parse(page.sizes);
    said = element("p", { role: "status" });
    bar = element("progress", { ariaLabel: "Loading the book" });
    buttons = element("p", { className: "book-offline-buttons" });
    box.tabIndex = -1;
    show().then(() => box.replaceChildren(said, bar, buttons));
  }

  // Shows the state, after a sentence on what has just happened.
  async function show(happened = "") {
    const { text, actions } = await standing();
    const focused = box.contains(document.activeElement);
    bar.style.visibility = "hidden";
    buttons.replaceChildren(...actions.map(([name, action]) => button(name, action)));
    said.textContent = `${happened} ${text}`.trim();
    if (focused) box.focus({ preventScroll: true });
  }

  async function standing() {
    if (!navigator.serviceWorker || !window.caches) return { text: unable(), actions: [] };
    let kept, wanted;
    try {
      [kept, wanted] = await Promise.all([record("kept"), record("wanted")]);
    } catch {
      return { text: unable(), actions: [] };
    }
    const away = ["Remove what is kept", remove];
    const text = kept ? `${edition(kept)} is kept here since ${day(kept.since)}, ${kept.python ? "with" : "without"} Python.` : "";
    if (wanted) {
      const what = kept ? `${text} What is to take its place` : "The book";
      const back = kept ? [["Leave it as it was", leave]] : [];
      return {
        text: `${what} is not whole yet: ${await share(wanted)} is here.`,
        actions: [["Go on", () => keep(wanted.python)], ...back, away],
      };
    }
    if (kept && kept.edition !== page.edition) {
      const most = megabytes(sent(kept.python));
      return {
        text: `${text} This site has another one now: ${edition(page).toLowerCase()}.`,
        actions: [[`Replace it: at most ${most}`, () => keep(kept.python)], away],
      };
    }
    if (kept) {
      const more = [`Add Python: ${megabytes(sizes.python[0])}`, () => keep(true)];
      const opens = kept.python ? "All pages open and run without a network." : "All pages open without a network.";
      return { text: `${text} ${opens}`, actions: kept.python ? [away] : [more, away] };
    }
    const [book, both] = [sizes.book[1], sizes.book[1] + sizes.python[1]].map(megabytes);
    return {
      text: `Nothing is kept so far. In the browser the book takes ${book}, with Python ${both}.`,
      actions: [
        [`Keep the book: ${megabytes(sent(false))}`, () => keep(false)],
        [`Keep it with Python: ${megabytes(sent(true))}`, () => keep(true)],
      ],
    };
  }

  function unable() {
    return isSecureContext
      ? "This browser lets the site keep nothing. A private window, or a setting, may be the reason."
      : "To keep the book, its address has to begin with https.";
  }

  async function record(name) {
    return (await caches.match(`${live}shelf/${name}`, { cacheName: SHELF }))?.json();
  }

  // Returns the part of the wanted files that is here.
  async function share({ files }) {
    const shelf = await caches.open(SHELF);
    const here = new Set((await shelf.keys()).map(({ url }) => url.split("/").at(-1)));
    const all = new Map(Object.values(files).map(([size, digest]) => [digest, size]));
    const sum = (digests) => digests.reduce((total, digest) => total + all.get(digest), 0);
    const total = sum([...all.keys()]);
    const part = sum([...all.keys()].filter((digest) => here.has(digest)));
    return `${Math.floor((100 * part) / total)}\u00a0% of ${megabytes(total)}`;
  }

  async function keep(python) {
    const stop = new AbortController();
    buttons.replaceChildren(button("Cancel", () => stop.abort()));
    said.textContent = "Loading. Leave this page open.";
    box.focus({ preventScroll: true });
    bar.removeAttribute("value");
    bar.style.visibility = "visible";
    let quarter = 0;
    const say = (done, total) => {
      Object.assign(bar, { max: total, value: done });
      const now = Math.floor((4 * done) / total);
      if (now > quarter && now < 4) said.textContent = `Loading: ${25 * now}\u00a0% is here. Leave this page open.`;
      quarter = Math.max(quarter, now);
    };
    await tried(({ keep }) => keep({ root, python, stop, say }), "Done.");
  }

  async function why({ name, message }) {
    if (name === "AbortError") return "Cancelled.";
    if (name === "VersionError") return "The book was published anew meanwhile. Reload this page, and go on: what is the same is not loaded again.";
    if (name === "QuotaExceededError") {
      const { quota, usage } = await navigator.storage.estimate();
      return `The browser has no more room: it gives this site ${megabytes(quota)}, of which ${megabytes(usage)} are used.`;
    }
    if (name === "SecurityError") return unable();
    if (name === "TypeError") return "The connection has broken off.";
    return `It could not be loaded: ${message}.`;
  }

  async function remove() {
    await tried(({ remove }) => remove(root), "Removed, with what visited pages had kept. What you typed and solved is still here.");
  }

  async function leave() {
    await tried(({ leave }) => leave(root), "");
  }

  async function tried(action, done) {
    await show(await shelf().then(action).then(() => done, why));
  }

  async function shelf() {
    const { code } = await (await fetch(`${live}current.json`, { cache: "no-cache" })).json();
    return import(`${live}${code}shelf.mjs`);
  }

  function sent(python) {
    return sizes.book[0] + (python ? sizes.python[0] : 0);
  }

  function edition({ version, day: date }) {
    return `Edition ${version}${date ? ` of ${day(date)}` : ""}`;
  }

  function day(moment) {
    return new Date(moment).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  }

  function megabytes(bytes) {
    const number = bytes / 1e6;
    return `${number < 9.95 ? number.toFixed(1) : Math.round(number)}\u00a0MB`;
  }

  function button(text, action) {
    return element("button", { type: "button", className: "book-button", textContent: text, onclick: action });
  }

  function element(name, about) {
    return Object.assign(document.createElement(name), about);
  }

  if (location.protocol.startsWith("http")) document.addEventListener("DOMContentLoaded", begin);
})();
