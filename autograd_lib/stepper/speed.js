// How fast Play goes on: chosen for all steppers at once, and remembered where a browser
// keeps anything.
const PACES = { "0.5×": 4000, "1×": 2000, "2×": 1000 };
const SPEED = "autograd-stepper-speed";

function speedChoice() {
  const choice = document.createElement("select");
  choice.className = "stepper-speed";
  choice.ariaLabel = "Speed";
  choice.append(...Object.keys(PACES).map((name) => new Option(name)));
  choice.value = "1×";
  try {
    const kept = localStorage.getItem(SPEED);
    if (Object.hasOwn(PACES, kept)) choice.value = kept;
  } catch { /* it may not be asked */ }
  choice.onchange = () => {
    for (const other of document.querySelectorAll(".stepper-speed")) other.value = choice.value;
    try {
      localStorage.setItem(SPEED, choice.value);
    } catch { /* nor told */ }
  };
  return choice;
}
