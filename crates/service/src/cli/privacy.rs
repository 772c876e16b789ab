//! `tua privacy`: prints and erases what is held about a person (docs/operations.md, "Personal
//! data").

use super::{context::Common, fault::Fault, output, use_cases::UseCases};
use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::value::RawValue;
use std::path::PathBuf;
use tua_config::{Config, RawSettings};
use tua_contract::Phone;
use tua_domain::{Transaction, ports::PersonsData, privacy::Person};
use tua_use_cases::{ErasePersonError, ErasedPerson, PersonExport};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Print what is held about a person
    Export(PersonFlags),
    /// Overwrite what names a person; amounts, times and outcomes stay. This cannot be undone
    Erase {
        #[command(flatten)]
        whose: PersonFlags,
        /// How long live payments are kept before they may be erased, such as 7y or 90d [default:
        /// 7y]
        #[arg(long, env = "TUA_RETENTION_LIVE", value_name = "TIME")]
        retention_live: Option<String>,
        /// The TOML file of `tua serve`, for its retention-live
        #[arg(long, env = "TUA_CONFIG", value_name = "FILE")]
        config: Option<PathBuf>,
    },
}

/// Exactly one of them.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub(super) struct PersonFlags {
    /// The number of a wallet, in any spelling
    #[arg(long, value_name = "NUMBER")]
    phone: Option<String>,
    /// The e-mail address of a person
    #[arg(long, value_name = "ADDRESS")]
    email: Option<String>,
}

