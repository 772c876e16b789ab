/*
 * The real service on a database of its own, for tests in JavaScript. `TUA_BIN` is the binary.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** How long a condition may take to come true: far longer than it does, also on a machine that is busy. */
const TIMEOUT_MS = 60_000;

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Repeats a check until it returns something. */
export async function eventually(what, check) {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const found = await check().catch(() => undefined);
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`timed out: ${what}`);
    await new Promise((later) => setTimeout(later, 50));
  }
}

/**
 * Starts the service, whose sandbox is so many times as fast. `settings` returns the settings file of a service at this
 * port. `run` is a command, and returns the JSON that it prints.
 */
export async function startService(speed, settings = () => "") {
  const tua = process.env.TUA_BIN;
  const folder = mkdtempSync(join(tmpdir(), "tua-test-"));
  const database = `sqlite://${join(folder, "tua.db")}`;
  const port = await freePort();
  const config = join(folder, "tua.toml");
  writeFileSync(config, await settings(port), { mode: 0o600 });
  const flags = ["--config", config, "--listen", `127.0.0.1:${port}`, "--database", database, "--sandbox-speed", String(speed)];
  let child;
  const start = async () => {
    child = spawn(tua, ["serve", ...flags], { cwd: folder, stdio: "ignore" });
    await eventually("the service", async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
  };
  await start();
  return {
    folder,
    port,
    run(...args) {
      return JSON.parse(execFileSync(tua, [...args, "--database", database, "--json"], { cwd: folder, encoding: "utf8" }));
    },
    /** Kills the service while `meanwhile` runs, and starts it again. */
    async withoutService(meanwhile) {
      const ended = new Promise((end) => child.once("exit", end));
      child.kill("SIGKILL");
      await ended;
      try {
        await meanwhile();
      } finally {
        await start();
      }
    },
    stop() {
      child.kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
