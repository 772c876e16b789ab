/*
 * The hosted page where scripts run: the component takes the place of the server's markup once it has read
 * the session, with what was typed and the focus. Until then, and where it cannot start, the page's own
 * forms work.
 */
const page = document.querySelector("main > .tua");
const tag = document.querySelector("tua-checkout");

tag.addEventListener("tua-ready", () => requestAnimationFrame(takeOver), { once: true });
tag.addEventListener("tua-error", ({ detail }) => {
  // What waits looks again by itself, as it does without script.
  const waits = page.isConnected && page.querySelector("[name=check]");
  if (detail.code === "not_started" && waits) setTimeout(() => location.reload(), 5000);
});

// Who sees the receipt has nothing to search for.
tag.addEventListener("tua-successful", () => document.querySelector(".find")?.remove());

// The number's prefix suggests a network until the payer chooses one, as in the component.
const hints = JSON.parse(document.querySelector("main").dataset.hints);
let isChosen = page?.querySelector("[name=network]:checked");
page?.addEventListener("input", ({ target }) => {
  isChosen ||= target.type === "radio";
  if (isChosen || target.name !== "phoneNumber") return;
  const prefix = target.value.replace(/\D/g, "").replace(/^(00)?233/, "").replace(/^0/, "").slice(0, 2);
  for (const radio of page.querySelectorAll("[name=network]:enabled")) radio.checked = radio.value === hints[prefix];
});

function takeOver() {
  tag.hidden = false;
  // The same views drew both. Translators and extensions insert elements of their own, none of which has these names.
  const parts = "[name], details, summary";
  const ours = [...tag.shadowRoot.querySelectorAll(`section :is(${parts})`)];
  for (const was of page.querySelectorAll(parts)) {
    const isSame = (now) => now.localName === was.localName && now.name === was.name && (was.type !== "radio" || now.value === was.value);
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
    if (was === document.activeElement) now.focus({ preventScroll: true });
  }
  page.remove();
}
