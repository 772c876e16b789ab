/*
 * How soon a payer on a poor phone can type: our tag and our hosted page beside Adyen's MBWay, all from one
 * local server, brotli 11, in Chromium at 400 kbit/s, 400 ms a round trip and a sixth of the processor.
 *
 * node bench.mjs ROOT CHROMIUM RIVAL; `cargo xtask bench web` runs it. Whatever Adyen's page asks of other
 * hosts is refused at once, which is in its favour.
 */
import { createRequire } from "node:module";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { brotliCompressSync } from "node:zlib";

const [root, chromiumPath, rival] = process.argv.slice(2);
const require = createRequire(join(process.env.NODE_PATH ?? process.cwd(), "node_modules", "bench.cjs"));
const { chromium } = require("playwright-core");
const ROUNDS = 5;
const TYPES = { ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

const head = '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Pay</title>';
const tag = '<script type="module" src="/sdk/tua-checkout.js"></script><h1>Pay</h1><tua-checkout token="t"></tua-checkout>';
const pages = {
  "/tag": head + tag,
  "/hosted": `${head}<link rel="modulepreload" href="/sdk/tua-checkout.js"><link rel="preload" href="/sdk/tua_embed_bg.wasm" as="fetch" type="application/wasm" crossorigin>${tag}`,
  "/adyen": `${head}<link rel="stylesheet" href="/rival/rival.css"><script type="module" src="/rival/rival.js"></script><h1>Pay</h1><div id="pay"></div><script type="module">
    const [AdyenCheckout, MBWay] = window.rival;
    const checkout = await AdyenCheckout({ environment: "test", clientKey: "test_0000000000", countryCode: "PT", locale: "en-US",
      amount: { value: 1000, currency: "EUR" }, analytics: { enabled: false }, onSubmit() {}, onError() {},
      paymentMethodsResponse: { paymentMethods: [{ type: "mbway", name: "MB WAY" }] } });
    new MBWay(checkout, {}).mount("#pay");
  </script>`,
};
const session = {
  checkoutId: "c", reference: "r", amount: 10.5, currency: "GHS", merchant: "Adom Stores", mode: "test", status: "OPEN",
  expiresAt: new Date(Date.now() + 1_800_000).toISOString(), attemptsLeft: 5, transaction: null, returnUrl: null,
};

const packed = new Map();
function body(path) {
  if (pages[path]) return [pages[path], "text/html"];
  if (path === "/v1/checkout") return [JSON.stringify(session), "application/json"];
  const file = path.startsWith("/sdk/") ? join(root, "pkg", path.slice(5)) : join(rival, "built", path.slice(7));
  return [readFileSync(file), TYPES[extname(path)]];
}
const server = createServer((request, response) => {
  const path = normalize(new URL(request.url, "http://localhost").pathname);
  try {
    if (!packed.has(path)) packed.set(path, body(path).map((part, at) => (at ? part : brotliCompressSync(part))));
    const [bytes, type] = packed.get(path);
    response.writeHead(200, { "content-type": type, "content-encoding": "br" }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;
const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });

/** Notes when a field for the number can first be typed into. */
function watch() {
  const look = () => {
    const field = document.querySelector("tua-checkout")?.shadowRoot?.querySelector("[type=tel]") ?? document.querySelector("#pay input");
    if (field?.getBoundingClientRect().height > 0) window.usable = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function visit(path) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.route((url) => url.origin !== origin, (route) => route.abort());
  await page.addInitScript(watch);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  let bytes = 0;
  let requests = 0;
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => ((bytes += encodedDataLength), requests++));
  await devtools.send("Network.emulateNetworkConditions", { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  await page.goto(origin + path, { waitUntil: "commit" });
  await page.waitForFunction(() => window.usable, null, { timeout: 60_000 });
  const [paint, usable, shift] = await page.evaluate(async () => {
    const shifts = await new Promise((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => resolve([]), 500);
    });
    return [
      performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
      window.usable,
      shifts.reduce((sum, entry) => sum + entry.value, 0),
    ];
  });
  await context.close();
  return { paint, usable, bytes, requests, shift };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const rows = {};
for (const path of Object.keys(pages)) rows[path] = [];
for (let round = 0; round < ROUNDS; round++) for (const path of Object.keys(pages)) rows[path].push(await visit(path));
await browser.close();
server.close();

const of = (path, name) => median(rows[path].map((visit) => visit[name]));
console.log(`${"page".padEnd(10)} ${"first paint".padStart(12)} ${"form usable".padStart(12)} ${"bytes".padStart(9)} ${"requests".padStart(9)} ${"shift".padStart(7)}`);
for (const path of Object.keys(pages)) {
  const cells = [`${Math.round(of(path, "paint"))} ms`.padStart(12), `${Math.round(of(path, "usable"))} ms`.padStart(12), String(of(path, "bytes")).padStart(9), String(of(path, "requests")).padStart(9), of(path, "shift").toFixed(3).padStart(7)];
  console.log(`${path.slice(1).padEnd(10)} ${cells.join(" ")}`);
}
for (const path of ["/tag", "/hosted"]) {
  const percent = (name) => Math.round((of(path, name) * 100) / of("/adyen", name));
  console.log(`${path.slice(1)}: form usable after ${percent("usable")} % of Adyen's time, with ${percent("bytes")} % of its bytes (medians of ${ROUNDS} rounds)`);
}
