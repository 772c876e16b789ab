//! Alert channels: the chats and servers to which alerts of the account and mode are sent.

use super::{
    confirmation::{Confirmation, is_confirmed},
    error::{DashboardError, redirect},
    fields::Fields,
    language::Language,
    notice::Notice,
    payment::PathValues,
    state::DashboardState,
    texts,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    http::StatusCode,
    response::Response,
};
use fluent_bundle::FluentArgs;
use minijinja::{Value, context};
use tua_domain::{
    ChannelId,
    alert_channel::{AlertChannel, ChannelService, ChannelTarget, MAX_CHANNELS},
    mail::AlertTopic,
    people::Role,
    webhook::endpoint::signing_secret,
};
use tua_use_cases::{NewChannel, TestResult};
use tua_webhooks::endpoint_url::parse_url;

/// The page, below the account and mode.
const PAGE: &str = "/alerts";

/// What the page shows besides the channels.
#[derive(Default)]
struct ChannelPage<'a> {
    notice: &'a str,
    refused: Option<RefusedChannel>,
    /// A new secret, which is shown this once.
    secret: Option<String>,
}

/// A form that was refused. The page shows it as it was typed, but without the secrets: a token,
/// and an address, by which anybody could write to the channel.
struct RefusedChannel {
    service: ChannelService,
    fault: String,
    chat: String,
    topics: Vec<AlertTopic>,
}

/// `GET /alerts`: the channels of the account and mode.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(notice): Query<Notice>,
) -> Result<Response, DashboardError> {
    page(&state, &visitor, ChannelPage { notice: notice.key(), ..ChannelPage::default() }).await
}

/// `POST /alerts`: adds a channel. The signing secret of a server is shown once.
pub(super) async fn add(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let service = ChannelService::parse(fields.get("service")).ok_or(DashboardError::NotFound)?;
    let topics = chosen_topics(&fields, visitor.role)?;
    let target = match read_target(&state, &visitor, service, &fields) {
        Ok(target) => target,
        Err(fault) => {
            let refused = RefusedChannel::new(service, fault, &fields, topics);
            return refuse(&state, &visitor, refused).await;
        }
    };
    let secret = match &target {
        ChannelTarget::Https { secret, .. } => Some(secret.clone()),
        ChannelTarget::Slack { .. } | ChannelTarget::Telegram { .. } => None,
    };
    let language = visitor.person.language.tag().ok_or(DashboardError::NotFound)?;
    let new = NewChannel { target, language, topics: topics.clone() };
    let by = visitor.audit(&state);
    if !state.alert_channels.add(&visitor.scope, new, &by).await? {
        let fault = format!("there are {MAX_CHANNELS} already; remove one first");
        let refused = RefusedChannel::new(service, fault, &fields, topics);
        return refuse(&state, &visitor, refused).await;
    }
    page(&state, &visitor, ChannelPage { notice: "done-saved", secret, refused: None }).await
}

/// `POST /alerts/{id}/topics`: changes which alerts a channel receives. Topics that are
/// not open to the person's role stay as they are.
pub(super) async fn choose_topics(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let channel = find(&state, &visitor, &path).await?;
    let topics = chosen_topics(&fields, visitor.role)?;
    let by = visitor.audit(&state);
    let channels = &state.alert_channels;
    channels.set_topics(&visitor.scope, &channel.id, visitor.role, &topics, &by).await?;
    Ok(back(&visitor, "saved"))
}

/// `POST /alerts/{id}/test`: sends a test now, at most one in 15 seconds. The page shows
/// what came of it.
pub(super) async fn send_test(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    let channel = find(&state, &visitor, &path).await?;
    let text = test_text(&channel, &visitor.account.name);
    match state.alert_channels.test(&channel, text).await? {
        TestResult::Sent => Ok(back(&visitor, "tested")),
        TestResult::TooSoon => Ok(back(&visitor, "test-too-soon")),
    }
}

/// `POST /alerts/{id}/remove`: deletes a channel with its secrets.
pub(super) async fn remove(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let channel = find(&state, &visitor, &path).await?;
    if !is_confirmed(&fields) {
        let action = format!("{PAGE}/{}/remove", channel.id);
        let question = Confirmation::of("confirm-remove-channel", channel.shown, action, PAGE);
        return Ok(question.page(&visitor));
    }
    let by = visitor.audit(&state);
    state.alert_channels.remove(&visitor.scope, &channel.id, &by).await?;
    Ok(back(&visitor, "removed"))
}

