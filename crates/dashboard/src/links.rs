//! Payment links: a list with a form, and a page for each link with what is sent to payers.

use super::{
    chat,
    confirmation::{Confirmation, is_confirmed},
    error::{DashboardError, redirect},
    fields::Fields,
    first_steps::test_numbers,
    form_key::FormKey,
    link_answers,
    money::Cedis,
    notice::Notice,
    payment::PathValues,
    security_headers,
    state::DashboardState,
    texts, views,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    http::StatusCode,
    response::Response,
};
use fluent_bundle::FluentArgs;
use minijinja::{Value, context};
use serde::Deserialize;
use std::collections::BTreeMap;
use tua_contract::Amount;
use tua_domain::{
    LinkId, Mode,
    idempotency::RepeatError,
    link::{
        ChangeLinkError, CreateLinkError, Link, LinkChange, LinkFault, LinkField, LinkForm,
        LinkPageRequest, LinkStatus, LinkUses, LinkWithTotals,
    },
};
use tua_use_cases::IdempotentResult;
use tua_web::http::qr_code;
use url::form_urlencoded;

/// How many links a page shows.
const ROWS: u32 = 50;

/// The query of `GET /links`.
#[derive(Debug, Deserialize)]
pub(super) struct LinkPageQuery {
    /// The last link of the page before.
    #[serde(default)]
    after: String,
}

/// `GET /links`: the newest first.
pub(super) async fn list(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(LinkPageQuery { after }): Query<LinkPageQuery>,
) -> Result<Response, DashboardError> {
    page(&state, &visitor, &after, &BTreeMap::new(), &[]).await
}

/// `POST /links`: creates a link, or shows the form again with every fault.
pub(super) async fn create(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let typed: BTreeMap<&str, &str> =
        LinkField::ALL.iter().map(|field| (field.as_str(), fields.get(field.as_str()))).collect();
    let of = |field: LinkField| fields.get(field.as_str());
    let form = LinkForm {
        title: of(LinkField::Title),
        description: of(LinkField::Description),
        amount: of(LinkField::Amount),
        min_amount: of(LinkField::MinAmount),
        max_amount: of(LinkField::MaxAmount),
        uses: of(LinkField::Uses),
        expires_at: of(LinkField::ExpiresAt),
        reference: of(LinkField::Reference),
        question: of(LinkField::Question),
    };
    let by = visitor.audit(&state);
    let new = match form.read(by.at) {
        Ok(new) => new,
        Err(faults) => {
            let faults: Vec<_> =
                faults.into_iter().map(|(field, fault)| (field, FaultText::of(fault))).collect();
            return page(&state, &visitor, "", &typed, &faults).await;
        }
    };
    let key = FormKey::of(&fields).parse();
    let fault = match state.new_links.create_for_person(visitor.scope.clone(), new, key, by).await {
        Ok(IdempotentResult { value: link, .. }) => {
            return Ok(redirect(&visitor.href(&format!("/links/{}?done=link-created", link.id))));
        }
        // The first click of two: the list shows its link.
        Err(CreateLinkError::Repeat(RepeatError::InProgress)) => {
            return Ok(redirect(&visitor.href("/links")));
        }
        Err(CreateLinkError::Repeat(RepeatError::KeyReused)) => "link-fault-sent",
        Err(CreateLinkError::AccountSuspended) => "link-fault-suspended",
        Err(CreateLinkError::Store(error)) => return Err(error.into()),
        Err(_) => return Err(DashboardError::Failed(StatusCode::INTERNAL_SERVER_ERROR)),
    };
    page(&state, &visitor, "", &typed, &[(LinkField::Title, FaultText::key(fault))]).await
}

/// `GET /links/{id}`: one link, with the payments that it has had.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    Query(notice): Query<Notice>,
) -> Result<Response, DashboardError> {
    let found = find(&state, &visitor, &path).await?;
    link_page(&state, &visitor, &found, notice.key(), "").await
}

