/*
 * Requests in several languages: the language that is chosen in one is chosen in all, and on the next pages. Without this
 * script each request has a choice of its own, which is forgotten.
 */
const NAME = "tua-docs-language";

function choose(language, except) {
  for (const radio of document.querySelectorAll(".request input")) {
    if (radio.value === language && radio !== except) radio.checked = true;
  }
}

// Storage may be forbidden.
try {
  choose(localStorage.getItem(NAME));
} catch {}

document.addEventListener("change", ({ target: radio }) => {
  if (!radio.matches(".request input")) return;
  // The requests above become longer or shorter: what the reader looks at stays where it is.
  const before = radio.getBoundingClientRect().top;
  choose(radio.value, radio);
  scrollBy({ top: radio.getBoundingClientRect().top - before, behavior: "instant" });
  try {
    localStorage.setItem(NAME, radio.value);
  } catch {}
});
