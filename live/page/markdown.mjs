// Markdown as the pages of the book read it: tables, code in colour, $formulas$.
import { codeBlock } from "./highlight.mjs";
import { Marked } from "./lib/marked.mjs";

const formula = {
  name: "formula",
  level: "inline",
  start: (text) => text.indexOf("$"),
  tokenizer(text) {
    const found = /^(\$\$?)([^\s$](?:[^$]*[^\s$\\])?)\1(?!\d)/.exec(text);
    return found && { type: "formula", raw: found[0], text: found[2], wide: found[1] === "$$" };
  },
  renderer: ({ text, wide }) => {
    const [open, close] = wide ? ["\\[", "\\]"] : ["\\(", "\\)"];
    return `<span class="math notranslate nohighlight">${escaped(open + text + close)}</span>`;
  },
};

const reader = new Marked({
  extensions: [formula],
  renderer: {
    code({ text, lang }) {
      if (!/^(python|ipython3|py)?$/.test(lang ?? "")) return false;
      return codeBlock(text).outerHTML;
    },
  },
});

export function markdown(text) {
  const page = document.createElement("div");
  page.innerHTML = reader.parse(text);
  for (const table of page.querySelectorAll("table")) {
    table.className = "table";
    const frame = document.createElement("div");
    frame.className = "pst-scrollable-table-container";
    table.replaceWith(frame);
    frame.append(table);
  }
  return page.innerHTML;
}

// Renders formulas. Those of the page are rendered already, so MathJax is loaded late.
export function typeset(element) {
  const formulas = [...element.querySelectorAll(".math")];
  if (formulas.length) mathjax().then((library) => library.typesetPromise(formulas));
  return element;
}

let loading;
function mathjax() {
  loading ??= new Promise((done, failed) => {
    window.MathJax = {
      chtml: { matchFontHeight: false, scale: 1.1 },
      options: { enableMenu: false },
      startup: { typeset: false },
    };
    const script = document.createElement("script");
    script.src = new URL("../../_static/mathjax/tex-chtml-full.js", import.meta.url);
    script.onload = () => window.MathJax.startup.promise.then(() => done(window.MathJax));
    script.onerror = failed;
    document.head.append(script);
  });
  return loading;
}

function escaped(text) {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.codePointAt(0)};`);
}
