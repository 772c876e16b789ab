/*
 * node locales.mjs IDS.rs TEXTS_DIR OUT_DIR: the texts as a page loads them.
 *
 * Lines in the order of the ids, with the ids' stamp before them: the ids themselves are of no use to a
 * payer. What a preview lacks is said in English.
 */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const [idsFile, textsDir, outDir] = process.argv.slice(2);
const ids = [...readFileSync(idsFile, "utf8").matchAll(/^ {4}\w+ = "([^"]+)",$/gm)].map((match) => match[1]);
const read = (file) => JSON.parse(readFileSync(join(textsDir, file), "utf8"));
const english = read("en.json");
const bytes = ids.flatMap((id) => [...new TextEncoder().encode(id), 10]);
const stamp = bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5);

for (const file of readdirSync(textsDir).filter((name) => name.endsWith(".json"))) {
  const texts = read(file);
  const lines = [stamp, ...ids.map((id) => texts[id] ?? english[id])].join("\n");
  writeFileSync(join(outDir, `${basename(file, ".json")}.js`), `export default ${JSON.stringify(lines)};\n`);
}
