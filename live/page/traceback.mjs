// A traceback in the colours of the book's tracebacks: its source and its message.
import { colour, put } from "./highlight.mjs";

const RULE = /^-+$/;
const TITLE = /^(\w+)( +Traceback \(most recent call last\))$/;
const PLACE = /^(Cell|File) (.*)$/;
const SOURCE = /^( +|-+> )(\d+)( .*)?$/;

export function write(element, { ename, traceback }) {
  const names = new Set([ename]);
  for (const line of traceback.join("\n").split("\n")) {
    if (element.hasChildNodes()) element.append("\n");
    writeLine(element, line, names);
  }
}

// names: those of the errors so far, with which the line that says what happened begins.
function writeLine(element, line, names) {
  let found;
  if (RULE.test(line)) put(element, line, "gt");
  else if ((found = TITLE.exec(line))) {
    names.add(found[1]);
    put(element, found[1], "ne");
    put(element, found[2]);
  } else if ((found = PLACE.exec(line))) {
    put(element, found[1], "k");
    put(element, ` ${found[2]}`);
  } else if ((found = SOURCE.exec(line))) {
    put(element, found[1], found[1].includes(">") ? "ne" : "");
    put(element, found[2], "mi");
    colour(element, found[3] ?? "");
  } else {
    const name = /^[\w.]+/.exec(line)?.[0] ?? "";
    const known = names.has(name.split(".").at(-1));
    put(element, name, known ? "ne" : "");
    put(element, line.slice(name.length));
  }
}
