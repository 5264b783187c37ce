// "Run it in this browser" makes this page live, where that can be done.
document.addEventListener("click", (event) => {
  const links = document.querySelectorAll(".entrance-buttons a");
  const start = document.querySelector(".live-start");
  if (!start || event.target.closest("a") !== links[1]) return;
  event.preventDefault();
  start.click();
  document.querySelector("div.cell:not(.tag_setup, .tag_entrance)").scrollIntoView({ block: "center" });
});
