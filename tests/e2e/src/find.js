// Elements as a payer, or a screen reader, knows them: by role and name. Looks into open
// shadow roots. arguments: root (an element or null), role, name (part of it, or null).
// Returns the visible matches: if some have exactly this name, only these.
const [root, wantedRole, wantedName] = arguments;

const IMPLICIT = {
  A: (el) => (el.hasAttribute("href") ? "link" : null),
  BUTTON: () => "button",
  SUMMARY: () => "button",
  SELECT: () => "combobox",
  OPTION: () => "option",
  TEXTAREA: () => "textbox",
  OUTPUT: () => "status",
  FORM: () => "form",
  ARTICLE: () => "article",
  LI: () => "listitem",
  IFRAME: () => "frame",
  NAV: () => "navigation",
  INPUT: (el) => ({ radio: "radio", checkbox: "checkbox", submit: "button", button: "button", number: "spinbutton", hidden: null })[el.type] ?? (el.type === "hidden" ? null : "textbox"),
};
for (const n of [1, 2, 3, 4, 5, 6]) IMPLICIT["H" + n] = () => "heading";

const tidy = (text) => (text ?? "").replace(/\s+/g, " ").trim();
const roleOf = (el) => el.getAttribute("role") ?? IMPLICIT[el.tagName]?.(el) ?? null;

function nameOf(el) {
  const scope = el.getRootNode();
  const by = el.getAttribute("aria-labelledby");
  if (by) return tidy(by.split(/\s+/).map((id) => scope.getElementById(id)?.textContent).join(" "));
  if (el.hasAttribute("aria-label")) return tidy(el.getAttribute("aria-label"));
  if (el.labels?.length) return tidy([...el.labels].map((label) => label.textContent).join(" "));
  if (el.tagName === "IFRAME") return tidy(el.title);
  if (el.tagName === "INPUT" && ["submit", "button"].includes(el.type)) return tidy(el.value);
  return tidy(el.textContent) || tidy(el.title);
}

// A radio button is often drawn by its label alone.
function isVisible(el) {
  const drawn = (e) => e.checkVisibility?.({ visibilityProperty: true }) ?? e.getClientRects().length > 0;
  return drawn(el) || [...(el.labels ?? [])].some(drawn);
}

const found = [];
(function walk(node) {
  for (const el of node.querySelectorAll("*")) {
    if (roleOf(el) === wantedRole && (wantedName === null || nameOf(el).includes(wantedName)) && isVisible(el)) found.push(el);
    if (el.shadowRoot) walk(el.shadowRoot);
  }
})(root ? (root.shadowRoot ?? root) : document);
// An empty part is in every name.
const exact = wantedName ? found.filter((el) => nameOf(el) === wantedName) : [];
return exact.length > 0 ? exact : found;
