/* A pretix with the packed plug-in: its configuration, its tickets, its process. */
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

/** pretix's configuration. Its service for tests listens on this machine, which pretix refuses otherwise. */
const configure = (origin, port) => `[pretix]
instance_name=Adom
url=${origin}
datadir=${folder}
currency=GHS
registration=off
allow_http_to_private_networks=true

[database]
backend=postgresql
name=postgres
user=shop
host=127.0.0.1
port=${port}
`;

/** Creates a shop that can be started. `keys` are those of Tua; `postgres` is a running server. */
export async function createShop(keys, postgres) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "mail"), { recursive: true });
  await writeFile(log, "");
  const origin = `http://127.0.0.1:${await freePort()}`;
  const configuration = join(folder, "pretix.cfg");
  await writeFile(configuration, configure(origin, new URL(postgres.url).port));
  const env = {
    ...process.env,
    ...keys,
    PRETIX_CONFIG_FILE: configuration,
    SHOP_MAIL: join(folder, "mail"),
    DJANGO_SETTINGS_MODULE: "project.settings",
    PYTHONPATH: here,
    PYTHONUNBUFFERED: "1",
  };
  const options = { cwd: here, env };
  const manage = (...args) => run(python, ["-m", "pretix", ...args], options);
  await manage("migrate", "--verbosity", "0");
  await run(python, ["fill.py"], options);
  let child;
  return {
    origin,
    start: async () => {
      const args = ["-m", "gunicorn", "--bind", new URL(origin).host, "--workers", "2", "--timeout", "60", "project.wsgi"];
      child = spawn(python, args, { ...options, detached: true });
      const output = createWriteStream(log, { flags: "a" });
      child.stdout.pipe(output, { end: false });
      child.stderr.pipe(output, { end: false });
      await waitFor("pretix", async () => (await fetch(`${origin}/adom/summit/`)).ok).catch(async ({ message }) => {
        throw new Error(`${message}\n${(await readFile(log, "utf8")).slice(-4_000)}`);
      });
    },
    /** Ends the processes as a crash does: the workers too, which would serve on without their parent. */
    kill: async () => {
      process.kill(-child.pid, "SIGKILL");
      await stop(child);
    },
    stop: () => stop(child),
    readLog: () => readFile(log, "utf8"),
    /** What cron runs. */
    runPeriodic: () => manage("runperiodic"),
    /** The orders of a payer, oldest first. */
    orders: async (email) => JSON.parse(await postgres.query(ORDERS.replace("$email", email))),
    /** Moves the end of the time to pay of an order into the past. */
    age: (code) => postgres.query(`UPDATE pretixbase_order SET expires = now() - interval '1 minute' WHERE code = '${code}'`),
    /** Makes an event as if nothing was left of its tickets, or as before. */
    limit: (size) => postgres.query(`UPDATE pretixbase_quota SET size = ${size}`),
    /** The e-mails that the shop has sent. */
    mails: async () => {
      const names = await readdir(join(folder, "mail"));
      return Promise.all(names.map((name) => readFile(join(folder, "mail", name), "utf8")));
    },
  };
}

const ORDERS = `SELECT coalesce(json_agg(json_build_object(
  'code', o.code, 'secret', o.secret, 'status', o.status, 'expires', o.expires,
  'payments', (SELECT json_agg(json_build_array(p.provider, p.state, p.amount::text) ORDER BY p.local_id)
    FROM pretixbase_orderpayment p WHERE p.order_id = o.id),
  'refunds', (SELECT coalesce(json_agg(json_build_array(r.state, r.amount::text) ORDER BY r.local_id), '[]')
    FROM pretixbase_orderrefund r WHERE r.order_id = o.id),
  'attempts', (SELECT coalesce(json_agg(json_build_object('state', a.state, 'checkoutId', a.checkout_id, 'mode', a.mode) ORDER BY a.id), '[]')
    FROM tua_pay_pretix_attempt a JOIN pretixbase_orderpayment p ON p.id = a.payment_id WHERE p.order_id = o.id),
  'flags', (SELECT coalesce(json_agg(l.data::json->>'text' ORDER BY l.id), '[]') FROM pretixbase_logentry l
    WHERE l.action_type = 'tua_pay_pretix.attention' AND l.object_id = o.id)
) ORDER BY o.id), '[]') FROM pretixbase_order o WHERE o.email = '$email'`;
