/*
 * A server for the files of the repository, and pages with the component in the browser.
 */
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { check } from "../check.mjs";
import { browser, require, root } from "./browser.mjs";

export { axe, browser, close, pictures, require, root } from "./browser.mjs";

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

/* The errors that pages have thrown and not caught, with the names of their pages. */
const uncaught = [];

/** A page with the component's own wasm. `noUncaughtErrors` fails where it throws one. */
export async function open(name, options = {}, { address = stage, before } = {}) {
  const context = await browser.newContext({ viewport: { width: 480, height: 900 }, ...options });
  const page = await context.newPage();
  page.on("pageerror", (error) => uncaught.push([name, error.message]));
  await before?.(page, context);
  await page.goto(address);
  if (address === stage) await page.waitForFunction(() => window.show);
  return page;
}

/** One failed check for each error of a page: after all pages, because errors do not belong to the test that runs. */
export async function noUncaughtErrors() {
  for (const [name, message] of uncaught) await check(name, message);
}

export async function end() {
  await browser.close();
  server.close();
}
