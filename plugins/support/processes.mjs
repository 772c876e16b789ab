/* Processes and ports of a shop's tests. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

const WAIT_MS = Number(process.env.TUA_TEST_WAIT_MS ?? 180_000);

/** A port that nothing listens on. */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Asks until `condition` returns something true, and returns it. What it throws counts as not yet. */
export async function waitFor(what, condition, timeout = WAIT_MS) {
  const deadline = performance.now() + timeout;
  let fault;
  for (;;) {
    try {
      const result = await condition();
      if (result) return result;
      fault = undefined;
    } catch (error) {
      fault = error;
    }
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeout} ms${fault ? ` (${fault.message})` : ""}`);
    await new Promise((later) => setTimeout(later, 200));
  }
}

/** Returns a function that ends when it was called as often as this number. */
export function barrier(count) {
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  return () => {
    count -= 1;
    if (count === 0) open();
    return opened;
  };
}

/** Runs a command to its end. Returns what it printed; throws with it where the command fails. */
export async function run(program, args, options = {}) {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (bytes) => (output += bytes));
  child.stderr.on("data", (bytes) => (output += bytes));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${output.slice(-4_000)}`);
  return output;
}

/** Ends a process, at once where `signal` is SIGKILL, and waits for it. */
export async function stop(child, signal = "SIGTERM") {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await ended;
  clearTimeout(timer);
}
