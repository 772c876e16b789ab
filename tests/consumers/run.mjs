/*
 * Projects as merchants have them, each with the packed npm package and built for production: a payer
 * pays in each of them, in Chromium, against the real service.
 *
 * node run.mjs BUILT CHROMIUM, with playwright-core in NODE_PATH, TUA_TEST_API and TUA_TEST_KEY, and
 * TUA_TEST_INTEGRITY as `cargo xtask dist` prints it. `cargo xtask test --all --only consumers` runs it.
 */
import { createRequire } from "node:module";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
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

let passed = 0;
const faults = [];
const check = (name, fault) => (fault ? faults.push(`${name}: ${fault}`) : passed++);

/** Opens a shop's page, does something there, and checks that nothing was wrong behind it. */
async function visit(name, shop, walk, before) {
  const payer = await openPage(browser, shop.origin, service);
  try {
    if (before) await payer.page.addInitScript(before);
    await payer.open();
    await walk(payer.page, (what, fault) => check(`${name}, ${what}`, fault));
  } catch (error) {
    check(name, `${error.message}\n${await payer.page.innerText("body")}`);
  }
  check(`${name}, console`, payer.faults.join("; "));
  await payer.close();
  shop.close();
}

/** A payment within a part of the page, and the word of the service on it. */
async function pays(within, check) {
  const reference = await pay(within);
  const status = await statusOf(reference, service);
  check("the page hears, the service agrees", status !== "SUCCESSFUL" && `${reference} is ${status || "unknown"}`);
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
const plain = (integrity) => openShop(join(here, "plain"), service, { SERVICE: service.origin, INTEGRITY: integrity });

for (const name of ["vite", "webpack", "vue", "yew"]) {
  await visit(name, await openShop(join(built, name, "dist"), service), pays);
}
await visit("next", await openNext(join(built, "next")), pays);
await visit("react", await openShop(join(built, "react", "dist"), service), async (page, check) => {
  for (const section of [page.locator("#as-tag"), page.locator("#by-call")]) {
    const [own, heard] = [await section.getAttribute("data-reference"), await pays(section, check)];
    check("each hears of its own order", heard !== own && `the page heard of ${heard} where ${own} was`);
  }
});
await visit("react, again and again", await openShop(join(built, "react", "dist"), service), remounts, watchTraces);
await visit("plain", await plain(TUA_TEST_INTEGRITY), pays);
await visit("hostile styles", await plain(TUA_TEST_INTEGRITY), async (page, check) => {
  await hostileStyles(page, check);
  await pays(page, check);
});
await browser.close();

for (const fault of faults) console.log(fault);
console.log(`test result: ${faults.length ? "FAILED" : "ok"}. ${passed} passed; ${faults.length} failed;`);
process.exitCode = faults.length ? 1 : 0;
