// What is wider than the page scrolls within itself; make it scroll by keyboard too.
(function () {
  const wide = ".pst-scrollable-table-container, pre, .math, .cell_output .output";

  // First all questions, then all changes: each turn would lay the page out anew.
  function update() {
    const boxes = [...document.querySelectorAll(wide)];
    const scrolls = boxes.map(
      (box) =>
        box.scrollWidth > box.clientWidth + 1 &&
        /auto|scroll/.test(getComputedStyle(box).overflowX),
    );
    boxes.forEach((box, i) => {
      if (scrolls[i]) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    });
  }

  let due;
  function soon() {
    clearTimeout(due);
    due = setTimeout(update, 300);
  }

  window.addEventListener("load", () => {
    update();
    const main = document.getElementById("main-content");
    new MutationObserver(soon).observe(main, { subtree: true, childList: true });
  });
  window.addEventListener("resize", update);
})();
