/*
 * The same pictures as before: every state in both themes beside the picture of it in pictures/. One that is not
 * the same fails, and a picture of the difference is left in PICTURES. `TUA_BLESS=1` takes them anew.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "../check.mjs";
import { close, open, pictures, require, root } from "./stage.mjs";

const { PNG } = require("pngjs");
const { default: pixelmatch } = await import(require.resolve("pixelmatch"));
const stored = join(root, "tests/looks/pictures");
const isBlessed = Boolean(process.env.TUA_BLESS);
/* Edges of letters may differ by a shade from one Chromium to the next (pixelmatch tells them); no ground or line may. */
const SHADE = 0.01;
const EDGES = 40;
/* Three bits of a colour that no eye misses: without them the pictures take two thirds of the room. */
const KEPT = 0b1111_1000;

const fileOf = (state, theme) => `${state.replaceAll(/[^a-z0-9]+/gi, "-")}.${theme}.png`;

/** One picture of all states, and where each of them is in it. */
async function photograph(page, colorScheme) {
  await page.emulateMedia({ colorScheme });
  const places = await page.evaluate(() =>
    [...document.querySelectorAll("tua-checkout")].map((checkout) => {
      const { x, y, width, height } = checkout.getBoundingClientRect();
      return { state: checkout.id, area: [x + scrollX, y + scrollY, width, height].map(Math.round) };
    }),
  );
  const sheet = PNG.sync.read(await page.screenshot({ fullPage: true, path: join(pictures, `sheet, ${colorScheme}.png`) }));
  return places.map(({ state, area: [x, y, width, height] }) => {
    const picture = new PNG({ width, height });
    PNG.bitblt(sheet, picture, x, y, width, height, 0, 0);
    picture.data.forEach((value, at) => (picture.data[at] = at % 4 === 3 ? 255 : value & KEPT));
    return { state, picture };
  });
}

/** What is different, and a picture of that. */
function difference(before, after) {
  const size = ({ width, height }) => `${width} x ${height} px`;
  if (size(before) !== size(after)) return { fault: `it was ${size(before)}, is ${size(after)}`, shown: after };
  const shown = new PNG({ width: after.width, height: after.height });
  const count = pixelmatch(before.data, after.data, shown.data, after.width, after.height, { threshold: SHADE });
  return count > EDGES ? { fault: `${count} pixels are different`, shown } : {};
}

const write = (path, picture) => writeFileSync(path, PNG.sync.write(picture, { colorType: 2, deflateStrategy: 0, filterType: 0 }));

function compare(file, picture) {
  const path = join(stored, file);
  if (isBlessed) return write(path, picture);
  if (!existsSync(path)) return "there is no picture of it yet: `TUA_BLESS=1 cargo xtask test --only looks` takes one";
  const { fault, shown } = difference(PNG.sync.read(readFileSync(path)), picture);
  if (!fault) return;
  const left = join(pictures, `different, ${file}`);
  write(left, shown);
  return `${fault}: look at ${left}, then mend it, or take it anew with TUA_BLESS=1`;
}

export async function samePictures() {
  if (isBlessed) rmSync(stored, { recursive: true, force: true });
  mkdirSync(stored, { recursive: true });
  const page = await open("pictures", { reducedMotion: "reduce", timezoneId: "Africa/Accra", viewport: { width: 1760, height: 900 } });
  const seen = new Set();
  await page.evaluate(async () => {
    document.querySelector("#stage").className = "sheet";
    await window.showAll("en");
    document.activeElement.shadowRoot?.activeElement?.blur();
  });
  for (const theme of ["light", "dark"]) {
    for (const { state, picture } of await photograph(page, theme)) {
      const file = fileOf(state, theme);
      seen.add(file);
      const fault = compare(file, picture);
      if (!isBlessed) await check(`${state}, ${theme}, picture`, fault);
    }
  }
  const lost = readdirSync(stored).filter((file) => !seen.has(file));
  await check("every picture is of a state", lost.join(", "));
  await close(page.context());
}
