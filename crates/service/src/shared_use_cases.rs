//! Use cases of several ports that the server, the commands and the demo build alike. One database
//! implements all ports.

use std::sync::Arc;
use tua_domain::{
    change_notifier::ChangeNotifier,
    key_ring::KeyRing,
    known_orders::KnownOrders,
    ports::{Clock, PaymentMetrics, Store},
    routing::Operators,
    sandbox_times::SandboxTimes,
    steady_time::SteadyTime,
};
use tua_use_cases::{
    AccountReports, AlertSubjects, Batches, DayClosing, Deliveries, DeliverySubjects, Enrolments,
    Exports, MailContents, Members, OperatorGateway, PaymentSearch, Payments, PayoutLists, Payouts,
    RefundLists, Refunds, SandboxClock, Statements, StatusQueries, TransactionRecords,
    decisions::Decisions,
};

/// Calls these operators. Its process has sent no order yet.
pub(crate) fn operator_gateway(
    store: &Arc<dyn Store>,
    operators: Operators,
    clock: Arc<dyn Clock>,
    changes: Arc<ChangeNotifier>,
    metrics: Arc<dyn PaymentMetrics>,
) -> OperatorGateway {
    OperatorGateway {
        transactions: store.clone(),
        hand_overs: store.clone(),
        checkouts: store.clone(),
        accounts: store.clone(),
        operators,
        steady_time: SteadyTime::new(clock.clone()),
        clock,
        changes,
        metrics,
        known_orders: KnownOrders::new(),
    }
}

/// Asks operators about transactions through this gateway.
pub(crate) fn status_queries(
    store: &Arc<dyn Store>,
    gateway: Arc<OperatorGateway>,
) -> StatusQueries {
    StatusQueries {
        gateway,
        transactions: store.clone(),
        reports: store.clone(),
        callback_log: store.clone(),
        schedules: store.clone(),
    }
}

/// Decides about payouts, which these operators may send.
pub(crate) fn decisions(store: &Arc<dyn Store>, operators: Operators) -> Decisions {
    Decisions {
        payout_approvals: store.clone(),
        payout_batches: store.clone(),
        transactions: store.clone(),
        operators,
    }
}

/// Decides about payouts, and announces the decisions through this gateway.
pub(crate) fn payouts(store: &Arc<dyn Store>, gateway: Arc<OperatorGateway>) -> Payouts {
    Payouts {
        decisions: decisions(store, gateway.operators.clone()),
        transactions: store.clone(),
        payout_approvals: store.clone(),
        gateway,
    }
}

/// Begins batches with the limits and operators of single payouts.
pub(crate) fn batches(store: &Arc<dyn Store>, payments: Arc<Payments>) -> Batches {
    Batches {
        decisions: decisions(store, payments.gateway.operators.clone()),
        payout_batches: store.clone(),
        pinned_payments: store.clone(),
        payments,
    }
}

/// Begins refunds as payments.
pub(crate) fn refunds(store: &Arc<dyn Store>, payments: Arc<Payments>) -> Refunds {
    Refunds {
        payments,
        transactions: store.clone(),
        reports: store.clone(),
        audit_log: store.clone(),
    }
}

/// Searches charges in the database, then at these operators.
pub(crate) fn payment_search(
    store: &Arc<dyn Store>,
    operators: Operators,
    clock: Arc<dyn Clock>,
) -> PaymentSearch {
    PaymentSearch { reports: store.clone(), transactions: store.clone(), operators, clock }
}

/// Reads what webhook events are about.
pub(crate) fn delivery_subjects(store: &Arc<dyn Store>) -> DeliverySubjects {
    DeliverySubjects {
        transactions: store.clone(),
        checkouts: store.clone(),
        reports: store.clone(),
    }
}

