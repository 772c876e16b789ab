// Packs the package, installs the tarball in an empty folder, and runs the tests of test/ there.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const place = mkdtempSync(join(realpathSync(tmpdir()), "tua-packed-"));
const folder = join(place, "typescript");
const npm = (cwd, ...args) => execFileSync("npm", args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
try {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  npm(root, "pack", "--silent", "--pack-destination", place);
  const tarball = readdirSync(place).find((name) => name.endsWith(".tgz"));
  writeFileSync(join(folder, "package.json"), '{"private": true, "type": "module"}');
  npm(folder, "install", "--silent", "--offline", "--no-audit", "--no-fund", join("..", tarball));
  // The frameworks and what the tests read.
  for (const name of ["express", "fastify", "hono", "next", "react", "react-dom"]) {
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  symlinkSync(join(root, "..", "conformance"), join(place, "conformance"));
  cpSync(join(root, "test"), join(folder, "test"), { recursive: true });
  const tests = readdirSync(join(folder, "test")).filter((name) => name.endsWith(".test.mjs"));
  const args = ["--test", "--test-reporter=spec", ...tests.map((name) => join("test", name))];
  const env = { ...process.env, TUA_PACKED: folder };
  process.exitCode = spawnSync(process.execPath, args, { cwd: folder, env, stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(place, { recursive: true, force: true });
}
