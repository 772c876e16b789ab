/* A page that a merchant might have written, with a strict policy; it notes what the checkout tells. */
import { configure, mount } from "/pkg/tua-checkout.js";

configure({ baseUrl: `${location.origin}/v1` });
window.mount = mount;
window.events = [];
for (const name of ["ready", "pending", "successful", "failed", "expired", "error"]) {
  addEventListener(`tua-${name}`, ({ type, detail }) => window.events.push(detail.code ? `${type}:${detail.code}` : type));
}
window.put = (token, lang) => {
  const checkout = document.createElement("tua-checkout");
  if (lang) checkout.lang = lang;
  if (token) checkout.setAttribute("token", token);
  document.querySelector("main").append(checkout);
};
