//! What the texts beside operators' codes say.
//!
//! The texts are for people, and operators do not promise them. So a text only makes the reason of
//! a failure more exact, where the code stands for several reasons. It never decides whether an
//! order has failed.

/// Whether a text says that the payer entered a wrong PIN.
pub(crate) fn is_wrong_pin(text: &str) -> bool {
    let text = text.to_lowercase();
    let has_pin = text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "pin");
    has_pin && contains_any(&text, &["wrong", "incorrect", "invalid"])
}

/// Whether a text says that the payer did not respond in time.
pub(crate) fn is_timeout(text: &str) -> bool {
    contains_any(&text.to_lowercase(), &["in time", "timed out", "timeout", "time out", "expired"])
}

/// Whether a text says that the network refused a payout.
pub(crate) fn is_refusal(text: &str) -> bool {
    contains_any(&text.to_lowercase(), &["refused", "not permitted"])
}

fn contains_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_name_their_reasons() {
        let wrong_pin = "The customer did not approve because an incorrect PIN was entered.";
        let late = "The customer did not authorize the payment in time.";
        let refused = "The provider refused the payment.";
        for (text, expected) in [
            (wrong_pin, [true, false, false]),
            ("Wrong pin", [true, false, false]),
            (late, [false, true, false]),
            ("PIN timed out", [false, true, false]),
            (refused, [false, false, true]),
            ("Transaction not permitted", [false, false, true]),
            ("The customer rejected the payment.", [false, false, false]),
            ("Wrong shipping address", [false, false, false]),
            ("", [false, false, false]),
        ] {
            assert_eq!(
                [is_wrong_pin(text), is_timeout(text), is_refusal(text)],
                expected,
                "{text}"
            );
        }
    }
}
