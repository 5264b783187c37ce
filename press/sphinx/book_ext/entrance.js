// "Run it in this browser" makes this page live, where that is possible.
document.addEventListener("click", (event) => {
  const links = document.querySelectorAll(".entrance-buttons a");
  const start = document.querySelector(".live-start");
  if (!start || event.target.closest("a") !== links[1]) return;
  event.preventDefault();
  start.click();
  document.querySelector("div.cell:not(.tag_setup, .tag_entrance)").scrollIntoView({ block: "center" });
});

// The graph plays once when its words are first seen, unless the reader prefers less motion.
addEventListener("load", () => {
  const panel = document.querySelector(".tag_entrance .stepper-panel");
  if (!panel || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  new IntersectionObserver((seen, watching) => {
    if (!seen.some((one) => one.isIntersecting)) return;
    watching.disconnect();
    const buttons = [...panel.querySelectorAll("button")];
    buttons.find((button) => button.textContent === "Play")?.click();
  }, { threshold: 0.6 }).observe(panel);
});
