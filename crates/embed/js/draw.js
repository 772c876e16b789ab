/*
 * Draws what `tua-prerender` has described: elements are made one by one, since a page that enforces Trusted Types
 * refuses markup in a string.
 */
const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";

/** A text of a description: a string, or the number of a text. */
const textOf = (text, texts) => (typeof text === "number" ? texts[text] : text);

/**
 * Draws `[name, attributes, ...children]`. An element that is given was drawn from a like description: its own elements
 * are changed and stay, with what was typed into them and the focus.
 */
export function draw([name, attributes, ...children], texts, into, parent = HTML) {
  const namespace = name === "svg" ? SVG : parent;
  const drawn = into ?? document.createElementNS(namespace, name);
  for (const attribute in attributes) drawn.setAttribute(attribute, textOf(attributes[attribute], texts));
  const before = drawn.children;
  if (into && before.length === children.length && children.every(Array.isArray)) {
    children.forEach((child, place) => draw(child, texts, before[place], namespace));
  } else {
    const draws = (child) => (Array.isArray(child) ? draw(child, texts, undefined, namespace) : textOf(child, texts));
    drawn.replaceChildren(...children.map(draws));
  }
  return drawn;
}

/** Puts what was typed and chosen, the caret and the focus of one drawing of the form into another. */
export function handOver(from, to) {
  const fields = to.querySelectorAll("input, button");
  const { activeElement } = from.getRootNode();
  from.querySelectorAll("input, button").forEach((before, place) => {
    const after = fields[place];
    // Another screen than the form.
    if (after?.name !== before.name || after.type !== before.type) return;
    if (before.checked) after.checked = true;
    if (before.type === "tel") after.value = before.value;
    if (before !== activeElement) return;
    after.focus({ preventScroll: true });
    if (before.type === "tel") after.setSelectionRange(before.selectionStart, before.selectionEnd, before.selectionDirection);
  });
  // A payer who was in the form is told what took its place.
  if (from.contains(activeElement) && from.contains(from.getRootNode().activeElement)) to.querySelector("section").focus({ preventScroll: true });
}
