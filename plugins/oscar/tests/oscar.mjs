/* An Oscar 4 with the packed plug-in: its configuration, its goods, its process. */
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, run, stop, waitFor } from "../../support/processes.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const python = join(here, "shop/venv/bin/python");
const folder = join(here, "shop/data");
const log = join(folder, "log");

/** Creates a shop that can be started. `keys` are its Django settings, and the port of its PostgreSQL if it has one. */
export async function createShop(keys) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(log, "");
  const env = { ...process.env, ...keys, SHOP_FOLDER: folder, DJANGO_SETTINGS_MODULE: "project.settings", PYTHONUNBUFFERED: "1" };
  const options = { cwd: here, env };
  await run(python, ["manage.py", "migrate", "--verbosity", "0"], options);
  await run(python, ["fill.py"], options);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const read = async (path, init) => (await fetch(`${origin}/probe/${path}`, init)).json();
  let child;
  const start = async () => {
    const args = ["manage.py", "runserver", "--noreload", "--insecure", new URL(origin).host];
    child = spawn(python, args, options);
    const output = createWriteStream(log, { flags: "a" });
    child.stdout.pipe(output, { end: false });
    child.stderr.pipe(output, { end: false });
    await waitFor("Oscar", async () => (await fetch(`${origin}/probe/stock`)).ok).catch(async ({ message }) => {
      throw new Error(`${message}\n${(await readFile(log, "utf8")).slice(-4_000)}`);
    });
  };
  return {
    origin,
    start,
    /** Starts it again with another secret key, as people do who go live. */
    restartWith: async (secretKey) => {
      await stop(child);
      env.TUA_SECRET_KEY = secretKey;
      await start();
    },
    /** Ends the process as a crash does. */
    kill: () => stop(child, "SIGKILL"),
    stop: () => stop(child),
    readLog: () => readFile(log, "utf8"),
    /** What cron runs each minute. Returns what it printed. */
    reconcile: () => run(python, ["manage.py", "tua_reconcile"], options),
    check: () => run(python, ["manage.py", "check"], options),
    orders: async (email) => (await read(`orders?email=${encodeURIComponent(email)}`)).orders,
    allocated: async () => (await read("stock")).allocated,
    /** Moves an order two days into the past. */
    age: (number) => read(`age/${number}`, { method: "POST" }),
    /** The e-mails that the shop has sent. */
    mails: async () => {
      const names = await readdir(join(folder, "mail")).catch(() => []);
      return Promise.all(names.map((name) => readFile(join(folder, "mail", name), "utf8")));
    },
  };
}
