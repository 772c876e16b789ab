use super::*;
use crate::table_file::{CellFault, RowFault};
use tua_contract::Network;
use tua_domain::file_lines::LeftOut;

fn table(text: &str) -> TableFile {
    TableFile::read(text.as_bytes().to_vec(), &TableForm::default()).unwrap()
}

fn read(text: &str) -> Result<PayoutFile, FileFault> {
    PayoutFile::read(&table(text), &TableForm::default(), NetworkNames::Confirmed)
}

fn line(text: &str) -> FileLine {
    read(&format!("phoneNumber,network,amount,reference,note\n{text}")).unwrap().lines.remove(0)
}

#[test]
fn a_file_is_read_as_spreadsheet_programs_write_it() {
    for text in [
        "\u{feff}Phone number,Network,Amount (GHS),Note\r\n0241234567,mtn,10.50,\"March, and \
         April\"\r\n,,,\r\n",
        "phone;note;network;amount\n'0241234567;March, and April;MTN;10.5\n\n",
        "number\tamount\tnetwork\tnote\n241234567\t10.5\tMTN\tMarch, and April",
        "phoneNumber,network,amount,note\n+233 24 123 4567 , MTN ,10.5,\"March, and April\"",
        "sep=;\rMSISDN;Telco;Amount;Narration\r=\"0241234567\";MTN MoMo;GH¢ 10.50;March, and \
         April\r",
        "phone,network,amount,note\n241234567.0,MTN,10.50,\"March, and April\",,\n",
        "phone,network,amount,note\n2.33241234567E+11,MTN,10.50,\"March, and April\"\n",
        "phone,network,amount,note\n٠٢٤١٢٣٤٥٦٧,MTN,١٠.٥٠,\"March, and April\"\n",
        "phone,network,amount,note\n\
         \u{202a}0241\u{200b}234567\u{202c},M\u{ad}TN,\u{feff}10.50,\"March, and April\"\n",
    ] {
        let file = read(text).unwrap();
        let [payout] = &file.payouts().unwrap_or_else(|| panic!("{text}: {file:?}"))[..] else {
            panic!("{text}")
        };
        assert_eq!(payout.transfer.phone.as_str(), "0241234567", "{text}");
        assert_eq!(
            (payout.transfer.network, payout.transfer.amount.pesewas()),
            (Network::Mtn, 1050),
            "{text}"
        );
        assert_eq!(payout.details.payee_note.as_deref(), Some("March, and April"), "{text}");
        assert_eq!(payout.reference, None);
    }
}

#[test]
fn each_fault_of_a_line_is_named() {
    for (text, faults) in [
        ("+2.33E+11,MTN,5", &[LineFault::PhoneShortened][..]),
        ("2.33241E+11,MTN,5", &[LineFault::PhoneShortened]),
        ("\"2,33E+11\",MTN,5", &[LineFault::PhoneShortened]),
        ("241234567.5,MTN,5", &[LineFault::PhoneDecimal]),
        ("024.123.4567,MTN,5", &[LineFault::PhoneDecimal]),
        ("-241234567,MTN,5", &[LineFault::PhoneDecimal]),
        ("=A1,MTN,5", &[LineFault::Cell { column: 1, fault: CellFault::Formula }]),
        ("#N/A,MTN,5", &[LineFault::Cell { column: 1, fault: CellFault::Error }]),
        ("02412345,MTN,5", &[LineFault::Phone]),
        ("0241234567,Glo,5", &[LineFault::Network]),
        ("0241234567,MoMo,5", &[LineFault::Network]),
        ("0241234567,MTN中,5", &[LineFault::Network]),
        ("0241234567,MTN,\"10,50\"", &[LineFault::AmountSeparator]),
        ("0241234567,MTN,\"1,20\"", &[LineFault::AmountSeparator]),
        ("0241234567,MTN,\"0,500\"", &[LineFault::AmountSeparator]),
        ("0241234567,MTN,\"1,2000\"", &[LineFault::AmountSeparator]),
        ("0241234567,MTN,1.500", &[LineFault::AmountSeparator]),
        (
            "0241234567,MTN,1,500",
            &[LineFault::Row(RowFault::BeyondHeader { column: 4, header: 3 })],
        ),
        ("0241234567,MTN,\"5", &[LineFault::Row(RowFault::UnclosedQuote { column: 3 })]),
        ("0241234567,MTN,1E+02", &[LineFault::AmountShortened]),
        ("0241234567,MTN,0", &[LineFault::Amount]),
        ("0241234567,MTN,-5", &[LineFault::Amount]),
        ("0241234567,MTN,(5)", &[LineFault::Amount]),
        ("0241234567,MTN,5 CR", &[LineFault::Amount]),
        ("0241234567,MTN,=1+1", &[LineFault::Cell { column: 3, fault: CellFault::Formula }]),
        ("0241234567,MTN,5.001", &[LineFault::AmountSeparator]),
        ("0241234567,MTN,5.0001", &[LineFault::Amount]),
        ("x,,", &[LineFault::Phone, LineFault::Amount]),
        ("0301234567,,5", &[LineFault::Network]),
        ("0241234567", &[LineFault::Row(RowFault::TooFewCells { cells: 1, header: 3 })]),
    ] {
        let file = read(&format!("phoneNumber,network,amount\n{text}")).unwrap();
        assert_eq!(file.lines[0].faults, faults, "{text}");
        assert!(file.payouts().is_none());
    }
    assert_eq!(
        line(&format!("0241234567,MTN,5,{},", "r".repeat(65))).faults,
        [LineFault::Reference]
    );
    assert_eq!(line(&format!("0241234567,MTN,5,,{}", "n".repeat(161))).faults, [LineFault::Note]);
    assert!(
        line("0201234567,MTN,5,,").has_other_prefix && !line("0241234567,MTN,5,,").has_other_prefix
    );
}

