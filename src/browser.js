/*
 * What js-sys and web-sys cannot do, and what the loader shares with the component. src/browser.rs imports this file.
 */

/* Intl's constructors throw on an unknown currency and on an invalid date. js-sys declares that they do not, so an
   exception would stop the component. */
export const money = (language, amount, currency) =>
  new Intl.NumberFormat(language, { style: "currency", currency }).format(amount);

/* One payment has one time wherever it is read: that of Ghana's clocks, which show UTC all the year. */
export const moment = (language, iso) =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(new Date(iso));

/* A marker that this tab has begun to pay with this token. After a reload such a tab shows no form. The marker contains
   no data of the payer. Access to sessionStorage throws in a page that may not store anything. */
const begun = (token) => `tua-begun-${token.slice(-8)}`;

export function setBegun(token) {
  try {
    sessionStorage.setItem(begun(token), "1");
  } catch {}
}

export function hasBegun(token) {
  try {
    return sessionStorage.getItem(begun(token)) !== null;
  } catch {
    return false;
  }
}

/* Colours the checkout, unless the page sets the colour. Text on it is black or white, whichever has more contrast: the two
   are equal at a relative luminance of 0.179 (WCAG 2.2). A property that is set by script is not inline style, so that
   `style-src 'self'` allows it. */
export function setAccent(root, accent) {
  const name = "--tua-color-accent";
  if (getComputedStyle(root.place).getPropertyValue(name)) return;
  const channel = (at) => ((parseInt(accent.slice(at, at + 2), 16) / 255 + 0.055) / 1.055) ** 2.4;
  const luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
  root.style.setProperty(name, accent);
  root.style.setProperty("--tua-color-on-accent", luminance > 0.179 ? "#000" : "#fff");
}

/* What a text field shows. A script may put more into it than `maxlength` lets a person type: megabytes would freeze the
   page for seconds. */
export const textOf = (field) => field.value.slice(0, 600);

/* A translator puts text nodes into elements of its own or replaces them, and extensions remove and wrap elements. Yew
   then stops for good when it inserts before such a node, and changes texts that nobody sees. So each node of the checkout
   gets its own versions of what Yew calls. They reach the same result, whatever has happened to the nodes. */
const methods = {
  insertBefore(node, next) {
    // The place is before the wrapper of the node, or at the end if the node is gone.
    while (next && next.parentNode !== this) next = next.parentNode;
    if (node.nodeType === 3) guardText(node, this);
    return Node.prototype.insertBefore.call(this, node, next);
  },
  removeChild(node) {
    node.remove();
    return node;
  },
};

/* A text that changes is the only child of its element (src/views/mod.rs). */
function guardText(text, parent) {
  Object.defineProperty(text, "nodeValue", {
    configurable: true,
    get: () => text.data,
    set(value) {
      text.data = value;
      if (parent.firstChild !== text || text.nextSibling) parent.replaceChildren(text);
    },
  });
}

const isGuarded = (element) => Object.hasOwn(element, "insertBefore");

/* Prepares the nodes that have been drawn since the last call. A browser that cannot print gets no button for that. */
export function guard(root) {
  root.screen = root.querySelector(".tua-body, form");
  // A root that is removed between an update and its drawing has no parent any more.
  root.place = root.parentNode ?? root.place;
  for (const element of [root, ...root.querySelectorAll("*")]) {
    if (isGuarded(element)) continue;
    Object.assign(element, methods);
    for (const child of element.childNodes) if (child.nodeType === 3 && !Object.hasOwn(child, "nodeValue")) guardText(child, element);
    if (element.name === "print" && !window.print) element.parentNode.remove();
  }
}

/* Whether the page has removed or replaced the root, its screen or its text field: then the root must be drawn anew, beside
   no copy of it. What contains the root may be removed too. The loader puts that back. */
export function isLost(root, field) {
  if (!root.isConnected) root.dispatchEvent(new Event("tua-lost", { bubbles: true }));
  if (root.isConnected) return [root.screen, field].some((node) => node && !root.contains(node));
  for (const copy of [...root.place.children]) if (copy.matches("[part=checkout]") && !isGuarded(copy)) copy.remove();
  return true;
}

/* Prints the receipt in a frame, so that the rest of the page is not printed. The frame is no child of `root`, whose
   children only Yew changes. */
export function print(root) {
  const frame = document.createElement("iframe");
  frame.className = "tua-live";
  frame.onload = () => {
    const paper = frame.contentWindow;
    const { body } = paper.document;
    body.dir = root.dir;
    body.style.font = getComputedStyle(root).font;
    for (const part of root.querySelectorAll("h2, dl")) body.append(part.cloneNode(true));
    paper.onafterprint = () => frame.remove();
    paper.print();
  };
  root.after(frame);
}

/* An async function, so that it never throws. */
export const copy = async (root) => navigator.clipboard.writeText(root.querySelector("dl").innerText);

/* The event's detail is described in pkg/tua-checkout.d.ts. */
export function emit(root, name, detail) {
  detail.amount = JSON.parse(detail.amount);
  root.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
}

/* An async function, so that it never throws. The token alone identifies the caller, and the browser stores nothing. */
export const send = async (address, headers, body, signal) =>
  fetch(address, { method: body ? "POST" : "GET", headers, body, signal, credentials: "omit", cache: "no-store" });

export const origin = () => location.origin;
