//! Reads the settings of one operator, `[operators.NAME]` of the settings file, and collects every
//! fault.

use secrecy::SecretString;
use std::{fs, os::unix::fs::PermissionsExt, path::Path};
use toml::{Table, Value};
use url::{Host, Url};

/// The mode bits that give access to others than the file's owner.
const GROUP_AND_OTHERS: u32 = 0o077;

/// The table of one operator while it is read. Each value that is read is removed; what is left at
/// the end is unknown.
#[derive(Debug)]
pub struct SettingsReader {
    /// The name of the table in faults, such as `operators.mtn`.
    name: String,
    table: Table,
    faults: Vec<String>,
}

impl SettingsReader {
    /// A reader of this table, whose faults begin with `name`.
    #[must_use]
    pub const fn new(name: String, table: Table) -> Self {
        Self { name, table, faults: Vec::new() }
    }

    /// Adds a fault of this setting.
    pub fn fault(&mut self, key: &str, fault: &str) {
        self.faults.push(format!("{}.{key}: {fault}", self.name));
    }

    /// An optional text; `None` where it is missing. An empty one is a fault.
    pub fn text(&mut self, key: &str) -> Option<String> {
        match self.table.remove(key)? {
            Value::String(text) if !text.trim().is_empty() => Some(text),
            _ => {
                self.fault(key, "must be a text that is not empty");
                None
            }
        }
    }

    /// A required text; it is a fault if it is missing or empty.
    pub fn required_text(&mut self, key: &str) -> Option<String> {
        self.require(key)?;
        self.text(key)
    }

    /// An optional switch; `false` where it is missing.
    pub fn flag(&mut self, key: &str) -> bool {
        match self.table.remove(key) {
            None => false,
            Some(Value::Boolean(flag)) => flag,
            Some(_) => {
                self.fault(key, "must be true or false");
                false
            }
        }
    }

    /// A required boolean; it is a fault if it is missing.
    pub fn required_flag(&mut self, key: &str) -> Option<bool> {
        self.require(key)?;
        match self.table.remove(key)? {
            Value::Boolean(flag) => Some(flag),
            _ => {
                self.fault(key, "must be true or false");
                None
            }
        }
    }

    /// An optional whole number in this range.
    pub fn number(&mut self, key: &str, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
        match self.table.remove(key)? {
            Value::Integer(number) if range.contains(&number) => Some(number),
            _ => {
                let fault =
                    format!("must be a whole number from {} to {}", range.start(), range.end());
                self.fault(key, &fault);
                None
            }
        }
    }

    /// An optional list of texts.
    pub fn list(&mut self, key: &str) -> Option<Vec<String>> {
        let value = self.table.remove(key)?;
        let texts = value
            .as_array()
            .map(|items| items.iter().map(|item| item.as_str().map(str::to_owned)).collect());
        match texts {
            Some(Some(texts)) => Some(texts),
            _ => {
                self.fault(key, "must be a list of texts");
                None
            }
        }
    }

    /// Whether the table has this setting, and it is not read yet.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// As [`Self::choice`], but it may be missing, and is `default` then.
    pub fn optional_choice<T: Copy>(
        &mut self,
        key: &str,
        choices: &[(&str, T)],
        default: T,
    ) -> Option<T> {
        if self.has(key) { self.choice(key, choices) } else { Some(default) }
    }

    /// One of these texts.
    pub fn choice<T: Copy>(&mut self, key: &str, choices: &[(&str, T)]) -> Option<T> {
        let text = self.required_text(key)?;
        let found = choices.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        if found.is_none() {
            let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
            self.fault(key, &format!("{text:?} is not one of {}", names.join(", ")));
        }
        found
    }

    /// A required secret: a text, `{ env = "NAME" }` or `{ file = "PATH" }`. A fault never repeats
    /// the value.
    pub fn secret(&mut self, key: &str) -> Option<SecretString> {
        self.require(key)?;
        self.optional_secret(key)
    }

    /// As [`Self::secret`], but it may be missing.
    pub fn optional_secret(&mut self, key: &str) -> Option<SecretString> {
        let value = self.table.remove(key)?;
        match resolve_secret(&value) {
            Ok(secret) => Some(secret),
            Err(fault) => {
                self.fault(key, &fault);
                None
            }
        }
    }

    /// A required table of settings of its own, such as `collection = { … }`.
    pub fn table(&mut self, key: &str) -> Option<Self> {
        self.require(key)?;
        self.optional_table(key)
    }

    /// As [`Self::table`], but it may be missing.
    pub fn optional_table(&mut self, key: &str) -> Option<Self> {
        match self.table.remove(key)? {
            Value::Table(table) => Some(Self::new(format!("{}.{key}", self.name), table)),
            _ => {
                self.fault(key, "must be a table such as { user = \"…\" }");
                None
            }
        }
    }

