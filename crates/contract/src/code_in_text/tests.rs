//! What is a code in a sentence, and what is none.

use crate::Code;
use proptest::prelude::*;

fn typed(text: &str) -> Option<String> {
    Code::parse_typed(text).ok().map(|code| code.expose().to_owned())
}

#[test]
fn the_code_in_a_sentence_is_found() {
    for (text, code) in [
        ("Your code is 123456.", "123456"),
        ("Your code is 123 456. Do not share it", "123456"),
        ("Your code is 123 456. It ends in 10 minutes.", "123456"),
        ("123456 is your voucher", "123456"),
        ("Your voucher is 1234 5678", "12345678"),
        ("OTP: 123456", "123456"),
        ("OTP 123456", "123456"),
        ("YOUR OTP IS 123456", "123456"),
        ("Your OTP is 123456. MTN does not ask for it.", "123456"),
        ("رمزك هو ١٢٣٤٥٦ صالح لمدة ١٠ دقائق", "123456"),
        ("Pay GHS 10.00 with code 654321", "654321"),
        ("Pay GHS 5,000.00 with code 654321", "654321"),
        ("Pay GHS 5,000 with code 654321", "654321"),
        ("Pay GHS 5000 with code 654321", "654321"),
        ("Pay GHS5,000 with code 654321", "654321"),
        ("Pay GH₵5000 or ghs 5000 or GH¢ 5000 with code 654321", "654321"),
        ("Pay 5.50 cedis with code 654321", "654321"),
        ("Pay 5,000 Cedis or 1000 Ghana cedis or 10 CEDIS with code 654321", "654321"),
        ("Votre code est 123456, valable 10 minutes", "123456"),
        ("Your code is:\n123456\nThank you", "123456"),
    ] {
        assert_eq!(typed(text).as_deref(), Some(code), "{text:?}");
    }
}

#[test]
fn a_code_that_may_be_cut_or_another_number_is_refused() {
    for text in [
        "ABCD-1234",
        "ABCD 1234",
        "ABCD  1234",
        "ABCD\n1234",
        "ABCD - 1234",
        "G-123456 is your code",
        "G 123456 is your code",
        "Your code is x 1234",
        "Your code is ABCD 1234",
        "Your code is ABCD-1234",
        "Your code is 1234 EFGH",
        "Your code is 1234 - EFGH",
        "Hello. ABCD 1234 is your code",
        "TX4829 is your code",
        "OTP is 48291O",
        "1234_56",
        "1234:56",
        "code: 1234:56",
        "code 1234|56",
        "code 1234'56",
        "code 1234\u{2019}56",
        "code *1234*",
        "code ** 1234",
        "code ...1234",
        "code 1234...",
        "code 1234 ...",
        "code 1234\u{2026}",
        "code \u{2022}\u{2022} 1234",
        "code 1234 | 56",
        "code 1234 \u{d7} 56",
        "code 1234 x 56",
        "code 1234  56",
        "code 1234 - 56",
        "code 1234, 56",
        "code 1234. 56",
        "code 1234 (56)",
        "code 1234 56",
        "code 12 34",
        "code 1234\n56",
        "①②③456789",
        "①②③ 456789",
        "1\u{20e3}2\u{20e3}3\u{20e3}4\u{20e3} 5678",
        "code é1234",
        "code 1234é",
        "Code 4829 1000 cedis",
        "Code 4829 10 minutes",
        "Code 4829 10.00",
        "Code 4829 for 10.00",
        "code 1234- 56",
        "Code 4829 25 Nov 2026",
        "Code 4829 GHS 5000",
        "Code 123,456 for order 7890",
        "Pay GHS 5000 to Kofi",
        "Pay GHS 5 000 to Kofi with code 4829",
        "Pay GHS5000 to Kofi",
        "Pay 5000 cedis to Kofi",
        "Pay 1000 Ghana cedis to Kofi",
        "Pay 5000 GHS to Kofi",
        "Pay GH₵ 5000 to Kofi",
        "Your code is 123456 or 654321",
        "Your code is 123456 789012",
        "Your code is 1234.5678",
        "Your code is 12",
        "Pay 5000 Cedis to Kofi",
        "Pay ₵ 5000 with code 4829",
    ] {
        assert_eq!(typed(text), None, "{text:?}");
    }
}

#[test]
fn a_sentence_with_a_phone_number_a_date_a_time_an_id_or_other_signs_beside_the_code_is_refused() {
    for text in [
        "123-456 is your Telecel code",
        "(123456) is your code",
        "OTP:123456",
        "YOUR OTP IS 123456 DO NOT SHARE IT",
        "The code for 0241234567 is 4321",
        "The code for 0241234567 is on its way",
        "The code for 241234567 is AB12CD",
        "The code for 241234567 is on its way",
        "The code for 024 123 4567 is on its way",
        "Code for +233 24 123 4567 is 123456",
        "Code for 024-123-4567: 4829",
        "Dial *110# for the voucher 7654321",
        "Code 123456, 25 Nov 2026",
        "Code 123456, 25-11-2026",
        "Code 123456 (25/11/2026)",
        "Code 123456 at 14:02",
        "Dated 25 Nov 2026",
        "Dated November 2026",
        "Dated 25-11-2026",
        "Code 123456. Id 12345678901234.",
        "<#> Your code is 123456 FA+9qCX9VSu",
        "Your code is 123456. It ends in 10mins",
        "Order #4829 is on its way",
    ] {
        assert_eq!(typed(text), None, "{text:?}");
    }
}

#[test]
fn a_whole_sms_is_read() {
    let sms = format!(
        "{}Your code is 123456. {}",
        "Do not share this. ".repeat(10),
        "Thank you. ".repeat(10)
    );
    assert!(sms.len() > 300);
    assert_eq!(typed(&sms).as_deref(), Some("123456"));
}

proptest! {
    #[test]
    fn a_code_in_words_is_found(
        code in "[03-9][0-9]{3,7}",
        before in "[a-z ,]{0,30}",
        after in "[ei-lp-rv-z]{4}[a-z ,]{0,30}",
    ) {
        prop_assert_eq!(typed(&format!("x{before} is {code} {after}x")), Some(code));
    }

    // Two letters between spaces may be a word.
    #[test]
    fn a_code_is_whole_or_refused(
        code in "[0-9]{4,10}",
        at in 1_usize..9,
        gap in "[-a-zA-Z _:;,.!?'\"()|*%&=@`~^$²①é₵\u{2011}\n]{1,2}",
    ) {
        let at = at.min(code.len() - 1);
        let text = format!("Your code is {}{gap}{}", &code[..at], &code[at..]);
        let read = typed(&text);
        prop_assert!(read.is_none() || read == Some(code), "{:?}", text);
    }
}