/// `GET /links/{id}/qr.svg`: the address as a QR code. The address itself may be of another origin,
/// whose pictures no page of the dashboard loads.
pub(super) async fn draw_code(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    let found = find(&state, &visitor, &path).await?;
    let mut response = qr_code(&found.link.address(&state.payer_url));
    security_headers::add(response.headers_mut());
    Ok(response)
}

/// `POST /links/{id}/close`: the link takes no further payment, and its open sessions are closed.
pub(super) async fn close(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    if !is_confirmed(&fields) {
        let found = find(&state, &visitor, &path).await?;
        let back = format!("/links/{}", found.link.id);
        let action = format!("{back}/close");
        let who = found.link.terms.title;
        return Ok(Confirmation::of("confirm-close-link", who, action, &back).page(&visitor));
    }
    change(&state, &visitor, &path, LinkChange::Close, "link-closed").await
}

/// `POST /links/{id}/reopen`: a closed link takes payments again, unless it has expired.
pub(super) async fn reopen(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    change(&state, &visitor, &path, LinkChange::Reopen, "link-reopened").await
}

async fn change(
    state: &DashboardState,
    visitor: &Visitor,
    path: &PathValues,
    change: LinkChange,
    done: &str,
) -> Result<Response, DashboardError> {
    let found = find(state, visitor, path).await?;
    let id = &found.link.id;
    let by = visitor.audit(state);
    match state.links.change(&visitor.scope, id, change, &by).await {
        Ok(_) => Ok(redirect(&visitor.href(&format!("/links/{id}?done={done}")))),
        Err(ChangeLinkError::NotReopenable(_)) => {
            link_page(state, visitor, &found, "", "link-fault-not-reopenable").await
        }
        Err(ChangeLinkError::NotFound) => Err(DashboardError::NotFound),
        Err(ChangeLinkError::Store(error)) => Err(error.into()),
    }
}

pub(super) async fn find(
    state: &DashboardState,
    visitor: &Visitor,
    path: &PathValues,
) -> Result<LinkWithTotals, DashboardError> {
    let id = LinkId::new(path.get("id").ok_or(DashboardError::NotFound)?);
    state.links.find(Some(&visitor.scope), &id).await?.ok_or(DashboardError::NotFound)
}

async fn page(
    state: &DashboardState,
    visitor: &Visitor,
    after: &str,
    typed: &BTreeMap<&str, &str>,
    faults: &[(LinkField, FaultText)],
) -> Result<Response, DashboardError> {
    // No id has one, and PostgreSQL could not compare it.
    let after = Some(after).filter(|id| !id.is_empty() && !id.contains('\0')).map(LinkId::new);
    let wanted = LinkPageRequest { limit: ROWS + 1, after };
    let mut links = state.links.list(&visitor.scope, wanted).await?;
    let has_more = links.len() > ROWS as usize;
    links.truncate(ROWS as usize);
    let next = links.last().filter(|_| has_more).map(|last| last.link.id.as_str().to_owned());
    let fields = LinkField::ALL.iter().map(|field| {
        let value = typed.get(field.as_str()).copied().unwrap_or_default();
        let fault = faults
            .iter()
            .find(|(of, _)| of == field)
            .map(|(_, fault)| context! { text => fault.key, most => fault.max_chars });
        (field.as_str(), context! { value, fault })
    });
    let values = context! {
        rows => links.iter().map(|found| row(state, found)).collect::<Vec<_>>(),
        next,
        fields => fields.collect::<BTreeMap<_, _>>(),
        first_fault => faults.first().map(|(field, _)| field.as_str()),
        is_unpayable => is_unpayable(state, visitor),
        form_key => FormKey::default().or_new(),
        uses => LinkUses::ALL.iter().map(|uses| uses.as_str()).collect::<Vec<_>>(),
    };
    let status = if faults.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    Ok(visitor.page_with(status, "links.html", values))
}

/// Whether no operator takes the charges of payers in this mode, so that no link can be paid.
fn is_unpayable(state: &DashboardState, visitor: &Visitor) -> bool {
    let services = state.networks.services(&visitor.scope, true);
    services.iter().all(|(_, charges, _)| charges.permitted_range.is_none())
}

