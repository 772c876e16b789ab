/*
 * Journeys in a real Oscar 4: installs what they need, then runs the unit tests, and the journeys on SQLite and on PostgreSQL.
 * Needs Python 3.11, PostgreSQL, Chromium (CHROMIUM, or /usr/bin/chromium), and the program `tua` as TUA_BIN or on the path.
 *
 * node run.mjs [--installed]   with --installed, what was installed is used as it is
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkPlugin, runJourneys } from "../../support/python.mjs";

const plugin = dirname(dirname(fileURLToPath(import.meta.url)));
await checkPlugin(plugin, { SHOP_FOLDER: join(plugin, "tests/shop") });
for (const SHOP_DATABASE of ["sqlite", "postgres"]) {
  console.log(`Oscar on ${SHOP_DATABASE}`);
  await runJourneys(plugin, { SHOP_DATABASE });
}
