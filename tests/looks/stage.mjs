/*
 * A server for the files of the repository, and pages with the component in the browser.
 */
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { browser, check, end as endBrowser, require, root } from "./browser.mjs";

export { axe, browser, check, close, pictures, require, root } from "./browser.mjs";

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

export const origin = `http://127.0.0.1:${server.address().port}`;
export const stage = `${origin}/tests/looks/stage.html`;

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

/** Ends it all, with the line that `cargo xtask test` reads. */
export async function end() {
  await endBrowser();
  server.close();
}
