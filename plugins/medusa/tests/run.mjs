/*
 * Journeys in a real Medusa 2: installs what they need, then runs them. Needs PostgreSQL, and the program `tua` as TUA_BIN or on
 * the path.
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
const tests = spawn(process.execPath, ["--test", "--test-reporter=spec", join(here, "journeys.test.mjs")], { stdio: "inherit" });
const [code] = await once(tests, "exit");
process.exitCode = code ?? 1;
