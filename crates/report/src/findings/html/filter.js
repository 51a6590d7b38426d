// Shows only the findings that were searched for or chosen. Without this script all findings are shown.
"use strict";
const form = document.getElementById("filter");
const rows = document.querySelectorAll("[data-finding]");
function apply() {
  const words = form.elements.text.value.toLowerCase().split(" ");
  const choices = [...form.querySelectorAll("select")].filter((choice) => choice.value !== "");
  const chosen = choices.length > 0 || words.some((word) => word !== "");
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    const fits =
      words.every((word) => text.includes(word)) &&
      choices.every((choice) => row.dataset[choice.name].split("\n").includes(choice.value));
    row.hidden = !fits;
    document.getElementById("finding-" + row.dataset.finding).hidden = !fits;
    shown += fits ? 1 : 0;
  }
  for (const others of document.querySelectorAll("details.others")) {
    const left = others.querySelector("article:not([hidden])");
    others.hidden = left === null;
    others.open = chosen && left !== null;
  }
  form.querySelector("output").textContent = chosen ? shown + " of " + rows.length + " shown" : "";
}
// A finding among those that are folded is unfolded when somebody goes there.
function unfold() {
  const target = document.getElementById(location.hash.slice(1));
  const others = target && target.closest("details.others");
  if (others && !others.open) {
    others.open = true;
    target.scrollIntoView();
  }
}
form.addEventListener("input", apply);
form.addEventListener("submit", (event) => event.preventDefault());
window.addEventListener("hashchange", unfold);
form.hidden = false;
apply();
unfold();
