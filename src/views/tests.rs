//! What Yew meets when one screen follows another.

use super::*;
use crate::flow::{
    ApiResponse, CodeNotice, Effect, Expiry, FormNotice, Msg, NetworkChoice, Price, Session,
    SessionStatus, Transaction,
};
use crate::locale::{Format, Texts};
use std::rc::Rc;
use tua_contract::phone::PhoneError;
use tua_contract::{FailureCode, Network, State as TransactionState, Step};
use yew::virtual_dom::{Attributes, VNode};

struct PlainFormat;

impl Format for PlainFormat {
    fn money(&self, amount: &str, _: &str) -> String {
        amount.to_owned()
    }

    fn moment(&self, iso: &str) -> String {
        iso.to_owned()
    }
}

fn context() -> ViewContext {
    ViewContext {
        texts: Texts::read(|_| None),
        format: Rc::new(PlainFormat),
        id_prefix: "tua-".into(),
        action: None,
        field: NodeRef::default(),
    }
}

fn transaction(state: TransactionState, network: Option<Network>) -> Transaction {
    Transaction {
        id: "trx_1".to_owned(),
        state,
        network,
        masked_phone: "*******567".to_owned(),
        payer_pays: network.map(|_| "10.10".to_owned()),
        code_attempts_left: None,
        operator_transaction_id: network.map(|_| "1".to_owned()),
        updated_at: String::new(),
    }
}

/// A session with everything that a screen can show, or with nothing of it.
fn session(has_all: bool) -> Session {
    let price = has_all.then(|| Price { fee: "0.1".to_owned(), payer_pays: "10.1".to_owned() });
    Session {
        checkout_id: "chk_1".to_owned(),
        reference: "INV-1".to_owned(),
        amount: "10".to_owned(),
        currency: "GHS".to_owned(),
        merchant: "Adom".to_owned(),
        accent: None,
        is_test: has_all,
        expires_at_ms: 1_000_000,
        return_url: has_all.then(|| "https://shop.example/".to_owned()),
        is_paid: false,
        attempts_left: u32::from(has_all),
        down: [has_all, false, false],
        ended: [false; 3],
        prices: Box::new([price.clone(), price.clone(), price]),
        prompt_instructions: Box::default(),
        transaction: None,
    }
}

/// Screens with a charge that has no outcome, in each step, as the state machine makes them.
fn waiting_states(has_all: bool) -> Vec<State> {
    let steps = [Step::ApproveOnPhone, Step::EnterOtp, Step::EnterVoucher, Step::Wait];
    let wait = |step| {
        let transaction = Some(transaction(TransactionState::Pending(step), Some(Network::Mtn)));
        let (state, effects) = State::begin(None);
        let Some(Effect::Send(generation, _)) = effects.first() else { panic!("{effects:?}") };
        let answer = ApiResponse::Session(Session { transaction, ..session(has_all) });
        state.update(Msg::Answered(*generation, Box::new(answer))).0
    };
    let mut states: Vec<State> = steps.into_iter().map(wait).collect();
    let mut coded = states[1].clone();
    if let Screen::Waiting(_, _, crate::flow::Waiting { awaited, failures, .. }) = &mut coded.screen
    {
        let crate::flow::Awaited::Code(entry) = awaited else { panic!("{awaited:?}") };
        entry.notice = Some(CodeNotice::NotSent);
        *failures = 1;
    }
    states.push(coded.clone());
    coded.now_ms = 999_000;
    states.push(coded);
    states
}

fn states() -> Vec<State> {
    let mut faulty = Form::default();
    faulty.network = NetworkChoice::Picked(Network::Telecel);
    faulty.phone_fault = Some(PhoneError::Empty);
    faulty.network_fault = true;
    faulty.notice = Some(FormNotice::TooMany);
    faulty.sending = FormRequestState::Queued;
    let forms = [
        (false, Form::default()),
        (true, Form::default()),
        (false, faulty.clone()),
        (true, faulty),
    ];
    let mut screens = vec![
        Screen::Loading { failures: 0, form: None },
        Screen::Loading { failures: 1, form: None },
        Screen::Unreachable(None),
        Screen::InvalidToken,
    ];
    let mut states = Vec::new();
    for (has_all, form) in forms {
        let session = Rc::new(Session { attempts_left: 1, ..session(has_all) });
        let down = Session { down: [true; 3], ..(*session).clone() };
        let spent = Rc::new(Session { attempts_left: 0, ..(*session).clone() });
        let network = has_all.then_some(Network::Mtn);
        let done = transaction(TransactionState::Successful, network);
        screens.push(Screen::Loading { failures: u32::from(has_all), form: Some(form.clone()) });
        screens.push(Screen::Form(Rc::new(down), form.clone()));
        for session in [session, spent] {
            screens.push(Screen::Form(Rc::clone(&session), form.clone()));
            screens.push(Screen::Paid(Rc::clone(&session), has_all.then(|| done.clone())));
            for code in [FailureCode::CustomerRejected, FailureCode::PayerNotFound] {
                let failed = transaction(TransactionState::Failed(code), network);
                screens.push(Screen::Failed(Rc::clone(&session), failed, code, form.clone()));
            }
            use SessionStatus::{Closed, Open, Paid, Pending};
            screens.extend([Open, Pending, Paid, Closed].map(|status| {
                Screen::Expired(Expiry {
                    status,
                    reference: has_all.then(|| "INV-1".to_owned()),
                    session: has_all.then(|| Rc::clone(&session)),
                    transaction: None,
                    is_checking: false,
                })
            }));
        }
        states.extend(waiting_states(has_all));
    }
    for screen in screens {
        for copied in [None, Some(true), Some(false)] {
            let mut state = State::default();
            state.screen = screen.clone();
            state.copied = copied;
            states.push(state);
        }
    }
    states
}

/// The list of names in the program that the element's `html!` has made.
fn attribute_names(attributes: &Attributes) -> *const () {
    match attributes {
        Attributes::Static(list) => list.as_ptr().cast(),
        Attributes::Dynamic { keys, .. } => keys.as_ptr().cast(),
        Attributes::IndexMap(_) => panic!("`html!` makes no map"),
    }
}

fn children(node: &VNode) -> Vec<&VNode> {
    match node {
        VNode::VList(list) => list.iter().collect(),
        node => vec![node],
    }
}

/// Compares what Yew compares when it changes one drawing into another: the nodes of lists from
/// their ends, and elements with equal names and keys.
fn assert_same_html(before: &VNode, after: &VNode) {
    match (before, after) {
        (VNode::VTag(before), VNode::VTag(after))
            if before.key == after.key && before.tag() == after.tag() =>
        {
            assert_eq!(
                attribute_names(&before.attributes),
                attribute_names(&after.attributes),
                "two `html!` draw <{}> at one place: give one a `key`, or each a place of its own",
                after.tag()
            );
            if let (Some(before), Some(after)) = (before.children(), after.children()) {
                assert_same_html(before, after);
            }
        }
        (before, VNode::VList(_)) => {
            let pairs = children(before).into_iter().rev().zip(children(after).into_iter().rev());
            pairs.for_each(|(before, after)| assert_same_html(before, after));
        }
        _ => {}
    }
}

/// Yew has code for elements whose attributes have other names than before. It is not in the
/// published wasm: crates/bindgen/src/snip.rs.
#[test]
fn an_element_is_changed_by_the_html_that_has_drawn_it() {
    let context = context();
    let drawings: Vec<Html> =
        states().iter().map(|state| checkout(state, &context, &context.field, "a")).collect();
    for before in &drawings {
        drawings.iter().for_each(|after| assert_same_html(before, after));
    }
}
