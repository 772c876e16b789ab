/* Many checkouts that come, change and go; and one that cannot start. */
import test from "node:test";
import { join } from "node:path";
import { check } from "../check.mjs";
import { axe, close, open, origin, pictures } from "./stage.mjs";

/** Without the WebAssembly the form leads to the hosted page, in words of this language. */
async function cannotStart(lang) {
  const before = (page) => page.route("**/*.wasm", (route) => route.abort());
  const page = await open("no WebAssembly", {}, { before });
  const [code, action, text, direction] = await page.evaluate(async (lang) => {
    const failed = new Promise((resolve) => addEventListener("tua-error", (event) => resolve(event.detail.code), { once: true }));
    const checkout = Object.assign(document.createElement("tua-checkout"), { lang, token: "form" });
    document.querySelector("#stage").replaceChildren(checkout);
    const code = await failed;
    const form = checkout.shadowRoot.querySelector("form");
    const button = form?.querySelector("button");
    return [code, form?.action, button?.textContent, getComputedStyle(button).direction];
  }, lang);
  const name = `no WebAssembly (${lang})`;
  await check(`${name}, event`, code !== "not_started" && `the event says ${code}`);
  await check(`${name}, action`, action !== `${origin}/pay` && `the form goes to ${action}`);
  await check(`${name}, direction`, direction !== (lang === "ar" ? "rtl" : "ltr") && `it is ${direction}`);
  await check(`${name}, words`, !text && "the button has no words");
  await check(`${name}, axe`, (await axe(page)).join("\n  "));
  await page.screenshot({ path: join(pictures, `no WebAssembly, ${lang}.png`) });
  await close(page.context());
}

/** Many at once, changed while they live, and a hundred that come and go. */
async function manyCheckouts() {
  const page = await open("many checkouts");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  const counted = async () => {
    await page.waitForTimeout(100);
    await devtools.send("HeapProfiler.collectGarbage");
    const { metrics } = await devtools.send("Performance.getMetrics");
    return ["Nodes", "JSEventListeners"].map((name) => metrics.find((metric) => metric.name === name).value);
  };

  const titles = await page.evaluate(async () => {
    const stage = document.querySelector("#stage");
    const each = (see) => [...stage.children].map(({ shadowRoot }) => see(shadowRoot));
    const until = async (done) => {
      for (let triesLeft = 500; triesLeft-- && !done(); ) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    stage.replaceChildren();
    for (const name of window.stateNames) stage.append(Object.assign(document.createElement("tua-checkout"), { token: encodeURIComponent(name) }));
    await until(() => each((root) => root.querySelector("section")).every(Boolean));
    for (const checkout of stage.children) checkout.lang = "ar";
    await until(() => each((root) => root.querySelector("[dir=rtl]")).every(Boolean));
    for (const checkout of stage.children) checkout.token = "paid";
    const titles = () => [...new Set(each((root) => root.querySelector("h2")?.textContent ?? "none"))];
    await until(() => titles().length === 1 && titles()[0] !== "none");
    const said = titles();
    stage.replaceChildren();
    return said;
  });
  const isArabic = titles.length === 1 && /\p{Script=Arabic}/u.test(titles[0]);
  await check("all at once, in another language, with another token", !isArabic && `they say ${titles}`);

  const comeAndGo = (times) =>
    page.evaluate(async (times) => {
      for (let time = 0; time < times; time++) {
        const checkout = Object.assign(document.createElement("tua-checkout"), { token: "form" });
        document.querySelector("#stage").append(checkout);
        await new Promise((resolve) => setTimeout(resolve, time % 4 ? 0 : 20));
        checkout.remove();
      }
    }, times);
  await comeAndGo(10);
  const before = await counted();
  await comeAndGo(100);
  // What is removed while it starts ends when it has started, which a busy machine takes its time for.
  let after = await counted();
  const isLeft = () => after.some((count, at) => count > before[at] + 5);
  for (let triesLeft = 100; triesLeft-- && isLeft(); ) after = await counted();
  await check("a hundred come and go", isLeft() && `nodes and listeners were ${before}, are ${after}`);
  console.log(`nodes and listeners before a hundred checkouts: ${before}, after: ${after}`);
  await close(page.context());
}

export async function elementLifecycle() {
  await test(manyCheckouts.name, manyCheckouts);
  for (const lang of ["en", "fr", "ar"]) await test(`${cannotStart.name}, ${lang}`, () => cannotStart(lang));
}
