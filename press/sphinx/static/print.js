// A page on paper: in light colours, folds open, steppers at their last step, solutions
// at the end. After printing, the page is as it was.
(function () {
  const ANSWERS = /^(Solution|A model answer|An answer)$/;
  const ANSWER = ".tag_predicted > details > summary, details.answer > summary";
  const NAMELESS = /^(Solution|A model answer|An answer|Show the code\s+Hide.*)$/;
  const undo = [];

  function lay() {
    if (undo.length) return;
    const article = document.querySelector("article");
    lighten(document.documentElement.dataset);
    if (!article) return;
    finishSteppers(article);
    const moved = moveAnswers(article);
    unfold(article);
    if (moved || article.querySelector(":is(.tag_hide-input, .book-icon) > details.hide")) explain(article, moved);
  }

  function lighten(root) {
    const { theme } = root;
    root.theme = "light";
    undo.push(() => { root.theme = theme; });
  }

  // A stepper follows its slider.
  function finishSteppers(article) {
    for (const slider of article.querySelectorAll(".stepper-panel [type=range]")) {
      const at = slider.value;
      if (at === slider.max) continue;
      step(slider, slider.max);
      undo.push(() => step(slider, at));
    }
  }

  function step(slider, value) {
    slider.value = value;
    slider.dispatchEvent(new Event("input"));
  }

  function moveAnswers(article) {
    const answers = [...article.querySelectorAll("details:not(.hide)")].filter((details) =>
      ANSWERS.test(details.querySelector("summary").textContent.trim()));
    if (!answers.length) return false;
    const end = document.createElement("section");
    end.id = "solutions";
    end.innerHTML = "<h2>Solutions</h2>";
    for (const details of answers) {
      const place = document.createComment("solution");
      const name = document.createElement("h3");
      name.textContent = exercise(details);
      details.replaceWith(place);
      end.append(name, details);
      undo.push(() => place.replaceWith(details));
    }
    article.querySelector("section").append(end);
    undo.push(() => end.remove());
    return true;
  }

  // The words in bold before it: "Exercise 4.1."
  function exercise(details) {
    for (let one = details.previousElementSibling; one; one = one.previousElementSibling) {
      const name = one.querySelector(":scope > strong:first-child")?.textContent ?? "";
      if (name.startsWith("Exercise")) return name.replace(/\.$/, "");
    }
    return "";
  }

  function unfold(article) {
    for (const details of article.querySelectorAll("details:not([open])")) {
      details.open = true;
      undo.push(() => { details.open = false; });
    }
    for (const summary of article.querySelectorAll("summary")) {
      const text = summary.textContent.trim();
      if (summary.matches(ANSWER) || /^I have decided/.test(text)) rename(summary, "The answer");
      else if (NAMELESS.test(text)) hide(summary);
      else if (summary.matches(".hide > *")) rename(summary, whatIsIn(summary));
    }
    for (const output of article.querySelectorAll(".tag_exercise .cell_output")) {
      if (output.textContent.includes("not attempted yet")) hide(output);
    }
  }

  // "Show the call" shows it already.
  function whatIsIn(summary) {
    const text = summary.firstElementChild.textContent.replace(/^Show /, "");
    return text[0].toUpperCase() + text.slice(1);
  }

  function rename(summary, text) {
    const before = [...summary.childNodes];
    summary.replaceChildren(text);
    undo.push(() => summary.replaceChildren(...before));
  }

  function hide(element) {
    element.hidden = true;
    undo.push(() => { element.hidden = false; });
  }

  function explain(article, moved) {
    const note = document.createElement("p");
    note.className = "book-paper";
    note.textContent = "On paper: code that only imports, prepares or draws is left out; "
      + "the page on a screen has it, folded." + (moved ? " Solutions stand at the end." : "");
    article.querySelector("h1 + p, h1").after(note);
    undo.push(() => note.remove());
  }

  window.addEventListener("beforeprint", lay);
  window.addEventListener("afterprint", () => {
    while (undo.length) undo.pop()();
  });
})();
