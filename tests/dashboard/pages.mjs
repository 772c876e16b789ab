/*
 * The pages, as people with different eyes, hands and screens meet it: two languages, light and dark, a wide screen, a
 * narrow phone and 200 % zoom; by keyboard alone; with texts that would be harmful if they were not escaped.
 */
import { join } from "node:path";
import { check } from "../check.mjs";
import { axe, browser, close, pictures } from "./browser.mjs";
import { origin } from "./service.mjs";

const VARIANTS = [
  { name: "light, English, wide", locale: "en", colorScheme: "light", viewport: { width: 1280, height: 900 } },
  // In WebKitGTK the narrowest window is 450 pixels wide.
  { name: "dark, French, 320 px", locale: "fr", colorScheme: "dark", viewport: { width: 320, height: 640 } },
  // At 200 % zoom a window of 1280 pixels is 640 wide.
  { name: "light, English, 200 % zoom", locale: "en", colorScheme: "light", viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 },
];

/** What is for everybody: the service's own page, the documentation and the API. */
const PUBLIC = ["/", "/docs", "/docs/reference/errors", "/docs/reference/endpoints", "/docs/search?q=refund", "/docs/api"];

/** The pages of people who are not signed in: an invitation, the sign-in, and the public ones. */
export async function signedOutPages(invitation) {
  await inEachVariant(async ({ name, ...options }) => {
    const context = await browser.newContext({ ...options, bypassCSP: true });
    const page = await context.newPage();
    await onePage(page, invitation, "/enrol", name);
    await onePage(page, `${origin}/dashboard/sign-in`, "/sign-in", name);
    for (const path of PUBLIC) await onePage(page, origin + path, path, name);
    await close(context);
  });
  await requestLanguages({ javaScriptEnabled: true });
  await requestLanguages({ javaScriptEnabled: false });
}

/** The requests of the documentation: one of four languages is shown, by keyboard too. Script remembers which. */
async function requestLanguages({ javaScriptEnabled }) {
  const name = `requests ${javaScriptEnabled ? "with" : "without"} script`;
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  const shown = () =>
    page.locator(".request").first().locator("pre").evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.textContent));
  const isShown = async (start) => {
    const texts = await shown();
    return texts.length === 1 && texts[0].startsWith(start) ? false : texts.join("\n");
  };
  await page.goto(`${origin}/docs/quickstart`);
  await check(`${name}, first`, await isShown("curl "));
  await page.locator(".request input").first().focus();
  await page.keyboard.press("ArrowRight");
  await check(`${name}, by keyboard`, await isShown("import { Tua }"));
  await page.locator(".request label", { hasText: "PHP" }).first().click();
  await check(`${name}, by a click`, await isShown("<?php"));
  await page.goto(`${origin}/docs/api`);
  await check(`${name}, on the next page`, await isShown(javaScriptEnabled ? "<?php" : "curl "));
  await close(context);
}

/** Each in a browser context of its own, all at once. */
const inEachVariant = (work) => Promise.all(VARIANTS.map(work));

/** Every page that the navigation links to, and pages below them: payments, a link, an upload, deliveries, own security. */
export async function everyPage(owner, payments, endpoint, link) {
  const below = ["/home/steps", "/payouts/upload", "/statements/days", "/alerts", ...payments.map((id) => `/payments/${id}`), `/payments/${payments[0]}/receipt`, "/payments/customers/0241234567", `/webhooks/${endpoint}/deliveries`, `/links/${link}`, `/links/${link}/poster`, "/payments?q=nothing%00%25_'"];
  await owner.goto("/home");
  const links = await owner.page.locator("nav.pages li a").evaluateAll((all) => all.map((one) => one.href));
  await check("links in the navigation", links.length < 10 && `only ${links.length}`);
  const addresses = [...links, ...below.map((path) => owner.at(path)), `${origin}/dashboard/security`, `${origin}/dashboard/proof`];
  const storageState = await owner.context.storageState();
  await inEachVariant(async ({ name, ...options }) => {
    // axe needs script in the page. The pages have none of their own.
    const context = await browser.newContext({ ...options, storageState, bypassCSP: true });
    const page = await context.newPage();
    for (const address of addresses) {
      const { pathname, search } = new URL(address);
      await onePage(page, address, pathname.replace(/.*\/test/, "") + search, name);
    }
    await close(context);
  });
}

