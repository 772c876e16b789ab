/*
 * What the tests need: MariaDB, PHP's extensions, and WordPress with a theme and translations. WordPress is unpacked from
 * Debian's packages into a folder, because installing the packages would start a web server.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const SYSTEM_PACKAGES = [
  "gettext", "mariadb-client-core", "mariadb-server-core", "php-cli", "php-curl", "php-gd",
  "php-guzzlehttp-psr7", "php-mbstring", "php-mysql", "php-psr-http-client", "php-psr-http-factory",
  "php-psr-http-message", "php-xml", "phpunit", "unzip",
];
const UNPACKED_PACKAGES = ["libjs-cropper", "libjs-underscore", "php-getid3", "wordpress", "wordpress-l10n", "wordpress-theme-twentytwentythree"];

function apt(args, options = {}) {
  const isRoot = process.getuid() === 0;
  const command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", ...args];
  execFileSync(isRoot ? command[0] : "sudo", isRoot ? command.slice(1) : ["-n", ...command], { stdio: ["ignore", "ignore", "inherit"], ...options });
}

function isInstalled(name) {
  try {
    const status = execFileSync("dpkg-query", ["--show", "--showformat=${Status}", name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return status === "install ok installed";
  } catch {
    return false;
  }
}

/** Installs what is missing, and returns the folder of WordPress, which is not changed. `tools` is kept between runs. */
export function install(tools) {
  const missing = SYSTEM_PACKAGES.filter((name) => !isInstalled(name));
  const folder = join(tools, "wordpress");
  if (missing.length > 0 || !existsSync(folder)) apt(["update"]);
  if (missing.length > 0) apt(["install", "--yes", "--no-install-recommends", ...missing]);
  if (!existsSync(folder)) unpack(folder);
  return join(folder, "usr/share/wordpress");
}

function unpack(folder) {
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  execFileSync("apt-get", ["download", ...UNPACKED_PACKAGES], { cwd: unfinished, stdio: "ignore" });
  for (const name of readdirSync(unfinished).filter((file) => file.endsWith(".deb"))) {
    execFileSync("dpkg-deb", ["--extract", name, "."], { cwd: unfinished });
    rmSync(join(unfinished, name));
  }
  renameSync(unfinished, folder);
}

/** A copy of WordPress that a site may change. */
export function copyWordPress(wordpress, folder) {
  // Debian's links name files of its other packages, and one names a file of its own configuration.
  cpSync(wordpress, folder, { recursive: true, dereference: true, filter: (source) => existsSync(source) });
}
