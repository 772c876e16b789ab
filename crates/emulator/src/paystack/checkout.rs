//! Paystack's own page, on which a payer begins to pay. The emulator serves it without a script.

use super::{
    access::Authorized,
    charges::{self, MIN_PESEWAS},
    outcomes,
    responses::{error, invalid, success},
    state::Paystack,
    values::{PLATFORM, network, pesewas},
};
use crate::{
    extract::{Body, Path},
    lifecycle,
    operator::Operator,
    order::{NewOrder, Order},
    phase::{Kind, Phase},
    protocol::{Context, Shared},
    script::Script,
    wire::{Refusal, header_text, international, text},
};
use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{Html, IntoResponse, Redirect, Response},
};
use minijinja::{Environment, context, value::Value as View};
use serde_json::json;
use url::Url;

/// `POST /transaction/initialize`: a transaction whose payer chooses the wallet on the page.
pub(super) async fn initialize(
    State(context): State<Context<Paystack>>,
    _: Authorized,
    headers: HeaderMap,
    Body(request): Body,
) -> Result<Response, Refusal> {
    let amount = pesewas(request.get("amount"))?;
    if amount.pesewas() < MIN_PESEWAS {
        return Err(invalid("Amount is below the minimum of 10 pesewas"));
    }
    charges::check_email_and_currency(&request)?;
    let reference = charges::reference(&request)?;
    let callback_url = text(&request, "callback_url");
    let is_address =
        Url::parse(callback_url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    if !callback_url.is_empty() && !is_address {
        return Err(invalid("\"callback_url\" must be a valid uri"));
    }
    let new = NewOrder {
        operator: Operator::PAYSTACK,
        api_platform: PLATFORM,
        kind: Kind::Charge,
        reference,
        amount,
        currency: "GHS".to_owned(),
        // The payer chooses the wallet.
        phone: String::new(),
        network: None,
        script: Script::SUCCESS,
        first_phase: Phase::Offered,
        callback_url: None,
        refund_of: None,
        request,
    };
    context.protocol.customer_of(text(&new.request, "email"), context.shared.clock.now());
    let order = lifecycle::accept(&context.shared, new).map_err(|_| charges::duplicate())?;
    let code = access_code(&order);
    let host = header_text(&headers, "host").unwrap_or("127.0.0.1");
    let data = json!({
        "authorization_url": format!("http://{host}/{PLATFORM}/checkout/{code}"),
        "access_code": code,
        "reference": order.new.reference,
    });
    Ok(success("Authorization URL created", data))
}

/// What names a transaction in the address of its page.
fn access_code(order: &Order) -> String {
    format!("{:x}", order.serial)
}

/// The transaction of a page. Only those of `POST /transaction/initialize` have one.
fn find(shared: &Shared, access_code: &str) -> Result<Order, Refusal> {
    let serial = i64::from_str_radix(access_code, 16).ok();
    let order = serial
        .and_then(|serial| shared.orders().find_serial(PLATFORM, Kind::Charge, serial).cloned())
        .filter(|order| order.new.request.get("mobile_money").is_none());
    let unknown = || error(StatusCode::NOT_FOUND, "transaction_not_found", "No such checkout");
    order.ok_or_else(unknown)
}

/// `GET /checkout/{access_code}`: the page. Once the charge is successful, it leads back to the
/// shop.
pub(super) async fn page(
    State(shared): State<Shared>,
    Path(code): Path<String>,
) -> Result<Response, Refusal> {
    let order = find(&shared, &code)?;
    Ok(match way_back(&order).filter(|_| order.phase == Phase::Successful) {
        Some(url) => Redirect::to(&url).into_response(),
        None => show(StatusCode::OK, &order, ""),
    })
}

/// `POST /checkout/{access_code}`: the payer's wallet, or the code that was asked for.
pub(super) async fn pay(
    State(shared): State<Shared>,
    Path(code): Path<String>,
    Body(form): Body,
) -> Result<Response, Refusal> {
    let order = find(&shared, &code)?;
    let taken = match order.phase {
        Phase::Offered => begin(&shared, &order, text(&form, "provider"), text(&form, "phone")),
        Phase::AwaitingCode => {
            let is_right = charges::take_code(&shared, &order, text(&form, "otp"));
            is_right.then_some(()).ok_or("The code is not valid. Please try again.")
        }
        _ => Ok(()),
    };
    let order = shared.order(order.id).unwrap_or(order);
    Ok(match taken {
        Ok(()) => show(StatusCode::OK, &order, ""),
        Err(fault) => show(StatusCode::UNPROCESSABLE_ENTITY, &order, fault),
    })
}

/// Begins the charge of a wallet. `Err` is what is wrong with it.
fn begin(shared: &Shared, order: &Order, provider: &str, phone: &str) -> Result<(), &'static str> {
    let network = network(provider).ok_or("Choose a network.")?;
    let phone = international(phone);
    if !(phone.len() == 12 && phone.starts_with("233")) {
        return Err("Enter a number in Ghana, such as 024 123 4567.");
    }
    let script = outcomes::of_charge(&phone, network);
    if let Some(order) = shared.orders().get_mut(order.id) {
        order.new.phone = phone;
        order.new.network = Some(network);
        order.new.script = script;
        order.drops_callbacks = script.drops_callbacks;
    }
    if script.code.is_some() {
        lifecycle::set_phase(shared, order.id, Phase::AwaitingCode);
    } else {
        lifecycle::set_phase(shared, order.id, Phase::Accepted);
        lifecycle::plan_outcome(shared, order.id, script.after);
    }
    Ok(())
}

/// The shop's address with the reference, as Paystack adds it; `None` if the shop gave none.
fn way_back(order: &Order) -> Option<String> {
    let mut url = Url::parse(text(&order.new.request, "callback_url")).ok()?;
    let reference = &order.new.reference;
    url.query_pairs_mut().append_pair("trxref", reference).append_pair("reference", reference);
    Some(url.into())
}

fn show(status: StatusCode, order: &Order, fault: &str) -> Response {
    let step = match order.phase {
        Phase::Offered => "wallet",
        Phase::AwaitingCode => "code",
        Phase::Successful | Phase::Reversed => "paid",
        Phase::Failed(_) => "failed",
        _ => "prompt",
    };
    let pesewas = order.new.amount.pesewas();
    let view = context! {
        step, fault,
        code => access_code(order),
        amount => format!("{}.{:02}", pesewas / 100, pesewas % 100),
        email => text(&order.new.request, "email"),
        back => way_back(order),
    };
    match render(view) {
        Ok(page) => (status, Html(page)).into_response(),
        Err(error) => {
            tracing::error!(%error, "the checkout cannot be rendered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

fn render(view: View) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    // minijinja escapes HTML in templates with this name.
    environment.add_template("checkout.html", include_str!("checkout.html"))?;
    environment.get_template("checkout.html")?.render(view)
}
