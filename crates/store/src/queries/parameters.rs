//! Lists of parameters in statements.

/// A list of so many parameters, numbered from the first on. Nothing for none, because no engine
/// must understand an empty list.
pub(super) fn numbered(first: usize, count: usize) -> Option<String> {
    let numbers: Vec<String> = (first..).take(count).map(|number| format!("${number}")).collect();
    (!numbers.is_empty()).then(|| numbers.join(", "))
}

#[cfg(test)]
mod tests {
    use super::numbered;

    #[test]
    fn parameters_are_listed_by_number() {
        assert_eq!(numbered(3, 0), None);
        assert_eq!(numbered(3, 1).as_deref(), Some("$3"));
        assert_eq!(numbered(3, 3).as_deref(), Some("$3, $4, $5"));
    }
}
