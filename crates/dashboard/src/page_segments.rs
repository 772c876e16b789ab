//! The page that has the form of a route, by its path.

/// How many segments the longest page has with which this path begins.
pub(super) fn page_segments(path: &str, pages: &[&str]) -> usize {
    let begins = |page: &&&str| {
        path.strip_prefix(**page).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    pages.iter().filter(begins).map(|page| page.matches('/').count()).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_on_the_page_with_the_longest_common_path() {
        let pages = ["/payments", "/payments/{id}", "/payouts", "/webhooks/{id}/deliveries"];
        for (path, segments) in [
            ("/payments/{id}/settle", 2),
            ("/payouts/{id}/approve", 1),
            ("/webhooks/{id}/deliveries/{delivery}/resend", 3),
            ("/people/invite", 0),
        ] {
            assert_eq!(page_segments(path, &pages), segments, "{path}");
        }
    }
}
