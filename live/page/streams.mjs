// Text as a terminal shows it: text after a carriage return overwrites its line.

export function overwritten(text) {
  if (!/[\r\x08]/.test(text)) return text;
  return text.replaceAll("\r\n", "\n").split("\n").map(line).join("\n");
}

function line(text) {
  if (!/[\r\x08]/.test(text)) return text;
  let result = "";
  for (const part of text.split("\r")) result = part + result.slice(part.length);
  while (/[^\x08]\x08/.test(result)) result = result.replace(/[^\x08]\x08/g, "");
  return result.trimEnd();
}