async function onePage(page, address, path, variant) {
  const name = `${path} (${variant})`;
  const status = await (await page.goto(address)).status();
  await check(`${name}, status`, status !== 200 && status);
  // The bars stand over what is below them at this moment, which axe takes for targets that are too small.
  await page.addStyleTag({ content: ".top, .tabs, .send { position: static !important; }" });
  await check(`${name}, axe`, (await axe(page)).join("\n  "));
  const { width, title, headings, foreign } = await page.evaluate(() => ({
    width: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    title: document.title,
    headings: document.querySelectorAll("h1").length,
    foreign: performance.getEntriesByType("resource").map((one) => one.name).filter((one) => !one.startsWith(location.origin)),
  }));
  await check(`${name}, scrolls sideways`, width > 0 && `${width} pixels`);
  // Narrow tables show each row as a block.
  const tables = await page.evaluate(() => [...document.querySelectorAll(".table")].filter((one) => innerWidth <= 640 && one.scrollWidth > one.clientWidth).length);
  await check(`${name}, a table scrolls sideways`, tables);
  // The focus ring is drawn 5 pixels around a field.
  const covered = await page.evaluate(() => {
    const isCovered = (label) => {
      const field = label.control;
      if (!field || label.contains(field) || !field.checkVisibility()) return false;
      const [above, below] = [label, field].map((one) => one.getBoundingClientRect());
      const isAbove = above.bottom <= below.bottom && above.left < below.right && below.left < above.right;
      return isAbove && below.top - above.bottom < 5;
    };
    return [...document.querySelectorAll("label")].filter(isCovered).map((one) => one.textContent.trim());
  });
  await check(`${name}, labels under the focus ring`, covered.join(", "));
  await check(`${name}, headings`, headings !== 1 && headings);
  await check(`${name}, a name was run as script`, title === "run");
  await check(`${name}, requests to other origins`, foreign.join(" "));
  await page.screenshot({ path: join(pictures, `${name.replaceAll(/[^\w,% ]+/g, "-")}.png`), fullPage: true });
}

/** With keys alone: past the navigation, and to each of its links. */
export async function byKeyboard(owner) {
  const { page } = owner;
  await owner.goto("/home");
  await page.keyboard.press("Tab");
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("href") ?? document.activeElement.textContent.trim().slice(0, 100));
  await check("the first key leads past the navigation", (await focused()) !== "#content" && (await focused()));
  await page.keyboard.press("Enter");
  await check("the content is reached", !page.url().endsWith("#content") && page.url());
  const count = await page.locator("nav.pages li a").count();
  await owner.goto("/home");
  const reached = new Set();
  for (let key = 0; key < count + 6; key++) {
    await page.keyboard.press("Tab");
    reached.add(await focused());
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    await check(`focus ${key} is visible`, outline === "none" && (await focused()));
  }
  const links = await page.locator("nav.pages li a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
  await check("every link is reached by keyboard", links.filter((one) => !reached.has(one)).join(" "));
}

/** A poster is one sheet of each size. Only Chromium prints without a dialogue. */
export async function posterOnPaper(owner, link) {
  const { page } = owner;
  for (const size of ["a4", "a5"]) {
    await owner.goto(`/links/${link}/poster?size=${size}`);
    const printed = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    const sheets = printed.match(/\/Type \/Page\b/g).length;
    await check(`the poster on ${size}, sheets`, sheets !== 1 && sheets);
  }
}
