// A gradient goes back along its arrows, is multiplied by each slope on the way, and is
// added where it arrives. For readers who want nothing to move, nothing does.
const TRAVEL = 300;

// Starts the journeys of a step and returns what ends them at once.
function travel(view, arrived) {
  const [title, node, changed] = view.steps[view.at];
  const edges = Object.keys(changed).filter((name) => name[0] === "e");
  const svg = view.graph.querySelector("svg");
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (still || !svg || title !== "Backward" || !edges.length) {
    arrived();
    return () => {};
  }
  const [, given] = view.seen(view.at - 1)[node];
  const gradient = filled(given, view.numbers).replace(/^grad | \+ …$/g, "");
  const riders = edges.map((edge) => {
    const amount = filled(changed[edge][1], view.numbers).replace("= ", "");
    return rider(view, edge, gradient, amount);
  });
  let frame = 0;
  let start;
  const end = () => {
    cancelAnimationFrame(frame);
    riders.forEach(({ mark }) => mark.remove());
    arrived();
  };
  const move = (time) => {
    start ??= time;
    const way = (time - start) / TRAVEL;
    if (way >= 1 || !svg.isConnected) return end();
    riders.forEach((one) => one.goTo(way));
    frame = requestAnimationFrame(move);
  };
  riders.forEach((one) => one.goTo(0));
  frame = requestAnimationFrame(move);
  return end;
}

// A number on its way back: from the user to the slope, and from there to the used.
function rider(view, edge, gradient, amount) {
  const halves = ["user", "used"].map((end) => view.graph.querySelector(
    `[data-part="${edge}"][data-end="${end}"] path`));
  const mark = document.createElementNS("http://www.w3.org/2000/svg", "g");
  mark.setAttribute("class", "stepper-rider");
  mark.setAttribute("aria-hidden", "true");
  mark.innerHTML = '<rect y="-9" height="18" rx="9"></rect><text text-anchor="middle" y="4" '
    + 'font-family="Helvetica,Arial,sans-serif" font-size="12"></text>';
  const [pill, text] = mark.children;
  halves[0].closest("svg > g").append(mark);
  return {
    mark,
    goTo(way) {
      const half = way < 0.5 ? 0 : 1;
      const path = halves[half];
      const { x, y } = path.getPointAtLength(path.getTotalLength() * (1 - (2 * way - half)));
      const said = half ? amount : gradient;
      if (text.textContent !== said) {
        text.textContent = said;
        const width = said.length * 7 + 12;
        pill.setAttribute("width", width);
        pill.setAttribute("x", -width / 2);
      }
      mark.setAttribute("transform", `translate(${x} ${y})`);
    },
  };
}
