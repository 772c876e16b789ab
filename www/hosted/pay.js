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

function takeOver() {
  tag.hidden = false;
  // The same views drew both.
  const theirs = [page, ...page.querySelectorAll("*")];
  const ours = tag.shadowRoot.querySelector("section").parentNode.querySelectorAll("*");
  theirs.forEach((was, place) => {
    const now = ours[place];
    if (!now || now.localName !== was.localName || now.name !== was.name) return;
    if (was.checked) now.click();
    else if (was.value && was.type !== "radio") {
      now.value = was.value;
      now.dispatchEvent(new Event("input", { bubbles: true }));
    }
    if (was.open) now.open = true;
    if (was === document.activeElement) now.focus({ preventScroll: true });
  });
  page.remove();
}
