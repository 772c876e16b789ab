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
