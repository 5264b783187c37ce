// Offers to run the cells of this page, and shows a returning reader their work, which
// follows a chapter to its new number. Nothing else is loaded before the reader asks. A
// plain script, because a page that is opened as a file may not load modules.
(() => {
  const { src, dataset } = document.currentScript;
  const able = location.protocol.startsWith("http") && window.Worker && window.WebAssembly;
  const INPUTS = "div.cell .cell_input";
  const PREFIX = "autograd-live ";
  let button;
  let started = false;

  function offer() {
    const place = document.querySelector(".article-header-buttons, .bd-article");
    if (!place || !document.querySelector(INPUTS)) return;
    button = made("btn btn-sm live-start", "", "");
    invite();
    button.title = `Run and edit the cells in this browser: ${dataset.size}, loaded once${
      dataset.minutes ? `; all cells take ${dataset.minutes}` : ""}`;
    button.onclick = () => start();
    place.prepend(button);
    for (const input of document.querySelectorAll(INPUTS)) offerAt(input);
    if (kept()) modules().then(({ marks }) => marks.show(button)).catch(() => {});
  }

  // On a narrow phone only the first word is seen.
  function invite() {
    button.innerHTML = '▶ Run<span class="live-where"> this page</span>';
  }

  // A small button at each block, and a labelled one at each exercise.
  function offerAt(input) {
    const cell = input.closest("div.cell");
    const exercise = cell.classList.contains("tag_exercise");
    const text = exercise ? "▶ Solve it here" : "▶";
    const one = made("live-here", text, exercise ? "" : "Run the page to here");
    one.title = button.title;
    one.onclick = () => start(cell);
    input.append(one);
  }

  function made(name, text, label) {
    const one = document.createElement("button");
    one.type = "button";
    one.className = name;
    one.textContent = text;
    if (label) one.setAttribute("aria-label", label);
    return one;
  }

  // Chapters were numbered anew: what this browser keeps under their old names follows.
  // An entry says by which numbers it was made, since some pages have the same name still.
  function follow() {
    const { numbers, moved } = JSON.parse(dataset.moved);
    const names = Object.entries(moved);
    const places = Object.fromEntries(names.map(([old, to]) => [+old.slice(0, 2), +to.slice(0, 2)]));
    const root = `${PREFIX}${new URL("../chapters/", src).pathname}`;
    for (const key of Object.keys(localStorage).filter((one) => one.startsWith(root))) {
      const text = localStorage.getItem(key);
      if (JSON.parse(text).numbers === numbers) continue;
      const page = key.slice(root.length).replace(/\.html$/, "");
      const to = `${root}${moved[page] ?? page}.html`;
      const ids = /"exercise-(\d+)-/g;
      const entry = JSON.parse(text.replace(ids, (_, old) => `"exercise-${places[old] ?? old}-`));
      localStorage.removeItem(key);
      if (localStorage.getItem(to) === null) localStorage.setItem(to, JSON.stringify({ ...entry, numbers }));
    }
  }

  function kept() {
    try {
      return localStorage.getItem(PREFIX + location.pathname) !== null;
    } catch {
      return false;
    }
  }

  async function names() {
    const base = new URL(".", src);
    const found = await fetch(new URL("current.json", base), { cache: "no-cache" });
    if (!found.ok) throw new Error("its files are missing");
    const { code, pyodide } = await found.json();
    return { code: new URL(code, base), pyodide: new URL(pyodide, base) };
  }

  async function modules() {
    const { code } = await names();
    return { marks: await import(new URL("marks.mjs", code)) };
  }

  // cell: the one whose button was pressed; it runs then, with those above it.
  async function start(cell = null) {
    if (started) return;
    started = true;
    button.disabled = true;
    button.textContent = "Loading…";
    try {
      const places = await names();
      const page = await import(new URL("page.mjs", places.code));
      await page.start({
        button,
        cell,
        ...places,
        size: dataset.size,
        minutes: dataset.minutes,
        notebook: new URL(dataset.notebook, location),
      });
    } catch (error) {
      started = false;
      button.disabled = false;
      invite();
      const text = document.createElement("span");
      text.role = "alert";
      text.className = "live-failure";
      const why = navigator.onLine ? error.message : "there is no network, and Python is not kept here.";
      text.textContent = `This page could not be made live: ${why}`;
      document.querySelector(".live-failure")?.remove();
      button.before(text);
    }
  }

  try {
    follow();
  } catch {
    // Storage that is not allowed, or an entry that is not ours.
  }
  document.addEventListener("book-import", follow);
  if (able) document.addEventListener("DOMContentLoaded", offer);
})();
