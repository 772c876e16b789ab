/* What a page says of all its elements stays outside; the documented properties come in. */

import { payButton } from "./payer.mjs";

/** The whole checkout as it is laid out and painted, element by element. */
function portrait() {
  const root = document.querySelector("tua-checkout").shadowRoot.querySelector(".tua");
  const from = root.getBoundingClientRect();
  return [root, ...root.querySelectorAll("*")].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const box = width && [x - from.x, y - from.y, width, height].map(Math.round).join(" ");
    const style = getComputedStyle(element);
    // The box says where it is; what is measured from the page's own edges moves with the page.
    const names = [...style].filter((name) => !/^(inset|top|right|bottom|left)/.test(name));
    return { name: element.getAttribute("class") ?? element.localName, box, ...Object.fromEntries(names.map((name) => [name, style[name]])) };
  });
}

/** Where two portraits differ, the first few places. */
function differences(ours, theirs) {
  if (ours.length !== theirs.length) return `${ours.length} elements, and ${theirs.length} on a hostile page`;
  const found = ours.flatMap((one, at) =>
    Object.keys(one)
      .filter((name) => one[name] !== theirs[at][name])
      .map((name) => `${one.name} { ${name}: ${one[name]} } is ${theirs[at][name]}`),
  );
  return found.slice(0, 12).join("; ");
}

/** The same checkout before and after the page has loaded a hostile sheet. */
export async function hostileStyles(page, check) {
  await payButton(page).waitFor();
  const accent = await page.evaluate(() => {
    const checkout = document.querySelector("tua-checkout");
    checkout.style.setProperty("--tua-color-accent", "#123456");
    return getComputedStyle(checkout.shadowRoot.querySelector("button")).backgroundColor;
  });
  await check("a documented property comes in", accent !== "rgb(18, 52, 86)" && `the button is ${accent}`);
  const peaceful = await page.evaluate(portrait);
  await page.addStyleTag({ url: "/hostile.css" });
  await check("nothing else does", differences(peaceful, await page.evaluate(portrait)));
}
