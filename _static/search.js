// Finds sections of the book: as one types in the dialog, and on the search page.
(function () {
  const root = document.documentElement.dataset.content_root ?? "";
  const DATA = document.currentScript.dataset.search;
  const SHOWN = { dialog: 6, page: 30 };
  const PER_PAGE = 3;
  const EXCERPT = 180;
  // What counts, by the kind of a place: a chapter before what lists and what reports.
  const WEIGHT = { chapter: 1, question: 1.1, term: 1, page: 0.8, api: 0.2, news: 0.2, end: 0.4 };
  // Sections that every chapter has, and that repeat it.
  const END = /^(Exercises|Summary|Further reading|Next)$/;
  // Words that need not be there, but count where they follow each other.
  const SMALL = new Set("a an and are as at be by do does for from how i in is it my not of on or the to what when why with".split(" "));
  // What people type, and what the book says.
  const SAME = { leak: ["leak", "grows", "grow"], error: ["error", "raises"] };

  // Fetched as a script, which a page that is opened as a file may do as well.
  let data;
  function entries() {
    data ??= new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = root + DATA;
      script.onload = () => done(window.bookSearchData.map(prepared));
      script.onerror = failed;
      document.head.append(script);
    });
    return data;
  }

  function prepared([url, page, title, kind, text]) {
    const parts = [title, page, text].map((part) => ` ${words(part).join(" ")} `);
    return { url, page, title, kind, text, in: parts };
  }

  function words(text) {
    return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  }

  // The beginning that the forms of a word share: backward(s), vanish(ing).
  function stem(word) {
    const short = word.replace(/(ing|ed|es|s|e)$/, "");
    return short.length >= 4 ? short : word;
  }

  function count(part, starts) {
    return starts.reduce((sum, start) => sum + part.split(` ${start}`).length - 1, 0);
  }

  function score(entry, terms, phrase, total) {
    let found = 0;
    let sum = 0;
    for (const { starts, rarity } of terms) {
      const [title, page, text] = entry.in.map((part) => count(part, starts));
      if (!title && !page && !text) continue;
      found += 1;
      sum += rarity * ((title ? 8 : 0) + (page ? 3 : 0) + Math.min(text, 5));
    }
    if (!found || found < total) return 0;
    const [title, , text] = entry.in;
    if (title === ` ${phrase} `) sum += 30;
    else if (title.includes(` ${phrase}`)) sum += 25;
    if (phrase.includes(" ") && text.includes(` ${phrase}`)) sum += 20;
    return sum * WEIGHT[END.test(entry.title) ? "end" : entry.kind];
  }

  async function find(query) {
    const typed = words(query);
    if (!typed.length) return [];
    const all = await entries();
    // "back propagation" is one word here, and the other way round.
    const variants = [typed];
    for (let i = 1; i < typed.length; i++) {
      variants.push([...typed.slice(0, i - 1), typed[i - 1] + typed[i], ...typed.slice(i + 1)]);
    }
    const best = new Map();
    const look = (needed) => {
      for (const variant of variants) {
        const big = variant.filter((word) => !SMALL.has(word));
        const terms = (big.length ? big : variant).map((word) => {
          const starts = SAME[word] ?? [stem(word)];
          const having = all.filter((entry) => entry.in.some((part) => count(part, starts)));
          return { starts, rarity: Math.log(1 + all.length / (1 + having.length)) };
        });
        for (const entry of all) {
          const value = score(entry, terms, variant.join(" "), needed ? terms.length : 0);
          if (value > (best.get(entry) ?? 0)) best.set(entry, value);
        }
      }
    };
    look(true);
    if (!best.size) look(false);
    const times = new Map();
    return [...best].sort((a, b) => b[1] - a[1]).map(([entry]) => entry).filter((entry) => {
      const seen = (times.get(entry.page) ?? 0) + 1;
      times.set(entry.page, seen);
      return seen <= PER_PAGE;
    });
  }

  // The text around the first word that was found, with what was found marked.
  function excerpt(text, query) {
    const starts = words(query).filter((word) => !SMALL.has(word)).map(stem);
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
    let found;
    try {
      found = await find(query);
    } catch {
      place.replaceChildren(Object.assign(document.createElement("p"), { textContent: "The search could not be loaded." }));
      return;
    }
    if (turn !== place.turn) return;
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
      item.append(link, where, excerpt(entry.text, query));
      list.append(item);
    }
    const said = document.createElement("p");
    said.role = "status";
    said.textContent = !words(query).length ? "" : found.length
      ? `${found.length} ${found.length === 1 ? "place" : "places"}` : "Nothing was found. Another word for it may help.";
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
    field.addEventListener("focus", () => entries().catch(() => {}), { once: true });
    field.addEventListener("input", () => show(place, field.value, SHOWN.dialog));
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
