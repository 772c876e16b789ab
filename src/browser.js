/*
 * What js-sys and web-sys cannot do, and what the loader shares with the component. src/browser.rs imports this file.
 */

/* Intl's constructors throw on an unknown currency and on an invalid date. js-sys declares that they do not, so an
   exception would stop the component. */
export const money = (language, amount, currency) =>
  new Intl.NumberFormat(language, { style: "currency", currency }).format(amount);

export const moment = (language, iso) =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));

/* Whether this tab has begun to pay with this token: then a reload shows no form. Nothing of the payer is kept. A
   page may be forbidden to store anything. */
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

/* In a frame of its own, so that the page around it is not printed. */
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
