//! The settings of a start in the audit log.

use crate::{Config, DashboardPlace, dashboard_origin};
use jiff::civil::Date;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tua_contract::Network;
use tua_domain::{
    AccountId,
    audit::{Action, AuditChange, AuditContext},
    people::RoleMapping,
    ports::AuditLog,
    public_url::PublicUrl,
    routing::{NetworkEnd, OperatorName},
    tariff::{Tariff, Tariffs},
};
use tua_oidc::OidcSettings;
use tua_operators::configured::{ConfiguredOperator, ConfiguredOperators};
use url::Url;

/// Appends an entry if the settings differ from those of the last start.
///
/// # Errors
/// One line: the store failed.
pub async fn record(config: &Config, log: &dyn AuditLog, by: &AuditContext) -> Result<(), String> {
    let last =
        log.last_audit_entry(Action::SettingsChanged).await.map_err(|error| error.to_string())?;
    let before = last.and_then(|entry| entry.after);
    let after = Some(values(config).to_string());
    if before == after {
        return Ok(());
    }
    let change = AuditChange {
        action: Action::SettingsChanged,
        subject: "tua serve".to_owned(),
        before,
        after,
    };
    log.append_audit(change, by).await.map_err(|error| error.to_string())
}

/// The origin of the dashboard at the last start of the service, or that of a first start without
/// settings.
///
/// # Errors
/// One line: the store failed.
pub async fn last_origin(log: &dyn AuditLog) -> Result<String, String> {
    let settings = last_settings(log).await?;
    let own =
        |address: &str| format!("{}://{address}", if is_tls(&settings) { "https" } else { "http" });
    let configured = settings["dashboardUrl"].as_str().map(str::to_owned);
    let origin = configured.or_else(|| settings["dashboardListen"].as_str().map(own));
    let origin = origin.unwrap_or_else(|| payer_origin(&settings));
    Ok(PublicUrl::parse(&origin).map_or(origin, |origin| dashboard_origin(&origin).to_string()))
}

/// The origin of the pages for payers at the last start of the service, or that of a first start
/// without settings.
///
/// # Errors
/// One line: the store failed.
pub async fn last_payer_origin(log: &dyn AuditLog) -> Result<String, String> {
    let last = payer_origin_of_last_start(log).await?;
    Ok(last.unwrap_or_else(|| payer_origin(&Value::Null)))
}

/// As [`last_payer_origin`]; `None` where the service was never started.
///
/// # Errors
/// One line: the store failed.
pub async fn payer_origin_of_last_start(log: &dyn AuditLog) -> Result<Option<String>, String> {
    let settings = last_settings(log).await?;
    Ok((!settings.is_null()).then(|| payer_origin(&settings)))
}

async fn last_settings(log: &dyn AuditLog) -> Result<Value, String> {
    let last =
        log.last_audit_entry(Action::SettingsChanged).await.map_err(|error| error.to_string())?;
    let settings =
        last.and_then(|entry| entry.after).and_then(|text| serde_json::from_str(&text).ok());
    Ok(settings.unwrap_or_default())
}

fn is_tls(settings: &Value) -> bool {
    !settings["tlsCertificate"].is_null() || !settings["acmeNames"].is_null()
}

fn payer_origin(settings: &Value) -> String {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let of_acme = || text(&settings["acmeNames"][0]).map(|name| format!("https://{name}"));
    let scheme = if is_tls(settings) { "https" } else { "http" };
    let of_listener = || text(&settings["listen"]).map(|address| format!("{scheme}://{address}"));
    let origin = text(&settings["publicUrl"]).or_else(of_acme).or_else(of_listener);
    origin.unwrap_or_else(|| "http://127.0.0.1:8080".to_owned())
}

