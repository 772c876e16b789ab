// Finds elements as a test names them. arguments: steps, each of which narrows or continues from what the step before has
// found: { css, hasText }, { role, name, exact }, { label }, { text }, { at: 0 or -1 }.
// Returns the elements. Those that are not visible count for `css` only.
const tidy = (text) => (text ?? "").replace(/\s+/g, " ").trim();
const isIn = (text, part) => tidy(text).toLowerCase().includes(tidy(part).toLowerCase());
const isVisible = (one) => one.checkVisibility?.({ visibilityProperty: true }) ?? one.getClientRects().length > 0;
const ROLES = { button: "button, input[type=submit], [role=button]", link: "a[href], [role=link]", heading: "h1, h2, h3, h4, h5, h6, [role=heading]" };
const nameOf = (one) => tidy(one.getAttribute("aria-label") ?? one.textContent);

const STEPS = {
  css: (from, { css, hasText }) => [...from.querySelectorAll(css)].filter((one) => hasText === undefined || isIn(one.textContent, hasText)),
  role: (from, { role, name, exact }) =>
    [...from.querySelectorAll(ROLES[role])].filter(isVisible).filter((one) => (exact ? nameOf(one) === name : isIn(nameOf(one), name))),
  label: (from, { label }) => [...from.querySelectorAll("label")].filter((one) => isIn(one.textContent, label) && one.control).map((one) => one.control),
  text: (from, { text }) => [...from.querySelectorAll("body *")].filter((one) => isVisible(one) && isIn(one.innerText, text) && ![...one.children].some((child) => isIn(child.innerText, text))),
};

return arguments[0].reduce((found, step) => {
  if ("at" in step) return found.slice(step.at, step.at < 0 ? undefined : step.at + 1);
  const [kind] = Object.keys(STEPS).filter((kind) => kind in step);
  return [...new Set(found.flatMap((from) => STEPS[kind](from, step)))];
}, [document]);
