// The bar of a live page: buttons for all cells, and the state of Python.

const OFTEN = ["runAll", "stop"];

export class Bar {
  // minutes: how many all cells take, in words, if more than one; actions: a function for each
  // button, by name.
  constructor(start, minutes, actions) {
    this.element = document.createElement("div");
    this.element.className = "live-bar";
    this.element.role = "group";
    this.element.ariaLabel = "Live page";
    const labels = {
      runAll: ["Run all", "Run all cells in order"],
      stop: ["Stop", "Stop what is running"],
      restart: ["Restart", "Begin with a new Python"],
      reset: ["Reset all", "Bring back the code of the book in every cell"],
      download: ["Download", "Download the cells, with your changes, as a notebook"],
    };
    this.rest = document.createElement("span");
    this.rest.className = "live-rest";
    for (const [name, [text, title]] of Object.entries(labels)) {
      const one = button(text, title, actions[name]);
      (OFTEN.includes(name) ? this.element : this.rest).append(one);
    }
    if (minutes) this.tellMinutes(minutes);
    this.element.append(this.more(), this.rest);
    this.status = document.createElement("p");
    this.status.className = "live-status";
    this.status.role = "status";
    this.progress = document.createElement("progress");
    this.progress.hidden = true;
    this.progress.ariaLabel = "Loading";
    this.element.append(this.progress, this.status);
    // The bar stays in view below the page's header, which stays there too.
    const header = document.querySelector(".bd-header-article");
    document.querySelector(".bd-article").prepend(this.element);
    // The target of a link is scrolled to below the bar.
    const place = () => {
      const top = header?.offsetHeight ?? 0;
      this.element.style.top = `${top}px`;
      document.documentElement.style.scrollPaddingTop = `${top + this.element.offsetHeight + 8}px`;
    };
    place();
    const watch = new ResizeObserver(place);
    for (const one of [this.element, header]) if (one) watch.observe(one);
    this.element.querySelector("button").focus({ preventScroll: true });
    start.remove();
  }

  // Beside the button that takes them.
  tellMinutes(minutes) {
    const [first] = this.element.children;
    const note = document.createElement("span");
    note.className = "live-minutes";
    note.id = "live-minutes";
    note.textContent = minutes;
    first.setAttribute("aria-describedby", note.id);
    first.after(note);
  }

  // On a phone, rarely used buttons appear at a press.
  more() {
    const one = button("…", "More", () => {
      const open = one.ariaExpanded !== "true";
      one.ariaExpanded = String(open);
      this.element.classList.toggle("live-open", open);
    });
    one.classList.add("live-more");
    one.ariaLabel = "More";
    one.ariaExpanded = "false";
    return one;
  }

  // loaded: bytes so far and in all, while something is loaded; action: [text, function].
  say(text, busy = false, { loaded = null, action = null } = {}) {
    this.status.textContent = text;
    if (action) this.status.append(" ", button(action[0], action[0], action[1]));
    this.progress.hidden = !loaded;
    if (loaded) Object.assign(this.progress, { value: loaded[0], max: loaded[1] });
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
