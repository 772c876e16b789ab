//! The command line: one file per command (docs/reference/command-line.md).
//!
//! Results go to standard output. Logs and the one line that explains an error go to standard
//! error. An invalid flag, file or database ends the command with exit code 2, before it has any
//! effect (`fault` has the other codes).

mod account;
mod account_resume;
mod account_row;
mod account_set;
mod arguments;
mod audit;
mod backup;
mod completions;
mod context;
mod copy;
mod decision;
mod demo;
mod developer;
mod doctor;
mod emulate;
mod emulator_settings;
mod environment;
mod export;
mod fault;
mod file_lines;
mod find_charge;
mod key;
mod ledger;
mod link;
mod log;
mod mail;
mod manual;
mod migrate;
mod named_operator;
mod operator;
mod operator_connections;
mod operator_row;
mod output;
mod payments;
mod payout;
mod privacy;
mod quote;
mod ready;
mod refund;
mod refund_lookup;
mod report_filter;
mod review;
mod sandbox;
mod sandbox_clock;
mod secret_arguments;
mod serve;
mod server_key;
mod severity;
mod statement;
mod stop_signals;
mod transaction;
mod transaction_list;
mod transaction_row;
mod use_cases;
mod user;
mod webhook;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use context::{Common, Settings, WithActor, database};
use fault::Fault;
use log::Traces;
use std::{future::Future, process::ExitCode};
use tua_companion::empty_variables::ignore_empty_variables;

/// Mobile-money payments for Ghana.
#[derive(Debug, Parser)]
#[command(name = "tua", version, arg_required_else_help = true)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the payment service
    Serve(Box<Settings>),
    /// Run the service, a demo shop with its companion, and a simulated phone
    Demo(demo::Demo),
    /// Serve the operators' own protocols, to rehearse live payments without real money
    Emulate(Box<emulate::Emulate>),
    /// Create, list, change, suspend and resume accounts
    Account(WithActor<account::Command>),
    /// Show, check and ask the operators of the settings
    Operator(Box<operator::OperatorCommand>),
    /// Send e-mail with the settings of the service
    Mail(Box<mail::MailCommand>),
    /// List transactions, and show what happened to one
    #[command(subcommand)]
    Transaction(transaction::Command),
    /// Write transactions to a table, for the accountant
    Export(WithActor<export::Command>),
    /// Create, list, close and reopen payment links
    Link(WithActor<link::Command>),
    /// Create, list, rotate and revoke secret keys
    Key(WithActor<key::Command>),
    /// Manage the people who use the dashboard
    User(WithActor<user::Command>),
    /// Manage webhooks: the endpoints of merchants' servers, and deliveries to them
    Webhook(WithActor<webhook::Command>),
    /// Forward the events of test mode to a server on this machine
    Listen(developer::listen::Listen),
    /// Follow what happens in test mode, or find what happened because of a request
    Logs(developer::logs::Logs),
    /// Make an event happen in the sandbox
    ///
    /// Some events need an advance of the sandbox clock, by which everything that is scheduled in
    /// test mode of the account comes earlier: `tua trigger --list` says which.
    Trigger(developer::trigger::Trigger),
    /// Forward events of test mode again
    #[command(subcommand)]
    Events(developer::events::Command),
    /// Begin payouts and batches of them, and decide about those that wait for an approval
    #[command(subcommand)]
    Payout(payout::Command),
    /// Show what a payment would cost now; nothing is begun
    Quote(quote::QuoteCommand),
    /// Begin refunds of charges, list them, and decide about those that wait for an approval
    #[command(subcommand)]
    Refund(refund::Command),
    /// Review transactions that had no final status after a day
    #[command(subcommand)]
    Review(review::Command),
    /// Change test data, so that a test need not wait
    Sandbox(WithActor<sandbox::Command>),
    /// Manage the server key
    ServerKey(WithActor<server_key::Command>),
    /// Write a backup of an SQLite database, without the server key
    Backup(backup::Backup),
    /// Restore a backup into an empty place, and suspend every account
    Restore(backup::Restore),
    /// Print or erase what is held about a person
    Privacy(WithActor<privacy::Command>),
    /// List and verify the log of administrative changes
    #[command(subcommand)]
    Audit(audit::Command),
    /// Show the ledger's balances, and verify that it agrees with every transaction
    #[command(subcommand)]
    Ledger(ledger::Command),
    /// Import statements of operators, and compare them with the transactions
    Statement(WithActor<statement::Command>),
    /// Migrate the database's schema to this version
    Migrate,
    /// Copy an SQLite database to an empty PostgreSQL database
    Copy(copy::Copy),
    /// Check configuration, database, operators, callback URLs and clock; exit code 1 on faults
    Doctor(Box<doctor::Doctor>),
    /// Check that the service on --listen is ready, for health checks; exit code 1 if not
    Ready(Box<ready::Ready>),
    /// Print the script with which a shell completes commands and flags
    Completions(completions::Completions),
    /// Write the manual pages of all commands to a folder
    Manual(manual::Manual),
}

