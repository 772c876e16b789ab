/*
 * A virtual X display for the engine that needs one: Xvfb, shared by all browsers of a run.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

let display;

/** Starts the display where it does not run. Returns its name, such as `:1`. */
export function startDisplay() {
  display ??= start();
  return display.then(({ name }) => name);
}

async function start() {
  const args = ["-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"];
  const process = spawn("Xvfb", args, { stdio: ["ignore", "pipe", "ignore"] });
  for await (const number of createInterface({ input: process.stdout })) return { name: `:${number}`, process };
  throw new Error("Xvfb ended before it was ready");
}

export async function stopDisplay() {
  (await display)?.process.kill();
}
