/* Packs the SDK and the plug-in as PyPI gets them, and installs the wheels in an empty environment. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./processes.mjs";

const PIP = ["-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-input"];

/** Installs what a plug-in needs below `folder`. Returns the path of the environment's Python. */
export async function installWheels(plugin, folder) {
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
  return python;
}

async function createEnvironment(folder) {
  await run("python3", ["-m", "venv", folder]);
  return join(folder, "bin/python");
}
