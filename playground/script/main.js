// The page: its parts made and joined.

import { CyclePanel } from "./cycle.js";
import { bytesOf, found } from "./elements.js";
import { Engine, Stopped } from "./engine.js";
import { Examples } from "./examples.js";
import { fromFragment, toFragment } from "./link.js";
import { LitmusPanel } from "./litmus.js";
import { ModelPanel } from "./model.js";
import { RobustPanel } from "./robust.js";
import { Tabs } from "./tabs.js";
import { Tour } from "./tour.js";

/** What runs shorter is not spoken of, in milliseconds. */
const SOON = 250;
/** After a change, until the address has it, in milliseconds. */
const SETTLED = 400;

const data = JSON.parse(found("data").textContent);
const bytes = bytesOf(found("engine").textContent);

let running = null;
const engine = new Engine(bytes, found("worker").textContent, (busy) => {
  found("stop").disabled = !busy;
  clearTimeout(running);
  if (busy) running = setTimeout(() => told("running; Stop ends it"), SOON);
});

function told(words) {
  clearTimeout(running);
  found("status").textContent = words;
}

let settled = null;
let written = "";
const page = {
  engine,
  told,
  examples: new Examples(data.examples),
  changed() {
    clearTimeout(settled);
    settled = setTimeout(write, SETTLED);
  },
};

const litmus = new LitmusPanel(page);
const robust = new RobustPanel(page);
const model = new ModelPanel(page, (own, go) => {
  litmus.own = own;
  if (!go) return;
  litmus.state = { ...litmus.state, model: "own:" };
  tabs.show("litmus");
});
const cycle = new CyclePanel(page, (test) => {
  litmus.state = { text: test, all: true };
  tabs.show("litmus");
});
const panels = { litmus, robust, model, cycle };
const tabs = new Tabs((name) => {
  panels[name].ask();
  page.changed();
});
const tour = new Tour(data.tour, visit, () => {});

/** A stop of the tour. */
function visit({ example, model = "", all = false }) {
  const text = page.examples.text(example);
  const name = example.endsWith(".pgas") ? "robust" : "litmus";
  if (name === "litmus") litmus.state = { text, model, all };
  else robust.state = { text };
  tabs.show(name);
}

/** What the address says: the shown panel, and the model of the user where it is needed. */
async function write() {
  const shown = tabs.shown;
  const state = { show: shown, [shown]: panels[shown].state };
  if (litmus.state.model === "own:") state.model = model.state;
  written = `#${await toFragment(state)}`;
  history.replaceState(null, "", written);
}

async function read() {
  if (location.hash === written) return;
  const state = await fromFragment(location.hash.slice(1));
  if (state.model) {
    model.state = state.model;
    await model.ask();
  }
  for (const [name, panel] of Object.entries(panels)) {
    if (name !== "model" && state[name]) panel.state = state[name];
  }
  tabs.show(state.show);
}

/** The models that there are. Who types at once ends what runs, this question, too: it is asked again. */
async function shippedModels() {
  for (;;) {
    try {
      return (await engine.ask({ ask: "models" })).answer.of;
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
  }
}

async function begin() {
  const models = await shippedModels();
  litmus.models = models;
  model.models = models;
  const first = data.tour[0];
  robust.state = { text: page.examples.text(data.tour.find(({ example }) => example.endsWith(".pgas")).example) };
  if (location.hash.length > 1) {
    litmus.state = { text: page.examples.text(first.example) };
    return readOrSay();
  }
  tour.begin(false);
}

async function readOrSay() {
  try {
    await read();
  } catch (error) {
    tabs.show("litmus");
    told(error.message);
  }
}

found("run").addEventListener("click", () => panels[tabs.shown].ask());
found("stop").addEventListener("click", () => engine.stop());
found("copy-link").addEventListener("click", async () => {
  await write();
  try {
    await navigator.clipboard.writeText(location.href);
    told("the link is in the clipboard");
  } catch {
    told("the link is the address of this page");
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) panels[tabs.shown].ask();
});
window.addEventListener("hashchange", readOrSay);
// For tests: a question as the panels ask it.
window.farside = { ask: (question) => engine.ask(question) };
begin().catch((error) => told(`this page cannot start in this browser: ${error.message}`));
