// Shows places of the book, while one types in the dialog, and on the search page.
// `press/site/ranking.js`, which comes with the places, finds them.
(function () {
  const root = document.documentElement.dataset.content_root ?? "";
  const DATA = document.currentScript.dataset.search;
  const SHOWN = { dialog: 6, page: 30 };
  const EXCERPT = 180;
  // Topics that the book lacks: it says so, since the nearest hit would be far off.
  const ABSENT = [
    [/\bkv[- ]?cache\b/, "a KV cache"], [/\b(cuda|gpus?)\b/, "GPUs"], [/\b(lora|rlhf|tensorboard|onnx|torchscript)\b/, "that"],
  ];

  // Fetched as a script, which also works for a page that is opened as a file.
  let ranking;
  function ready() {
    ranking ??= new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = root + DATA;
      script.onload = () => window.bookSearch.prepare().then(() => done(window.bookSearch));
      script.onerror = failed;
      document.head.append(script);
    });
    return ranking;
  }

  // The text around the first match, with all matches marked.
  function excerpt(text, starts) {
    const marks = starts.length && new RegExp(`(?<![\\p{L}\\p{N}_])(?:${starts.join("|")})[\\p{L}\\p{N}_]*`, "giu");
    const first = marks ? Math.max(0, text.search(marks)) : 0;
    let from = Math.max(0, first - 60);
    if (from) from = text.indexOf(" ", from) + 1;
    const part = text.slice(from, from + EXCERPT);
    const line = document.createElement("p");
    line.className = "context";
    let at = 0;
    for (const found of marks ? part.matchAll(marks) : []) {
      const mark = document.createElement("mark");
      mark.textContent = found[0];
      line.append(part.slice(at, found.index), mark);
      at = found.index + found[0].length;
    }
    line.append(part.slice(at));
    if (from) line.prepend("… ");
    if (from + EXCERPT < text.length) line.append(" …");
    return line;
  }

  async function show(place, query, most) {
    const turn = (place.turn = (place.turn ?? 0) + 1);
    let ranking;
    try {
      ranking = await ready();
    } catch {
      place.replaceChildren(Object.assign(document.createElement("p"), { textContent: "The search could not be loaded." }));
      return;
    }
    if (turn !== place.turn) return;
    const found = ranking.find(query);
    const starts = ranking.starts(query);
    const list = document.createElement("ul");
    list.className = "search";
    for (const entry of found.slice(0, most)) {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = root + entry.url;
      link.textContent = entry.title;
      const where = document.createElement("span");
      where.className = "book-where";
      where.textContent = entry.page === entry.title ? "" : entry.page;
      item.append(link, where, excerpt(entry.text, starts));
      list.append(item);
    }
    const absent = ABSENT.find(([pattern]) => pattern.test(query.toLowerCase()));
    const said = document.createElement("p");
    said.role = "status";
    said.textContent = !query.trim() ? "" : found.length
      ? `${found.length} ${found.length === 1 ? "place" : "places"}` : "Nothing was found. Another word for it may help.";
    if (absent) said.textContent = `The book has nothing on ${absent[1]}. ${said.textContent}`;
    place.replaceChildren(said, ...(found.length ? [list] : []));
  }

  function begin() {
    const page = document.getElementById("search-results");
    if (page) {
      const field = document.querySelector(".bd-search-container input[type=search]");
      field.value = new URLSearchParams(location.search).get("q") ?? "";
      field.addEventListener("input", () => show(page, field.value, SHOWN.page));
      field.form.addEventListener("submit", (event) => event.preventDefault());
      if (field.value) show(page, field.value, SHOWN.page);
      return;
    }
    const dialog = document.querySelector(".search-button__search-container");
    const field = dialog?.querySelector("input[type=search]");
    if (!field) return;
    const place = document.createElement("div");
    place.className = "book-found bd-search-container";
    dialog.append(place);
    field.addEventListener("focus", () => ready().catch(() => {}), { once: true });
    field.addEventListener("input", () => show(place, field.value, SHOWN.dialog));
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
