//! What the handlers of the dashboard need.

use super::{demo_link::DemoLink, passkey_verifier::PasskeyVerifier};
use std::sync::Arc;
use tua_domain::{
    audit::{AuditContext, Source, actor_name},
    key_ring::KeyRing,
    people::LinkDelivery,
    ports::Clock,
    privacy::Retention,
    public_url::PublicUrl,
    simulated_phone::SimulatedPhone,
};
use tua_net::Client;
use tua_oidc::Provider;
use tua_tables::statement_file::StatementForms;
use tua_use_cases::{
    Accounts, AlertChannels, ApiKeys, AuditLog, Batches, Branding, Checkouts, Codes, DayCharges,
    DayClosing, Deliveries, Enrolments, Exports, FirstSteps, LinkManagement, Links, MailOutbox,
    MailServers, Members, MonthlyReports, Networks, OperatorChecks, OperatorConnections,
    OperatorFloats, Passkeys, Payees, PaymentSearch, Payments, PayoutLimits, PayoutLists, Payouts,
    PersonSecurity, ProviderSignIn, RefundLists, Refunds, Reports, Reviews, SandboxClock, Sessions,
    Statements, StatusQueries, TransactionRecords, WebhookEndpoints,
};
use tua_web::http::BodyTimeout;

/// The sign-in provider, and the use case that reads its claims.
#[derive(Clone, Debug)]
pub struct SignInProvider {
    /// The client of the provider, which verifies its ID tokens.
    pub provider: Arc<Provider>,
    /// Signs in, enrols or links the person whom an ID token is about.
    pub people: ProviderSignIn,
}

impl SignInProvider {
    /// The name on buttons.
    pub(super) fn name(&self) -> &str {
        &self.provider.settings().name
    }
}

/// What the handlers of the dashboard need.
#[derive(Clone, Debug)]
pub struct DashboardState {
    /// The time of audit entries, and of every age that pages compare.
    pub clock: Arc<dyn Clock>,
    /// Signs people in with passwords, and finds, proves and ends their sessions.
    pub sessions: Sessions,
    /// Changes names and limits of accounts.
    pub accounts: Accounts,
    /// Creates, lists and revokes secret keys.
    pub api_keys: ApiKeys,
    /// Lists and verifies the audit log.
    pub audit_log: AuditLog,
    /// Adds, lists and changes webhook endpoints.
    pub webhook_endpoints: WebhookEndpoints,
    /// Adds, changes and tests the chats and servers to which alerts are sent.
    pub alert_channels: AlertChannels,
    /// Makes what is scheduled in test mode of an account earlier.
    pub sandbox_clock: SandboxClock,
    /// Lists webhook deliveries, and sends them again.
    pub deliveries: Deliveries,
    /// Creates, lists and changes payment links.
    pub links: LinkManagement,
    /// Creates a payment link once for each form.
    pub new_links: Links,
    /// Reads the outbox of e-mail.
    pub mail_outbox: MailOutbox,
    /// Sets up the mail server of an account.
    pub mail_servers: MailServers,
    /// Reads the money at operators.
    pub operator_floats: OperatorFloats,
    /// Connects operators of an account.
    pub operator_connections: OperatorConnections,
    /// Checks the credentials and settings of operators.
    pub operator_checks: OperatorChecks,
    /// Reads and changes who has which role in which account.
    pub members: Members,
    /// Reads a person's own credentials, and changes the person's reports.
    pub person_security: PersonSecurity,
    /// Stores passkeys, and the challenges that they sign.
    pub stored_passkeys: Passkeys,
    /// Reads and sends what is stored about one transaction.
    pub transaction_records: TransactionRecords,
    /// Reads lists and figures of transactions.
    pub reports: Reports,
    /// Begins exports of transactions.
    pub exports: Exports,
    /// Reads how far an account is from its name to real payments.
    pub first_steps: FirstSteps,
    /// Decides about flagged transactions.
    pub reviews: Reviews,
    /// Lists and finds refunds.
    pub refund_lists: RefundLists,
    /// Lists payouts that wait for an approval, and batches.
    pub payout_lists: PayoutLists,
    /// Reads and changes the limits of payouts.
    pub payout_limits: PayoutLimits,
    /// Lists and closes checkout sessions.
    pub checkouts: Arc<Checkouts>,
    /// Imports and compares statements of operators.
    pub statements: Statements,
    /// Closes days of operators.
    pub day_closing: DayClosing,
    /// Reads the books of a month.
    pub monthly_reports: MonthlyReports,
    /// Changes the colour and the logo of an account.
    pub branding: Branding,
    /// Invites people, enrols them, and changes their passwords and recovery codes.
    pub enrolments: Enrolments,
    /// The link of `tua demo`; `None` in a service.
    pub demo: Option<DemoLink>,
    /// Encrypts cookies and the secrets of endpoints, and seals entries of the audit log.
    pub keys: KeyRing,
    /// Asks operators about payments.
    pub status_queries: Arc<StatusQueries>,
    /// Begins charges and payouts that people ask for.
    pub payments: Arc<Payments>,
    /// Passes codes of payers on to operators.
    pub codes: Arc<Codes>,
    /// Reads the charges of the day.
    pub day_charges: DayCharges,
    /// Reads whom the account has paid.
    pub payees: Payees,
    /// Finds charges by their operators' ids.
    pub payment_search: PaymentSearch,
    /// Approves, refuses and cancels payouts that are not sent yet.
    pub payouts: Payouts,
    /// Begins batches of payouts, and decides about them.
    pub batches: Batches,
    /// Begins refunds of charges, which may then wait for an approval.
    pub refunds: Refunds,
    /// Verifies passkeys; `None` where browsers offer none.
    pub passkeys: Option<PasskeyVerifier>,
    /// The sign-in provider; `None` where none is configured.
    pub oidc: Option<SignInProvider>,
    /// How networks are served.
    pub networks: Networks,
    /// How operators' statements are written.
    pub statement_forms: StatementForms,
    /// Whether live webhooks may be sent to private addresses.
    pub allow_private_webhooks: bool,
    /// The dashboard's own address.
    pub public_url: PublicUrl,
    /// The address of the pages for payers, such as those of payment links.
    pub payer_url: PublicUrl,
    /// The simulated phone: while it is served, most test payments wait for it.
    pub simulated_phone: SimulatedPhone,
    /// How long records of live payments are kept before they may be erased.
    pub retention_live: Retention,
    /// To whom the links of invitations go.
    pub invitation_links: LinkDelivery,
    /// How long a form may take to arrive.
    pub body_timeout: BodyTimeout,
}

impl DashboardState {
    /// Who makes a change, and from where.
    pub(super) fn audit(&self, email: &str, device: &str, client: Client) -> AuditContext {
        AuditContext {
            at: self.clock.now(),
            actor: actor_name(email, client.limited_address()),
            source: Source::Dashboard,
            device: Some(device.to_owned()),
            key: self.keys.audit_key(),
        }
    }

    /// The issuer identifier of the sign-in provider.
    pub(super) fn issuer(&self) -> Option<&str> {
        self.oidc.as_ref().map(|one| one.provider.settings().issuer.as_str())
    }

    /// The name of the sign-in provider on buttons.
    pub(super) fn provider_name(&self) -> Option<&str> {
        self.oidc.as_ref().map(SignInProvider::name)
    }

    /// Whether browsers reach the dashboard over HTTPS. If not, it is on loopback.
    pub(super) fn is_https(&self) -> bool {
        self.public_url.is_https()
    }
}
