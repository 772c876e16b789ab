/*
 * Firefox or WebKitGTK in place of Chromium: what `../looks/browser.mjs` exports, over WebDriver. `TUA_ENGINE` is `firefox` or
 * `webkit`, and the arguments of the program are as there.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Context } from "./context.mjs";
import { stopDisplay } from "./display.mjs";

export const [root, , pictures] = process.argv.slice(2);
export const require = createRequire(join(process.env.NODE_PATH ?? process.cwd(), "node_modules", "looks.cjs"));
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const open = new Set();

mkdirSync(pictures, { recursive: true });

export const browser = {
  async newContext(options = {}) {
    const context = await Context.start(process.env.TUA_ENGINE, options);
    open.add(context);
    return context;
  },
  async close() {
    await Promise.all([...open].map(close));
    await stopDisplay();
  },
};

/** What axe finds on the page, one line for each fault. */
export async function axe(page, rules) {
  if (!(await page.evaluate(() => Boolean(window.axe)))) await page.evaluate(AXE);
  const run = ([tags]) => window.axe.run({ runOnly: tags });
  const { violations } = await page.evaluate(run, [rules ?? TAGS]);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id} at ${node.target.flat().join(" ")} (${node.any[0]?.message ?? node.failureSummary})`),
  );
}

export async function close(context) {
  open.delete(context);
  await context.close();
}
