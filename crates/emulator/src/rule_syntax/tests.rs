//! Rules of faults are read from text.

use super::*;

#[test]
fn a_rule_is_parsed_and_written() {
    for text in [
        "mtn-momo/send=error-after",
        "all/status=latency:300ms,times=3",
        "paystack/callback=delayed:60000ms,every=2,for=3600000ms",
        "hubtel/all=off-list",
        "hubtel/payout=refusal:4103,times=1",
        "pawapay/status=status:IN_RECONCILIATION",
    ] {
        assert_eq!(text.parse::<Rule>().map(|rule| rule.to_string()), Ok(text.to_owned()));
    }
    let rule = "send=latency:2s".parse::<Rule>().unwrap();
    assert_eq!((rule.operator, rule.fault), (None, Fault::Latency(Duration::from_secs(2))));
}

#[test]
fn each_mistake_has_its_own_error() {
    assert_eq!("send".parse::<Rule>(), Err(RuleError::NoFault));
    assert_eq!("momo/send=html".parse::<Rule>(), Err(RuleError::Operator("momo".to_owned())));
    assert_eq!("hubtel/x=html".parse::<Rule>(), Err(RuleError::Call("x".to_owned())));
    assert_eq!("send=boom".parse::<Rule>(), Err(RuleError::Fault("boom".to_owned())));
    for text in ["send=refusal", "send=refusal:9999", "status=status:SUSPENDED"] {
        let (_, fault) = text.split_once('=').unwrap();
        assert_eq!(text.parse::<Rule>(), Err(RuleError::Fault(fault.to_owned())));
    }
    assert_eq!("send=html:5s".parse::<Rule>(), Err(RuleError::Fault("html:5s".to_owned())));
    assert_eq!("send=html,times=0".parse::<Rule>(), Err(RuleError::Option("times=0".to_owned())));
    let error = "send=lost".parse::<Rule>();
    assert_eq!(error, Err(RuleError::NotPossible { call: "send", fault: "lost" }));
}

#[test]
fn a_fault_without_a_kind_of_call_occurs_on_all_that_can_have_it() {
    let rule = |text: &str| text.parse::<Rule>().unwrap();
    assert!(rule("all=html").matches(Operator::HUBTEL, Call::Status));
    assert!(!rule("all=html").matches(Operator::HUBTEL, Call::Callback));
    assert!(rule("all=lost").matches(Operator::HUBTEL, Call::Callback));
    assert!(!rule("all=lost").matches(Operator::HUBTEL, Call::Send));
}
