/*
 * What is said to the browser in fewer words in its own language. src/browser.rs declares it.
 */
export const money = (language, amount, currency) =>
  new Intl.NumberFormat(language, { style: "currency", currency }).format(amount);

export const moment = (language, iso) =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));

/* Nothing but the token says who asks; nothing is kept by the browser. */
export function send(url, authorization, body, key, etag, prefer, signal) {
  const headers = { authorization };
  if (body) headers["content-type"] = "application/json";
  if (key) headers["idempotency-key"] = key;
  if (etag) headers["if-none-match"] = etag;
  if (prefer) headers.prefer = prefer;
  return fetch(url, { method: body ? "POST" : "GET", credentials: "omit", cache: "no-store", body, headers, signal });
}

export const dispatch = (root, name, detail) =>
  root.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));

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

/* Async, for a page without a clipboard throws. */
export const copy = async (root) => navigator.clipboard.writeText(root.querySelector("dl").innerText);

/* In a frame of its own: the page around keeps its own ways of being printed. */
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
