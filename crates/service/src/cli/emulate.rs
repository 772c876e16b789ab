//! `tua emulate`: serves the wire protocols of all supported operators, so that live payments are
//! rehearsed without them.

use super::{
    context::Common, emulator_settings, fault::Fault, output, stop_signals::install_stop_signals,
};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};
use tokio::net::TcpListener;
use tua_contract::Amount;
use tua_emulator::{
    ClockMode, Emulator, MtnCallbacks, MtnProfile, MtnSettings, Operator, PawapaySettings,
    PaystackSettings, PerOperator, Rule, Settings, SignatureEncoding, Speed,
};

#[derive(Args, Debug)]
pub(super) struct Emulate {
    /// The address of the emulator, on loopback unless --allow-other-hosts is given
    #[arg(
        long,
        env = "TUA_EMULATE_LISTEN",
        value_name = "ADDRESS:PORT",
        default_value = "127.0.0.1:9100"
    )]
    listen: SocketAddr,
    /// How many times faster than real time its clock runs
    #[arg(
        long,
        env = "TUA_EMULATE_SPEED",
        value_name = "X",
        default_value = "1",
        value_parser = parse_speed
    )]
    speed: Speed,
    /// Where an operator sends its callbacks, as set in its dashboard: paystack=URL, pawapay=URL;
    /// for mtn-momo the URL whose host is registered
    #[arg(
        long = "callback",
        env = "TUA_EMULATE_CALLBACK",
        value_name = "NAME=URL",
        value_delimiter = ',',
        value_parser = parse_callback
    )]
    callbacks: Vec<(Operator, String)>,
    /// A fault to inject: [OPERATOR/]CALL=FAULT[:DURATION][,times=N][,every=N][,for=DURATION]
    #[arg(long = "chaos", env = "TUA_EMULATE_CHAOS", value_name = "RULE", value_delimiter = ' ')]
    chaos: Vec<Rule>,
    /// The address that Paystack asks before each transfer
    #[arg(long, env = "TUA_EMULATE_PAYSTACK_APPROVAL", value_name = "URL")]
    paystack_approval: Option<String>,
    /// How MTN's test numbers behave
    #[arg(
        long,
        env = "TUA_EMULATE_MTN_PROFILE",
        value_name = "PROFILE",
        default_value = "documented"
    )]
    mtn_profile: Profile,
    /// Repeat MTN's callbacks until they are answered, instead of sending them once
    #[arg(long, env = "TUA_EMULATE_MTN_REPEATS_CALLBACKS")]
    mtn_repeats_callbacks: bool,
    /// Refuse MTN's token requests without X-Target-Environment on the first platform too, as on
    /// the new one
    #[arg(long, env = "TUA_EMULATE_MTN_TARGET_ENVIRONMENT_REQUIRED")]
    mtn_target_environment_required: bool,
    /// The merchant's balance on each platform at the start, in GHS
    #[arg(long, env = "TUA_EMULATE_FLOAT", value_name = "GHS", value_parser = parse_float)]
    float: Option<Amount>,
    /// Look at the balance before looking for an order with the same reference, so that a repeated
    /// payout may be refused as not covered although the first one was executed
    #[arg(long, env = "TUA_EMULATE_BALANCE_CHECKED_FIRST")]
    balance_checked_first: bool,
    /// Refuse pawaPay's payments without a signature
    #[arg(long, env = "TUA_EMULATE_SIGNED_REQUESTS_ONLY")]
    signed_requests_only: bool,
    /// Send pawaPay's callbacks without a signature
    #[arg(long, env = "TUA_EMULATE_UNSIGNED_CALLBACKS")]
    unsigned_callbacks: bool,
    /// Sign pawaPay's callbacks in the raw form of RFC 9421 instead of DER
    #[arg(long, env = "TUA_EMULATE_RAW_SIGNATURES")]
    raw_signatures: bool,
    /// Listen on other addresses than loopback, and send callbacks to other machines
    #[arg(long, env = "TUA_EMULATE_ALLOW_OTHER_HOSTS")]
    allow_other_hosts: bool,
    /// Print a tua.toml that makes `tua serve` use this emulator for live keys, and exit
    #[arg(long, env = "TUA_EMULATE_PRINT_CONFIG")]
    print_config: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Profile {
    /// As MTN documents them
    Documented,
    /// As they were measured on 2026-09-02
    #[value(name = "measured-2026-09")]
    Measured,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReadyReport {
    listening: String,
    page: String,
    orders: String,
}

#[derive(Serialize)]
struct PrintedConfig<'a> {
    config: &'a str,
}

fn parse_speed(text: &str) -> Result<Speed, String> {
    Speed::parse(text)
        .ok_or_else(|| "expected a number from 0.001 to 1000000 with at most 3 decimals".to_owned())
}

fn parse_float(text: &str) -> Result<Amount, String> {
    Amount::parse_typed(text).map_err(|_| "it must be an amount in GHS such as 10.50".to_owned())
}