    /// An optional list of tables, such as `[[operators.mtn.tariffs]]`. Each must be closed.
    pub fn tables(&mut self, key: &str) -> Vec<Self> {
        let Some(value) = self.table.remove(key) else { return Vec::new() };
        let Value::Array(items) = value else {
            self.fault(key, "must be a list of tables");
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (index, item) in items.into_iter().enumerate() {
            match item {
                Value::Table(table) => {
                    tables.push(Self::new(format!("{}.{key}[{index}]", self.name), table))
                }
                _ => self.fault(&format!("{key}[{index}]"), "must be a table"),
            }
        }
        tables
    }

    /// The text of an optional whole number, decimal number or day. A decimal number must be
    /// written as a text, because a TOML number with a point is a floating-point number.
    pub fn literal(&mut self, key: &str) -> Option<String> {
        let fault = match self.table.remove(key)? {
            Value::String(text) => return Some(text),
            Value::Integer(number) => return Some(number.to_string()),
            Value::Datetime(day) => return Some(day.to_string()),
            Value::Float(number) => {
                format!("must be a text, such as \"{number}\"; numbers with a point are not exact")
            }
            _ => "must be a text".to_owned(),
        };
        self.fault(key, &fault);
        None
    }

    /// An optional URL: `https`, or `http` on a loopback address.
    pub fn url(&mut self, key: &str) -> Option<Url> {
        let text = self.text(key)?;
        match Url::parse(&text) {
            Ok(url) if url.scheme() == "https" || (url.scheme() == "http" && is_loopback(&url)) => {
                Some(url)
            }
            _ => {
                self.fault(
                    key,
                    &format!("{text:?} is not an https:// URL, nor http:// on a loopback address"),
                );
                None
            }
        }
    }

    /// Ends a table that was read with [`Self::table`], and adds its faults to these.
    pub fn close(&mut self, inner: Self) {
        self.faults.extend(inner.finish());
    }

    /// Every fault, and one for each setting that is unknown.
    #[must_use]
    pub fn finish(mut self) -> Vec<String> {
        for key in self.table.keys() {
            self.faults.push(format!("{}.{key}: there is no such setting", self.name));
        }
        self.faults
    }

    fn require(&mut self, key: &str) -> Option<()> {
        if self.has(key) {
            return Some(());
        }
        self.fault(key, "is required");
        None
    }
}

/// Whether a URL names a loopback address.
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn resolve_secret(value: &Value) -> Result<SecretString, String> {
    const FORM: &str = "must be a text, { env = \"NAME\" } or { file = \"PATH\" }";
    let secret = match value {
        Value::String(text) => text.clone(),
        Value::Table(table) => match (table.len(), table.iter().next()) {
            (1, Some((key, Value::String(name)))) if key == "env" => std::env::var(name)
                .map_err(|_| format!("the environment variable {name} is not set"))?,
            (1, Some((key, Value::String(path)))) if key == "file" => {
                read_secret_file(Path::new(path))?
            }
            _ => return Err(FORM.to_owned()),
        },
        _ => return Err(FORM.to_owned()),
    };
    let secret = secret.trim();
    if secret.is_empty() { Err("is empty".to_owned()) } else { Ok(SecretString::from(secret)) }
}

fn read_secret_file(path: &Path) -> Result<String, String> {
    let shown = path.display();
    let mode =
        fs::metadata(path).map_err(|error| format!("file {shown}: {error}"))?.permissions().mode();
    if mode & GROUP_AND_OTHERS != 0 {
        let mode = mode & 0o777;
        return Err(format!(
            "file {shown} is accessible to other users (mode {mode:o}); run `chmod 600 {shown}`"
        ));
    }
    fs::read_to_string(path).map_err(|error| format!("file {shown}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secrecy::ExposeSecret;

    fn reader(text: &str) -> SettingsReader {
        SettingsReader::new("operators.mtn".to_owned(), text.parse().unwrap())
    }

    #[test]
    fn every_fault_is_reported_and_no_secret_is_repeated() {
        let mut settings = reader(
            "key = 12\nurl = \"http://api.example\"\nmode = \"lvie\"\ndrain = \"yes\"\nother = 1\n\
             empty = \"\"\n\
             secret = { env = \"TUA_NO_SUCH_VARIABLE\" }\nfrom = { path = \"hunter2\" }",
        );
        assert!(
            settings.secret("key").is_none()
                && settings.url("url").is_none()
                && !settings.flag("drain")
        );
        assert_eq!(settings.choice("mode", &[("live", 1), ("test", 2)]), None);
        assert!(settings.required_text("merchant").is_none() && settings.text("empty").is_none());
        assert!(settings.secret("secret").is_none() && settings.secret("from").is_none());
        let faults = settings.finish();
        assert_eq!(faults.len(), 9, "{faults:#?}");
        assert!(
            faults
                .iter()
                .all(|fault| fault.starts_with("operators.mtn.") && !fault.contains("hunter2"))
        );
    }

    #[test]
    fn a_secret_is_read_from_a_file_that_only_its_owner_can_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        fs::write(&path, "hunter2\n").unwrap();
        let text = format!("key = {{ file = {:?} }}", path.to_str().unwrap());
        for (mode, is_read) in [(0o644, false), (0o640, false), (0o600, true), (0o400, true)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let mut settings = reader(&text);
            let secret = settings.secret("key");
            assert_eq!(
                secret.as_ref().map(ExposeSecret::expose_secret),
                is_read.then_some("hunter2"),
                "{mode:o}"
            );
            assert_eq!(settings.finish().is_empty(), is_read);
        }
    }

    #[test]
    fn plain_http_is_for_loopback_addresses_only() {
        for (url, is_right) in [
            ("https://api.example/v1", true),
            ("http://127.0.0.1:9100/mtn", true),
            ("http://[::1]:9100", true),
            ("http://localhost:1", true),
            ("http://10.0.0.1", false),
            ("ftp://api.example", false),
        ] {
            assert_eq!(reader(&format!("url = {url:?}")).url("url").is_some(), is_right, "{url}");
        }
    }
}