/// Reads where messages are to go, by the rules for addresses of webhooks.
fn read_target(
    state: &DashboardState,
    visitor: &Visitor,
    service: ChannelService,
    fields: &Fields,
) -> Result<ChannelTarget, String> {
    let url = || {
        let typed = fields.visible("address");
        let url = parse_url(&typed, visitor.scope.mode, state.allow_private_webhooks)?;
        Ok::<_, &'static str>(url.to_string())
    };
    match service {
        ChannelService::Slack => Ok(ChannelTarget::Slack { url: url()? }),
        ChannelService::Https => Ok(ChannelTarget::Https { url: url()?, secret: signing_secret() }),
        ChannelService::Telegram => {
            let token = fields.visible("token");
            ChannelTarget::telegram(&token, &fields.visible("chat"))
                .map_err(|fault| fault.to_string())
        }
    }
}

/// The text of a test, in the language of the channel.
fn test_text(channel: &AlertChannel, account: &str) -> String {
    let language = Language::parse(channel.language.as_str()).unwrap_or_default();
    let arguments = FluentArgs::from_iter([("account", account)]);
    texts::text(language, "channel-test-text", &arguments).unwrap_or_default()
}

/// The topics of a form, all of which must be open to the role.
fn chosen_topics(fields: &Fields, role: Role) -> Result<Vec<AlertTopic>, DashboardError> {
    let chosen: Option<Vec<AlertTopic>> = fields.all("topic").map(AlertTopic::parse).collect();
    let chosen = chosen.ok_or(DashboardError::NotFound)?;
    if chosen.iter().all(|topic| topic.is_open_to(role)) {
        Ok(chosen)
    } else {
        Err(DashboardError::NotFound)
    }
}

async fn find(
    state: &DashboardState,
    visitor: &Visitor,
    path: &PathValues,
) -> Result<AlertChannel, DashboardError> {
    let id = ChannelId::new(path.get("id").ok_or(DashboardError::NotFound)?);
    let found = state.alert_channels.find(&visitor.scope, &id).await?;
    found.ok_or(DashboardError::NotFound)
}

fn back(visitor: &Visitor, done: &str) -> Response {
    redirect(&visitor.href(&format!("{PAGE}?done={done}")))
}

async fn refuse(
    state: &DashboardState,
    visitor: &Visitor,
    refused: RefusedChannel,
) -> Result<Response, DashboardError> {
    let refused = Some(refused);
    page(state, visitor, ChannelPage { refused, ..ChannelPage::default() }).await
}

impl RefusedChannel {
    fn new(
        service: ChannelService,
        fault: String,
        fields: &Fields,
        topics: Vec<AlertTopic>,
    ) -> Self {
        Self { service, fault, chat: fields.get("chat").to_owned(), topics }
    }

    fn values(self, role: Role) -> Value {
        context! {
            service => self.service.as_str(),
            text => self.fault,
            chat => self.chat,
            topics => topic_rows(&self.topics, role),
        }
    }
}

async fn page(
    state: &DashboardState,
    visitor: &Visitor,
    shown: ChannelPage<'_>,
) -> Result<Response, DashboardError> {
    let channels = state.alert_channels.list(&visitor.scope).await?;
    let status =
        if shown.refused.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let refusal = shown.refused.map(|refused| refused.values(visitor.role));
    let values = context! {
        rows => channels.iter().map(|one| row(one, visitor.role)).collect::<Vec<_>>(),
        is_full => channels.len() >= MAX_CHANNELS as usize,
        limit => MAX_CHANNELS,
        services => ChannelService::ALL.iter().map(|one| one.as_str()).collect::<Vec<_>>(),
        topics => topic_rows(AlertTopic::ALL, visitor.role),
        notice => shown.notice,
        secret => shown.secret,
        fault => "",
        refusal,
    };
    Ok(visitor.page_with(status, "alert_channels.html", values))
}

fn row(channel: &AlertChannel, role: Role) -> Value {
    context! {
        id => channel.id.as_str(),
        service => channel.service.as_str(),
        shown => &channel.shown,
        created_at => channel.created_at.to_string(),
        attempted_at => channel.last.as_ref().map(|last| last.at.to_string()),
        fault => channel.last.as_ref().and_then(|last| last.fault.clone()),
        attempts => channel.attempts,
        given_up => channel.given_up,
        topics => topic_rows(&channel.topics, role),
    }
}

/// Every topic that is open to the role. Those in `chosen` are switched on.
fn topic_rows(chosen: &[AlertTopic], role: Role) -> Vec<Value> {
    let row = |topic: AlertTopic| {
        context! { key => topic.as_str(), is_on => chosen.contains(&topic) }
    };
    AlertTopic::open_to(role).map(row).collect()
}
