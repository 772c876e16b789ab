/* The demo shop's page: what its fields show when Pay is pressed is ordered, as people type it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { check } from "../check.mjs";
import { close, open, origin, root } from "./stage.mjs";

const read = (name) => readFileSync(join(root, "www/shop", name), "utf8");

/** A visit of the shop's page; `ordered` collects what it sends to its server. */
async function visitShop(name) {
  const ordered = [];
  const page = await open(name, {}, {
    address: `${origin}/adom`,
    async before(page) {
      const html = read("index.html").replace(/<script type="module" src="\{\{.*<\/script>/, "");
      await page.route("**/adom", (route) => route.fulfill({ contentType: "text/html", body: html }));
      await page.route("**/shop.js", (route) => route.fulfill({ contentType: "text/javascript", body: read("shop.js") }));
      await page.route("**/checkout", (route) => {
        ordered.push(route.request().postData());
        return route.fulfill({ json: { checkoutToken: "tua_checkout_x", url: `${origin}/pay` } });
      });
    },
  });
  return { page, ordered, close: () => close(page.context()) };
}

async function fieldsWithoutEvents() {
  const { page, ordered, close } = await visitShop("demo shop");
  const set = (id, value) => page.locator(id).evaluate((field, value) => (field.value = value), value);
  await page.locator("#gift").fill("5");
  await set("#gift", "50");
  await page.locator("#email").fill("ama@example.com");
  await set("#email", "kofi@example.com");
  await page.locator("#pay").click();
  await page.locator("#receipt li").nth(1).waitFor({ timeout: 5_000 }).catch(() => {});
  await check("demo shop: values without an event", !/"amount":50\.00\}.*kofi@example\.com/.test(ordered[0]) && ordered[0]);
  await close();
}

async function typedAmounts() {
  const AMOUNTS = { 5: "5.00", "٥": "5.00", "5,50": "5.50", "GH¢5": "5.00", "5 cedis": "5.00", "GHS 12.5": "12.50", "１０": "10.00", "۱۲٫۵": "12.50", 500: "500.00" };
  for (const [typed, amount] of Object.entries(AMOUNTS)) {
    const { page, ordered, close } = await visitShop("demo shop");
    await page.locator("#gift").fill(typed);
    await page.locator("#pay").click();
    await page.locator("#receipt li").nth(1).waitFor({ timeout: 5_000 }).catch(() => {});
    await check(`demo shop: ${typed}`, !ordered[0]?.includes(`"amount":${amount}}`) && `${ordered[0]} ${await page.locator("#gift-error").innerText()}`);
    await close();
  }
  for (const typed of ["0,500", "1.2.3", "GHS 5 GHS", "-5", "five", "501", "0.5", "Ghs.10"]) {
    const { page, ordered, close } = await visitShop("demo shop");
    await page.locator("#gift").fill(typed);
    await page.locator("#pay").click();
    const fault = await page.locator("#gift-error").innerText();
    await check(`demo shop: ${typed} is refused`, (ordered.length > 0 || fault === "") && (ordered[0] ?? "no fault"));
    await close();
  }
}

export async function demoShop() {
  for (const part of [fieldsWithoutEvents, typedAmounts]) await test(part.name, part);
}
