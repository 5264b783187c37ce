// The buttons under a graph, or under several that are stepped together.

const PACE = 2000;

function isPressed(button) {
  return button.ariaPressed === "true";
}

function toggle(button) {
  button.ariaPressed = !isPressed(button);
  return isPressed(button);
}

function start(root) {
  const words = [...root.querySelectorAll("details")];
  const views = [...root.querySelectorAll("[data-trace]")].map((box, k) => new View(box, words[k]));
  const last = Math.max(...views.map((view) => view.last));
  // JupyterLab would take Enter, Space and the arrows for its own.
  root.dataset.lmSuppressShortcuts = "true";
  const panel = document.createElement("div");
  panel.className = "stepper-panel";
  panel.innerHTML = `<button type="button">Back</button>
    <button type="button">Next</button>
    <button type="button">Play</button>
    <button type="button" aria-pressed="false">Predict</button>
    <input type="range" min="0" max="${last}" aria-label="Step">
    <span aria-hidden="true"></span>
    <div aria-live="polite"></div>`;
  const [back, next, play, predict] = panel.querySelectorAll("button");
  const [slider, count, say] = panel.querySelectorAll("input, span, div");
  const alone = views.length === 1;
  const { dial, steps } = views[0].trace;
  if (dial) [slider.ariaLabel] = dial;
  let at = 0;
  let timer = 0;
  let arrive = () => {};

  function tell(first = "") {
    say.innerHTML = views.map((view, k) => {
      const name = root.querySelectorAll(".stepper-name")[k]?.outerHTML ?? "";
      return `<div>${name}<p>${view.sentence(at)}</p></div>`;
    }).join("");
    if (first) say.prepend(Object.assign(document.createElement("p"), { textContent: first }));
  }

  function show(i, { moves = false, first = "" } = {}) {
    arrive();
    prediction?.close();
    at = Math.min(Math.max(i, 0), last);
    const ends = views.map((view) => {
      const isNew = moves && at <= view.last;
      const held = isNew ? Object.keys(view.steps[at][2]) : [];
      view.show(at, { held: view.steps[Math.min(at, view.last)][0] === "Backward" ? held : [] });
      return isNew ? travel(view, () => view.show(at)) : () => {};
    });
    arrive = () => {
      arrive = () => {};
      ends.forEach((end) => end());
    };
    tell(first);
    slider.value = at;
    slider.ariaValueText = dial?.[1][at] ?? `${at} of ${last}`;
    count.textContent = dial?.[1][at] ?? `${at} / ${last}`;
    back.ariaDisabled = at === 0;
    next.ariaDisabled = at === last;
  }

  // A reader hears what was stopped at, not every step that passes.
  function run(on) {
    clearTimeout(timer);
    timer = on ? setTimeout(tick, PACE) : 0;
    play.textContent = on ? "Pause" : "Play";
    say.ariaLive = on ? "off" : "polite";
  }

  function tick() {
    if (!root.isConnected || at === last) return run(false);
    run(at + 1 < last);
    show(at + 1, { moves: true });
  }

  function go(i, moves = false) {
    run(false);
    show(i, { moves });
  }

  function forward() {
    const wants = isPressed(predict) && at < last;
    if (!wants || prediction.step !== undefined || !prediction.asks(at + 1)) {
      return go(at + 1, at < last);
    }
    run(false);
    views[0].show(at, { next: views[0].steps[at + 1][1] });
  }

  const prediction = alone ? new Prediction(views[0], say, (step, said) => {
    show(step, { moves: true, first: said });
    next.focus({ preventScroll: true });
  }) : undefined;
  const inputs = inputsOf(views, () => {
    prediction?.close();
    tell();
  });

  predict.hidden = !alone || !steps.some(([, , , asks]) => asks);
  predict.onclick = () => {
    const on = toggle(predict);
    if (on && at === last) go(0);
    if (!on) go(at);
  };
  back.onclick = () => go(at - 1);
  next.onclick = forward;
  slider.oninput = () => go(+slider.value);
  play.onclick = () => {
    if (timer) return go(at);
    run(true);
    show(at === last ? 0 : at);
  };

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    // VS Code and older notebooks listen further out.
    if (/^(Arrow|Page|Home|End|Enter| )/.test(event.key)) event.stopPropagation();
    if (event.target.matches("[type=text]")) return;
    const move = { ArrowLeft: () => go(at - 1), ArrowRight: forward }[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  }

  panel.onkeydown = onKey;
  for (const view of views) {
    view.graph.onkeydown = onKey;
    view.graph.onclick = (event) => {
      const node = event.target.closest(".stepper-node")?.dataset.part;
      if (!node) return;
      const stops = view.stops(node);
      go(stops.find((i) => i > at) ?? stops[0]);
    };
  }
  root.querySelector(".stepper-views").after(panel);
  if (inputs) panel.prepend(inputs);
  show(0);
}

function startAll(name) {
  for (const root of document.querySelectorAll(`.${name}:not([data-started])`)) {
    root.dataset.started = "true";
    start(root);
  }
}