impl PersonFlags {
    fn person(self) -> Result<Person, String> {
        match (self.phone, self.email) {
            (Some(phone), _) => {
                let phone = Phone::parse_typed(&phone);
                phone
                    .map(Person::Phone)
                    .map_err(|_| "phone: it is not a Ghanaian number".to_owned())
            }
            (None, Some(email)) if email.contains('@') && email.len() >= 3 => {
                Ok(Person::Email(email.trim().to_owned()))
            }
            (None, _) => Err("email: it is not an e-mail address".to_owned()),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Exported<'a> {
    transactions: Vec<ExportedTransaction<'a>>,
    checkouts: Vec<ExportedCheckout<'a>>,
    links: Vec<ExportedLink<'a>>,
    sandbox_orders: Vec<ExportedOrder<'a>>,
    counters: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExportedTransaction<'a> {
    transaction_id: &'a str,
    account_id: &'a str,
    mode: &'static str,
    r#type: &'static str,
    amount: String,
    payer_pays: String,
    network: &'static str,
    phone_number: &'a str,
    email: Option<&'a str>,
    reference: &'a str,
    metadata: Option<&'a RawValue>,
    answer: Option<&'a str>,
    payer_message: Option<&'a str>,
    payee_note: Option<&'a str>,
    status: &'static str,
    created_at: String,
    updated_at: String,
    /// Texts of the staff about it.
    notes: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExportedCheckout<'a> {
    checkout_id: &'a str,
    account_id: &'a str,
    mode: &'static str,
    amount: String,
    email: Option<&'a str>,
    reference: &'a str,
    metadata: Option<&'a RawValue>,
    answer: Option<&'a str>,
    return_url: Option<&'a str>,
    created_at: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExportedLink<'a> {
    link_id: &'a str,
    account_id: &'a str,
    mode: &'static str,
    title: &'a str,
    description: Option<&'a str>,
    reference: &'a str,
    metadata: Option<&'a RawValue>,
    question: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExportedOrder<'a> {
    reference: &'a str,
    phone_number: &'a str,
    message: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErasedRows {
    transactions: u64,
    checkouts: u64,
    links: u64,
    sandbox_orders: u64,
    counters: u64,
    /// Whether earlier versions of the rows were overwritten in the file, too.
    scrubbed: bool,
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<(), Fault> {
        match self {
            Self::Export(whose) => {
                let person = whose.person()?;
                export(&common, &person).await
            }
            Self::Erase { whose, retention_live, config } => {
                let person = whose.person()?;
                let settings = RawSettings { retention_live, ..RawSettings::default() };
                let config = Config::resolve(settings, common.database.clone(), config.as_deref());
                let config = config.map_err(|all| all.join("; "))?;
                erase(&common, &person, &config).await
            }
        }
    }
}

async fn export(common: &Common, person: &Person) -> Result<(), Fault> {
    let use_cases = UseCases::open(common).await?;
    let found = use_cases.personal_data.export(person).await;
    let PersonExport { data, notes } = found?;
    let transactions = data.transactions.iter().zip(notes);
    let transactions = transactions
        .map(|((transaction, _), notes)| ExportedTransaction::new(transaction, notes))
        .collect();
    let exported = Exported::new(&data, transactions);
    let text = serde_json::to_string_pretty(&exported).map_err(|error| error.to_string())?;
    output::print(common, &exported, &text)
}

async fn erase(common: &Common, person: &Person, config: &Config) -> Result<(), Fault> {
    let use_cases = UseCases::open(common).await?;
    let by = use_cases.audit_context(common).await?;
    let erased = use_cases.personal_data.erase(person, config.retention_live, &by).await;
    let ErasedPerson { erased, is_scrubbed } = erased.map_err(|error| match error {
        ErasePersonError::Erase(error) => error.to_string(),
        ErasePersonError::Scrub(_) => format!("{error}; run the command again"),
    })?;
    let text = format!(
        "Overwritten in {} transactions, {} checkout sessions, {} payment links and {} orders of \
         the sandbox; {} counters deleted.{}\n\
         Backups and logs are not changed.",
        erased.transactions,
        erased.checkouts,
        erased.links,
        erased.orders,
        erased.counters,
        if is_scrubbed { "" } else { " The server keeps earlier versions of rows until VACUUM." }
    );
    let rows = ErasedRows {
        transactions: erased.transactions,
        checkouts: erased.checkouts,
        links: erased.links,
        sandbox_orders: erased.orders,
        counters: erased.counters,
        scrubbed: is_scrubbed,
    };
    output::print(common, &rows, &text)
}

impl<'a> Exported<'a> {
    fn new(data: &'a PersonsData, transactions: Vec<ExportedTransaction<'a>>) -> Self {
        let checkouts = data.checkouts.iter().map(|(checkout, _)| ExportedCheckout {
            checkout_id: checkout.id.as_str(),
            account_id: checkout.scope.account.as_str(),
            mode: checkout.scope.mode.as_str(),
            amount: checkout.terms.amount.to_string(),
            email: checkout.terms.email.as_deref(),
            reference: &checkout.reference,
            metadata: json(checkout.terms.metadata.as_ref()),
            answer: checkout.terms.answer.as_deref(),
            return_url: checkout.terms.return_url.as_deref(),
            created_at: output::time(checkout.created_at),
        });
        let links = data.links.iter().map(|link| ExportedLink {
            link_id: link.id.as_str(),
            account_id: link.scope.account.as_str(),
            mode: link.scope.mode.as_str(),
            title: &link.terms.title,
            description: link.terms.description.as_deref(),
            reference: &link.reference,
            metadata: json(link.terms.metadata.as_ref()),
            question: link.terms.question.as_deref(),
        });
        let orders = data.orders.iter().map(|order| ExportedOrder {
            reference: &order.reference,
            phone_number: order.transfer.phone.as_str(),
            message: order.message.as_deref(),
        });
        Self {
            transactions,
            checkouts: checkouts.collect(),
            links: links.collect(),
            sandbox_orders: orders.collect(),
            counters: &data.counters,
        }
    }
}

impl<'a> ExportedTransaction<'a> {
    fn new(transaction: &'a Transaction, notes: Vec<String>) -> Self {
        let order = &transaction.order;
        Self {
            transaction_id: order.id.as_str(),
            account_id: order.scope.account.as_str(),
            mode: order.scope.mode.as_str(),
            r#type: order.transaction_type().as_str(),
            amount: order.transfer.amount.to_string(),
            payer_pays: order.price.payer_pays.to_string(),
            network: order.transfer.network.as_str(),
            phone_number: order.transfer.phone.as_str(),
            email: order.details.email.as_deref(),
            reference: &order.reference,
            metadata: json(order.details.metadata.as_ref()),
            answer: order.details.answer.as_deref(),
            payer_message: order.details.payer_message.as_deref(),
            payee_note: order.details.payee_note.as_deref(),
            status: transaction.state.status().as_str(),
            created_at: output::time(transaction.created_at),
            updated_at: output::time(transaction.updated_at),
            notes,
        }
    }
}

fn json(text: Option<&String>) -> Option<&RawValue> {
    text.and_then(|text| serde_json::from_str(text).ok())
}
