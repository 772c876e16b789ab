// Fails where a package does not have the version of the service, which Cargo.toml has.
import { readFileSync } from "node:fs";

const FILES = {
  "typescript/package.json": /"version": "([^"]+)"/,
  "typescript/src/version.ts": /VERSION = "([^"]+)"/,
  "python/pyproject.toml": /^version = "([^"]+)"/m,
  "python/src/tua_pay/_version.py": /VERSION = "([^"]+)"/,
  "php/composer.json": /"version": "([^"]+)"/,
  "php/src/Tua.php": /VERSION = '([^']+)'/,
};
const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const wanted = read("../Cargo.toml").match(/^version = "([^"]+)"/m)[1];
for (const [path, pattern] of Object.entries(FILES)) {
  const found = read(path).match(pattern)?.[1];
  if (found === wanted) continue;
  console.error(`sdks/${path} has the version ${found} instead of ${wanted}`);
  process.exitCode = 1;
}
