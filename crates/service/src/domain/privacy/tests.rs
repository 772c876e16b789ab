use super::*;

#[test]
fn a_number_is_found_in_every_spelling_and_never_in_a_longer_one() {
    let person = Person::Phone(Phone::parse("0241234567").unwrap());
    for text in ["0241234567", "call +233241234567.", "233241234567", "00233241234567", "tel:241234567"] {
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
    assert!(!person.is_named_in("elodie@example.com") && !person.is_named_in("Mélodie@example.com"));
}
