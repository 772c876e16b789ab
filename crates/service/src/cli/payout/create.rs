//! `tua payout create`: begins a payout to a wallet
//! (docs/reference/payouts.md#begin-a-payout-on-the-command-line).

use crate::cli::{
    arguments::{one_of, parse_amount, parse_mode, parse_note, parse_reference, require_account},
    context::Common,
    fault::Fault,
    output,
    payments::{PaymentUseCases, RequestFlags, begun_text, explained},
    transaction_row::TransactionRow,
};
use clap::Args;
use serde::Serialize;
use tua_contract::{Amount, Network, Phone};
use tua_domain::{
    AccountId, Details, Kind, Mode, Scope, Transaction, Transfer, instruction::Instruction,
};
use tua_tables::export::columns::cedis;

#[derive(Args, Debug)]
pub(crate) struct Create {
    /// The account that pays
    #[arg(long, env = "TUA_ACCOUNT")]
    account: String,
    /// The mode: test or live
    #[arg(long, env = "TUA_MODE", value_parser = parse_mode)]
    mode: Mode,
    /// MTN, TELECEL or AIRTELTIGO
    #[arg(long, value_parser = |text: &str| one_of(text, &Network::ALL, |one| one.as_str()))]
    network: Network,
    /// The mobile number of the recipient's wallet
    #[arg(long, value_name = "NUMBER", value_parser = parse_phone)]
    phone: Phone,
    /// What the recipient gets, in cedis
    #[arg(long, value_name = "GHS", value_parser = parse_amount)]
    amount: Amount,
    /// Your own name for it; a short one is made if absent
    #[arg(long, value_parser = parse_reference)]
    reference: Option<String>,
    /// A text in the recipient's transaction history
    #[arg(long, value_name = "TEXT", value_parser = parse_note)]
    payee_note: Option<String>,
    #[command(flatten)]
    request: RequestFlags,
}

/// A payout that was begun.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CreatedPayout<'a> {
    #[serde(flatten)]
    row: TransactionRow<'a>,
    status: &'static str,
    next_action: &'static str,
    operator: Option<&'a str>,
    /// The operator's fee by its tariff; null without a tariff, and while the payout waits for an
    /// approval.
    expected_fee: Option<String>,
    /// Whether an earlier command with this key began it.
    replayed: bool,
}

fn parse_phone(text: &str) -> Result<Phone, String> {
    Phone::parse_typed(text)
        .map_err(|_| "it must be a mobile number of Ghana, such as 0241234567".to_owned())
}

impl Create {
    pub(super) async fn run(self, common: &Common) -> Result<(), Fault> {
        let Self { account: id, mode, network, phone, amount, reference, payee_note, request } =
            self;
        let commands = PaymentUseCases::open(common, request.config.as_deref()).await?;
        let scope = Scope { account: AccountId::new(id), mode };
        require_account(&commands.accounts, &scope.account).await?;
        let payout = Instruction {
            transfer: Transfer { kind: Kind::Payout, amount, network, phone },
            reference,
            details: Details { payee_note, ..Details::default() },
            payer_pays: None,
        };
        let requester = commands.requester(scope, request.name.as_deref());
        let begun = commands
            .payments
            .begin_on_command_line(requester, payout, request.idempotency_key)
            .await;
        let begun = begun.map_err(|error| format!("payout: {}", explained(&error)))?;
        let view = CreatedPayout::new(&begun.value, begun.is_replay);
        output::print(common, &view, &view.text())
    }
}

impl<'a> CreatedPayout<'a> {
    fn new(payout: &'a Transaction, is_replay: bool) -> Self {
        Self {
            row: TransactionRow::new(payout),
            status: payout.state.status().as_str(),
            next_action: payout.state.next_action(),
            operator: payout.operator.as_ref().map(|pin| pin.name.as_str()),
            expected_fee: payout.order.price.fee_pesewas.map(cedis),
            replayed: is_replay,
        }
    }

    fn text(&self) -> String {
        format!("{}\n{}", self.row.line(), begun_text(self.next_action, self.replayed))
    }
}