/// Reads `NAME=URL`. MTN and Hubtel take their address with each request; for MTN the URL names the
/// registered host.
fn parse_callback(text: &str) -> Result<(Operator, String), String> {
    let (name, url) = text
        .split_once('=')
        .ok_or("expected NAME=URL, for example paystack=http://127.0.0.1:8080/…")?;
    let operator = match name {
        "mtn" => Some(Operator::MTN_MOMO),
        name => Operator::parse(name),
    };
    let operator = operator
        .ok_or_else(|| format!("unknown operator `{name}`: mtn-momo, paystack or pawapay"))?;
    let url = url::Url::parse(url).map_err(|error| format!("{url}: {error}"))?;
    match url.scheme() {
        _ if operator == Operator::HUBTEL => {
            Err("hubtel takes its callback URL with each request".to_owned())
        }
        "http" | "https" => Ok((operator, url.into())),
        _ => Err(format!("{url}: expected http or https")),
    }
}

impl Emulate {
    pub(super) async fn run(self, common: Common) -> Result<(), Fault> {
        let listen = self.listen;
        if self.print_config {
            return print_config(&common, listen);
        }
        if !listen.ip().is_loopback() && !self.allow_other_hosts {
            return Err(format!(
                "listen {listen}: not a loopback address; --allow-other-hosts permits it"
            )
            .into());
        }
        let stop = install_stop_signals()?;
        let listener = TcpListener::bind(listen).await.map_err(|error| {
            format!("listen {listen}: {error}; choose another address with --listen")
        })?;
        let running =
            Emulator::start(listener, self.settings()).map_err(|error| error.to_string())?;
        let base_url = format!("http://{}", reachable(running.address()));
        let ready = ReadyReport {
            listening: running.address().to_string(),
            page: format!("{base_url}/"),
            orders: format!("{base_url}/orders"),
        };
        let text = format!("tua emulates the operators at {}; no real money moves", ready.page);
        output::print(&common, &ready, &text)?;
        stop.await;
        running.stop().await;
        Ok(())
    }

    fn settings(self) -> Settings {
        let defaults = Settings::default();
        let mtn = MtnSettings {
            profile: match self.mtn_profile {
                Profile::Documented => MtnProfile::Documented,
                Profile::Measured => MtnProfile::Measured202609,
            },
            callbacks: if self.mtn_repeats_callbacks {
                MtnCallbacks::Repeated
            } else {
                MtnCallbacks::Once
            },
            target_environment_required: self.mtn_target_environment_required,
            ..MtnSettings::default()
        };
        let pawapay = PawapaySettings {
            signed_requests_only: self.signed_requests_only,
            signed_callbacks: !self.unsigned_callbacks,
            signature_encoding: if self.raw_signatures {
                SignatureEncoding::Raw
            } else {
                SignatureEncoding::Der
            },
        };
        let paystack = PaystackSettings { approval_url: self.paystack_approval };
        let operators = PerOperator::default().with(mtn).with(paystack).with(pawapay);
        Settings {
            clock: ClockMode::Running(self.speed),
            callback_urls: self.callbacks.into_iter().collect::<HashMap<_, _>>(),
            operators,
            chaos: self.chaos,
            allow_other_hosts: self.allow_other_hosts,
            float_pesewas: self.float.map_or(defaults.float_pesewas, Amount::pesewas),
            balance_checked_first: self.balance_checked_first,
            ..defaults
        }
    }
}

fn print_config(common: &Common, listen: SocketAddr) -> Result<(), Fault> {
    if listen.port() == 0 {
        return Err(format!("listen {listen}: --print-config needs the port").into());
    }
    let config = emulator_settings::toml(&format!("http://{}", reachable(listen)));
    output::print(common, &PrintedConfig { config: &config }, &config)
}

/// The address by which this machine reaches a listener.
fn reachable(listen: SocketAddr) -> SocketAddr {
    match listen.ip() {
        IpAddr::V4(address) if address.is_unspecified() => {
            SocketAddr::new(Ipv4Addr::LOCALHOST.into(), listen.port())
        }
        IpAddr::V6(address) if address.is_unspecified() => {
            SocketAddr::new(Ipv6Addr::LOCALHOST.into(), listen.port())
        }
        _ => listen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callback_names_an_operator_and_a_url() {
        let url = "http://127.0.0.1:8080/callbacks/paystack/secret";
        assert_eq!(
            parse_callback(&format!("paystack={url}")),
            Ok((Operator::PAYSTACK, url.to_owned()))
        );
        for text in [
            "paystack",
            "other=http://127.0.0.1/",
            "paystack=ftp://x",
            "paystack=x",
            "hubtel=http://127.0.0.1/",
        ] {
            assert!(parse_callback(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_listener_on_all_addresses_is_reached_on_loopback() {
        let reachable = |text: &str| reachable(text.parse().unwrap()).to_string();
        assert_eq!(reachable("0.0.0.0:9100"), "127.0.0.1:9100");
        assert_eq!(reachable("[::]:9100"), "[::1]:9100");
        assert_eq!(reachable("127.0.0.2:9100"), "127.0.0.2:9100");
    }
}
