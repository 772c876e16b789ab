/*
 * Creates the elements that `tua-prerender` has described. Each is created by itself, because a page that enforces Trusted
 * Types blocks markup in strings.
 */
const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";

/* What this module has created. Extensions insert elements of their own. */
const ours = new WeakSet();

/** A text of a description: a string, or an index into the texts. */
const textOf = (text, texts) => (typeof text === "number" ? texts[text] : text);

/**
 * Creates the element `[name, attributes, ...children]`. `into` is an element that was created from a description with the
 * same structure: its attributes and texts are changed, and its elements stay, with their values and the focus.
 */
export function draw([name, attributes, ...children], texts, into, parent = HTML) {
  const namespace = name === "svg" ? SVG : parent;
  const drawn = into ?? document.createElementNS(namespace, name);
  ours.add(drawn);
  for (const attribute in attributes) drawn.setAttribute(attribute, textOf(attributes[attribute], texts));
  const before = [...drawn.children].filter((child) => ours.has(child));
  if (into && before.length === children.length && children.every(Array.isArray)) {
    children.forEach((child, place) => draw(child, texts, before[place], namespace));
  } else {
    const draws = (child) => (Array.isArray(child) ? draw(child, texts, undefined, namespace) : textOf(child, texts));
    drawn.replaceChildren(...children.map(draws));
  }
  return drawn;
}

/** Copies values, choice, caret and focus from one form to another with the same fields. */
export function handOver(from, to) {
  const fields = to.querySelectorAll("input, button");
  const { activeElement } = from.getRootNode();
  [...from.querySelectorAll("input, button")].filter((field) => ours.has(field)).forEach((before, place) => {
    const after = fields[place];
    // The component shows another screen.
    if (after?.name !== before.name || after.type !== before.type) return;
    if (before.checked) after.checked = true;
    if (before.type === "tel") after.value = before.value;
    if (before !== activeElement) return;
    after.focus({ preventScroll: true });
    if (before.type === "tel") after.setSelectionRange(before.selectionStart, before.selectionEnd, before.selectionDirection);
  });
  // If another screen has replaced the form that had the focus, the screen gets it, so that screen readers read it out.
  if (from.contains(activeElement) && from.contains(from.getRootNode().activeElement)) to.querySelector("section").focus({ preventScroll: true });
}
