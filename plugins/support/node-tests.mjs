/* Runs tests with the runner of Node.js. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Runs test files, and shows what they do. Returns whether all have passed. */
export async function runTests(files, env = {}) {
  const args = ["--test", "--test-reporter=spec", ...files];
  const tests = spawn(process.execPath, args, { stdio: "inherit", env: { ...process.env, ...env } });
  const [code] = await once(tests, "exit");
  return code === 0;
}

/** Runs the unit tests of a folder. Throws where one fails: the journeys take minutes, and would fail too. */
export async function runUnitTests(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".test.mjs"));
  if (names.length === 0) throw new Error(`${folder} has no tests.`);
  if (!(await runTests(names.map((name) => join(folder, name))))) throw new Error("A unit test has failed.");
}
