/* Packs packages as npm publishes them, and installs the tarballs in a shop. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./processes.mjs";

const QUIET = ["--no-audit", "--no-fund", "--prefer-offline"];

/** Builds the SDK, and installs what a plug-in and its tests need into the plug-in's folder. */
export async function installDevelopment(plugin) {
  const sdk = join(plugin, "../../sdks/typescript");
  // By its lock file, as `npm ci` does, but what is installed already stays.
  await run("npm", ["install", ...QUIET, "--no-save"], { cwd: sdk });
  await run("npm", ["run", "build"], { cwd: sdk });
  await run("npm", ["install", ...QUIET, "--no-package-lock"], { cwd: plugin });
}

/** Installs the packed plug-in and SDK in `shop`, an empty project. What else the shop needs is in a folder above it. */
export async function installPacked(plugin, shop) {
  await rm(shop, { recursive: true, force: true });
  await mkdir(shop, { recursive: true });
  const tarballs = [await pack(join(plugin, "../../sdks/typescript"), shop), await pack(plugin, shop)];
  await writeFile(join(shop, "package.json"), JSON.stringify({ name: "shop", private: true }));
  await run("npm", ["install", ...QUIET, "--no-package-lock", "--legacy-peer-deps", "--ignore-scripts", ...tarballs], { cwd: shop });
}

async function pack(folder, into) {
  const output = await run("npm", ["pack", "--silent", "--pack-destination", into], { cwd: folder });
  return `./${output.trim().split("\n").at(-1)}`;
}
