//! The emulator that is called in place of the operators that people connect in the dashboard.

use tua_operators::settings::is_loopback;
use url::Url;

/// Parses the emulator's URL, which must be on a loopback address. No public service may call an
/// emulator: its live payments would not be real.
///
/// # Errors
/// A sentence that names the setting.
pub(super) fn parse_emulator_url(
    text: Option<&str>,
    public_url: &str,
) -> Result<Option<Url>, String> {
    let Some(text) = text else { return Ok(None) };
    let emulator = Url::parse(text).ok().filter(is_loopback);
    let emulator = emulator.ok_or_else(|| {
        format!("operator-emulator: {text:?} is not a URL such as http://127.0.0.1:9100")
    })?;
    if Url::parse(public_url).is_ok_and(|url| is_loopback(&url)) {
        return Ok(Some(emulator));
    }
    Err(format!(
        "operator-emulator: the public URL {public_url} is not on a loopback address; live payments \
         would not be real"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_on_loopback_and_so_is_the_service() {
        let emulator = Some("http://127.0.0.1:9100");
        let local = "http://127.0.0.1:8080";
        assert!(parse_emulator_url(emulator, local).unwrap().is_some());
        assert_eq!(parse_emulator_url(None, "https://pay.example"), Ok(None));
        for (emulator, public_url) in [
            (emulator, "https://pay.example"),
            (Some("http://emulator.example"), local),
            (Some("127.0.0.1"), local),
        ] {
            let fault = parse_emulator_url(emulator, public_url).unwrap_err();
            assert!(fault.starts_with("operator-emulator: "), "{fault}");
        }
    }
}
