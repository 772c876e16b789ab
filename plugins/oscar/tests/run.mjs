/*
 * Journeys in a real Oscar 4: installs what they need, then runs the unit tests, and the journeys on SQLite and on PostgreSQL.
 * Needs Python 3.11, PostgreSQL, Chromium (CHROMIUM, or /usr/bin/chromium), and the program `tua` as TUA_BIN or on the path.
 *
 * node run.mjs [--installed]   with --installed, what was installed is used as it is
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../../support/processes.mjs";
import { installWheels } from "../../support/python.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const plugin = dirname(here);
const folder = join(here, "shop");
const python = join(folder, "venv/bin/python");
if (!process.argv.includes("--installed")) {
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "--no-package-lock"], { cwd: here });
  await installWheels(plugin, folder);
}
await mkdir(folder, { recursive: true });

/** Runs a program whose output people read. */
async function show(program, args, env = {}) {
  const child = spawn(program, args, { cwd: plugin, stdio: "inherit", env: { ...process.env, ...env } });
  const [code] = await once(child, "exit");
  if (code !== 0) process.exitCode = 1;
}

await show(python, ["-m", "ruff", "check", "."]);
await show(python, ["-m", "ruff", "format", "--check", "."]);
await show(python, ["-m", "mypy"]);
await show(python, ["-m", "pytest", "-q"], { SHOP_FOLDER: folder });
for (const SHOP_DATABASE of ["sqlite", "postgres"]) {
  console.log(`Oscar on ${SHOP_DATABASE}`);
  const args = ["--test", "--test-reporter=spec", join(here, "journeys.test.mjs")];
  await show(process.execPath, args, { SHOP_DATABASE });
}
