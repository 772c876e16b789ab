/* The link back to the shop: the page is told when it is pressed, and may do something else than leave. */
import { check } from "../check.mjs";
import { close, open } from "./stage.mjs";

/** Presses the link in this state; what the page was told, and whether the browser would have followed the link. */
function press([state, cancels]) {
  const told = [];
  const listener = (event) => {
    told.push([event.target.localName, event.composed, event.cancelable, event.detail.url]);
    if (cancels) event.preventDefault();
  };
  let follows;
  // Behind the component's own listener. The page of the test must stay.
  const stay = (event) => {
    follows = !event.defaultPrevented;
    event.preventDefault();
  };
  addEventListener("tua-return", listener);
  addEventListener("click", stay);
  return window.show(state, "en").then(() => {
    document.querySelector("tua-checkout").shadowRoot.querySelector("section a").click();
    removeEventListener("tua-return", listener);
    removeEventListener("click", stay);
    return { told, follows };
  });
}

export async function returnEvent() {
  const page = await open("the way back");
  const url = "https://shop.example/thanks?checkoutId=chk_4f9a&reference=ADOM-10427";
  for (const state of ["form", "paid"]) {
    for (const cancels of [false, true]) {
      const { told, follows } = await page.evaluate(press, [state, cancels]);
      const name = `the way back, ${state}${cancels ? ", cancelled" : ""}`;
      const expected = JSON.stringify([["tua-checkout", true, true, url]]);
      await check(`${name}, event`, JSON.stringify(told) !== expected && `the page was told ${JSON.stringify(told)}`);
      await check(`${name}, link`, follows === cancels && `the browser ${follows ? "follows" : "does not follow"} the link`);
    }
  }
  const others = await page.evaluate(async () => {
    let count = 0;
    addEventListener("tua-return", () => count++);
    await window.show("form", "en");
    const root = document.querySelector("tua-checkout").shadowRoot;
    root.querySelector("section").click();
    root.querySelector("[value=MTN]").click();
    return count;
  });
  await check("the way back, other elements", others && `${others} events without the link`);
  await close(page.context());
}
