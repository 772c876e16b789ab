/* A PostgreSQL server for a shop's tests: in a folder of its own and on a free port, deleted afterwards. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, run, stop, waitFor } from "./processes.mjs";

/** Debian puts each version's programs into a folder of its own, which is not on the PATH. */
const VERSIONS = "/usr/lib/postgresql";
const SETTINGS = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];

/** Starts a server, and returns the URL of its database, and `query`, which executes SQL and returns what it printed. It does not run as root. */
export async function startPostgres() {
  const programs = findPrograms();
  const folder = await mkdtemp(join(tmpdir(), "tua-plugins-postgres-"));
  const data = join(folder, "data");
  await mkdir(data);
  await chmod(folder, 0o755);
  if (isRoot()) await run("chown", ["postgres", data]);
  await run(
    ...asAccount(join(programs, "initdb"), ["--pgdata", data, "--username=shop", "--auth=trust", "--encoding=UTF8", "--no-sync"]),
  );
  const port = await freePort();
  const settings = [...SETTINGS, `port=${port}`].flatMap((setting) => ["-c", setting]);
  const [program, args] = asAccount(join(programs, "postgres"), ["-D", data, ...settings]);
  const child = spawn(program, args, { stdio: "ignore", cwd: "/" });
  await waitFor("PostgreSQL", () => run(join(programs, "pg_isready"), ["-h", "127.0.0.1", "-p", String(port)]));
  const url = `postgres://shop@127.0.0.1:${port}/postgres`;
  return {
    url,
    query: async (sql) => {
      const psql = ["--no-psqlrc", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"];
      return (await run(join(programs, "psql"), [...psql, "--command", sql, url])).trim();
    },
    stop: async () => {
      await stop(child, "SIGINT");
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function findPrograms() {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).filter((version) => /^\d+$/.test(version)) : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  if (!newest) throw new Error("PostgreSQL is not installed: apt-get install postgresql");
  return join(VERSIONS, newest, "bin");
}

function isRoot() {
  return process.getuid?.() === 0;
}

function asAccount(program, args) {
  if (!isRoot()) return [program, args];
  return ["setpriv", ["--reuid=postgres", "--regid=postgres", "--init-groups", program, ...args]];
}
