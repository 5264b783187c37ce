// What a node's number follows from, and its slopes: the operations that a stepper can
// calculate itself. A node counts as one of them only if it has the numbers that the
// operation gives; the inputs of any other node stay as they are.

const TWO = {
  "+": (a, b) => [a + b, 1, 1],
  "-": (a, b) => [a - b, 1, -1],
  "*": (a, b) => [a * b, b, a],
  "/": (a, b) => [a / b, 1 / b, -(a / b / b)],
  "**": (a, b) => [a ** b, b ? b * a ** (b - 1) : 0,
    a === 0 && b >= 0 ? 0 : Math.log(a) * a ** b],
};

const ONE = {
  neg: (x) => [-x, -1],
  square: (x) => [x * x, 2 * x],
  relu: (x) => (x <= 0 ? [0, 0] : [x, 1]),
  abs: (x) => [Math.abs(x), Math.sign(x) || 0],
  exp: (x) => [Math.exp(x), Math.exp(x)],
  log: (x) => [Math.log(x), x >= 0 ? 1 / x : NaN],
  sqrt: (x) => [Math.sqrt(x), 0.5 / Math.sqrt(x)],
  sin: (x) => [Math.sin(x), Math.cos(x)],
  cos: (x) => [Math.cos(x), -Math.sin(x)],
  tanh: (x) => {
    const small = Math.exp(-2 * Math.abs(x));
    return [Math.tanh(x), (4 * small) / (1 + small) ** 2];
  },
  sigmoid: (x) => {
    const small = Math.exp(-Math.abs(x));
    return [(x >= 0 ? 1 : small) / (1 + small), small / (1 + small) ** 2];
  },
};

// The mistake that chapter 04 looks for: the slope is made from what goes in.
const MISTAKEN = { tanh: (x) => [Math.tanh(x), 1 - x * x] };

const ALSO = {
  "×": "*", "·": "*", "−": "-", add: "+", sub: "-", mul: "*", div: "/", pow: "**", ln: "log",
};

function same(a, b) {
  return Object.is(a, b) || a === b
    || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}

// A plain number beside a node is no node; it is found from the result and the slope.
function withConstant(operation, x, value, slope) {
  for (const c of [value - x, slope, x - value, x + value, 1 / slope, value * x]) {
    for (const rule of [(v) => operation(v, c).slice(0, 2),
      (v) => operation(c, v).filter((_, i) => i !== 1)]) {
      if (rule(x).every((n, i) => same(n, [value, slope][i]))) return rule;
    }
  }
  return undefined;
}

function power(name) {
  const [base, exponent] = name.split("**").map((part) => (part ? Number(part) : undefined));
  if (base === undefined) return (x) => TWO["**"](x, exponent).slice(0, 2);
  return (x) => TWO["**"](base, x).filter((_, i) => i !== 1);
}

// The rule from the inputs to [value, ...slopes], or undefined.
function ruleOf(name, inputs, found) {
  const operation = ALSO[name] ?? name;
  let rules = inputs.length === 2 ? [TWO[operation]] : [ONE[operation], MISTAKEN[operation]];
  if (inputs.length === 1 && TWO[operation]) {
    rules = [withConstant(TWO[operation], inputs[0], ...found)];
  } else if (inputs.length === 1 && operation.includes("**")) {
    rules = [power(operation)];
  }
  return rules.find((rule) => {
    const gives = rule?.(...inputs) ?? [];
    return gives.length === found.length && gives.every((n, i) => same(n, found[i]));
  });
}

// How a trace's numbers follow from its inputs: `free` are the leaves that may change.
function model({ nodes, edges }) {
  const values = nodes.map(([, , value]) => value ?? NaN);
  const slopes = edges.map(([, , slope]) => slope ?? NaN);
  const uses = nodes.map((_, i) => edges.flatMap(([user], k) => (user === i ? [k] : [])));
  const inputs = (i, from) => uses[i].map((k) => from[edges[k][1]]);
  const rules = nodes.map(([, operation], i) => uses[i].length && ruleOf(operation,
    inputs(i, values), [values[i], ...uses[i].map((k) => slopes[k])]));
  const fixed = nodes.map((_, i) => uses[i].length > 0 && !rules[i]);
  for (let k = edges.length - 1; k >= 0; k--) {
    if (fixed[edges[k][0]]) fixed[edges[k][1]] = true;
  }
  return {
    free: nodes.flatMap((_, i) => (uses[i].length || fixed[i] ? [] : [i])),
    values,
    numbersAt(leaves) {
      const [v, s] = [[...values], [...slopes]];
      nodes.forEach((_, i) => {
        if (!uses[i].length) v[i] = leaves[i] ?? v[i];
        if (!rules[i] || fixed[i]) return;
        const [value, ...local] = rules[i](...inputs(i, v));
        v[i] = value;
        uses[i].forEach((k, n) => { s[k] = local[n]; });
      });
      return [v, s];
    },
  };
}
