// Colours Python like the page: its syntax under Pygments' names.
import { highlightCode, tagHighlighter, tags as t } from "./lib/lezer-highlight.mjs";
import { parser } from "./lib/lezer-python.mjs";

export const pygments = tagHighlighter([
  { tag: [t.keyword, t.controlKeyword, t.definitionKeyword], class: "k" },
  { tag: t.moduleKeyword, class: "kn" },
  { tag: t.operatorKeyword, class: "ow" },
  { tag: [t.operator, t.arithmeticOperator, t.compareOperator, t.definitionOperator, t.updateOperator, t.bitwiseOperator], class: "o" },
  { tag: [t.bool, t.null, t.self], class: "kc" },
  { tag: t.number, class: "mi" },
  { tag: [t.string, t.special(t.string)], class: "s2" },
  { tag: t.escape, class: "se" },
  { tag: t.comment, class: "c1" },
  { tag: t.className, class: "nc" },
  { tag: [t.function(t.definition(t.variableName)), t.definition(t.function(t.variableName))], class: "nf" },
  { tag: t.meta, class: "nd" },
]);

// Returns source as a coloured block, like those of the page.
export function codeBlock(source) {
  const box = document.createElement("div");
  box.className = "highlight";
  colour(box.appendChild(document.createElement("pre")), source);
  return box;
}

// Puts coloured source into an element.
export function colour(element, source) {
  const write = (text, classes) => put(element, text, classes);
  highlightCode(source, parser.parse(source), pygments, write, () => element.append("\n"));
}

export function put(element, text, classes = "") {
  if (!classes) return element.append(text);
  const span = document.createElement("span");
  span.className = classes;
  span.textContent = text;
  element.append(span);
}
