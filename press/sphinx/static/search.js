// Finds sections of the book, while one types in the dialog, and on the search page.
(function () {
  const root = document.documentElement.dataset.content_root ?? "";
  const DATA = document.currentScript.dataset.search;
  const SHOWN = { dialog: 6, page: 30 };
  const PER_PAGE = { term: 1, api: 1 };  // else 3
  const EXCERPT = 180;
  // Weights by the kind of a place: chapters before lists and news.
  const WEIGHT = { chapter: 1.2, question: 1.3, term: 1, page: 0.6, api: 0.2, news: 0.1, end: 0.3 };
  // Sections that every chapter has, and that repeat it.
  const END = /^(Exercises|Summary|Further reading|Next)$/;
  // Words that need not be there, but count where they follow each other.
  const SMALL = new Set("a an and are as at be by do does for from how i in is it my not of on or the to versus vs what when why with".split(" "));
  // Types of errors say less than the message behind them.
  for (const word of ["runtimeerror", "typeerror", "valueerror", "attributeerror", "error", "raises"]) SMALL.add(word);
  // Words that people type and the words of the book, for single words and whole questions.
  const SAME = {
    leak: ["leak", "grows", "grow"],
    bigram: ["bigram", "pairs"],
    layernorm: ["layernorm", "layer norm"],
    batchnorm: ["batchnorm", "batch norm"],
    logsumexp: ["logsumexp", "log sum exp"],
    inplace: ["inplace", "in place"],
    requires_grad: ["requires_grad", "leaf"],
    numerical: ["numerical", "difference"],
    derivative: ["derivative", "gradient", "slope"],
    softmax: ["softmax"],
    toposort: ["topological"],
    memory: ["memory", "bytes"],
    minibatch: ["minibatch", "batch"],
    jit: ["jit", "compile"],
    multigpu: ["multigpu", "ranks"],
    distributed: ["distributed", "ranks"],
    fuse: ["fuse", "fusing", "fusion", "one loop"],
    numba: ["numba", "machine code"],
    vjp: ["vjp", "vector jacobian"],
    hvp: ["hvp", "hessian vector"],
    allreduce: ["all_reduce", "collective"],
    sampling: ["sampl", "draw", "temperature"],
    internet: ["internet", "network"],
  };
  const INSTEAD = [
    [/\bdouble back(ward|prop)\w*/, "gradients of gradients"],
    [/\bleaf tensors?\b/, "why is grad none"],
    [/\blog-?sum-?exp\b/, "large numbers"],
    [/\bnumerical gradient\w*|\bfinite difference\w*/, "central difference"],
    [/\bloss\b.*\bnan\b|\bnan\b.*\bloss\b/, "nan and infinity"],
    [/\binplace operation\b/, "in-place write"],
    [/\belement 0 of tensors\b/, "does not require grad"],
    [/\bself[- ]attention\b/, "attention"],
    [/\bdata parallel\w*|\bddp\b/, "data parallel"],
    [/\bmixed precision\b|\bfloat16\b|\bfp16\b/, "mixed precision"],
    [/\bstraight[- ]through\b/, "stop gradient"],
    [/\bcustom\b.*\b(function|operation|layer|gradient)s?\b/, "an operation of your own"],
    [/\bfreez\w*|\bfrozen\b/, "what is recorded"],
    [/\b(tensor|model) parallel\w*/, "a layer cut in two"],
    [/\bshard\w*|\bfsdp\b/, "the optimiser s memory cut"],
    [/\b(size|shape)\b.*\bjacobian\b|\bjacobian\b.*\b(size|shape)\b/, "how large is the table"],
    [/\b(without|no)\b.*\b(internet|network)\b/, "keep the whole book offline"],
    [/\bpositional\b/, "a row for each character"],
    [/\binstall\w*/, "four ways to run it"],
    [/\binitiali[sz]ation\b/, "initialisation of he"],
  ];
  // Topics that the book lacks: it says so, since the nearest hit would be far off.
  const ABSENT = [
    [/\bkv[- ]?cache\b/, "a KV cache"], [/\b(cuda|gpus?)\b/, "GPUs"], [/\b(lora|rlhf|tensorboard|onnx|torchscript)\b/, "that"],
  ];

  // Fetched as a script, which also works for a page that is opened as a file.
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
    const short = word.replace(/(ing|ed|er|es|s|e)$/, "");
    return short.length >= 4 ? short : word;
  }

  function count(part, starts) {
    return starts.reduce((sum, start) => sum + part.split(` ${start}`).length - 1, 0);
  }

  // The edit distance, in which two swapped letters count once; more than one is far.
  function near(a, b) {
    if (Math.abs(a.length - b.length) > 1) return false;
    let i = 0;
    while (i < a.length && a[i] === b[i]) i++;
    const [x, y] = [a.slice(i), b.slice(i)];
    return x.slice(1) === y || x === y.slice(1) || x.slice(1) === y.slice(1)
      || (x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2));
  }

  // The beginnings that match a word; for a word that is nowhere, those of its neighbours.
  function beginnings(word, all) {
    const starts = SAME[word] ?? [...new Set([word, word.replace("iz", "is")].map(stem))];
    if (word.length < 5 || all.some((entry) => entry.in.some((part) => count(part, starts)))) return starts;
    const known = new Set(all.flatMap((entry) => entry.in.slice(0, 2).join(" ").split(" ")));
    const close = [...known].filter((other) => other.length > 4 && near(word, other));
    return close.length ? close.map(stem) : starts;
  }

  // Places with all of the words come first; others count by the share that they have.
  function score(entry, terms, phrase) {
    let found = 0;
    let sum = 0;
    for (const { starts, rarity } of terms) {
      const [title, page, text] = entry.in.map((part) => count(part, starts));
      if (!title && !page && !text) continue;
      found += rarity;
      sum += rarity * ((title ? 8 : 0) + (page ? 3 : 0) + Math.min(text, 5));
    }
    const share = found / terms.reduce((all, { rarity }) => all + rarity, 0);
    if (!found || share < 0.3) return 0;
    if (share < 0.999) sum *= share ** 2 / 4;
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
    const lower = query.toLowerCase();
    for (const [pattern, text] of INSTEAD) if (pattern.test(lower)) variants.push(words(text));
    const best = new Map();
    for (const variant of variants) {
      const big = variant.filter((word) => !SMALL.has(word));
      const terms = (big.length ? big : variant).map((word) => {
        const starts = beginnings(word, all);
        const having = all.filter((entry) => entry.in.some((part) => count(part, starts)));
        // A word that is nowhere in the book does not rank places.
        const rarity = having.length && Math.log(1 + all.length / (1 + having.length));
        return { starts, rarity };
      });
      for (const entry of all) {
        const value = score(entry, terms, variant.join(" "));
        if (value > (best.get(entry) ?? 0)) best.set(entry, value);
      }
    }
    const times = new Map();
    return [...best].sort((a, b) => b[1] - a[1]).map(([entry]) => entry).filter((entry) => {
      const seen = (times.get(entry.page) ?? 0) + 1;
      times.set(entry.page, seen);
      return seen <= (PER_PAGE[entry.kind] ?? 3);
    });
  }

  // The text around the first match, with all matches marked.
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
    const absent = ABSENT.find(([pattern]) => pattern.test(query.toLowerCase()));
    const said = document.createElement("p");
    said.role = "status";
    said.textContent = !words(query).length ? "" : found.length
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
    field.addEventListener("focus", () => entries().catch(() => {}), { once: true });
    field.addEventListener("input", () => show(place, field.value, SHOWN.dialog));
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
