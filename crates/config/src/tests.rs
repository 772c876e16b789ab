//! Every fault of the settings is reported.

use super::*;
use tua_domain::rate_limit::Rate;

#[test]
fn every_fault_is_said_at_once() {
    let settings = RawSettings {
        public_url: Some("ftp://pay.example".to_owned()),
        sandbox_speed: Some("-1".to_owned()),
        limits: Some(LimitSettings::Keyword("some".to_owned())),
        tls_cert: Some(PathBuf::from("tua.pem")),
        trusted_proxies: Some("proxy".to_owned()),
        ..RawSettings::default()
    };
    let faults = Config::resolve(settings, Some("mysql://x".to_owned()), None).unwrap_err();
    assert_eq!(faults.len(), 6, "{faults:?}");
}

#[test]
fn the_command_line_goes_before_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tua.toml");
    fs::write(
        &path,
        "listen = \"127.0.0.1:1\"\nlimits = \"off\"\ndatabase = \"sqlite://file.db\"\n",
    )
    .unwrap();
    let flags = RawSettings { listen: Some("127.0.0.1:2".to_owned()), ..RawSettings::default() };
    let config = Config::resolve(flags, None, Some(&path)).unwrap();
    assert_eq!((config.listen.as_str(), config.limits), ("127.0.0.1:2", Limits::Off));
    assert_eq!(config.database, Database::Sqlite(PathBuf::from("file.db")));
}

fn resolve(flags: RawSettings, file: &str) -> Result<Config, Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tua.toml");
    fs::write(&path, file).unwrap();
    Config::resolve(flags, None, Some(&path))
}

#[test]
fn a_byte_order_mark_before_the_file_is_skipped() {
    let config = resolve(RawSettings::default(), "\u{feff}listen = \"127.0.0.1:1\"\n").unwrap();
    assert_eq!(config.listen, "127.0.0.1:1");
}

#[test]
fn an_unknown_setting_in_the_file_is_named() {
    for (file, name) in [
        ("listne = \"127.0.0.1:1\"\n", "listne"),
        ("[limits]\nadress = { quota = 1, window = 1 }\n", "adress"),
        ("[limits]\naddress = { quota = 1, windw = 1 }\n", "windw"),
    ] {
        let faults = resolve(RawSettings::default(), file).unwrap_err();
        assert!(faults[0].contains("tua.toml") && faults[0].contains(name), "{faults:?}");
    }
}

#[test]
fn rates_stand_in_the_file_until_the_command_line_lifts_them() {
    let file = "[limits]\naddress = { quota = 7, window = 9 }\n";
    let rates = Rates { address: Rate::new(7, 9).unwrap(), ..Rates::default() };
    for (flag, limits) in [
        (None, Limits::On(rates)),
        (Some("default"), Limits::On(rates)),
        (Some("off"), Limits::Off),
    ] {
        let flags = RawSettings {
            limits: flag.map(|keyword| keyword.parse().unwrap()),
            ..RawSettings::default()
        };
        assert_eq!(resolve(flags, file).unwrap().limits, limits);
    }
    let faults =
        resolve(RawSettings::default(), "listen = \"x\"\nlimits = \"some\"\ntls-key = \"k\"\n")
            .unwrap_err();
    assert_eq!(faults.len(), 2, "{faults:?}");
}
