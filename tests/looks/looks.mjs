/*
 * Every state of the checkout, as it is built in pkg/, in both themes, three languages and four widths:
 * drawn without an error, read by axe, measured for what axe does not measure, and photographed.
 *
 * node looks.mjs ROOT CHROMIUM PICTURES, with playwright-core and axe-core beside it or in NODE_PATH.
 * `cargo xtask test --only looks` runs it.
 */
import { createRequire } from "node:module";
import { createServer } from "node:http";
import { mkdirSync, readFileSync } from "node:fs";
import { extname, join, normalize } from "node:path";

const [root, chromiumPath, pictures] = process.argv.slice(2);
const require = createRequire(join(process.env.NODE_PATH ?? process.cwd(), "node_modules", "looks.cjs"));
const { chromium } = require("playwright-core");
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };

const server = createServer((request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  try {
    const body = readFileSync(join(root, path.endsWith("/") ? `${path}index.html` : path));
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/html" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;
mkdirSync(pictures, { recursive: true });
const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });

let passed = 0;
const faults = [];
const check = (name, fault) => (fault ? faults.push(`${name}: ${fault}`) : passed++);

/** What axe does not look at, or not strictly enough: run inside the page. */
function measure() {
  const { shadowRoot } = document.querySelector("tua-checkout");
  const root = shadowRoot.querySelector(".tua");
  if (!root) return ["nothing is drawn"];
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push(`scrolls sideways at ${innerWidth} px`);
  for (const target of root.querySelectorAll("button, a, summary, input")) {
    const { width, height } = target.getBoundingClientRect();
    if (width < 44 || height < 44) found.push(`${target.name || target.localName} is ${width} x ${height} px`);
  }
  for (const node of root.querySelectorAll("*")) {
    if (node.closest(".tua-live") || node.localName === "bdi") continue;
    if (node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflow !== "visible") found.push(`${node.className} is cut off`);
  }
  for (const node of root.querySelectorAll("[style]")) found.push(`${node.localName} has an inline style`);
  return found;
}

const views = [
  { name: "light", theme: "light", lang: "en", width: 480 },
  { name: "dark", theme: "dark", lang: "en", width: 480 },
  { name: "narrow", theme: "light", lang: "fr", width: 320 },
  { name: "rtl", theme: "light", lang: "ar", width: 320 },
  { name: "rtl dark", theme: "dark", lang: "ar", width: 480 },
  { name: "fr dark", theme: "dark", lang: "fr", width: 480 },
  { name: "200 %", theme: "light", lang: "en", width: 480, font: "200%" },
  { name: "forced", theme: "light", lang: "en", width: 480, forced: "active" },
  { name: "no motion", theme: "light", lang: "en", width: 480, motion: "reduce" },
];

for (const view of views) {
  const context = await browser.newContext({
    viewport: { width: view.width, height: 900 },
    colorScheme: view.theme,
    forcedColors: view.forced ?? "none",
    reducedMotion: view.motion ?? "no-preference",
  });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${origin}/tests/looks/stage.html`);
  if (view.font) await page.addStyleTag({ content: `html { font-size: ${view.font} }` });
  await page.waitForFunction(() => window.show);
  const states = await page.evaluate(() => window.stateNames);
  await page.evaluate(AXE);
  for (const state of states) {
    const name = `${state} (${view.name})`;
    await page.evaluate(([state, lang]) => window.show(state, lang), [state, view.lang]);
    const axe = await page.evaluate((tags) => window.axe.run({ runOnly: tags }), TAGS);
    check(`${name}, axe`, axe.violations.map(({ id, nodes }) => `${id} at ${nodes.map((node) => node.target.flat()).join(" and ")} (${nodes[0].any[0]?.message ?? nodes[0].failureSummary})`).join("; "));
    check(`${name}, measures`, (await page.evaluate(measure)).join("; "));
    if (view.motion) {
      const moving = await page.evaluate(() => document.getAnimations().length + (document.querySelector("tua-checkout").shadowRoot.getAnimations?.().length ?? 0));
      check(`${name}, motion`, moving > 0 && "something moves");
    }
    await page.screenshot({ path: join(pictures, `${state}, ${view.name}.png`.replace(/[:%/]/g, "")) });
  }
  check(`errors (${view.name})`, errors.join("; "));
  await context.close();
}
await lives();
for (const lang of ["en", "fr", "ar"]) await cannotStart(lang);
await browser.close();
server.close();

/** Without the WebAssembly the payer is shown the way to the hosted page, in words of this language. */
async function cannotStart(lang) {
  const page = await browser.newPage();
  await page.route("**/*.wasm", (route) => route.abort());
  await page.goto(`${origin}/tests/looks/stage.html`);
  await page.waitForFunction(() => window.show);
  await page.evaluate(AXE);
  const [code, href, text, direction] = await page.evaluate(async (lang) => {
    const failed = new Promise((resolve) => addEventListener("tua-error", (event) => resolve(event.detail.code), { once: true }));
    const checkout = Object.assign(document.createElement("tua-checkout"), { lang, token: "form" });
    document.querySelector("#stage").replaceChildren(checkout);
    const code = await failed;
    const link = checkout.shadowRoot.querySelector("a");
    return [code, link?.getAttribute("href"), link?.textContent, getComputedStyle(link).direction];
  }, lang);
  const name = `no WebAssembly (${lang})`;
  check(`${name}, event`, code !== "not_started" && `the event says ${code}`);
  check(`${name}, link`, href !== `${origin}/pay?key=form` && `the link goes to ${href}`);
  check(`${name}, direction`, direction !== (lang === "ar" ? "rtl" : "ltr") && `it is ${direction}`);
  check(`${name}, words`, !text && "the link has no words");
  const axe = await page.evaluate((tags) => window.axe.run({ runOnly: tags }), TAGS);
  check(`${name}, axe`, axe.violations.map(({ id }) => id).join("; "));
  await page.screenshot({ path: join(pictures, `no WebAssembly, ${lang}.png`) });
  await page.close();
}

/** Many at once, changed while they live, and a hundred that come and go. */
async function lives() {
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${origin}/tests/looks/stage.html`);
  await page.waitForFunction(() => window.show);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  const counted = async () => {
    await page.waitForTimeout(100);
    await devtools.send("HeapProfiler.collectGarbage");
    const { metrics } = await devtools.send("Performance.getMetrics");
    return ["Nodes", "JSEventListeners"].map((name) => metrics.find((metric) => metric.name === name).value);
  };

  const titles = await page.evaluate(async () => {
    const soon = (millis) => new Promise((resolve) => setTimeout(resolve, millis));
    const stage = document.querySelector("#stage");
    stage.replaceChildren();
    for (const name of window.stateNames) stage.append(Object.assign(document.createElement("tua-checkout"), { token: encodeURIComponent(name) }));
    await soon(300);
    for (const checkout of stage.children) checkout.lang = "ar";
    await soon(300);
    for (const checkout of stage.children) checkout.token = "paid";
    await soon(300);
    const titles = [...stage.children].map((checkout) => checkout.shadowRoot.querySelector("h2")?.textContent);
    stage.replaceChildren();
    return [...new Set(titles)];
  });
  check("all at once, in another language, with another token", titles.length !== 1 && `they say ${titles}`);

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
  for (let patience = 100; patience-- && isLeft(); ) after = await counted();
  check("a hundred come and go", isLeft() && `nodes and listeners were ${before}, are ${after}`);
  check("errors (lives)", errors.join("; "));
  console.log(`nodes and listeners before a hundred lives: ${before}, after: ${after}`);
}

for (const fault of faults) console.log(fault);
console.log(`test result: ${faults.length ? "FAILED" : "ok"}. ${passed} passed; ${faults.length} failed;`);
process.exitCode = faults.length ? 1 : 0;
