//! Checks the settings, and what is built into the program.

use super::{network, report::Report};
use std::{fs, os::unix::fs::PermissionsExt};
use tua_config::{Config, key_file};
use tua_domain::public_url::PublicUrl;
use tua_net::limits::Limits;
use tua_store::database::{Database, server_key_path};
use tua_web::http::is_component_built;

/// The mode bits that give access to others than the file's owner.
const GROUP_AND_OTHERS: u32 = 0o077;

pub(super) fn check(report: &mut Report, config: &Config, public: &PublicUrl) {
    report.ok("configuration", format!("listens on {}, public URL {public}", config.listen));
    if config.sandbox_phone && !network::is_loopback(public) {
        let message = "anyone who can reach the service can approve test payments";
        report.warning("sandbox phone", message, "leave out --sandbox-phone");
    }
    if is_component_built() {
        report.ok("component", "built");
    } else {
        let remedy = "run `cargo xtask dist` and build `tua` again";
        report.warning(
            "component",
            "not built: /sdk/ does not work, and /pay works without the component",
            remedy,
        );
    }
    check_server_key(report, config);
}

fn check_server_key(report: &mut Report, config: &Config) {
    const CHECK: &str = "server key";
    if !config.server_keys.is_empty() {
        return report.ok(CHECK, "from TUA_SERVER_KEY");
    }
    let Database::Sqlite(database) = &config.database else {
        let remedy = "set it, to the same key on all nodes";
        return report.fault(CHECK, "TUA_SERVER_KEY is missing, which PostgreSQL needs", remedy);
    };
    let path = server_key_path(database);
    let label = path.display();
    let mode = match fs::metadata(&path) {
        Ok(file) => file.permissions().mode(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && database.exists() => {
            let remedy =
                "restore it from where you keep its copy; without it the service does not start";
            return report.fault(CHECK, format!("{label} is missing"), remedy);
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return report.ok(CHECK, format!("{label} is created when the service starts"));
        }
        Err(error) => {
            return report.fault(
                CHECK,
                format!("{label}: {error}"),
                "make it readable to the service",
            );
        }
    };
    if mode & GROUP_AND_OTHERS != 0 {
        let message = format!("{label} is accessible to other users (mode {:o})", mode & 0o777);
        return report.fault(CHECK, message, format!("run `chmod 600 {label}`"));
    }
    match key_file::load(&path) {
        Ok(_) => report.ok(CHECK, format!("{label}, accessible to its owner alone")),
        Err(fault) => report.fault(CHECK, fault, "restore it from where you keep its copy"),
    }
}

pub(super) fn check_limits(report: &mut Report, config: &Config, live_keys: usize) {
    const CHECK: &str = "limits";
    match (config.limits, live_keys) {
        (Limits::On(_), _) => report.ok(CHECK, "on"),
        (Limits::Off, 0) => {
            report.warning(
                CHECK,
                "off: nothing is rate-limited",
                "keep --limits at default except for tests",
            );
        }
        (Limits::Off, _) => {
            let message =
                format!("off, which the service refuses while live keys exist ({live_keys} do)");
            report.fault(CHECK, message, "keep --limits at default");
        }
    }
}
