/*
 * Journeys in a real Vendure 3: installs what they need, then runs the unit tests, and the journeys on SQLite and on PostgreSQL.
 * Needs PostgreSQL, and the program `tua` as TUA_BIN or on the path.
 *
 * node run.mjs [--installed]   with --installed, node_modules is used as it is
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runTests, runUnitTests } from "../../support/node-tests.mjs";
import { installDevelopment, installPacked } from "../../support/pack.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const plugin = dirname(here);
if (!process.argv.includes("--installed")) await installDevelopment(plugin);
await installPacked(plugin, join(here, "shop"));
await runUnitTests(join(here, "unit"));
for (const SHOP_DATABASE of ["sqlite", "postgres"]) {
  console.log(`Vendure on ${SHOP_DATABASE}`);
  if (!(await runTests([join(here, "journeys.test.mjs")], { SHOP_DATABASE }))) process.exitCode = 1;
}
