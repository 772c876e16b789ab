/*
 * Journeys in a real Vendure 3: installs what they need, then runs them on SQLite and on PostgreSQL. Needs PostgreSQL, and the
 * program `tua` as TUA_BIN or on the path.
 *
 * node run.mjs [--installed]   with --installed, node_modules is used as it is
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installDevelopment, installPacked } from "../../support/pack.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const plugin = dirname(here);
if (!process.argv.includes("--installed")) await installDevelopment(plugin);
await installPacked(plugin, join(here, "shop"));
for (const SHOP_DATABASE of ["sqlite", "postgres"]) {
  console.log(`Vendure on ${SHOP_DATABASE}`);
  const args = ["--test", "--test-reporter=spec", join(here, "journeys.test.mjs")];
  const tests = spawn(process.execPath, args, { stdio: "inherit", env: { ...process.env, SHOP_DATABASE } });
  const [code] = await once(tests, "exit");
  if (code !== 0) process.exitCode = 1;
}