#[test]
fn a_file_of_a_french_spreadsheet_is_read() {
    let text = "Téléphone;Montant;Réseau\n0241234567;150,00;MTN\n0201234567;1\u{202f}234,5;\n\
                0261234567;2 000;\n";
    let file = read(text).unwrap();
    let sums = file.payouts().unwrap().iter().map(|one| one.transfer.amount.pesewas()).sum::<i64>();
    assert_eq!(sums, 15_000 + 123_450 + 200_000);
}

#[test]
fn a_comma_before_three_digits_is_refused_where_semicolons_divide_cells() {
    let text = "Téléphone;Montant\n0241234567;150,00\n0201234567;1,234\n0261234567;1.234\n";
    let file = read(text).unwrap();
    assert_eq!(file.lines[0].faults, []);
    assert_eq!(file.lines[1].faults, [LineFault::AmountSeparator]);
    assert_eq!(file.lines[2].faults, [LineFault::AmountSeparator]);
    let commas = "Phone,Amount\n0201234567,\"1,234\"\n";
    assert_eq!(read(commas).unwrap().lines[0].faults, []);
}

#[test]
fn usual_names_of_networks_are_taken_only_where_a_person_confirms_them() {
    for (name, network) in [
        ("AT Money", Network::AirtelTigo),
        ("airteltigo money", Network::AirtelTigo),
        ("Vodafone Cash", Network::Telecel),
        ("Telecel (Vodafone)", Network::Telecel),
        ("MTN MoMo", Network::Mtn),
        ("MTN Ghana", Network::Mtn),
    ] {
        let text = format!("phone,network,amount\n0241234567,{name},5\n");
        let confirmed = read(&text).unwrap().lines.remove(0);
        assert_eq!(
            confirmed.payout.as_ref().map(|payout| payout.transfer.network),
            Some(network),
            "{name}"
        );
        assert_eq!(confirmed.renamed_network, Some(network), "{name}");
        let exact = PayoutFile::read(&table(&text), &TableForm::default(), NetworkNames::Exact)
            .unwrap()
            .lines
            .remove(0);
        assert_eq!(exact.faults, [LineFault::NetworkName(network)], "{name}");
        assert_eq!(exact.faults[0].code_and_explanation().1, format!("write {network}"));
    }
    assert!(line("0241234567,mtn,5,,").renamed_network.is_none());
}

