/*
 * A file server, a browser, and the count of what was right: what all the looks share.
 *
 * node looks.mjs ROOT CHROMIUM PICTURES, with the packages beside it or in NODE_PATH.
 */
import { createRequire } from "node:module";
import { createServer } from "node:http";
import { mkdirSync, readFileSync } from "node:fs";
import { extname, join, normalize } from "node:path";

const [root, chromiumPath, pictures] = process.argv.slice(2);
export const require = createRequire(join(process.env.NODE_PATH ?? process.cwd(), "node_modules", "looks.cjs"));
const { chromium } = require("playwright-core");
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };

function file(path) {
  if (path.startsWith("/font/")) return require.resolve(`dejavu-fonts-ttf/ttf/${path.slice(6)}`);
  return join(root, path.endsWith("/") ? `${path}index.html` : path);
}
const server = createServer((request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  try {
    const found = file(path);
    const body = readFileSync(found);
    response.writeHead(200, { "content-type": TYPES[extname(found)] ?? "application/octet-stream" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

export { root, pictures };
export const origin = `http://127.0.0.1:${server.address().port}`;
export const stage = `${origin}/tests/looks/stage.html`;
mkdirSync(pictures, { recursive: true });
// Text is drawn the same on every machine only without the screen's subpixels and the font's hints.
const args = ["--no-sandbox", "--font-render-hinting=none", "--disable-lcd-text", "--force-color-profile=srgb"];
export const browser = await chromium.launch({ executablePath: chromiumPath, args });

let passed = 0;
const faults = [];

/** Counts one thing that was looked at; `fault` says what is wrong with it, if anything is. */
export function check(name, fault) {
  if (!fault) return passed++;
  faults.push(`${name}: ${fault}`);
  console.log(faults.at(-1));
}

/** A page with the component's own wasm, whose errors are faults. */
export async function open(name, options = {}, { address = stage, before } = {}) {
  const context = await browser.newContext({ viewport: { width: 480, height: 900 }, ...options });
  const page = await context.newPage();
  page.on("pageerror", (error) => check(name, error.message));
  await before?.(page, context);
  await page.goto(address);
  if (address === stage) await page.waitForFunction(() => window.show);
  return page;
}

/** What axe finds on the page, one line for each fault. */
export async function axe(page, rules) {
  if (!(await page.evaluate(() => Boolean(window.axe)))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(([tags, rules]) => window.axe.run({ runOnly: rules ?? tags }), [TAGS, rules]);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id} at ${node.target.flat().join(" ")} (${node.any[0]?.message ?? node.failureSummary})`),
  );
}

/** Ends it all, with the line that `cargo xtask test` reads. */
export async function end() {
  await browser.close();
  server.close();
  console.log(`test result: ${faults.length ? "FAILED" : "ok"}. ${passed} passed; ${faults.length} failed;`);
  process.exitCode = faults.length ? 1 : 0;
}
