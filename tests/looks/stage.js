/*
 * A page that shows any state of the checkout, or all of them, without a service. Its clock stands still, and its
 * pauses are a hundred times as short.
 */
import { fetchFrom, states } from "/www/playground/states.js";

const NOW = Date.parse("2026-03-06T14:05:00Z");
window.Date = class extends Date {
  constructor(...moment) {
    super(...(moment.length ? moment : [NOW]));
  }
  static now() {
    return NOW;
  }
};
const later = window.setTimeout.bind(window);
// Time limits are as long as ever.
const isPause = (millis) => millis >= 1_000 && millis < 30_000;
window.setTimeout = (then, millis, ...more) => later(then, isPause(millis) ? millis / 100 : millis, ...more);
window.fetch = fetchFrom(states, window.fetch.bind(window));
await Promise.all([import("/pkg/tua-checkout.js"), ...["", "bold "].map((weight) => document.fonts.load(`${weight}1rem Looks`))]);

const stage = document.querySelector("#stage");
const soon = (millis) => new Promise((resolve) => later(resolve, millis));
const make = (state, lang) =>
  Object.assign(document.createElement("tua-checkout"), { lang, id: state, token: encodeURIComponent(state) });

/** Waits until a state is drawn, and does what a payer does to get to it. */
async function settle(checkout) {
  const { waits, then } = states[checkout.id];
  // What the component has rendered; the loader's form is one level higher.
  const root = () => checkout.shadowRoot.querySelector("div > div:not([hidden]) > section");
  const isDrawn = () => root() && (waits || !root().querySelector(".tua-skeleton, .tua-amount:empty"));
  for (let triesLeft = 500; triesLeft-- && !isDrawn(); ) await soon(10);
  then?.(root());
  await soon(50);
  // What it does may take several answers.
  if (then) await soon(250);
}

window.stateNames = Object.keys(states);

window.show = async (state, lang) => {
  const checkout = make(state, lang);
  stage.replaceChildren(checkout);
  await settle(checkout);
};

window.showAll = async (lang) => {
  const checkouts = window.stateNames.map((state) => make(state, lang));
  stage.replaceChildren(...checkouts);
  await Promise.all(checkouts.map(settle));
};
