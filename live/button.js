// Offers to run the cells of this page. Nothing else is loaded before somebody asks.
// A plain script, because a page that is opened as a file may not load modules.
(() => {
  const { src, dataset } = document.currentScript;
  const able = location.protocol.startsWith("http") && window.Worker && window.WebAssembly;

  function offer() {
    const place = document.querySelector(".article-header-buttons, .bd-article");
    if (!place || !document.querySelector("div.cell .cell_input")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn btn-sm live-start";
    button.innerHTML = '<i class="fa-solid fa-play" aria-hidden="true"></i> Run this page';
    button.title = "Run and edit the cells in this browser";
    button.onclick = () => start(button);
    place.prepend(button);
  }

  async function start(button) {
    button.disabled = true;
    button.lastChild.data = " Loading…";
    try {
      const base = new URL(".", src);
      const found = await fetch(new URL("current.json", base), { cache: "no-cache" });
      const names = await found.json();
      const page = await import(new URL(`${names.code}page.mjs`, base));
      await page.start({
        button,
        code: new URL(names.code, base),
        pyodide: new URL(names.pyodide, base),
        notebook: new URL(dataset.notebook, location),
      });
    } catch (error) {
      button.disabled = false;
      button.lastChild.data = " Run this page";
      const text = document.createElement("span");
      text.role = "alert";
      text.className = "live-failure";
      text.textContent = `This page could not be made live: ${error.message}`;
      button.parentNode.querySelector(".live-failure")?.remove();
      button.before(text);
    }
  }

  if (able) document.addEventListener("DOMContentLoaded", offer);
})();
