//! A fault of a settings file in one line: the line, the setting, and what is wrong with it.

/// Describes an error of a settings file with this text.
pub(super) fn describe(text: &str, error: &toml::de::Error) -> String {
    let message = in_plain_words(error.message());
    let Some(begin) = error.span().map(|span| span.start.min(text.len())) else {
        return message;
    };
    let before = text.get(..begin).unwrap_or(text);
    let number = before.matches('\n').count();
    let place = format!("line {}", number + 1);
    match setting(text, number) {
        Some(setting) => format!("{place}: {setting}: {message}"),
        None => format!("{place}: {message}"),
    }
}

/// The setting of a line, counted from 0, with the table that it is in: `limits.prompt`. `None` if
/// the line has none.
fn setting(text: &str, line: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let written = lines.get(line)?;
    if let Some(table) = table(written) {
        return Some(table.to_owned());
    }
    let (key, _) = written.split_once('=')?;
    let within = lines[..line].iter().rev().find_map(|line| table(line));
    Some(within.map_or_else(|| key.trim().to_owned(), |table| format!("{table}.{}", key.trim())))
}

/// The name of a table, if the line begins one: `[limits]` or `[[sandbox.tariffs]]`.
fn table(line: &str) -> Option<&str> {
    let name = line.strip_prefix('[')?.trim_start_matches('[');
    name.split(']').next().map(str::trim)
}

/// The message of the parser without the names of serde: which type the value has, and which one
/// is expected.
fn in_plain_words(message: &str) -> String {
    let types = message.strip_prefix("invalid type: ").and_then(|it| it.split_once(", expected "));
    match types {
        Some((found, "a string")) => {
            format!("this is the {found}, but it must be a text: write it in double quotes")
        }
        Some((found, expected)) => format!("this is the {found}, but it must be {expected}"),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::describe;

    fn fault(text: &str) -> String {
        describe(text, &crate::parse(text).unwrap_err())
    }

    #[test]
    fn a_fault_names_the_line_the_setting_and_what_is_expected() {
        let text = "listen = \"127.0.0.1:8080\"\n# Faster.\nsandbox-speed = 10\n";
        assert_eq!(
            fault(text),
            "line 3: sandbox-speed: this is the integer `10`, but it must be a text: write it in \
             double quotes"
        );
        let rate = fault("[limits]\nprompt-live = 5\n");
        for part in ["limits", "quota = ", "window = ", "integer `5`"] {
            assert!(rate.contains(part), "{rate}");
        }
        assert!(!rate.contains("struct"), "{rate}");
        let unknown = fault("\nlisten-to = \"127.0.0.1:8080\"\n");
        assert!(unknown.starts_with("line 2: listen-to: unknown field"), "{unknown}");
        assert!(fault("listen = \n").starts_with("line 1: listen: "));
    }
}
