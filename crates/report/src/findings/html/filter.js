// Shows only the findings of one rule or rank. Without this script all findings are shown.
"use strict";
const form = document.getElementById("filter");
const items = document.querySelectorAll("[data-rule]");
function apply() {
  const rule = form.elements.rule.value;
  const rank = form.elements.rank.value;
  let shown = 0;
  let all = 0;
  for (const item of items) {
    const ruleFits = rule === "" || item.dataset.rule === rule;
    const rankFits = rank === "" || item.dataset.ranks.split(" ").includes(rank);
    item.hidden = !(ruleFits && rankFits);
    if (item.tagName === "ARTICLE") {
      all += 1;
      shown += item.hidden ? 0 : 1;
    }
  }
  form.querySelector("output").textContent = shown === all ? "" : shown + " of " + all + " shown";
}
form.addEventListener("change", apply);
form.hidden = false;
apply();
