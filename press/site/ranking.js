// Ranks the places of the book for a query. It needs no page, so that it can be tried
// anywhere; `search.js` shows what it finds. `data` comes from `press/site/search.py`.
// Each word counts by how rare it is and where it stands (BM25F), and a place also by
// what the rest of its page says.
window.bookRanking = function (data) {
  const FIELDS = [
    { boost: 4, length: 0.4 },  // a place's title
    { boost: 0.5, length: 0 },  // its page's title
    { boost: 1, length: 0.6 },  // its prose
    { boost: 0.7, length: 0.3 },  // identifiers in its code
  ];
  const [TITLE, PAGE, PROSE] = [0, 1, 2];
  const FULL = 2;  // occurrences after which more of them hardly count
  const KIND = { chapter: 1.15, question: 1.15, term: 1, page: 0.8, api: 0.25, news: 0.5, end: 0.5 };
  const OF_PAGE = 0.8;  // what a page's score adds to that of its places
  const MISSING = 0.9;  // how much a place loses by words that it lacks
  const PHRASE = 0.6;  // two neighbours of the query that are neighbours in a place
  const IN_TITLE = 2;
  const WHOLE = 0.5;  // the query is the title
  const AGAIN = 0.75;  // a page's next place
  const BEST = 100;  // places that are looked at more closely
  const FAR = 0.15;  // of the best place's score: what has less isn't shown
  // What stands for a word beside itself, and how much it is worth.
  const PART = { prefix: 0.7, near: 0.6, same: 0.7, joined: 1, piece: 0.5 };
  const FEW = 20;  // words that a beginning is completed to
  const SLICE = 8;  // milliseconds of preparation before the page gets a turn
  // Words that rank little.
  const SMALL = new Set("a an and are as at be by can do does for from has have how i if in into is it its my no not of on or so that the then there this to use vs versus was we what when where which who why will with would you your error raises".split(" "));
  const LIGHT = 1;  // their rarity, beside a neighbour
  // Words that people type, and the book's.
  const SAME = {
    bigram: ["pairs"],
    faster: ["fast"],
    internet: ["offline", "network"],
    parallelism: ["ranks"],
    teaching: ["instructors", "class"],
  };

  const stemmer = new Stemmer();
  const ids = new Map();  // of stems
  const stems = new Map();  // the stem's number of each word
  const entries = [];
  const pages = [];
  const ofEntries = [];  // for each stem, the entries that have it, and how much of it
  const ofPages = [];
  let sorted = [];  // all words, to complete a beginning

  const trimmed = (word) => (word.includes("_") ? word.replace(/^_+(?=.)|_+$/g, "") : word);
  const words = (text) => (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).map(trimmed);
  const pieces = (word) => (word.includes("_") ? word.split("_").filter((piece) => piece.length > 1) : []);

  // One spelling on both sides of the Atlantic, and one stem for the forms of a word.
  function stem(word) {
    if (word.length < 4 || /[\d_]/.test(word)) return word;
    return stemmer.stemWord(word.replace(/is(e[ds]?|er|ing|ations?)$/, "iz$1").replace(/(?<=\w{3})our/, "or"));
  }

  function number(word) {
    let id = stems.get(word);
    if (id !== undefined) return id;
    const root = stem(word);
    id = ids.get(root);
    if (id === undefined) {
      ids.set(root, (id = ids.size));
      ofEntries.push([]);
      ofPages.push([]);
    }
    stems.set(word, id);
    return id;
  }

  // Count a stem in a field of an entry, or of a page.
  function count(list, at, field) {
    let row = list.at(-1);
    if (row?.[0] !== at) list.push((row = [at, 0, 0, 0, 0]));
    row[field + 1] += 1;
  }

  function add([url, page, title, kind, text, code = ""]) {
    const address = url.split("#")[0];
    const first = pages.at(-1)?.url !== address;
    if (first) pages.push({ url: address, lengths: [0, 0, 0, 0] });
    const of = pages.length - 1;
    const at = entries.length;
    const entry = { url, page, title, kind, text, of };
    entry.in = [title, page, text, code].map((part, field) => {
      const list = words(part);
      const row = list.map(number);
      const more = list.flatMap(pieces);
      if (field === TITLE) {
        entry.name = list.join(" ");
        // A term is also found by its initials, and "layer norm" as one word.
        if (kind === "term" && list.length > 2) more.push(list.filter((word) => !SMALL.has(word)).map((word) => word[0]).join(""));
        list.slice(1).forEach((word, i) => more.push(list[i] + word, `${list[i]}_${word}`));
      }
      for (const id of [...row, ...more.map(number)]) {
        count(ofEntries[id], at, field);
        if (field !== PAGE || first) count(ofPages[id], of, field);
      }
      if (field !== PAGE || first) pages[of].lengths[field] += row.length;
      return row;
    });
    entry.lengths = entry.in.map((row) => row.length);
    entries.push(entry);
  }

  // From how often a stem stands in each field to how much of it there is.
  function weighed(lists, all) {
    const mean = FIELDS.map((_, field) => Math.max(1, all.reduce((sum, one) => sum + one.lengths[field], 0) / all.length));
    return (list) => list.map(([at, ...counts]) => {
      let weight = 0;
      FIELDS.forEach(({ boost, length }, field) => {
        if (counts[field]) weight += boost * counts[field] / (1 - length + length * all[at].lengths[field] / mean[field]);
      });
      return [at, weight];
    });
  }

  // Gives the page a turn when its time is up.
  let since = 0;
  async function pause() {
    if (performance.now() - since < SLICE) return;
    await new Promise((done) => setTimeout(done));
    since = performance.now();
  }

  async function prepare() {
    for (const one of data) {
      add(one);
      await pause();
    }
    for (const [lists, all] of [[ofEntries, entries], [ofPages, pages]]) {
      const weigh = weighed(lists, all);
      for (let id = 0; id < lists.length; id++) {
        lists[id] = weigh(lists[id]);
        if (id % 100 === 0) await pause();
      }
    }
    sorted = [...stems.keys()].sort();
  }

  // Where words that begin with `start` stand in the sorted list.
  function completed(start) {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] < start) low = middle + 1;
      else high = middle;
    }
    const found = new Set();
    for (let at = low; at < sorted.length && sorted[at].startsWith(start); at++) found.add(stems.get(sorted[at]));
    return [...found].sort((a, b) => ofEntries[b].length - ofEntries[a].length).slice(0, FEW);
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

  const known = (word) => {
    const id = stems.get(word) ?? ids.get(stem(word));
    return id !== undefined && ofEntries[id].length ? id : undefined;
  };

  // What each word of a query may stand for: stems, and how much each is worth.
  function terms(query) {
    const typed = words(query);
    const open = /[\p{L}\p{N}_]$/u.test(query);
    const list = typed.map((word, at) => {
      const may = new Map();
      const put = (id, worth) => { if (id !== undefined && !(may.get(id) >= worth)) may.set(id, worth); };
      const main = known(word);
      put(main, 1);
      for (const other of SAME[word] ?? []) for (const one of words(other)) put(known(one), PART.same);
      if (open && at === typed.length - 1 && word.length > (main === undefined ? 1 : 3)) {
        for (const id of completed(word)) put(id, main === undefined ? 1 : PART.prefix);
      }
      if (main === undefined) for (const piece of pieces(word)) put(known(piece), PART.piece);
      return { word, may, main, small: SMALL.has(word) };
    });
    // "back propagation" may be one word in the book.
    for (let at = 1; at < list.length; at++) {
      for (const joined of [list[at - 1].word + list[at].word, `${list[at - 1].word}_${list[at].word}`]) {
        const id = known(joined);
        if (id === undefined) continue;
        for (const term of [list[at - 1], list[at]]) term.may.set(id, PART.joined);
      }
    }
    for (const term of list) {
      if (!term.may.size && term.word.length > 4) {
        const close = sorted.filter((other) => other.length > 3 && near(term.word, other)).map((other) => stems.get(other));
        for (const id of close) term.may.set(id, PART.near);
      }
    }
    // A word that is nowhere in the book does not rank places.
    return list.filter((term) => term.may.size);
  }

  const rarity = (having, all) => Math.log(1 + (all - having + 0.5) / (having + 0.5));

  // The score of each entry, or page, by BM25F.
  function scores(list, lists, all) {
    const sum = new Float32Array(all);
    const found = new Float32Array(all);
    const here = new Float32Array(all);
    let whole = 0;
    for (const term of list) {
      here.fill(0);
      let having = 0;
      for (const [id, worth] of term.may) {
        for (const [at, weight] of lists[id]) {
          if (!here[at]) having += 1;
          here[at] += worth * weight;
        }
      }
      const rare = term.rare = rarity(term.main === undefined ? having : lists[term.main].length, all);
      whole += rare;
      for (let at = 0; at < all; at++) {
        if (!here[at]) continue;
        sum[at] += rare * here[at] / (FULL + here[at]) * (1 + FULL);
        found[at] += rare * Math.min(1, here[at]);
      }
    }
    return sum.map((value, at) => value && value * (found[at] / whole) ** MISSING);
  }

  // How many of the query's neighbours are neighbours in a row of stems.
  function neighbours(row, list) {
    let sum = 0;
    for (let at = 1; at < list.length; at++) {
      const [a, b] = [list[at - 1], list[at]];
      for (let i = 0; i + 1 < row.length; i++) {
        if (a.may.has(row[i]) && (b.may.has(row[i + 1]) || b.may.has(row[i + 2]))) {
          sum += Math.min((a.rare ?? LIGHT) + (b.rare ?? LIGHT), 8);
          break;
        }
      }
    }
    return sum;
  }

  // All places that have a word of the query, the best first.
  function find(query) {
    const list = terms(query);
    const big = list.filter((term) => !term.small);
    const ranking = big.length ? big : list;
    if (!ranking.length) return [];
    const page = scores(ranking, ofPages, pages.length);
    const own = scores(ranking, ofEntries, entries.length);
    const title = words(query).join(" ");
    const found = [];
    entries.forEach((entry, at) => {
      if (own[at]) found.push([entry, KIND[entry.kind] * (own[at] + OF_PAGE * page[entry.of])]);
    });
    found.sort((a, b) => b[1] - a[1]);
    for (const one of found.slice(0, BEST)) {
      const [entry] = one;
      const close = IN_TITLE * neighbours(entry.in[TITLE], list) + neighbours(entry.in[PROSE], list);
      one[1] += KIND[entry.kind] * PHRASE * close;
      if (entry.name === title) one[1] *= 1 + WHOLE;
    }
    found.sort((a, b) => b[1] - a[1]);
    // A page's second place counts for less, so that other pages are seen too.
    const times = new Map();
    for (const one of found.slice(0, BEST)) {
      const before = times.get(one[0].of) ?? 0;
      one[1] *= AGAIN ** before;
      times.set(one[0].of, before + 1);
    }
    found.sort((a, b) => b[1] - a[1]);
    return found.filter(([, value]) => value > FAR * found[0][1]).map(([entry]) => entry);
  }

  // How the words of a query that count begin, as far as all forms of them share it.
  function starts(query) {
    const typed = words(query);
    const big = typed.filter((word) => !SMALL.has(word));
    return (big.length ? big : typed).map((word) => {
      const root = stem(word);
      let same = 0;
      while (same < root.length && root[same] === word[same]) same++;
      return word.slice(0, Math.max(same, 2));
    });
  }

  return { prepare, find, starts };
};
