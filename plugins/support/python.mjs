/* Packs the SDK and a plug-in as PyPI gets them, installs the wheels in an empty environment, and runs the tests there. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./processes.mjs";

const PIP = ["-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-input"];

/**
 * Installs what a plug-in needs, unless this program was started with --installed, then checks its sources and runs its
 * unit tests. `env` is added to the environment of the unit tests.
 */
export async function checkPlugin(plugin, env = {}) {
  const tests = join(plugin, "tests");
  const folder = join(tests, "shop");
  if (!process.argv.includes("--installed")) {
    await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "--no-package-lock"], { cwd: tests });
    await installWheels(plugin, folder);
  }
  await mkdir(folder, { recursive: true });
  const python = join(folder, "venv/bin/python");
  await show(plugin, python, ["-m", "ruff", "check", "."]);
  await show(plugin, python, ["-m", "ruff", "format", "--check", "."]);
  await show(plugin, python, ["-m", "mypy"]);
  await show(plugin, python, ["-m", "pytest", "-q"], env);
}

/** Runs the journeys of a plug-in, which `checkPlugin` has installed. */
export async function runJourneys(plugin, env = {}) {
  await show(plugin, process.execPath, ["--test", "--test-reporter=spec", join(plugin, "tests/journeys.test.mjs")], env);
}

/** Runs a program whose output people read. If it fails, so does this one at its end. */
async function show(plugin, program, args, env = {}) {
  const child = spawn(program, args, { cwd: plugin, stdio: "inherit", env: { ...process.env, ...env } });
  const [code] = await once(child, "exit");
  if (code !== 0) process.exitCode = 1;
}

/** Installs what a plug-in needs below `folder`. */
async function installWheels(plugin, folder) {
  await rm(folder, { recursive: true, force: true });
  const requirements = join(plugin, "requirements-dev.txt");
  const builder = await createEnvironment(join(folder, "builder"));
  await run(builder, [...PIP, "--constraint", requirements, "build"]);
  const wheels = join(folder, "wheels");
  for (const source of [join(plugin, "../../sdks/python"), plugin]) {
    await run(builder, ["-m", "build", "--outdir", wheels, source]);
  }
  const python = await createEnvironment(join(folder, "venv"));
  const packed = (await readdir(wheels)).filter((name) => name.endsWith(".whl")).map((name) => join(wheels, name));
  await run(python, [...PIP, "--constraint", requirements, ...packed]);
  await run(python, [...PIP, "--requirement", requirements]);
}

async function createEnvironment(folder) {
  await run("python3", ["-m", "venv", folder]);
  return join(folder, "bin/python");
}
