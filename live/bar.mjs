// The bar of a live page: what concerns all cells, and what Python is doing.

export class Bar {
  // actions: a function for each button, by name.
  constructor(start, actions) {
    this.element = document.createElement("div");
    this.element.className = "live-bar";
    this.element.role = "group";
    this.element.ariaLabel = "Live page";
    const labels = {
      runAll: ["Run all", "Run all cells in order"],
      stop: ["Stop", "End Python, whatever it is doing"],
      restart: ["Restart", "Begin with a new Python"],
      reset: ["Reset all", "Bring back the code of the book in every cell"],
      download: ["Download", "Download the cells, with your changes, as a notebook"],
    };
    for (const [name, [text, title]] of Object.entries(labels)) {
      this.element.append(button(text, title, actions[name]));
    }
    this.status = document.createElement("p");
    this.status.className = "live-status";
    this.status.role = "status";
    this.element.append(this.status);
    // The bar stays in view, below the page's header, which does so too.
    const header = document.querySelector(".bd-header-article");
    if (header) this.element.style.top = `${header.offsetHeight}px`;
    document.querySelector(".bd-article").prepend(this.element);
    this.element.querySelector("button").focus({ preventScroll: true });
    start.remove();
  }

  say(text, busy = false) {
    this.status.textContent = text;
    this.element.classList.toggle("live-busy", busy);
  }
}

export function button(text, title, action) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "live-button";
  made.textContent = text;
  made.title = title;
  made.onclick = action;
  return made;
}