#[test]
fn a_file_without_networks_has_those_of_its_numbers_where_a_person_confirms_them() {
    for text in ["Phone,Amount\n024 123 4567,5\n", "Téléphone;Réseau;Montant\n0241234567;;5\n"] {
        let line = read(text).unwrap().lines.remove(0);
        let payout = line.payout.unwrap_or_else(|| panic!("{text}: {:?}", line.faults));
        assert_eq!(payout.transfer.network, Network::Mtn, "{text}");
        assert!(line.is_network_guessed && !line.has_other_prefix, "{text}");
        let exact = PayoutFile::read(&table(text), &TableForm::default(), NetworkNames::Exact);
        match exact {
            Ok(file) => assert_eq!(file.lines[0].faults, [LineFault::Network], "{text}"),
            Err(fault) => assert!(fault.to_string().contains("it lacks network"), "{fault}"),
        }
    }
    assert!(!line("0241234567,mtn,5,,").is_network_guessed);
}

#[test]
fn a_file_that_is_none_of_payouts_is_refused() {
    let header = "phone,network,amount\n";
    let row = "0241234567,MTN,5\n";
    for (text, fault) in [
        (row.to_owned(), "it lacks phoneNumber and amount, and has \"0241234567\", \"MTN\", \"5\""),
        (
            "MSISDN,Sums,Town\n".to_owned(),
            "it lacks amount, and has \"MSISDN\", \"Sums\", \"Town\"",
        ),
        ("\n,,\n".to_owned(), "it has no lines"),
        (header.to_owned(), "it has no lines"),
        (format!("{header}\n,,\n"), "it has no lines"),
        (format!("phone,number,network,amount\n{row}"), "columns 1 and 2 (\"number\")"),
        (format!("phone,network,amount,Amount\n{row}"), "columns 3 and 4 (\"Amount\")"),
        (
            format!("phone,network,\"amount\n{row}"),
            "line 1, the header: a quotation mark opens in column 3",
        ),
        (format!("{header}{}", row.repeat(1001)), "more than 1000 lines"),
        (format!("{header}{}", row.repeat(100_000)), "more than 1000 lines"),
    ] {
        let found = read(&text).unwrap_err().to_string();
        assert!(found.contains(fault), "{found}");
    }
    assert_eq!(
        read(&format!("{header}{}", row.repeat(1000))).unwrap().payouts().unwrap().len(),
        1000
    );
}

#[test]
fn lines_are_numbered_and_counted_as_in_the_file_and_repeats_are_found() {
    let text = "phone,network,amount,note\n0241234567,MTN,5,a\n\n0241234568,MTN,5,\n\
        0241234567,MTN,5.00,\nx,MTN,5,\n";
    let file = read(text).unwrap();
    assert_eq!(file.lines.iter().map(|line| line.number).collect::<Vec<_>>(), [2, 4, 5, 6]);
    assert_eq!(file.repeats(), [None, None, Some(2), None]);
    let counts = line_counts(&file, &file.checked(None));
    assert_eq!((counts.read, counts.left_out(), counts.refused, counts.in_file()), (3, 2, 1, 6));
    assert_eq!(counts.left_out[LeftOut::Empty as usize], 1);
}

#[test]
fn our_own_export_is_a_file_of_payouts() {
    let header = String::from_utf8(crate::export::csv::header().unwrap()).unwrap();
    let names: Vec<&str> = header.trim_end().split(',').collect();
    let cell = |name: &&str| match *name {
        "phoneNumber" => "0241234567",
        "network" => "MTN",
        "operator" => "pawapay",
        "amount" => "10.50",
        "payerPays" => "11.00",
        "reference" => "'=order",
        _ => "",
    };
    let line = names.iter().map(cell).collect::<Vec<_>>().join(",");
    let payout = read(&format!("{header}{line}\r\n")).unwrap().payouts().unwrap().remove(0);
    assert_eq!(
        (payout.transfer.amount.pesewas(), payout.reference.as_deref()),
        (1050, Some("=order"))
    );
}

proptest::proptest! {
    #[test]
    fn no_text_breaks_the_reader(text in "[\\PC\n,;\t\"]{0,200}") {
        for text in [format!("x{text}"), format!("phone,network,amount\n{text}")] {
            if let Ok(file) = TableFile::read(text.clone().into_bytes(), &TableForm::default()) {
                let read = PayoutFile::read(&file, &TableForm::default(), NetworkNames::Confirmed);
                let lines = file.rows().count() as u64;
                proptest::prop_assert!(read.is_ok() || lines > 0);
                if let Ok(read) = read {
                    proptest::prop_assert_eq!(
                        line_counts(&read, &read.checked(None)).in_file(),
                        lines
                    );
                }
            }
        }
    }
}
