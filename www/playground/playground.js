/*
 * Shows one checkout in any state, language and theme. Build pkg/ with `cargo xtask dist`, serve the repository's
 * folder with any file server, and open /www/playground/. `#state=paid&lang=ar` links to one of them.
 */
import { fetchFrom, states } from "./states.js";

window.fetch = fetchFrom(states, window.fetch.bind(window));
await import("../../pkg/tua-checkout.js");

const choices = document.forms.choices;
const stage = document.querySelector("#stage");
const events = document.querySelector("#events");
choices.state.append(...Object.keys(states).map((name) => new Option(name, name)));
for (const [name, value] of new URLSearchParams(location.hash.slice(1))) if (choices[name]) choices[name].value = value;

for (const name of ["ready", "pending", "successful", "failed", "expired", "error"]) {
  stage.addEventListener(`tua-${name}`, (event) => {
    const line = document.createElement("li");
    line.textContent = `${event.type} ${JSON.stringify(event.detail)}`;
    events.append(line);
  });
}

/** The component's root element, as soon as it shows more than its placeholder. */
async function drawn(checkout, triesLeft = 100) {
  while (triesLeft--) {
    const root = checkout.shadowRoot?.querySelector(".tua");
    if (root && !root.querySelector(".tua-skeleton, .tua-amount:empty")) return root;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function show(state) {
  events.replaceChildren();
  const checkout = document.createElement("tua-checkout");
  checkout.lang = choices.lang.value;
  checkout.token = encodeURIComponent(state);
  stage.replaceChildren(checkout);
  const root = await drawn(checkout, states[state].waits ? 1 : undefined);
  if (root) states[state].then?.(root);
}

function dress() {
  document.documentElement.style.colorScheme = choices.theme.value;
  const checkout = stage.firstElementChild;
  if (checkout) checkout.lang = choices.lang.value;
  stage.style.maxInlineSize = `${choices.width.value}px`;
  if (choices.accent.value !== choices.accent.defaultValue) {
    stage.style.setProperty("--tua-color-accent", choices.accent.value);
  }
}

choices.addEventListener("input", (event) => {
  const chosen = new URLSearchParams([...new FormData(choices)].filter(([name]) => name !== "width"));
  history.replaceState(null, "", `#${chosen}`);
  if (event.target.name === "state") show(choices.state.value);
  dress();
});
await show(choices.state.value);
dress();
document.documentElement.dataset.ready = "";
