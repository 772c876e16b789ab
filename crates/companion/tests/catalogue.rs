//! The companion reads its prices from a catalogue file.

use tua_companion::catalogue::Catalogue;

#[test]
fn prices_are_read_to_the_pesewa() {
    let text =
        "[items.a]\nname = 'A'\nprice = '0.29'\n[donation]\nname = 'D'\nmin = '1'\nmax = '1e2'";
    let catalogue = Catalogue::parse(text).unwrap();
    assert_eq!(catalogue.items["a"].price.pesewas(), 29);
    assert_eq!(catalogue.donation.unwrap().max.pesewas(), 10_000);
}

#[test]
fn every_fault_is_reported_with_its_place() {
    let text = "stock = 1\n[items.a]\nname = ''\nprice = '-1'\nprize = 3\n[items.b]\nname = 'B'\n\
        price = 0.1\n\
        [items.'b c']\nname = 'B'\nprice = '1'\n[items.c]\nname = 'C'\nprice = '1.005'\n\
        [items.d]\nname = 'D'\n[items.donation]\nname = 'x'\n[donation]\nname = 'D'\n\
        min = '0'\nmax = 'x'";
    let faults = Catalogue::parse(text).unwrap_err();
    let places: Vec<_> = faults.iter().filter_map(|fault| fault.split(": ").next()).collect();
    let expected = [
        "stock",
        "items.a.name",
        "items.a.price",
        "items.a.prize",
        "items.b.price",
        "items.b c",
        "items.c.price",
        "items.d.price",
        "items.donation",
        "items.donation.price",
        "donation.min",
        "donation.max",
    ];
    assert_eq!(places, expected, "{faults:#?}");
}

#[test]
fn a_donation_has_a_range() {
    let text = "[donation]\nname = 'D'\nmin = '5'\nmax = '1'";
    assert_eq!(Catalogue::parse(text).unwrap_err(), ["donation: min is more than max"]);
}

#[test]
fn a_syntax_error_is_reported_with_its_line() {
    assert!(
        Catalogue::parse("[items.a]\nname = 'A'\nprice = \n").unwrap_err()[0]
            .starts_with("line 3: ")
    );
    let at_the_start_of_a_line = "[items.a]\nname = 'A'\nname = 'B'\nprice = '1'\n";
    for (text, line) in [
        (at_the_start_of_a_line, "line 3: "),
        ("= 1\n", "line 1: "),
        ("[items.a]\r\nname = 'A'\r\nname = 'B'\r\n", "line 3: "),
    ] {
        let faults = Catalogue::parse(text).unwrap_err();
        assert!(faults[0].starts_with(line), "{text:?}: {faults:?}");
    }
    for text in ["", "[items]"] {
        assert!(
            Catalogue::parse(text).unwrap_err()[0].starts_with("nothing is for sale"),
            "{text}"
        );
    }
    for text in [
        "stuff = 1\n[items.a]\nname = 'A'\nprice = '1'",
        "[items.a]\nname = 'A'\nprice = '1'\nprize = 1",
        "items = 3",
        "donation = []",
        "[items]\na = 'x'",
        "\u{feff}[[items]]",
    ] {
        assert!(Catalogue::parse(text).is_err(), "{text}");
    }
}
