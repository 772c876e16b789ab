/*
 * What the package says of itself, held against what it is: its types under strict, its exports, its manifest,
 * and what happens where there is no browser.
 *
 * `npm run check` in the copy that `cargo xtask test --only package` makes; TUA_ROOT is the repository.
 */
import assert from "node:assert/strict";
import test from "node:test";
import Ajv from "ajv";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const root = process.env.TUA_ROOT;
const installed = "node_modules/tua-checkout";
const read = (...path) => readFileSync(join(...path), "utf8");
const manifest = JSON.parse(read(installed, "custom-elements.json"));
const [{ declarations: [tag], exports: exported }] = manifest.modules;
const types = read(installed, "tua-checkout.d.ts");
const readme = read(installed, "README.md");
const styles = read(root, "src/style/checkout.css");
const dispatched = read(root, "src/flow/effect.rs") + read(root, "crates/embed/js/loader.js");
const views = readdirSync(join(root, "src/views")).map((file) => read(root, "src/views", file)).join("\n");

/** What a program says where it fails. */
function fails(program, ...args) {
  const { status, error, stdout, stderr } = spawnSync(join("node_modules/.bin", program), args, { encoding: "utf8" });
  return status !== 0 && `${error ?? ""}${stdout}${stderr}`;
}

/** All that a pattern's first group matches, sorted, once each. */
const all = (text, pattern) => [...new Set([...text.matchAll(pattern)].map((match) => match[1]))].sort();
const names = (list) => list.map(({ name }) => name).sort();
/** The body of an interface or a union of the types. */
const typed = (head) => types.slice(types.indexOf(head)).split(/\n}|;\n\n/)[0];

/** Several lists that must be one and the same. */
function disagree(lists) {
  const [[first, wanted], ...others] = Object.entries(lists);
  const other = others.find(([, list]) => String(list) !== String(wanted));
  return other && `${first} has ${wanted}; ${other[0]} has ${other[1]}`;
}

/** Light and dark, as the sheet has it behind each documented property; a colour's own default comes first. */
function defaultOf(property) {
  const values = all(styles, new RegExp(`${property}, (light-dark\\([^)]*\\)|#\\w+|[\\d.]+rem)`, "g"));
  const both = values.find((value) => value.startsWith("light-dark"));
  return both ? both.slice("light-dark(".length, -1).replace(", ", " / ") : values[0];
}

const checks = {
  "types under strict": () => fails("tsc"),
  "types as every way of importing finds them": () =>
    fails("attw", "../tua-checkout.tgz", "--profile", "esm-only", "--exclude-entrypoints", "./tua_embed_bg.wasm", "./custom-elements.json"),
  "package.json": async () => {
    const { messages, pkg } = await publint({ pkgDir: installed, strict: true });
    return messages.map((message) => formatMessage(message, pkg)).join("; ");
  },
  "the manifest keeps to its schema": () => {
    const validate = new Ajv({ strict: false }).compile(JSON.parse(read("node_modules/custom-elements-manifest/schema.json")));
    return !validate(manifest) && JSON.stringify(validate.errors);
  },
  "attributes": async () => {
    const { TuaCheckout } = await import("tua-checkout");
    return disagree({ manifest: names(tag.attributes), loader: TuaCheckout.observedAttributes.toSorted(), types: all(typed("interface TuaAttributes"), /^ {2}(\w+)\?/gm) });
  },
  "events": () =>
    disagree({
      manifest: names(tag.events),
      types: all(typed("interface CheckoutEventMap"), /"(tua-\w+)"/g),
      component: all(dispatched, /(?:=> |new CustomEvent\()"(tua-\w+)"/g),
      README: all(readme, /^\| `(tua-\w+)` \|/gm),
    }),
  "events' details": () => tag.events.map(({ name, type }) => !types.includes(`"${name}": ${type.text};`) && `${name} is no ${type.text}`).find(Boolean),
  "parts": () =>
    disagree({ manifest: names(tag.cssParts), views: all(views, /part="(\w+)"/g), README: all(readme.split("`::part()`")[1].split(".")[0], /`(\w+)`/g) }),
  "custom properties": () =>
    disagree({ manifest: names(tag.cssProperties), styles: all(styles, /var\((--tua-[\w-]+)/g), README: all(readme, /^\| `(--tua-[\w-]+)`/gm) }),
  "custom properties' defaults": () => {
    const measured = tag.cssProperties.filter(({ name }) => name !== "--tua-font");
    return disagree({ manifest: measured.map((property) => property.default), styles: measured.map(({ name }) => defaultOf(name)) });
  },
  "languages": () => {
    const { type } = tag.attributes.find(({ name }) => name === "lang");
    return disagree({ manifest: all(type.text, /"(\w+)"/g), files: readdirSync(join(installed, "locales")).map((file) => file.replace(".js", "")).sort() });
  },
  "failure codes": () => disagree({ types: all(typed("type FailureCode"), /"(\w+)"/g), contract: all(read(root, "crates/contract/src/failure.rs"), /=> "(\w+)"/g) }),
  "exports": async () =>
    disagree({
      module: Object.keys(await import("tua-checkout")).sort(),
      element: Object.keys(await import("tua-checkout/element")).sort(),
      types: all(types, /^export (?:class|function) (\w+)/gm),
      manifest: names(exported.filter(({ kind }) => kind === "js")),
    }),
  "importing in Node does nothing": async () => {
    const before = Object.keys(globalThis);
    const { configure, define, mount } = await import("tua-checkout");
    configure({ baseUrl: "https://pay.example/v1" });
    define();
    const more = Object.keys(globalThis).filter((name) => !before.includes(name));
    return more.length ? `${more} is new` : typeof mount !== "function" && "there is no mount()";
  },
};

for (const [name, check] of Object.entries(checks)) {
  test(name, async () => {
    const fault = await check();
    assert.ok(!fault, String(fault));
  });
}