/// Runs the command line.
#[must_use]
pub fn main() -> ExitCode {
    let parsed = ignore_empty_variables(Cli::command()).try_get_matches();
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return report_parse_error(&error),
    };
    let is_json = cli.common.json;
    let start = || -> Result<Option<Traces>, Fault> {
        let runs_service = matches!(cli.command, Command::Serve(_) | Command::Demo(_));
        let traces = log::start(runs_service)?;
        // An invalid database is the only line that is printed.
        if database(&cli.common).is_ok() {
            // What is not UTF-8 is no secret of ours.
            secret_arguments::warn(
                std::env::args_os().filter_map(|argument| argument.into_string().ok()),
            );
        }
        Ok(traces)
    };
    let outcome = start().and_then(|traces| {
        let code = run(cli);
        traces.iter().for_each(Traces::stop);
        code
    });
    outcome.unwrap_or_else(|fault| fault.report(is_json))
}

fn run(cli: Cli) -> Result<ExitCode, Fault> {
    let common = cli.common;
    match cli.command {
        Command::Serve(settings) => block_on(serve::run(common, *settings)),
        Command::Demo(demo) => block_on(demo.run(common)),
        Command::Emulate(emulate) => block_on(emulate.run(common)),
        Command::Account(WithActor { actor_name, command }) => {
            block_on(command.run(Common { actor_name, ..common }))
        }
        Command::Key(WithActor { actor_name, command }) => {
            block_on(command.run(Common { actor_name, ..common }))
        }
        Command::Link(WithActor { actor_name, command }) => {
            block_on(command.run(Common { actor_name, ..common }))
        }
        Command::Backup(backup) => backup.run(&common),
        Command::Restore(restore) => restore.run(&common),
        Command::Privacy(WithActor { actor_name, command }) => {
            block_on(command.run(Common { actor_name, ..common }))
        }
        Command::ServerKey(WithActor { actor_name, command }) => {
            block_on(command.run(Common { actor_name, ..common }))
        }
        Command::User(WithActor { actor_name, command }) => {
            block_on(command.run(Common { actor_name, ..common }))
        }
        Command::Listen(listen) => block_on(listen.run(common)),
        Command::Logs(command) => block_on(command.run(common)),
        Command::Trigger(trigger) => block_on(trigger.run(common)),
        Command::Quote(quote) => block_on(quote.run(&common)),
        Command::Refund(command) => block_on(command.run(common)),
        Command::Review(command) => block_on(command.run(common)),
        Command::Sandbox(WithActor { actor_name, command }) => {
            block_on(command.run(Common { actor_name, ..common }))
        }
        Command::Transaction(command) => block_on(command.run(common)),
        Command::Export(WithActor { actor_name, command }) => {
            block_on(command.run(Common { actor_name, ..common }))
        }
        Command::Completions(completions) => completions.print(&common, Cli::command()),
        Command::Manual(manual) => manual.write(&common, Cli::command()),
        Command::Migrate => block_on(migrate::run(common)),
        Command::Copy(copy) => block_on(copy.run(common)),
        // The commands with a third exit code: they may find faults.
        Command::Audit(command) => return block_on(command.run(common)),
        Command::Statement(WithActor { actor_name, command }) => {
            return block_on(command.run(Common { actor_name, ..common }));
        }
        Command::Webhook(WithActor { actor_name, command }) => {
            return block_on(command.run(Common { actor_name, ..common }));
        }
        Command::Payout(command) => return block_on(command.run(common)),
        Command::Ledger(command) => return block_on(command.run(common)),
        Command::Mail(command) => return block_on(command.run(common)),
        Command::Operator(command) => return block_on(command.run(common)),
        Command::Doctor(doctor) => return block_on(doctor.run(common)),
        Command::Events(command) => return block_on(command.run(common)),
        Command::Ready(ready) => return block_on(ready.run(common)),
    }?;
    Ok(ExitCode::SUCCESS)
}

