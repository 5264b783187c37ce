// What is wider than the page scrolls within itself; make it scroll by keyboard too.
(function () {
  const wide = ".pst-scrollable-table-container, pre, .math, .cell_output .output";

  function update() {
    for (const box of document.querySelectorAll(wide)) {
      const scrolls =
        box.scrollWidth > box.clientWidth + 1 &&
        /auto|scroll/.test(getComputedStyle(box).overflowX);
      if (scrolls) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  }

  window.addEventListener("load", () => {
    update();
    window.MathJax?.startup?.promise?.then(update);
  });
  window.addEventListener("resize", update);
})();
