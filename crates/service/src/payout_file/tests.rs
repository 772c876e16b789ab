use super::*;

fn line(text: &str) -> FileLine {
    PayoutFile::read(&format!("phoneNumber,network,amount,reference,note\n{text}")).unwrap().lines.remove(0)
}

#[test]
fn a_file_is_read_as_spreadsheet_programs_write_it() {
    for text in [
        "\u{feff}Phone number,Network,Amount (GHS),Note\r\n0241234567,mtn,10.50,\"March, and\nApril\"\r\n,,,\r\n",
        "phone;note;network;amount\n'0241234567;March, and April;MTN;10.5\n\n",
        "number\tamount\tnetwork\tnote\n241234567\t10.5\tMTN\tMarch, and April",
        "phoneNumber,network,amount,note\n+233 24 123 4567 , MTN ,10.5,\"March, and\r\nApril\"",
    ] {
        let file = PayoutFile::read(text).unwrap();
        let [payout] = &file.payouts().unwrap()[..] else { panic!("{text}") };
        assert_eq!(payout.transfer.phone.as_str(), "0241234567", "{text}");
        assert_eq!((payout.transfer.network, payout.transfer.amount.pesewas()), (Network::Mtn, 1050), "{text}");
        assert_eq!(payout.details.payee_note.as_deref(), Some("March, and April"), "{text}");
        assert_eq!(payout.reference, None);
    }
}

#[test]
fn each_fault_of_a_line_is_named() {
    for (text, faults) in [
        ("+2.33E+11,MTN,5", &[LineFault::PhoneShortened][..]),
        ("2.33241E+11,MTN,5", &[LineFault::PhoneShortened]),
        ("02412345,MTN,5", &[LineFault::Phone]),
        ("0241234567,Glo,5", &[LineFault::Network]),
        ("0241234567,MTN,\"10,50\"", &[LineFault::AmountComma]),
        ("0241234567,MTN,\"1,000.00\"", &[LineFault::AmountComma]),
        ("0241234567,MTN,1E+02", &[LineFault::Amount]),
        ("0241234567,MTN,0", &[LineFault::Amount]),
        ("0241234567,MTN,-5", &[LineFault::Amount]),
        ("0241234567,MTN,=1+1", &[LineFault::Amount]),
        ("0241234567,MTN,5.001", &[LineFault::Amount]),
        ("x,,", &[LineFault::Phone, LineFault::Network, LineFault::Amount]),
    ] {
        let file = PayoutFile::read(&format!("phoneNumber,network,amount\n{text}")).unwrap();
        assert_eq!(file.lines[0].faults, faults, "{text}");
        assert!(file.payouts().is_none());
    }
    assert_eq!(line(&format!("0241234567,MTN,5,{},", "r".repeat(65))).faults, [LineFault::Reference]);
    assert_eq!(line(&format!("0241234567,MTN,5,,{}", "n".repeat(161))).faults, [LineFault::Note]);
    assert!(line("0201234567,MTN,5,,").has_other_prefix && !line("0241234567,MTN,5,,").has_other_prefix);
}

#[test]
fn a_file_that_is_none_of_payouts_is_refused() {
    let header = "phone,network,amount\n";
    let row = "0241234567,MTN,5\n";
    for (text, fault) in [
        (String::new(), FileFault::NoHeader),
        (row.to_owned(), FileFault::NoHeader),
        (header.to_owned(), FileFault::Empty),
        (format!("{header}\n,,\n"), FileFault::Empty),
        (format!("phone,number,network,amount\n{row}"), FileFault::ColumnTwice),
        (format!("{header}{}", row.repeat(1001)), FileFault::TooMany),
        (format!("{header}{}", row.repeat(100_000)), FileFault::TooMany),
    ] {
        assert_eq!(PayoutFile::read(&text).unwrap_err(), fault);
    }
    assert_eq!(PayoutFile::read(&format!("{header}{}", row.repeat(1000))).unwrap().payouts().unwrap().len(), 1000);
}

#[test]
fn lines_are_numbered_as_in_the_file_and_repeats_are_found() {
    let text = "phone,network,amount,note\n0241234567,MTN,5,\"a\nb\"\n\n0241234568,MTN,5,\n0241234567,MTN,5.00,\n";
    let file = PayoutFile::read(text).unwrap();
    assert_eq!(file.lines.iter().map(|line| line.number).collect::<Vec<_>>(), [2, 5, 6]);
    assert_eq!(file.repeats(), [None, None, Some(2)]);
}

proptest::proptest! {
    #[test]
    fn no_text_breaks_the_reader(text in "[\\PC\n,;\t\"]{0,200}") {
        let _ = PayoutFile::read(&text);
        let _ = PayoutFile::read(&format!("phone,network,amount\n{text}"));
    }
}