fn block_on<T>(work: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("the runtime could not start: {error}"))?;
    runtime.block_on(work)
}

/// Prints help and version with exit code 0; any other error as a fault of the arguments.
fn report_parse_error(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::{
        DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion,
    };
    if matches!(error.kind(), DisplayHelp | DisplayVersion) {
        // Without standard output there is nowhere to report an error.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let fault = if error.kind() == DisplayHelpOnMissingArgumentOrSubcommand {
        Fault::invalid_argument("a command is missing; see `tua --help`")
    } else {
        let text = error.render().to_string();
        let message = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
        let is_told = |line: &&str| !line.is_empty() && !line.starts_with("For more information");
        let line = message.filter(is_told).collect::<Vec<_>>().join(" ");
        let line = line.trim_start_matches("error: ");
        Fault::invalid_argument(format!("{line}; see `tua --help`"))
    };
    fault.report(wants_json())
}

/// Whether arguments that cannot be read ask for JSON.
fn wants_json() -> bool {
    let mut arguments = std::env::args_os().skip(1).take_while(|argument| argument != "--");
    arguments.any(|argument| argument == "--json")
        || environment::variable("TUA_JSON").is_ok_and(|value| value.as_deref() == Some("true"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What many commands share, besides the settings of `tua serve`. Every other flag names the
    /// subject of one command, and its variable would mean two things: `TUA_URL` may be the service
    /// of a shop, and would be the endpoint of `webhook add`.
    const SHARED: [&str; 7] = [
        "TUA_ACCOUNT",
        "TUA_API_URL",
        "TUA_AS",
        "TUA_CONFIG",
        "TUA_DATABASE",
        "TUA_JSON",
        "TUA_MODE",
    ];
    /// Commands that run a server: each of their flags is a setting.
    const SERVERS: [&str; 3] = ["serve", "demo", "emulate"];

    fn variables(command: &clap::Command) -> Vec<String> {
        command
            .get_arguments()
            .filter_map(|flag| Some(flag.get_env()?.to_str()?.to_owned()))
            .collect()
    }

    #[test]
    fn clap_accepts_the_definition_of_the_command_line() {
        Cli::command().debug_assert();
    }

    #[test]
    fn flags_that_name_the_subject_of_a_command_read_no_environment() {
        let root = Cli::command();
        let settings = variables(root.find_subcommand("serve").unwrap());
        let mut commands = vec![root];
        while let Some(command) = commands.pop() {
            if SERVERS.contains(&command.get_name()) {
                continue;
            }
            for variable in variables(&command) {
                let is_own =
                    variable.starts_with(&format!("TUA_{}_", command.get_name().to_uppercase()));
                let is_shared = SHARED.contains(&variable.as_str()) || settings.contains(&variable);
                assert!(is_own || is_shared, "{}: {variable}", command.get_name());
            }
            commands.extend(command.get_subcommands().cloned());
        }
    }
}
