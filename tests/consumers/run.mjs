/*
 * Projects as merchants have them, each with the packed npm package and built for production: a payer
 * pays in each of them, in Chromium, against the real service.
 *
 * node --test-reporter=spec run.mjs BUILT CHROMIUM, with playwright-core in NODE_PATH, TUA_TEST_API and TUA_TEST_KEY, and
 * TUA_TEST_INTEGRITY as `cargo xtask dist` prints it. `cargo xtask test --all --only consumers` runs it.
 */
import test, { after } from "node:test";
import { createRequire } from "node:module";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { TIMEOUT_MS, check } from "../check.mjs";
import { hostileStyles } from "./hostile.mjs";
import { remounts, watchTraces } from "./remounts.mjs";
import { openPage, pay, statusOf } from "./payer.mjs";
import { openShop } from "./shop.mjs";

const [built, chromiumPath] = process.argv.slice(2);
const { TUA_TEST_API, TUA_TEST_KEY, TUA_TEST_INTEGRITY } = process.env;
const require = createRequire(join(process.env.NODE_PATH ?? process.cwd(), "node_modules", "run.cjs"));
const { chromium } = require("playwright-core");
const service = { origin: TUA_TEST_API, key: TUA_TEST_KEY };
const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });

/** Opens a shop's page, does something there, and checks that nothing was wrong behind it. */
async function visit(name, shop, walk, before) {
  const payer = await openPage(browser, shop.origin, service);
  try {
    if (before) await payer.page.addInitScript(before);
    await payer.open();
    await walk(payer.page, (what, fault) => check(`${name}, ${what}`, fault));
  } catch (error) {
    await check(`${name}, to the end`, `${error.message}\n${await payer.page.innerText("body")}`);
  } finally {
    await check(`${name}, console`, payer.faults.join("; "));
    await payer.close();
    shop.close();
  }
}

/** A test of one shop. */
const inShop = (name, openShop, walk, before) => test(name, { timeout: TIMEOUT_MS }, async () => visit(name, await openShop(), walk, before));

/** A payment within a part of the page, and the word of the service on it. */
async function pays(within, check) {
  const reference = await pay(within);
  const status = await statusOf(reference, service);
  await check("the page hears, the service agrees", status !== "SUCCESSFUL" && `${reference} is ${status || "unknown"}`);
  return reference;
}

/** Next.js serves itself. */
async function openNext(folder) {
  const next = spawn("node", ["node_modules/next/dist/bin/next", "start", "--port", "0"], {
    cwd: folder,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface(next.stdout)) {
    const [origin] = line.match(/http:\/\/localhost:\d+/) ?? [];
    if (origin) return { origin, close: () => next.kill() };
  }
  throw new Error(`next start ended with ${await once(next, "exit")}`);
}

const here = dirname(fileURLToPath(import.meta.url));
const openPlain = () => openShop(join(here, "plain"), service, { SERVICE: service.origin, INTEGRITY: TUA_TEST_INTEGRITY });

const openBuilt = (name) => () => openShop(join(built, name, "dist"), service);

after(() => browser.close());
for (const name of ["vite", "webpack", "vue", "yew"]) inShop(name, openBuilt(name), pays);
inShop("next", () => openNext(join(built, "next")), pays);
inShop("react", openBuilt("react"), async (page, check) => {
  for (const section of [page.locator("#as-tag"), page.locator("#by-call")]) {
    const [own, heard] = [await section.getAttribute("data-reference"), await pays(section, check)];
    await check("each hears of its own order", heard !== own && `the page heard of ${heard} where ${own} was`);
  }
});
inShop("react, again and again", openBuilt("react"), remounts, watchTraces);
inShop("plain", openPlain, pays);
inShop("hostile styles", openPlain, async (page, check) => {
  await hostileStyles(page, check);
  await pays(page, check);
});