/// The settings without secrets. Each is named here, so that a new setting is not forgotten.
fn values(config: &Config) -> Value {
    let Config {
        listen,
        public_url,
        database,
        server_keys,
        sandbox_speed,
        sandbox_tariffs,
        sandbox_phone,
        limits,
        tls,
        acme,
        http_listen,
        trusted_proxies,
        connection_limits,
        metrics_listen,
        allow_private_webhooks,
        retention_live,
        dashboard,
        dashboard_url,
        demo_link: _,
        operators,
        operator_emulator,
        mail,
        oidc,
    } = config;
    json!({
        "listen": listen,
        "publicUrl": public_url.as_deref(),
        "database": database.to_string(),
        "serverKeys": server_keys.len(),
        "sandboxSpeed": sandbox_speed,
        "sandboxTariffs": tariffs(sandbox_tariffs),
        "sandboxPhone": sandbox_phone,
        "limits": format!("{limits:?}"),
        "tlsCertificate": tls.as_ref().map(|files| files.certificate.display().to_string()),
        "acmeNames": acme.as_ref().map(|acme| acme.names.clone()),
        "httpListen": http_listen,
        "trustedProxies": trusted_proxies.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "connectionLimits": format!("{connection_limits:?}"),
        "metricsListen": metrics_listen,
        "allowPrivateWebhooks": allow_private_webhooks,
        "dashboard": *dashboard != DashboardPlace::Off,
        "dashboardListen": match dashboard {
            DashboardPlace::OnListener(address) => Some(address),
            DashboardPlace::OnService | DashboardPlace::Off => None,
        },
        "dashboardUrl": dashboard_url.as_deref(),
        "mail": mail.as_ref().map(|mail| format!("{}:{}", mail.host, mail.port)),
        "oidc": oidc.as_ref().map(provider),
        "retentionLive": retention_live.to_string(),
        "operators": operators.operators.iter().map(operator).collect::<Vec<_>>(),
        "operatorEmulator": operator_emulator.as_ref().map(Url::as_str),
        "routes": routes(operators),
        "endedNetworks": ended_networks(operators),
    })
}

fn ended_networks(operators: &ConfiguredOperators) -> Value {
    let end = |network: Network| match operators.ended.end_of(network)? {
        NetworkEnd::Retired => Some((network.as_str(), "retired")),
        NetworkEnd::MovedTo(other) => Some((network.as_str(), other.as_str())),
    };
    json!(Network::ALL.into_iter().filter_map(end).collect::<BTreeMap<_, _>>())
}

/// The provider, and who gets which role by its claims.
fn provider(oidc: &OidcSettings) -> Value {
    let role = |one: &RoleMapping| json!([one.group, one.account.as_str(), one.role.as_str()]);
    json!({
        "issuer": oidc.issuer,
        "clientId": oidc.client_id,
        "scopes": oidc.scopes,
        "groupsClaim": oidc.groups_claim,
        "roles": oidc.roles.iter().map(role).collect::<Vec<_>>(),
    })
}

fn operator(operator: &ConfiguredOperator) -> Value {
    json!({
        "name": operator.pin.name.as_str(),
        "mode": operator.mode.as_str(),
        "environment": operator.environment.as_str(),
        "baseUrl": operator.base_url.as_str(),
        "merchant": operator.merchant,
        "accounts": operator
            .accounts
            .as_ref()
            .map(|ids| ids.iter().map(AccountId::as_str).collect::<Vec<_>>()),
        "sameLegalPerson": operator.is_same_legal_person,
        "drain": operator.is_draining,
        "float-alert-below": operator.float_alert_below,
        "acceptUnverifiedNumbers": operator.accepts_unverified_numbers,
        "tariffs": tariffs(&operator.tariffs),
        "outboundProxy": operator.outbound_proxy.as_ref().and_then(Url::host_str),
    })
}

/// The tariffs in a form that differs where they differ.
fn tariffs(tariffs: &Tariffs) -> Vec<Value> {
    let value = |tariff: &Tariff| {
        json!({
            "direction": tariff.kind.as_str(),
            "networks": tariff.networks.iter().map(|network| network.as_str()).collect::<Vec<_>>(),
            "percent": tariff.percent.to_string(),
            "fixedPesewas": tariff.fixed_pesewas,
            "minPesewas": tariff.min_pesewas,
            "capPesewas": tariff.cap_pesewas,
            "bearer": tariff.bearer.as_str(),
            "from": (tariff.from != Date::MIN).then(|| tariff.from.to_string()),
        })
    };
    tariffs.all().iter().map(value).collect()
}

/// The routes, sorted, so that equal settings have equal texts.
fn routes(operators: &ConfiguredOperators) -> BTreeMap<String, Vec<&str>> {
    let mut routes = BTreeMap::new();
    for ((mode, network, kind), names) in &operators.routes {
        let key = format!("{}.{}.{}", mode.as_str(), network.as_str(), kind.as_str());
        routes.insert(key, names.iter().map(OperatorName::as_str).collect());
    }
    routes
}
