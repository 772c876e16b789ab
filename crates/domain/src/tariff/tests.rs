use super::*;
use jiff::civil::date;
use proptest::prelude::*;

fn amount(pesewas: i64) -> Amount {
    Amount::from_pesewas(pesewas).unwrap()
}

fn tariff(percent: &str, bearer: Bearer) -> Tariff {
    Tariff {
        kind: Kind::Charge,
        networks: vec![Network::Mtn],
        percent: percent.parse().unwrap(),
        fixed_pesewas: 0,
        min_pesewas: None,
        cap_pesewas: None,
        bearer,
        from: date(2026, 1, 1),
    }
}

#[test]
fn percentages_are_exact() {
    for (text, millionths) in [
        ("0", 0),
        ("1.95", 19_500),
        ("0.0001", 1),
        ("100", 1_000_000),
        ("2.5", 25_000),
        ("007", 70_000),
    ] {
        assert_eq!(text.parse(), Ok(Percentage(millionths)), "{text}");
        assert_eq!(Percentage(millionths).to_string(), text.trim_start_matches("00"));
    }
    for text in
        ["", ".", "1.", ".5", "-1", "+1", "100.0001", "1.00001", "1e1", "1,5", " 1", "1000", "1.9x"]
    {
        assert!(text.parse::<Percentage>().is_err(), "{text}");
    }
}

#[test]
fn half_a_pesewa_is_rounded_up() {
    let one = tariff("1", Bearer::Merchant);
    let fees = [49, 50, 149, 150, 12_000].map(|pesewas| one.fee_pesewas(amount(pesewas)));
    assert_eq!(fees, [0, 1, 1, 2, 120]);
}

#[test]
fn the_newest_tariff_of_the_direction_and_network_applies() {
    let later = Tariff { from: date(2026, 3, 1), ..tariff("2", Bearer::Merchant) };
    let tariffs = Tariffs::new(vec![later.clone(), tariff("1", Bearer::Merchant)]).unwrap();
    let fee =
        |kind, network, day| Some(tariffs.on(kind, network, day)?.fee_pesewas(amount(10_000)));
    assert_eq!(fee(Kind::Charge, Network::Mtn, date(2025, 12, 31)), None);
    assert_eq!(fee(Kind::Charge, Network::Mtn, date(2026, 2, 28)), Some(100));
    assert_eq!(fee(Kind::Charge, Network::Mtn, date(2026, 3, 1)), Some(200));
    assert_eq!(fee(Kind::Payout, Network::Mtn, date(2026, 3, 1)), None);
    assert_eq!(fee(Kind::Charge, Network::Telecel, date(2026, 3, 1)), None);
    let twice = Tariff { networks: Network::ALL.to_vec(), ..later.clone() };
    assert_eq!(Tariffs::new(vec![later.clone(), twice]), Err(1));
    let payouts = Tariff { kind: Kind::Payout, ..later.clone() };
    assert!(Tariffs::new(vec![later, payouts]).is_ok());
}

#[test]
fn a_sum_that_is_too_large_has_no_price() {
    let tariffs = Tariffs::new(vec![tariff("1", Bearer::Payer)]).unwrap();
    let price =
        |pesewas| tariffs.price(Kind::Charge, Network::Mtn, amount(pesewas), date(2026, 1, 1));
    assert_eq!(price(Amount::MAX_PESEWAS), None);
    assert_eq!(price(12_000), Some(Price { payer_pays: amount(12_120), fee_pesewas: Some(120) }));
}

fn any_tariff() -> impl Strategy<Value = Tariff> {
    let fees = (
        0..=10_000_u32,
        0..=5_000_i64,
        prop::option::of(0..=500_i64),
        prop::option::of(500..=100_000_i64),
    );
    (fees, prop::sample::select(Bearer::ALL)).prop_map(
        |((percent, fixed_pesewas, min_pesewas, cap_pesewas), bearer)| {
            let percent = Percentage(percent * 10);
            Tariff { percent, fixed_pesewas, min_pesewas, cap_pesewas, ..tariff("0", bearer) }
        },
    )
}

proptest! {
    #[test]
    fn a_fee_grows_with_the_amount_and_stays_within_its_limits(
        tariff in any_tariff(),
        pesewas in 1..Amount::MAX_PESEWAS / 2,
        more in 0..Amount::MAX_PESEWAS / 4,
    ) {
        let fee = tariff.fee_pesewas(amount(pesewas));
        let larger = tariff.fee_pesewas(amount(pesewas + more));
        prop_assert!(0 <= fee && fee <= larger);
        prop_assert!(tariff.min_pesewas.is_none_or(|min| fee >= min));
        prop_assert!(tariff.cap_pesewas.is_none_or(|cap| fee <= cap));
    }

    #[test]
    fn no_pesewa_is_lost_between_payer_merchant_and_operator(
        tariff in any_tariff(), pesewas in 1..Amount::MAX_PESEWAS / 2,
    ) {
        let bearer = tariff.bearer;
        let day = tariff.from;
        let amount = amount(pesewas);
        let price = Tariffs::new(vec![tariff])
            .unwrap()
            .price(Kind::Charge, Network::Mtn, amount, day)
            .unwrap();
        let fee = price.fee_pesewas.unwrap();
        let received = price.merchant_receives_pesewas().unwrap();
        prop_assert!(price.payer_pays >= amount);
        prop_assert_eq!(price.payer_pays.pesewas(), received + fee);
        match bearer {
            Bearer::Merchant => prop_assert_eq!(price.payer_pays, amount),
            Bearer::Payer => prop_assert_eq!(received, pesewas),
        }
    }
}
