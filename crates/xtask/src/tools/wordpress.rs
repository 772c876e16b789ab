//! WordPress from Debian's packages, for the tests of its plug-in. It is unpacked and not
//! installed, because the packages would start a web server.

use super::apt::{apt_install, apt_unpack, missing_packages};
use crate::fault::{Result, fault};
use crate::paths;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// What the plug-in's tests run: PHP with the extensions of WordPress, what packs the plug-in, and
/// a database server.
const PROGRAMS: [&str; 15] = [
    "gettext",
    "mariadb-client-core",
    "mariadb-server-core",
    "php-cli",
    "php-curl",
    "php-gd",
    "php-guzzlehttp-psr7",
    "php-mbstring",
    "php-mysql",
    "php-psr-http-client",
    "php-psr-http-factory",
    "php-psr-http-message",
    "php-xml",
    "phpunit",
    "unzip",
];

/// WordPress with a theme, translations, and the packages of which it has links to files.
const WORDPRESS: [&str; 6] = [
    "libjs-cropper",
    "libjs-underscore",
    "php-getid3",
    "wordpress",
    "wordpress-l10n",
    "wordpress-theme-twentytwentythree",
];

/// Debian's folder of servers, which is not on every user's PATH.
const SERVERS: &str = "/usr/sbin";

/// The folder of WordPress's files.
pub fn wordpress() -> PathBuf {
    unpacked().join("usr/share/wordpress")
}

fn unpacked() -> PathBuf {
    paths::tools().join("wordpress")
}

const WITHOUT_FILES: &str =
    "WordPress is missing in target/tools: run the same command without --no-install";

/// What is missing, one line each.
pub fn missing_wordpress() -> Vec<String> {
    let packages = missing_packages(&PROGRAMS);
    let programs = (!packages.is_empty())
        .then(|| format!("packages are missing: run `apt-get install {}`", packages.join(" ")));
    let files = (!wordpress().is_dir()).then_some(WITHOUT_FILES);
    programs.into_iter().chain(files.map(str::to_owned)).collect()
}

/// Installs what is missing.
pub fn install_wordpress() -> Result<()> {
    let packages = missing_packages(&PROGRAMS);
    if !packages.is_empty() {
        apt_install("PHP, MariaDB and gettext", &packages)?;
    }
    if wordpress().is_dir() { Ok(()) } else { apt_unpack("WordPress", &WORDPRESS, &unpacked()) }
}

/// A PATH on which the database server is found.
pub fn path_of_servers() -> Result<OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain([PathBuf::from(SERVERS)]);
    env::join_paths(folders).map_err(|error| fault!("the PATH: {error}"))
}
