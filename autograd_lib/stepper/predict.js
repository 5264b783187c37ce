// Asks for the next number before it is shown, and says whether the answer is right.

class Prediction {
  constructor(view, place, done) {
    Object.assign(this, { view, place, done, asked: 0, right: 0 });
    this.form = document.createElement("form");
    this.form.className = "stepper-question";
    this.form.innerHTML = `<label><span></span>
      <input type="text" inputmode="text" autocomplete="off" size="8"></label>
      <button>Check</button> <span role="status"></span>`;
    this.form.hidden = true;
    this.form.onsubmit = (event) => {
      event.preventDefault();
      this.answer();
    };
    place.before(this.form);
  }

  get field() {
    return this.form.querySelector("input");
  }

  get note() {
    return this.form.querySelector("[role=status]");
  }

  // Whether the step is one to be predicted; if so, it is asked for.
  asks(step) {
    const question = this.view.steps[step]?.[3];
    if (!question) return false;
    this.step = step;
    this.form.querySelector("span").textContent = filled(question[0], this.view.numbers);
    this.form.hidden = false;
    this.field.value = this.note.textContent = "";
    this.field.focus({ preventScroll: true });
    return true;
  }

  // As many digits as one has in one's head are enough.
  answer() {
    const [guess, says] = typed(this.field.value);
    if (guess === undefined) {
      this.note.textContent = says;
      return this.field.focus();
    }
    const name = this.view.steps[this.step][3][1];
    const number = name in this.view.numbers ? this.view.numbers[name] : Number(name);
    const isRight = Math.abs(guess - number) <= 0.005 * Math.abs(number) + 1e-9;
    const { step } = this;
    this.asked += 1;
    this.right += isRight;
    const said = isRight ? `Right, ${short(number)}.`
      : `No, it is ${short(number)} and not ${short(guess)}.`;
    this.close();
    this.done(step, `${says} ${said} (${this.right} of ${this.asked} right.)`.trim());
  }

  close() {
    this.form.hidden = true;
    this.step = undefined;
  }
}
