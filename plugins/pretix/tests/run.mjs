/*
 * Journeys in a real pretix: installs what they need, then runs the unit tests, and the journeys on PostgreSQL.
 * Needs Python 3.11, PostgreSQL, Chromium (CHROMIUM, or /usr/bin/chromium), and the program `tua` as TUA_BIN or on the path.
 *
 * node run.mjs [--installed]   with --installed, what was installed is used as it is
 */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { checkPlugin, runJourneys } from "../../support/python.mjs";

const plugin = dirname(dirname(fileURLToPath(import.meta.url)));
await checkPlugin(plugin);
await runJourneys(plugin);
