// The page "Your progress": which exercises are solved, in all chapters, and a way to take
// that along. A plain script, as button.js.
(() => {
  const PREFIX = "autograd-live ";
  const MINE = "mine.py";
  const chapters = JSON.parse(document.currentScript.dataset.chapters);
  const root = new URL("..", document.currentScript.src).pathname;

  function kept(page) {
    try {
      return JSON.parse(localStorage.getItem(PREFIX + page)) ?? {};
    } catch {
      return {};
    }
  }

  // Returns all entries of this book, by page relative to the site.
  function all() {
    const pages = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX + root));
    return Object.fromEntries(pages.map((key) => {
      const page = key.slice(PREFIX.length);
      return [page.slice(root.length), kept(page)];
    }));
  }

  function show(place) {
    const rows = chapters.map(({ page, title, exercises }) => {
      const { checks = {} } = kept(root + page);
      const solved = exercises.filter((id) => checks[id] === "✓").length;
      return { page, title, exercises, checks, solved };
    });
    const sum = (name) => rows.reduce((total, row) => total + name(row), 0);
    const table = element("table", { className: "table" });
    const head = element("tr");
    for (const name of ["Chapter", "Solved", "Exercises"]) head.append(element("th", { textContent: name, scope: "col" }));
    table.append(element("thead", {}, head), element("tbody", {}, ...rows.map(row)));
    const total = `You have solved ${sum((r) => r.solved)} of ${sum((r) => r.exercises.length)} exercises.`;
    place.replaceChildren(element("p", { textContent: total }), ...engine(), table, tools(place));
  }

  // What a run said of the reader's own engine, on the page that carried it.
  function engine() {
    const { source, passed, of, coming } = kept(root + MINE);
    if (!source) return [];
    const said = of
      ? `Your engine: ${passed} of ${+of + +coming} accidents passed.`
      : "Your engine is kept; run a page that begins with it, and its accidents are counted.";
    return [element("p", { textContent: said })];
  }

  function row({ page, title, exercises, checks, solved }) {
    const link = element("a", { href: root + page, textContent: title });
    const each = exercises.map((id) => {
      const name = id.replace("exercise-", "").replace("-", ".");
      const said = { "✓": "solved", "✗": "not solved yet" }[checks[id]] ?? "not attempted";
      const one = element("a", { href: `${root}${page}#cell-${id}`, textContent: `${checks[id] ?? "○"} ${name}` });
      one.ariaLabel = `Exercise ${name}: ${said}`;
      return element("span", { className: "book-exercise" }, one);
    });
    return element("tr", {},
      element("td", {}, link),
      element("td", { textContent: `${solved} of ${exercises.length}` }),
      element("td", {}, ...each));
  }

  function tools(place) {
    const said = element("span", { role: "status" });
    const file = element("input", { type: "file", accept: ".json,application/json", hidden: true });
    file.onchange = async () => {
      try {
        const pages = JSON.parse(await file.files[0].text());
        const { moved } = JSON.parse(document.querySelector("script[data-moved]").dataset.moved);
        const known = new Set([MINE, ...chapters.map(({ page }) => page), ...Object.keys(moved).map((old) => `chapters/${old}.html`)]);
        const names = Object.keys(pages).filter((page) => known.has(page));
        for (const page of names) localStorage.setItem(PREFIX + root + page, JSON.stringify(pages[page]));
        document.dispatchEvent(new Event("book-import"));
        show(place);
        const n = names.filter((name) => name !== MINE).length;
        const engines = n < names.length ? " Your engine was read." : "";
        place.querySelector("[role=status]").textContent = `${n} pages were read.${engines}`;
      } catch (error) {
        said.textContent = `That file could not be read: ${error.message}`;
      }
    };
    const save = () => {
      const content = new Blob([JSON.stringify(all(), null, 1)], { type: "application/json" });
      const link = element("a", { href: URL.createObjectURL(content), download: "autograd-progress.json" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    };
    return element("p", { className: "book-progress-tools" },
      button("Export", save), button("Import", () => file.click()), file, said);
  }

  function button(text, action) {
    return element("button", { type: "button", className: "book-button", textContent: text, onclick: action });
  }

  function element(name, about = {}, ...children) {
    const made = Object.assign(document.createElement(name), about);
    made.append(...children);
    return made;
  }

  if (!location.protocol.startsWith("http")) return;
  document.addEventListener("DOMContentLoaded", () => show(document.querySelector("#book-progress")));
})();
