//! The dashboard, without script.

mod access;
mod administration;
mod batch_files;
mod batches;
mod branding;
mod ended_sessions;
mod first_steps;
mod journey;
mod limit_lifts;
mod links;
mod oidc;
mod oidc_responses;
mod only_way_in;
mod operator_check;
mod pages;
mod passkey_enrolment;
mod passkeys;
mod payouts_and_webhooks;
mod people_apart;
mod placement;
mod recipient_names;
mod refunds;
mod search_box;
mod sign_in_limits;
mod statements;
mod stored_markup;
