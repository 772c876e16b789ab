/*
 * The hosted page where scripts run: the component takes the place of the server's markup once it has read
 * the session, with what was typed and the focus. Until then, and where it cannot start, the page's own
 * forms work. Extensions may wrap, copy and replace all of it: so each part is looked for when it is needed.
 */
const SCREEN = "main section.tua:not(.below)";

/* Longer than the component takes to load where it does, in milliseconds. */
const LOADED_BY_MS = 40_000;

document.addEventListener("tua-ready", ({ target }) => requestAnimationFrame(() => takeOver(target)));

// What waits looks again by itself, as it does without script, until the component has taken over.
const lookAgain = () => document.querySelector(`${SCREEN} [name=check]`) && location.reload();
document.addEventListener("tua-error", () => setTimeout(lookAgain, 5000));
setTimeout(lookAgain, LOADED_BY_MS);

// Who sees the receipt has nothing to search for.
document.addEventListener("tua-successful", () => document.querySelector(".find")?.remove());

// The number's prefix suggests a network until the payer chooses one, as in the component.
const hints = JSON.parse(document.querySelector("main").dataset.hints);
let isChosen = document.querySelector(`${SCREEN} [name=network]:checked`);
document.addEventListener("input", ({ target }) => {
  isChosen ||= target.type === "radio";
  if (isChosen || target.name !== "phoneNumber") return;
  // Nine digits are a number without its 0, which may begin with 233.
  const prefix = target.value.replace(/[^\d+]/g, "").replace(/^((\+|00)233|\+|233(?!.{6}$))?0?/, "").slice(0, 2);
  for (const radio of document.querySelectorAll(`${SCREEN} [name=network]:enabled`)) radio.checked = radio.value === hints[prefix];
});

/* The component's ids differ from the server's in one number. */
const idOf = (part) => part.id.split("-")[2];

function takeOver(tag) {
  // It has been replaced by another, which takes over in its turn.
  if (!tag.isConnected) return;
  // The same views drew both. Translators and extensions insert elements of their own, none of which has these names and ids.
  const parts = "[name], details, summary";
  const ours = [...tag.shadowRoot.querySelectorAll(`section :is(${parts})`)];
  let focused;
  for (const was of document.querySelectorAll(`${SCREEN} :is(${parts})`)) {
    const isSame = (now) =>
      now.localName === was.localName && now.name === was.name && idOf(now) === idOf(was) && (was.type !== "radio" || now.value === was.value);
    const place = ours.findIndex(isSame);
    if (place < 0) continue;
    const [now] = ours.splice(place, 1);
    // The component suggests a network by itself.
    if (was.checked && isChosen) now.click();
    if (was.value && was.type !== "radio") {
      now.value = was.value;
      now.dispatchEvent(new Event("input", { bubbles: true }));
    }
    if (was.open) now.open = true;
    if (was === document.activeElement) focused = now;
  }
  tag.hidden = false;
  focused?.focus({ preventScroll: true });
  for (const screen of document.querySelectorAll(SCREEN)) screen.remove();
}
