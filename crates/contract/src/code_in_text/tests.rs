//! What is a code in a sentence, and what is none.

use super::*;
use proptest::prelude::*;

fn typed(text: &str) -> Option<String> {
    Code::parse_typed(text).ok().map(|code| code.expose().to_owned())
}

#[test]
fn the_code_in_a_sentence_is_found() {
    for (text, code) in [
        ("Your code is 123456.", "123456"),
        ("Your code is 123 456. It ends in 10 minutes.", "123456"),
        ("123-456 is your Telecel code", "123456"),
        ("Your voucher is 123 4567.", "1234567"),
        ("Your code is 1234 56", "123456"),
        ("1 234 567 is your voucher", "1234567"),
        ("OTP:123456", "123456"),
        ("YOUR OTP IS 123456 DO NOT SHARE IT", "123456"),
        ("<#> 123456 is the code. 123456!", "123456"),
        ("<#> Your code is 123456 FA+9qCX9VSu", "123456"),
        ("(123456) ends in 10mins", "123456"),
        ("\u{1f510}123456 is your code", "123456"),
        ("Voucher 7654321 for *110#", "7654321"),
        ("The code for 0241234567 is 4321", "4321"),
        ("The code for 241234567 is 4321", "4321"),
        ("Code for 024 123 4567 is 123456", "123456"),
        ("Code for +233 24 123 4567 is 123456", "123456"),
        ("Code for 024-123-4567: 4829", "4829"),
        ("Pay GHS 5,000.00 at 14:02 with code 654321", "654321"),
        ("Pay GHS 5000 with code 654321", "654321"),
        ("Pay GHS5000 with code 654321", "654321"),
        ("Pay GH₵5000 or ₵ 5000 or GH¢ 5000 with code 654321", "654321"),
        ("Pay 5000 cedis or 1 000 Ghana cedis with code 654321", "654321"),
        ("Code 123456, 25 Nov 2026", "123456"),
        ("Code 123456, Nov. 25, 2026 14:02", "123456"),
        ("Code 123456, 25-11-2026", "123456"),
        ("Code 123456, 2026-11-25", "123456"),
        ("Code 123456 (25/11/2026)", "123456"),
        ("Code 123456, 25-Nov-2026", "123456"),
        ("Code 123456. Id 12345678901234.", "123456"),
        ("Your code is 2026", "2026"),
    ] {
        assert_eq!(typed(text).as_deref(), Some(code), "{text:?}");
    }
}

#[test]
fn a_code_that_may_be_cut_or_another_number_is_refused() {
    for text in [
        "ABCD-1234",
        "ABCD 1234",
        "G-123456 is your code",
        "Your code is ABCD 1234",
        "Your code is ABCD-1234",
        "Your code is 1234 EFGH",
        "TX4829 is your code",
        "OTP is 48291O",
        "1234_56",
        "1234:56",
        "code: 1234:56",
        "code 1234|56",
        "code 1234'56",
        "code 1234\u{2019}56",
        "code *1234*",
        "code 1234 | 56",
        "code 1234  56",
        "code 1234 - 56",
        "code 1234\n56",
        "①②③456789",
        "①②③ 456789",
        "1\u{20e3}2\u{20e3}3\u{20e3}4\u{20e3} 5678",
        "code é1234",
        "code 1234é",
        "Code 4829 1000 cedis",
        "Code 4829 10 minutes",
        "Code 4829 25 Nov 2026",
        "Code 4829 GHS 5000",
        "Pay GHS 5000 to Kofi. Dial *110# for the voucher",
        "Pay GHS5000 to Kofi",
        "Pay 5000 cedis to Kofi",
        "Pay 5000 GHS to Kofi",
        "Pay GH₵ 5000 to Kofi",
        "The code for 241234567 is AB12CD",
        "The code for 024 123 4567 is on its way",
        "Your code is 123456 or 654321",
        "Your code is 123456 789012",
        "Your code is 1234.5678",
        "Your code is 12",
        "Dated 25 Nov 2026",
        "Dated November 2026",
        "Dated 25-11-2026",
    ] {
        assert_eq!(typed(text), None, "{text:?}");
    }
}

#[test]
fn a_whole_sms_is_read() {
    let sms = format!("{}Your code is 123456. {}", "Do not share this. ".repeat(10), "Thank you. ".repeat(10));
    assert!(sms.len() > 300);
    assert_eq!(typed(&sms).as_deref(), Some("123456"));
}

proptest! {
    #[test]
    fn a_code_in_words_is_found(
        code in "[13-46-9][0-9]{3,9}",
        before in "[a-z ,.]{0,30}",
        after in "[ei-lp-rv-z]{4}[a-z ,.]{0,30}",
    ) {
        prop_assert_eq!(typed(&format!("x{before} is {code} {after}x")), Some(code));
    }

    // Not the signs after which another sentence or clause begins.
    #[test]
    fn a_code_is_whole_or_refused(
        code in "[0-9]{4,10}",
        at in 1_usize..9,
        gap in "[-a-zA-Z _:'|*%&=@`~^$²①é\u{2011}\n]{1,2}",
    ) {
        let at = at.min(code.len() - 1);
        let text = format!("Your code is {}{gap}{}", &code[..at], &code[at..]);
        let read = typed(&text);
        prop_assert!(read.is_none() || read == Some(code), "{:?}", text);
    }
}