/// Lists webhook deliveries, and notifies these waiting workers of those that are due again.
pub(crate) fn deliveries(store: &Arc<dyn Store>, changes: Arc<ChangeNotifier>) -> Deliveries {
    Deliveries { outbox: store.clone(), subjects: delivery_subjects(store), changes }
}

/// Reads what alerts are about.
pub(crate) fn alert_subjects(store: &Arc<dyn Store>) -> AlertSubjects {
    AlertSubjects {
        transactions: store.clone(),
        reports: store.clone(),
        payout_batches: store.clone(),
        outbox: store.clone(),
        accounts: store.clone(),
    }
}

/// Reads what e-mail is about. `keys` decrypt the links in it.
pub(crate) fn mail_contents(store: &Arc<dyn Store>, keys: KeyRing) -> MailContents {
    MailContents {
        alert_subjects: alert_subjects(store),
        account_reports: AccountReports {
            people: store.clone(),
            accounts: store.clone(),
            reports: store.clone(),
            payout_batches: store.clone(),
        },
        people: store.clone(),
        accounts: store.clone(),
        mail_outbox: store.clone(),
        identities: store.clone(),
        transactions: store.clone(),
        keys,
    }
}

/// Advances the clocks of test mode by this clock.
pub(crate) fn sandbox_clock(
    store: &Arc<dyn Store>,
    changes: Arc<ChangeNotifier>,
    clock: Arc<dyn Clock>,
) -> SandboxClock {
    SandboxClock {
        sandbox_clocks: store.clone(),
        accounts: store.clone(),
        changes,
        times: SandboxTimes::new(clock),
    }
}

/// Reads and changes the roles of people.
pub(crate) fn members(store: &Arc<dyn Store>) -> Members {
    Members {
        people: store.clone(),
        accounts: store.clone(),
        payout_approvals: store.clone(),
        mail_outbox: store.clone(),
    }
}

/// Enrols people. `keys` encrypt what they enrol with.
pub(crate) fn enrolments(
    store: &Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    keys: KeyRing,
) -> Enrolments {
    Enrolments {
        people: store.clone(),
        accounts: store.clone(),
        passkeys: store.clone(),
        clock,
        keys,
    }
}

/// Lists what waits for an approval.
pub(crate) fn payout_lists(store: &Arc<dyn Store>) -> PayoutLists {
    PayoutLists {
        payout_approvals: store.clone(),
        payout_batches: store.clone(),
        reports: store.clone(),
        accounts: store.clone(),
        people: store.clone(),
    }
}

/// Lists refunds, of an account or of one charge.
pub(crate) fn refund_lists(store: &Arc<dyn Store>) -> RefundLists {
    RefundLists { reports: store.clone(), transactions: store.clone(), accounts: store.clone() }
}

/// Reads what is stored about single transactions.
pub(crate) fn transaction_records(
    store: &Arc<dyn Store>,
    changes: Arc<ChangeNotifier>,
) -> TransactionRecords {
    TransactionRecords {
        transactions: store.clone(),
        reports: store.clone(),
        exchange_log: store.clone(),
        outbox: store.clone(),
        changes,
    }
}

/// Begins exports, which pause by this clock.
pub(crate) fn exports(store: &Arc<dyn Store>, clock: Arc<dyn Clock>) -> Exports {
    Exports {
        reports: store.clone(),
        ledger: store.clone(),
        accounts: store.clone(),
        audit_log: store.clone(),
        clock,
    }
}

/// Imports and compares statements.
pub(crate) fn statements(store: &Arc<dyn Store>) -> Statements {
    Statements {
        statements: store.clone(),
        accounts: store.clone(),
        books: store.clone(),
        closed_days: store.clone(),
    }
}

/// Closes days that have ended by this clock.
pub(crate) fn day_closing(store: &Arc<dyn Store>, clock: Arc<dyn Clock>) -> DayClosing {
    DayClosing {
        closed_days: store.clone(),
        statements: store.clone(),
        accounts: store.clone(),
        clock,
    }
}
