// Inputs that a reader changes, by typing or by dragging their boxes; all numbers
// follow. Only those from which every operation to the result is known.

function inputsOf(views, changed) {
  const [first] = views;
  const free = first.model.free.filter((leaf) => views.every(
    (view) => view.model.free.includes(leaf)
      && view.trace.nodes[leaf][0] === first.trace.nodes[leaf][0]));
  if (!free.length) return undefined;
  const row = document.createElement("div");
  row.className = "stepper-inputs";
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", "Inputs");
  const note = document.createElement("span");
  note.setAttribute("role", "status");
  const reset = document.createElement("button");
  reset.type = "button";
  reset.textContent = "Reset";
  reset.hidden = true;
  const at = (leaf) => first.leaves[leaf];
  const original = (leaf) => first.model.values[leaf];

  function set(leaf, value) {
    if (!Number.isFinite(value)) return;
    for (const view of views) view.set(leaf, value);
    reset.hidden = free.every((one) => at(one) === original(one));
    changed();
  }

  const fields = new Map(free.map((leaf) => {
    const label = document.createElement("label");
    const field = document.createElement("input");
    Object.assign(field, {
      type: "text", inputMode: "decimal", autocomplete: "off", value: at(leaf),
    });
    const name = first.trace.nodes[leaf][0];
    field.oninput = () => {
      const [number, said] = typed(field.value);
      field.ariaInvalid = number === undefined;
      if (number !== undefined) set(leaf, number);
      note.textContent = number === undefined ? `${said} ${name} stays ${at(leaf)}.` : said;
    };
    field.onchange = () => {
      field.value = at(leaf);
      field.ariaInvalid = false;
    };
    label.append(`${name} = `, field);
    row.append(label);
    return [leaf, field];
  }));
  const fill = () => fields.forEach((field, leaf) => { field.value = at(leaf); });

  reset.onclick = () => {
    free.forEach((leaf) => set(leaf, original(leaf)));
    fill();
    note.textContent = "";
    fields.values().next().value.focus();
  };
  row.append(reset, note);
  for (const view of views) {
    dragging(view, free, (leaf, value) => {
      set(leaf, value);
      fill();
    });
  }
  return row;
}

// A drag of a few pixels changes an input by about a tenth of its size.
function dragging(view, free, set) {
  const PIXELS = 6;
  let drag;
  const { graph } = view;
  graph.addEventListener("pointerdown", (event) => {
    const name = event.target.closest("[data-part]")?.dataset.part ?? "";
    const leaf = Number(name.slice(1));
    if (name[0] !== "n" || !free.includes(leaf)) return;
    const start = view.leaves[leaf];
    const unit = 10 ** (Math.floor(Math.log10(Math.abs(start) || 1)) - 1);
    drag = { leaf, start, unit, x: event.clientX, moved: false };
  });
  graph.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const steps = Math.round((event.clientX - drag.x) / PIXELS);
    if (!steps && !drag.moved) return;
    // From here on it is no click.
    graph.setPointerCapture(event.pointerId);
    drag.moved = true;
    set(drag.leaf, Number((drag.start + steps * drag.unit).toPrecision(12)));
  });
  for (const type of ["pointerup", "pointercancel", "pointerleave"]) {
    graph.addEventListener(type, () => { drag = undefined; });
  }
}
