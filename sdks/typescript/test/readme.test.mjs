// The programs of the README, in the folder where the package is installed.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const local = (path) => fileURLToPath(new URL(path, import.meta.url));
const readme = fileURLToPath(new URL("../README.md", import.meta.resolve("@tua-pay/node")));

test("somebody who has only the README is paid", { skip: process.env.TUA_BIN ? false : "TUA_BIN is not set" }, () => {
  // Beside node_modules, where the programs find the package.
  const folder = mkdtempSync(local("../readme-"));
  try {
    const programs = ["node pay.mjs", "node shop.mjs"];
    execFileSync(process.execPath, [local("../../conformance/readme.mjs"), readme, folder, ...programs], { stdio: "inherit" });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