async fn link_page(
    state: &DashboardState,
    visitor: &Visitor,
    found: &LinkWithTotals,
    notice: &str,
    fault: &str,
) -> Result<Response, DashboardError> {
    let url = found.link.address(&state.payer_url);
    let Link { terms, .. } = &found.link;
    let language = visitor.person.language;
    let amount =
        terms.amount.fixed().map(|amount| format!(", {}", Cedis::of(amount).signed(language)));
    let colon = texts::text(language, "colon", &FluentArgs::new()).unwrap_or_default();
    let message = format!(
        "{}{colon} {}{}\n{url}",
        visitor.account.name,
        terms.title,
        amount.unwrap_or_default()
    );
    let payments: String = form_urlencoded::Serializer::new(String::new())
        .append_pair("q", &found.link.reference)
        .finish();
    let status = if fault.is_empty() { StatusCode::OK } else { StatusCode::CONFLICT };
    let values = context! {
        link => row(state, found),
        answers => link_answers::newest(state, visitor, &found.link).await?,
        has_poster => is_open_to_many(state, found),
        whatsapp => chat::whatsapp(None, &message),
        message,
        payments => visitor.href(&format!("/payments?{payments}")),
        is_unpayable => is_unpayable(state, visitor),
        notice,
        fault,
        test_numbers => (visitor.scope.mode == Mode::Test).then(|| {
            test_numbers(state, visitor.person.language)
        }),
    };
    Ok(visitor.page_with(status, "link.html", values))
}

/// Whether a link is open, and can be paid more than once.
pub(super) fn is_open_to_many(state: &DashboardState, found: &LinkWithTotals) -> bool {
    found.link.status(state.clock.now()) == LinkStatus::Open
        && found.link.terms.uses == LinkUses::Many
}

pub(super) fn row(state: &DashboardState, found: &LinkWithTotals) -> Value {
    let LinkWithTotals { link, totals } = found;
    let cedis = |amount: Amount| views::cedis(amount.pesewas());
    let (min, max) = link.terms.amount.limits();
    context! {
        id => link.id.as_str(),
        url => link.address(&state.payer_url),
        code => link.code.spaced(),
        code_page => format!("{}/l", state.payer_url),
        status => link.status(state.clock.now()).as_str(),
        title => &link.terms.title,
        description => &link.terms.description,
        amount => link.terms.amount.fixed().map(cedis),
        min => min.map(cedis),
        max => max.map(cedis),
        uses => link.terms.uses.as_str(),
        expires_at => link.terms.expires_at.map(|at| at.to_string()),
        reference => &link.reference,
        question => &link.terms.question,
        payments => totals.payments,
        pending => totals.pending,
        paid => views::cedis(totals.paid_pesewas),
        created_at => link.created_at.to_string(),
    }
}

/// The text about a fault of a field.
#[derive(Clone, Copy, Debug)]
struct FaultText {
    key: &'static str,
    /// The most characters that the text names; 0 for a text without a number.
    max_chars: usize,
}

impl FaultText {
    const fn key(key: &'static str) -> Self {
        Self { key, max_chars: 0 }
    }

    const fn of(fault: LinkFault) -> Self {
        match fault {
            LinkFault::Missing => Self::key("link-fault-missing"),
            LinkFault::TooLong(max_chars) => Self { key: "link-fault-too-long", max_chars },
            LinkFault::NotOneLine => Self::key("link-fault-not-one-line"),
            LinkFault::NotAnAmount => Self::key("link-fault-not-an-amount"),
            LinkFault::NotBesideAmount => Self::key("link-fault-not-beside-amount"),
            LinkFault::BelowMinimum => Self::key("link-fault-below-minimum"),
            LinkFault::NotAUse => Self::key("link-fault-not-a-use"),
            LinkFault::NotATime => Self::key("link-fault-not-a-time"),
            LinkFault::NotInFuture => Self::key("link-fault-not-in-future"),
        }
    }
}
