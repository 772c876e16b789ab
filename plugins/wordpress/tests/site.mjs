/*
 * A site of WordPress with the packed plug-in, on a MariaDB of its own.
 */
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually, freePort } from "../../../tests/service.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
export const PASSWORD = "correct horse battery staple";

const isRunning = (child) => child !== undefined && child.exitCode === null && child.signalCode === null;

/** Waits until a program has ended. */
async function end(child, signal) {
  if (!isRunning(child)) return;
  const ended = new Promise((done) => child.once("exit", done));
  child.kill(signal);
  await ended;
}

async function startDatabase(folder) {
  const data = join(folder, "database");
  const socket = join(folder, "database.sock");
  const user = process.getuid() === 0 ? ["--user=root"] : [];
  execFileSync("mariadb-install-db", ["--no-defaults", `--datadir=${data}`, "--auth-root-authentication-method=normal", "--skip-test-db", ...user], { stdio: "ignore" });
  const flags = ["--no-defaults", `--datadir=${data}`, `--socket=${socket}`, "--skip-networking", `--pid-file=${join(folder, "database.pid")}`, ...user];
  const child = spawn("mariadbd", flags, { stdio: "ignore" });
  const query = (text) => execFileSync("mariadb", ["--no-defaults", `--socket=${socket}`, "-u", "root", "-N", "-e", text], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  await eventually("the database", async () => existsSync(socket) && query("SELECT 1"));
  query("CREATE DATABASE wordpress CHARACTER SET utf8mb4");
  return { socket, query, stop: () => end(child) };
}

/** `wordpress` is a folder of WordPress's files, which is not changed; `zip` is the packed plug-in. */
export async function startSite(wordpress, zip) {
  const folder = mkdtempSync(join(tmpdir(), "tua-wordpress-"));
  const web = join(folder, "web");
  // Debian's links name files of its other packages, and one names a file of its own configuration.
  cpSync(wordpress, web, { recursive: true, dereference: true, filter: (source) => existsSync(source) });
  const database = await startDatabase(folder);
  copyFileSync(join(HERE, "site/config.php"), join(web, "wp-config.php"));
  copyFileSync(join(HERE, "site/router.php"), join(web, "router.php"));
  execFileSync("unzip", ["-q", zip, "-d", join(web, "wp-content/plugins")]);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, SITE_SOCKET: database.socket, SITE_FOLDER: folder, SITE_HOST: `127.0.0.1:${port}`, PHP_CLI_SERVER_WORKERS: "6" };
  const site = {
    folder,
    url,
    database,
    /** Runs PHP in the site, and returns what it returns. */
    php(code, ...mode) {
      const output = execFileSync("php", ["-d", "display_errors=stderr", join(HERE, "site/cli.php"), web, code, ...mode], { env, encoding: "utf8" });
      return JSON.parse(output.slice(output.lastIndexOf("\n") + 1));
    },
    /** Runs what is due, as cron does on a server. */
    async cron() {
      await fetch(`${url}/wp-cron.php?doing_wp_cron`);
    },
    async start() {
      site.server = spawn("php", ["-d", "display_errors=stderr", "-S", `127.0.0.1:${port}`, "-t", web, join(web, "router.php")], { env, stdio: "ignore", detached: true });
      await eventually("the site", async () => (await fetch(`${url}/wp-login.php`)).status === 200);
    },
    /** Kills the web server with its workers. */
    async kill() {
      const ended = new Promise((done) => site.server.once("exit", done));
      process.kill(-site.server.pid, "SIGKILL");
      await ended;
    },
    /** What PHP has complained about, and what the plug-in has logged. */
    log: () => (existsSync(join(folder, "debug.log")) ? readFileSync(join(folder, "debug.log"), "utf8") : ""),
    async stop() {
      await site.kill();
      await database.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  // The web server has a process group of its own, so that it is killed with its workers: also where the tests are stopped.
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  process.once("exit", () => isRunning(site.server) && process.kill(-site.server.pid, "SIGKILL"));
  const installation = `wp_install("Adom Stores", "admin", "admin@example.com", true, "", "${PASSWORD}");`;
  site.php(`${installation} update_option("siteurl", "${url}"); update_option("home", "${url}"); update_option("permalink_structure", "/%postname%/"); return true;`, "installing");
  site.php(`switch_theme("twentytwentythree"); return activate_plugin("tua-payments/tua-payments.php");`);
  mkdirSync(join(web, "wp-content/mu-plugins"), { recursive: true });
  copyFileSync(join(HERE, "site/must-use.php"), join(web, "wp-content/mu-plugins/test.php"));
  site.php("flush_rewrite_rules(); return true;");
  await site.start();
  return site;
}
