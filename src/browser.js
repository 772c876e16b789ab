/*
 * What js-sys and web-sys cannot do, and what the loader shares with the component. src/browser.rs imports this file.
 */

/* Intl's constructors throw on an unknown currency and on an invalid date. js-sys declares that they do not, so an
   exception would stop the component. */
export const money = (language, amount, currency) =>
  new Intl.NumberFormat(language, { style: "currency", currency }).format(amount);

export const moment = (language, iso) =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));

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
  if (getComputedStyle(root.parentNode).getPropertyValue(name)) return;
  const channel = (at) => ((parseInt(accent.slice(at, at + 2), 16) / 255 + 0.055) / 1.055) ** 2.4;
  const luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
  root.style.setProperty(name, accent);
  root.style.setProperty("--tua-color-on-accent", luminance > 0.179 ? "#000" : "#fff");
}

/* Prints the receipt in a frame, so that the rest of the page is not printed. */
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
  root.append(frame);
}
