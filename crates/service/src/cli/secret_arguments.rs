//! Finds secrets among the arguments of a command: every user of the machine can read them, for
//! example with `ps`.

use tua_domain::{Generation, Mode, SecretKey};

/// What begins a webhook secret.
const WEBHOOK_SECRET: &str = "whsec_";

/// Warns of each secret, and names its flag and never the secret.
pub(super) fn warn(arguments: impl Iterator<Item = String>) {
    for flag in find(arguments) {
        tracing::warn!(
            flag,
            "a secret is on the command line, where every user of this machine can read it: put it \
             into the environment (TUA_DATABASE, TUA_COPY_TO) or into a file that only its owner \
             can read"
        );
    }
}

/// The flags whose values are secrets; the command where it has no flag.
fn find(arguments: impl Iterator<Item = String>) -> Vec<String> {
    let mut found = Vec::new();
    let mut flag = None;
    for argument in arguments {
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (Some(name.to_owned()), value),
            _ => (flag.take(), argument.as_str()),
        };
        if has_password(value) || is_key(value) {
            found.push(name.unwrap_or_else(|| "an argument".to_owned()));
        }
        flag = argument.starts_with("--").then(|| argument.clone());
    }
    found
}

/// Whether it is the URL of a database with a password. Other URLs with one are refused where they
/// are read. Not parsed as a URL: it may name several hosts.
fn has_password(value: &str) -> bool {
    let Some((_, rest)) =
        value.split_once("://").filter(|(scheme, _)| scheme.starts_with("postgres"))
    else {
        return false;
    };
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let user = authority.rsplit_once('@').map(|(user, _)| user);
    let password = user.and_then(|user| user.split_once(':')).map(|(_, password)| password);
    password.is_some_and(|password| !password.is_empty()) || rest.contains("password=")
}

fn is_key(value: &str) -> bool {
    let of_mode =
        |mode| Generation::ALL.iter().map(move |generation| SecretKey::prefix(mode, *generation));
    let mut prefixes = Mode::ALL.iter().copied().flat_map(of_mode).chain([WEBHOOK_SECRET]);
    prefixes.any(|prefix| value.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_named_by_its_flag() {
        let found = |line: &str| find(line.split(' ').map(str::to_owned));
        for (line, flags) in [
            (
                "tua copy --from sqlite://tua.db --to postgres://tua:hunter2@db.example/tua",
                &["--to"][..],
            ),
            (
                "tua key list --database=postgres://tua:hunter2@one,two/tua?sslmode=disable",
                &["--database"],
            ),
            (
                "tua key list --database postgres://db.example/tua?user=tua&password=hunter2",
                &["--database"],
            ),
            (
                "tua serve --database postgres://tua@db.example/tua --public-url \
                 https://pay.example",
                &[],
            ),
            ("tua emulate tua_live_v2_abc", &["an argument"]),
            ("tua webhook add --url https://tua:hunter2@shop.example/", &[]),
            ("tua key list --json", &[]),
        ] {
            assert_eq!(found(line), flags, "{line}");
        }
    }
}
