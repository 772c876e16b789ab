/* Packs packages as npm publishes them, and installs the tarballs in a shop. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./processes.mjs";

const QUIET = ["--no-audit", "--no-fund", "--no-package-lock", "--prefer-offline"];

/** Builds the SDK, and installs what a plug-in and its tests need into the plug-in's folder. */
export async function installDevelopment(plugin) {
  const sdk = join(plugin, "../../sdks/typescript");
  await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: sdk });
  await run("npm", ["run", "build"], { cwd: sdk });
  await run("npm", ["install", ...QUIET], { cwd: plugin });
}

/** Installs the packed plug-in and SDK in `shop`, an empty project. What else the shop needs is in a folder above it. */
export async function installPacked(plugin, shop) {
  await rm(shop, { recursive: true, force: true });
  await mkdir(shop, { recursive: true });
  const tarballs = [await pack(join(plugin, "../../sdks/typescript"), shop), await pack(plugin, shop)];
  await writeFile(join(shop, "package.json"), JSON.stringify({ name: "shop", private: true }));
  await run("npm", ["install", ...QUIET, "--legacy-peer-deps", "--ignore-scripts", ...tarballs], { cwd: shop });
}

async function pack(folder, into) {
  const output = await run("npm", ["pack", "--silent", "--pack-destination", into], { cwd: folder });
  return `./${output.trim().split("\n").at(-1)}`;
}
