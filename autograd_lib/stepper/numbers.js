// Numbers as Python writes them, and every number of a pass by name, as numbers.py
// and steps.py name them.

// Four significant digits, as Python's ".4g": ties go to the even digit, where
// JavaScript takes the larger one.
function short(number) {
  if (Number.isNaN(number)) return "nan";
  if (!Number.isFinite(number)) return number < 0 ? "-inf" : "inf";
  if (number === 0) return Object.is(number, -0) ? "-0" : "0";
  const tie = /^(-?\d\.\d\d[02468])50*e(.*)$/.exec(number.toExponential(50));
  const rounded = tie ? `${tie[1]}e${tie[2]}` : number.toExponential(3);
  const [digits, power] = rounded.split("e");
  if (power >= -4 && power < 4) return String(Number(rounded));
  const size = String(Math.abs(power)).padStart(2, "0");
  return `${Number(digits)}e${power < 0 ? "-" : "+"}${size}`;
}

// What a reader typed, as a number or undefined, and what there is to say about it.
function typed(text) {
  const said = text.trim();
  if (!said) return [undefined, "Type a number."];
  const number = Number(said.replace(",", ".").replace("−", "-"));
  if (Number.isNaN(number)) return [undefined, `“${said}” is not a number.`];
  if (!Number.isFinite(number)) return [undefined, `“${said}” is larger than any float.`];
  return [number, said.includes(",") ? `“${said}” is read as ${number}.` : ""];
}

function written(numbers, name) {
  const text = short(numbers[name.replace(/[()]/g, "")]);
  return name[0] === "(" && text[0] === "-" ? `(${text})` : text;
}

function filled(text, numbers) {
  return text.replace(/\{\{|\}\}|\{(.*?)\}/g,
    (mark, name) => (name ? written(numbers, name) : mark[0]));
}

// Values forward, derivatives in the right order, and hand-overs in that of the trace.
function calculated({ nodes, edges, handed }, values, slopes) {
  const numbers = {};
  const last = nodes.length - 1;
  const keep = (letter, list) => list.forEach((n, i) => { numbers[letter + i] = n; });
  const derivatives = nodes.map(() => undefined);
  derivatives[last] = 1;
  for (let user = last; user >= 0; user--) {
    edges.forEach(([u, used], k) => {
      if (u !== user) return;
      const amount = derivatives[user] * slopes[k];
      derivatives[used] = derivatives[used] === undefined ? amount : derivatives[used] + amount;
    });
  }
  const gradients = nodes.map((_, i) => (i === last ? 1 : 0));
  handed.forEach(([k, adds], h) => {
    const [user, used] = edges[k];
    const amount = gradients[user] * slopes[k];
    gradients[used] = adds ? gradients[used] + amount : amount;
    numbers[`p${h}`] = amount;
    numbers[`t${h}`] = gradients[used];
  });
  keep("v", values);
  keep("s", slopes);
  keep("r", derivatives);
  return numbers;
}
