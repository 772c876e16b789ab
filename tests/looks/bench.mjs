/*
 * How soon a payer on a poor phone can type: the service's own hosted page and a merchant's page with our tag,
 * beside a page with Adyen's MBWay, in Chromium at 400 kbit/s, 400 ms a round trip and a sixth of the processor.
 * Each is visited twice: by a phone that has never seen it, and by one that comes back.
 *
 * node bench.mjs CHROMIUM RIVAL SERVICE KEY; `cargo xtask bench web` runs it. Adyen's files travel as well as ours:
 * from this machine, brotli 11, kept for ever; whatever they ask of other hosts is refused at once.
 */
import { createRequire } from "node:module";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";

const [chromiumPath, rival, service, key] = process.argv.slice(2);
const require = createRequire(join(process.env.NODE_PATH ?? process.cwd(), "node_modules", "bench.cjs"));
const { chromium } = require("playwright-core");
const ROUNDS = 5;
const POOR = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const SLOWER = 6;
const KEPT = "public, max-age=31536000, immutable";

const head = '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Pay</title><link rel="icon" href="data:,">';
const adyen = `${head}<link rel="stylesheet" href="/rival.css"><script type="module" src="/rival.js"></script><h1>Pay</h1><div id="pay"></div><p>Terms</p><script type="module">
  const [AdyenCheckout, MBWay] = window.rival;
  const checkout = await AdyenCheckout({ environment: "test", clientKey: "test_0000000000", countryCode: "PT", locale: "en-US",
    amount: { value: 1000, currency: "EUR" }, analytics: { enabled: false }, onSubmit() {}, onError() {},
    paymentMethodsResponse: { paymentMethods: [{ type: "mbway", name: "MB WAY" }] } });
  new MBWay(checkout, {}).mount("#pay");
</script>`;
/* Keeping its place, as the package's README tells a page to. */
const tag = (token) => `${head}<style>tua-checkout { display: block; min-block-size: 31.25rem; }</style><script type="module" src="${service}/sdk/tua-checkout.js"></script><h1>Pay</h1><tua-checkout token="${token}"></tua-checkout><p>Terms</p>`;

/* A merchant's site: its own origin, so that our tag's requests cross to another one, as they do in a shop. */
const small = new Map();
const packed = (name, bytes) => small.get(name) ?? small.set(name, brotliCompressSync(bytes())).get(name);
const site = createServer(({ url }, response) => {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const send = (type, kept, body) => response.writeHead(200, { "content-type": type, "content-encoding": "br", "cache-control": kept }).end(body);
  const types = { ".js": "text/javascript", ".css": "text/css" };
  if (pathname === "/adyen") send("text/html", "no-store", packed(pathname, () => adyen));
  else if (pathname === "/tag") send("text/html", "no-store", brotliCompressSync(tag(searchParams.get("token"))));
  else if (types[extname(pathname)]) send(types[extname(pathname)], KEPT, packed(pathname, () => readFileSync(join(rival, "built", pathname))));
  else response.writeHead(404).end();
});
await new Promise((resolve) => site.listen(0, "127.0.0.1", resolve));
const merchant = `http://localhost:${site.address().port}`;

async function openCheckout() {
  const answer = await fetch(`${service}/v1/checkout`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ amount: 10.5, email: "ama@example.com" }),
  });
  if (answer.status !== 201) throw new Error(`POST /v1/checkout: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const pages = {
  hosted: async () => (await openCheckout()).url,
  tag: async () => `${merchant}/tag?token=${(await openCheckout()).checkoutToken}`,
  adyen: async () => `${merchant}/adyen`,
};

/** Notes when a field for the number can first be typed into, and when the page has become what it stays. */
function watch() {
  const isSeen = (field) => field?.getBoundingClientRect().height > 0;
  const look = () => {
    const shadow = document.querySelector("tua-checkout")?.shadowRoot;
    // What the loader draws is one level above what the component renders.
    const rendered = shadow?.querySelector("div > div:not([hidden]) > section [type=tel]");
    const last = rendered ?? document.querySelector("#pay input");
    if (isSeen(document.querySelector("main > .tua [type=tel]") ?? shadow?.querySelector("[type=tel]") ?? last)) window.usable ??= performance.now();
    if (isSeen(last)) window.settled = performance.now();
    else requestAnimationFrame(look);
  };
  window.shift = 0;
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.shift += value))).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(look);
}

async function visit(context, address) {
  const page = await context.newPage();
  await page.addInitScript(watch);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  let bytes = 0;
  const asked = new Set();
  devtools.on("Network.responseReceived", ({ requestId, response }) => response.fromDiskCache || asked.add(requestId));
  devtools.on("Network.requestServedFromCache", ({ requestId }) => asked.delete(requestId));
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => asked.has(requestId) && (bytes += encodedDataLength));
  await devtools.send("Network.emulateNetworkConditions", POOR);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForFunction(() => window.settled, null, { timeout: 60_000 });
  await page.waitForLoadState("networkidle");
  const seen = await page.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    usable: window.usable,
    settled: window.settled,
    shift: window.shift,
  }));
  await page.close();
  return { ...seen, bytes, requests: asked.size };
}

const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"],
});
const visits = Object.fromEntries(Object.keys(pages).map((name) => [name, [[], []]]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, address] of Object.entries(pages)) {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
    for (const [time, list] of visits[name].entries()) list.push(await visit(context, await address(time)));
    await context.close();
  }
}
await browser.close();
site.close();

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const of = (name, time, what) => median(visits[name][time].map((visit) => visit[what]));
const COLUMNS = { paint: "first paint", usable: "form usable", settled: "settled", bytes: "bytes", requests: "requests", shift: "shift" };
const cell = (what, value) => (what === "shift" ? value.toFixed(3) : what in { paint: 0, usable: 0, settled: 0 } ? `${Math.round(value)} ms` : String(value));
for (const [time, title] of ["first visit", "second visit"].entries()) {
  console.log(`${title.padEnd(14)}${Object.values(COLUMNS).map((column) => column.padStart(13)).join("")}`);
  for (const name of Object.keys(pages)) {
    console.log(`  ${name.padEnd(12)}${Object.keys(COLUMNS).map((what) => cell(what, of(name, time, what)).padStart(13)).join("")}`);
  }
}
for (const name of ["hosted", "tag"]) {
  for (const [time, title] of ["first", "second"].entries()) {
    const percent = (what) => `${Math.round((of(name, time, what) * 100) / of("adyen", time, what))} %`;
    // Theirs asks for no session, which a shop's page would.
    console.log(`${name}, ${title} visit: painted after ${percent("paint")}, usable after ${percent("usable")} of Adyen's time; ${of(name, time, "bytes")} bytes against ${of("adyen", time, "bytes")}`);
  }
}
console.log(`medians of ${ROUNDS} rounds; settled: our script has taken the page over`);
