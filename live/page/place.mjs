// Keeps the place on a page whose blocks become higher, since not all browsers do.

const BLOCKS = ".bd-article p, .bd-article h1, .bd-article h2, .bd-article h3, .bd-article .cell_input";

// Returns a function that brings the first block in view back to where it is now.
export function keepPlace() {
  const header = document.querySelector(".bd-header-article")?.offsetHeight ?? 0;
  const block = [...document.querySelectorAll(BLOCKS)].find((one) => {
    const { top, height } = one.getBoundingClientRect();
    return height > 0 && top >= header;
  });
  const before = block?.getBoundingClientRect().top;
  return () => {
    if (!block || window.scrollY === 0) return;
    window.scrollBy({ top: block.getBoundingClientRect().top - before, behavior: "instant" });
  };
}
