use super::*;

#[test]
fn a_number_is_found_in_every_spelling_and_never_in_a_longer_one() {
    let person = Person::Phone(Phone::parse("0241234567").unwrap());
    for text in
        ["0241234567", "call +233241234567.", "233241234567", "00233241234567", "tel:241234567"]
    {
        assert!(person.is_named_in(text), "{text}");
        assert!(!person.overwritten(text).contains("241234567"), "{text}");
    }
    assert_eq!(person.overwritten("order 0241234567/7"), "order erased/7");
    for text in ["02412345678", "90241234567", "10241234567", "0241234568", "1241234567"] {
        assert!(!person.is_named_in(text), "{text}");
    }
}

#[test]
fn an_address_is_found_in_any_case_and_never_in_a_longer_one() {
    let person = Person::Email("ama@example.com".to_owned());
    for text in ["Ama@Example.com", "<ama@example.com>", "to ama@example.com."] {
        assert!(person.is_named_in(text), "{text}");
    }
    for text in ["mama@example.com", "ama@example.com.gh", "ama@example.community"] {
        assert!(!person.is_named_in(text), "{text}");
    }
    let person = Person::Email("Élodie@example.com".to_owned());
    for text in ["élodie@example.com", "ÉLODIE@EXAMPLE.COM", "İ: Élodie@Example.com"] {
        assert!(person.is_named_in(text), "{text}");
        assert!(!person.overwritten(text).to_lowercase().contains("example.com"), "{text}");
    }
    let person_repeated = Person::Email("a@é@a".to_owned());
    assert_eq!(person_repeated.overwritten("a@É@a@é@a"), "erased@é@a", "mentions do not overlap");
    assert!(
        !person.is_named_in("elodie@example.com") && !person.is_named_in("Mélodie@example.com")
    );
}

#[test]
fn a_number_is_found_in_any_script_and_with_any_separators() {
    let person = Person::Phone(Phone::parse("0247775678").unwrap());
    for text in [
        "٠٢٤٧٧٧٥٦٧٨",
        "۰۲۴۷۷۷۵۶۷۸",
        "０２４７７７５６７８",
        "𝟎𝟐𝟒𝟕𝟕𝟕𝟓𝟔𝟕𝟖",
        "024_777_5678",
        "024/777/5678",
        "024.777.5678",
        "024|777|5678",
        "024 - 777 - 5678",
        "02 477 75 678",
        "0-2-4-7-7-7-5-6-7-8",
        "+233 (0) 24 777 5678",
        "+233(0)247775678",
        "00233 24 777 5678",
        "00 233 (0) 24 777 5678",
        "＋２３３ ２４－７７７－５６７８",
        "024)\u{a0}777\u{a0}5678",
        "024\u{200b}777\u{2060}5678",
        "24 777 5678",
        "+٢٣٣ (٠)24 777 5678",
    ] {
        for (before, after) in
            [("", ""), ("order ", " of Ama"), ("12/", "/7"), ("7 ", " 9"), ("{\"a\":\"", "\"}")]
        {
            let whole = format!("{before}{text}{after}");
            assert!(person.is_named_in(&whole), "{whole}");
            assert_eq!(person.overwritten(&whole), format!("{before}erased{after}"), "{text}");
            assert!(person.may_be_named_in(whole.as_bytes()), "{text}");
        }
    }
    for text in [
        "024 777 56789",
        "1024 777 5678",
        "024 777 567",
        "024 777 5679",
        "[\"024\",\"7775678\"]",
        "024 and 7775678",
        "a=024&b=7775678",
        "024 ----- 7775678",
        "٠٢٤٧٧٧٥٦٧٨٩",
    ] {
        assert!(!person.is_named_in(text), "{text}");
        assert_eq!(person.overwritten(text), text);
    }
    assert_eq!(person.overwritten("(024) 777 5678"), "(erased");
    assert_eq!(person.overwritten("0247775678 0247775678"), "erased erased");
    assert_eq!(person.overwritten("0247775678/024-777-5678"), "erased/erased");
}
