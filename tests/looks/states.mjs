/* Every state in every theme, language and width: read by axe, measured for what axe does not measure. */
import test from "node:test";
import { join } from "node:path";
import { check } from "../check.mjs";
import { axe, close, open, pictures } from "./stage.mjs";

const LANGUAGES = ["en", "fr", "ar", "tw", "ee", "ha"];
const WIDTHS = [320, 480, 768];
/* What hangs on colours and measures. All other rules read the tree alone, which a theme or a width does not change. */
const LOOKS = ["color-contrast", "target-size", "link-in-text-block", "scrollable-region-focusable"];
/* Only a page that shows many checkouts at once has two landmarks of one name. */
const OF_MANY = /^landmark-unique/;

/** What axe does not look at, or not strictly enough: run inside the page. */
function measure() {
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push(`the page scrolls sideways at ${innerWidth} px`);
  for (const checkout of document.querySelectorAll("tua-checkout")) {
    const say = (fault) => found.push(`${checkout.id}: ${fault}`);
    const root = checkout.shadowRoot.querySelector("section");
    if (!root) say("nothing is drawn");
    for (const target of root?.querySelectorAll("button, a, summary, input:not([type=hidden])") ?? []) {
      const { width, height } = target.getBoundingClientRect();
      if (width < 44 || height < 44) say(`${target.name || target.localName} is ${width} x ${height} px`);
    }
    for (const node of root?.querySelectorAll("*") ?? []) {
      if (node.hasAttribute("style")) say(`${node.localName} has an inline style`);
      // A long text scrolls inside its field.
      if (node.closest(".tua-live, input") || node.localName === "bdi") continue;
      if (node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflow !== "visible") say(`${node.className} is cut off`);
    }
  }
  return found;
}

async function look(page, name, rules) {
  const faults = (await axe(page, rules)).filter((fault) => !OF_MANY.test(fault));
  await check(`${name}, axe`, faults.join("\n  "));
  await check(`${name}, measures`, (await page.evaluate(measure)).join("\n  "));
}

/** The whole product of languages, themes and widths. */
async function everyView() {
  const page = await open("every view", { reducedMotion: "reduce" });
  for (const lang of LANGUAGES) {
    await page.evaluate((lang) => window.showAll(lang), lang);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const isFirst = colorScheme === "light" && width === WIDTHS[0];
        await look(page, `${lang}, ${colorScheme}, ${width} px`, isFirst ? undefined : LOOKS);
      }
    }
    await page.screenshot({ path: join(pictures, `all, ${lang}.png`), fullPage: true });
  }
  await close(page.context());
}

/** What some payers have set: large letters, colours of their own, nothing that moves. */
async function otherEyes() {
  for (const lang of ["en", "ar"]) {
    const page = await open("other eyes", { forcedColors: "active", reducedMotion: "reduce" });
    await page.evaluate((lang) => window.showAll(lang), lang);
    await look(page, `${lang}, forced colours`);
    const moving = await page.evaluate(() => [...document.querySelectorAll("tua-checkout")].flatMap(({ shadowRoot }) => shadowRoot.getAnimations()).length);
    await check(`${lang}, no motion`, moving > 0 && `${moving} things move`);
    await page.emulateMedia({ forcedColors: "none" });
    await page.addStyleTag({ content: "html { font-size: 200% }" });
    await look(page, `${lang}, 200 %`, LOOKS);
    await page.setViewportSize({ width: 320, height: 900 });
    await check(`${lang}, 200 % at 320 px, measures`, (await page.evaluate(measure)).join("\n  "));
    await page.screenshot({ path: join(pictures, `large, ${lang}.png`), fullPage: true });
    await close(page.context());
  }
}

/** A lone checkout, among whose landmarks none may have the name of another. */
async function alone() {
  const page = await open("alone");
  await page.evaluate(() => window.show("form", "en"));
  await check("alone, axe", (await axe(page)).join("\n  "));
  await close(page.context());
}

export async function everyState() {
  for (const part of [everyView, otherEyes, alone]) await test(part.name, part);
}
