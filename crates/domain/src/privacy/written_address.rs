//! Finds an e-mail address in any text, in any case of any alphabet.

/// Where a text has an address, in any case.
pub(super) fn mentions(text: &str, address: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, _) in text.char_indices() {
        // They are overwritten one by one, so they must not overlap.
        if found.last().is_some_and(|&(_, end)| at < end) {
            continue;
        }
        let (before, rest) = text.split_at(at);
        let Some(length) = length_in_any_case(rest, address) else { continue };
        let after = &rest[length..];
        let begins = !before.ends_with(|last| is_of_address(last) || last == '.');
        let ends = !after.strip_prefix('.').unwrap_or(after).starts_with(is_of_address);
        if begins && ends {
            found.push((at, at + length));
        }
    }
    found
}

/// The length of `needle` at the start of `text`, whose letters may have another case and so
/// another length.
fn length_in_any_case(text: &str, needle: &str) -> Option<usize> {
    let mut wanted = needle.chars().flat_map(char::to_lowercase).peekable();
    for (at, character) in text.char_indices() {
        if wanted.peek().is_none() {
            return Some(at);
        }
        if !character.to_lowercase().all(|letter| wanted.next() == Some(letter)) {
            return None;
        }
    }
    wanted.peek().is_none().then_some(text.len())
}

/// Whether two addresses differ in case at most.
pub(super) fn is_same_address(one: &str, other: &str) -> bool {
    length_in_any_case(one, other) == Some(one.len())
}

fn is_of_address(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '+' | '%')
}
