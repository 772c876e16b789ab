/*
 * A browser, and what axe finds in it: for the looks of the checkout and of the dashboard.
 *
 * node SCRIPT ROOT CHROMIUM PICTURES, with the packages of `LOOKS_PACKAGES` beside it or in NODE_PATH.
 */
import { createRequire } from "node:module";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

export const [root, chromiumPath, pictures] = process.argv.slice(2);
export const require = createRequire(join(process.env.NODE_PATH ?? process.cwd(), "node_modules", "looks.cjs"));
const { chromium } = require("playwright-core");
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

mkdirSync(pictures, { recursive: true });
// Text is drawn the same on every machine only without the screen's subpixels and the font's hints.
const args = ["--no-sandbox", "--font-render-hinting=none", "--disable-lcd-text", "--force-color-profile=srgb"];
export const browser = await chromium.launch({ executablePath: chromiumPath, args });

/** What axe finds on the page, one line for each fault. */
export async function axe(page, rules) {
  if (!(await page.evaluate(() => Boolean(window.axe)))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(([tags, rules]) => window.axe.run({ runOnly: rules ?? tags }), [TAGS, rules]);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id} at ${node.target.flat().join(" ")} (${node.any[0]?.message ?? node.failureSummary})`),
  );
}

/** Closes a context. Chromium may never answer where a page is just being loaded again; what is left ends with the browser. */
export const close = (context) => Promise.race([context.close(), pause(5_000, undefined, { ref: false })]);
