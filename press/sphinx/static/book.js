// Boxes wider than the page scroll within themselves; make them scroll by keyboard too.
(function () {
  const wide = ".pst-scrollable-table-container, pre, .math, .cell_output .output";

  // The browser reports the size of boxes that it has laid out. Asking for a size would
  // lay out folded and distant ones too.
  const observer = new ResizeObserver((seen) => {
    // First all queries, then all changes: each alternation would lay out the page again.
    const scrolls = seen.map(
      ({ target }) =>
        target.scrollWidth > target.clientWidth + 1 &&
        /auto|scroll/.test(getComputedStyle(target).overflowX),
    );
    seen.forEach(({ target }, i) => {
      if (scrolls[i]) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    });
  });

  // Observed boxes are reported once more, since their contents may have changed.
  function observe() {
    for (const box of document.querySelectorAll(wide)) observer.observe(box);
  }

  let due;
  function soon() {
    clearTimeout(due);
    due = setTimeout(observe, 300);
  }

  window.addEventListener("load", () => {
    observe();
    const main = document.getElementById("main-content");
    new MutationObserver(soon).observe(main, { subtree: true, childList: true });
  });
})();

// A new page is laid out where it is in view. The rest follows piece by piece from above,
// so that it never delays the reader.
(function () {
  const root = document.documentElement;
  const far = ".bd-article section section ~ section > :is(p, div, ul, ol, dl)";
  const many = 60; // elements laid out at a time
  const soon = window.requestIdleCallback ?? ((next) => setTimeout(next, 50));

  function proceed(left) {
    for (let count = 0; left.length && count < many; ) {
      const one = left.shift();
      one.style.contentVisibility = "visible";
      count += one.getElementsByTagName("*").length;
    }
    if (left.length) soon(() => proceed(left));
    else delete root.dataset.arriving;
  }

  if (!("arriving" in root.dataset)) return;
  window.addEventListener("load", () =>
    soon(() => proceed([...document.querySelectorAll(far)])),
  );
  // A jump far down, to words that were searched for, ends at these words: the page above
  // them is laid out at once, and the view stays where it is.
  function jumped() {
    if (scrollY < 2 * innerHeight || !("arriving" in root.dataset)) return;
    const seen = document.elementFromPoint(innerWidth / 2, innerHeight / 2) ?? root;
    const before = seen.getBoundingClientRect().top;
    delete root.dataset.arriving;
    const moved = seen.getBoundingClientRect().top - before;
    scrollBy({ top: moved, behavior: "instant" });
  }
  window.addEventListener("scroll", jumped);

  // Before a jump within the page, all of it is laid out.
  window.addEventListener("click", () => delete root.dataset.arriving, {
    capture: true,
    once: true,
  });
})();

// On a phone code is wrapped. A button unwraps it, for readers who prefer to scroll.
(function () {
  const code = [...document.querySelectorAll(".bd-article div.highlight")];
  const first = code.find((one) => !one.closest("details, .tag_hide-cell, .tag_setup, .cell_output"));
  if (!first) return;
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "book-button book-wrap", textContent: "Wrap code" });

  function set(wrapped) {
    document.documentElement.dataset.code = wrapped ? "wrapped" : "lines";
    button.ariaPressed = wrapped;
  }

  let kept;
  try {
    kept = localStorage.getItem("book-code");
  } catch {} // where nothing may be kept
  set(kept !== "lines");
  button.onclick = () => {
    set(button.ariaPressed !== "true");
    try {
      localStorage.setItem("book-code", document.documentElement.dataset.code);
    } catch {}
  };
  const place = first.closest("div.cell") ?? first;
  place.style.position = "relative";
  place.prepend(button);
})();
