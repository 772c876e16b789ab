//! One order: account, validation of the names, certificate.

use super::{
    AcmeSettings,
    challenges::record_name,
    failure::{Failure, printable},
    http_client::AcmeHttpClient,
    records::{Records, StoredAccount, StoredCertificate},
    settings::Challenge,
};
use crate::tls::Certificate;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use instant_acme::{
    Account, AuthorizationStatus, ChallengeType, ExternalAccountKey, Identifier, NewAccount,
    NewOrder, Order, OrderStatus, RetryPolicy,
};
use jiff::{SignedDuration, Timestamp};
use std::{fs, time::Duration};

/// How often and how long the ACME server is asked whether it has validated the names or issued the
/// certificate.
const POLLING: RetryPolicy = RetryPolicy::new()
    .initial_delay(Duration::from_millis(250))
    .backoff(1.5)
    .timeout(Duration::from_secs(120));

/// A certificate that expires sooner than this is of no use.
const SHORTEST_LIFETIME: SignedDuration = SignedDuration::from_hours(1);

/// Places an order, waits for the certificate, verifies and stores it.
pub(super) async fn place(
    settings: &AcmeSettings,
    records: &Records,
    now: Timestamp,
) -> Result<(StoredCertificate, Certificate), Failure> {
    let mut challenges = Vec::new();
    let issued = issue(settings, records, &mut challenges).await;
    for name in challenges {
        records.remove_challenge(&name).await?;
    }
    if issued.as_ref().is_err_and(Failure::is_unknown_account) {
        records.remove_account().await?;
    }
    let stored = issued?;
    let certificate = stored.parse().map_err(Failure::Unusable)?;
    if certificate.not_after < now + SHORTEST_LIFETIME
        || certificate.not_before > certificate.not_after
    {
        return Err(Failure::Unusable(format!(
            "the certificate expires at {}",
            certificate.not_after
        )));
    }
    records.put_certificate(&stored, certificate.not_after).await?;
    Ok((stored, certificate))
}

/// The records with the answers to the validations are added to `challenges`.
async fn issue(
    settings: &AcmeSettings,
    records: &Records,
    challenges: &mut Vec<String>,
) -> Result<StoredCertificate, Failure> {
    let account = account(settings, records).await?;
    let names: Vec<Identifier> = settings.names.iter().cloned().map(Identifier::Dns).collect();
    let mut order = account.new_order(&NewOrder::new(&names)).await?;
    answer_challenges(&mut order, settings.challenge, records, challenges).await?;
    match order.poll_ready(&POLLING).await? {
        OrderStatus::Ready => {}
        _ => return Err(failed_validation(&mut order).await?),
    }
    let key = order.finalize().await?;
    let chain = order.poll_certificate(&POLLING).await?;
    Ok(StoredCertificate {
        directory: settings.directory.clone(),
        names: settings.names.clone(),
        chain,
        key,
    })
}

async fn account(settings: &AcmeSettings, records: &Records) -> Result<Account, Failure> {
    let builder = Account::builder_with_http(Box::new(
        AcmeHttpClient::new(settings).map_err(Failure::Setting)?,
    ));
    if let Some(stored) =
        records.account().await?.filter(|stored| stored.directory == settings.directory)
    {
        return Ok(builder.from_credentials(stored.credentials).await?);
    }
    let contact = settings.contact.as_ref().map(|mail| format!("mailto:{mail}"));
    let contact: Vec<&str> = contact.iter().map(String::as_str).collect();
    let new = NewAccount {
        contact: &contact,
        terms_of_service_agreed: true,
        only_return_existing: false,
    };
    let binding = external_account(settings)?;
    let (account, credentials) =
        builder.create(&new, settings.directory.clone(), binding.as_ref()).await?;
    records
        .put_account(&StoredAccount { directory: settings.directory.clone(), credentials })
        .await?;
    Ok(account)
}

/// Reads the file with the key identifier and the HMAC key in base64url, separated by white space.
fn external_account(settings: &AcmeSettings) -> Result<Option<ExternalAccountKey>, Failure> {
    let Some(path) = &settings.eab else { return Ok(None) };
    let fault = |fault: String| Failure::Setting(format!("acme-eab {}: {fault}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
    let form = || {
        fault("holds no key identifier and HMAC key in base64url, separated by a space".to_owned())
    };
    let [identifier, key] = text.split_whitespace().collect::<Vec<_>>()[..] else {
        return Err(form());
    };
    let key = URL_SAFE_NO_PAD.decode(key.trim_end_matches('=')).map_err(|_| form())?;
    Ok(Some(ExternalAccountKey::new(identifier.to_owned(), &key)))
}

async fn answer_challenges(
    order: &mut Order,
    challenge: Challenge,
    records: &Records,
    answered: &mut Vec<String>,
) -> Result<(), Failure> {
    let kind = match challenge {
        Challenge::TlsAlpn01 => ChallengeType::TlsAlpn01,
        Challenge::Http01 => ChallengeType::Http01,
    };
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        let mut authorization = authorization?;
        let name = authorization.identifier().to_string();
        match authorization.status {
            // From an earlier order; the ACME server still accepts it.
            AuthorizationStatus::Valid => continue,
            AuthorizationStatus::Pending => {}
            status => {
                return Err(Failure::NotValidated {
                    name,
                    reason: format!("the authorization is {status:?}"),
                });
            }
        }
        let Some(mut handle) = authorization.challenge(kind.clone()) else {
            return Err(Failure::NotValidated {
                name,
                reason: "it does not offer this challenge".to_owned(),
            });
        };
        let subject = match challenge {
            Challenge::TlsAlpn01 => name,
            Challenge::Http01 => handle.token.clone(),
        };
        let record = record_name(challenge, &subject);
        records.put_challenge(&record, handle.key_authorization().as_str()).await?;
        answered.push(record);
        handle.set_ready().await?;
    }
    Ok(())
}

/// The reason why an order became invalid.
async fn failed_validation(order: &mut Order) -> Result<Failure, Failure> {
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        let mut authorization = authorization?;
        let name = printable(authorization.identifier());
        let state = authorization.refresh().await?;
        if let Some(problem) =
            state.challenges.iter().find_map(|challenge| challenge.error.as_ref())
        {
            let reason = printable(problem.detail.as_deref().unwrap_or("no reason given"));
            return Ok(Failure::NotValidated { name, reason });
        }
    }
    Ok(Failure::Unusable("the order is invalid, and no validation failed".to_owned()))
}
