//! The merchant's customers, each with an e-mail address of its own.

use super::{
    access::{Authorized, domain},
    paging::{self, PageQuery},
    responses::{error, invalid, success},
    state::{Customer, Paystack},
    transaction,
    values::PLATFORM,
};
use crate::{
    extract::{Body, Path, Query},
    order::Order,
    phase::Kind,
    protocol::{Context, Shared},
    wire::{Refusal, iso8601, text},
};
use axum::{extract::State, http::StatusCode, response::Response};
use jiff::Timestamp;
use serde_json::{Value, json};

/// `POST /customer`. The same address returns the existing customer, with what the request changes.
pub(super) async fn create(
    State(context): State<Context<Paystack>>,
    _: Authorized,
    Body(request): Body,
) -> Result<Response, Refusal> {
    let Context { shared, protocol: paystack } = &context;
    let email = text(&request, "email");
    if !email.contains('@') {
        return Err(invalid("\"email\" is required"));
    }
    let now = shared.clock.now();
    let customer = paystack.customer_of(email, now);
    let customer = change(paystack, &customer.code, &request, now).unwrap_or(customer);
    Ok(success("Customer created", body(shared, &customer)))
}

/// `GET /customer/{email_or_code}`: a customer with their transactions.
pub(super) async fn read(
    State(context): State<Context<Paystack>>,
    _: Authorized,
    Path(name): Path<String>,
) -> Result<Response, Refusal> {
    let Context { shared, protocol: paystack } = &context;
    let customer = paystack.find_customer(&name).ok_or_else(not_found)?;
    let charges = {
        let orders = shared.orders();
        let charges = orders.iter().filter(|order| order.new.api_platform == PLATFORM);
        let charges = charges.filter(|order| order.new.kind == Kind::Charge);
        let is_own =
            |order: &&Order| transaction::email(order).eq_ignore_ascii_case(&customer.email);
        charges.filter(is_own).cloned().collect::<Vec<_>>()
    };
    let mut data = body(shared, &customer);
    data["created_at"] = data["createdAt"].clone();
    data["updated_at"] = data["updatedAt"].clone();
    data["total_transactions"] = charges.len().into();
    data["total_transaction_value"] = json!([]);
    data["dedicated_account"] = Value::Null;
    data["dedicated_accounts"] = json!([]);
    data["transactions"] =
        charges.iter().map(|charge| transaction::body(shared, charge)).collect::<Vec<_>>().into();
    Ok(success("Customer retrieved", data))
}

/// `GET /customer`, newest first.
pub(super) async fn list(
    State(context): State<Context<Paystack>>,
    _: Authorized,
    Query(query): Query<PageQuery>,
) -> Result<Response, Refusal> {
    let mut customers = context.protocol.customers().clone();
    customers.reverse();
    let row = |customer: &Customer| body(&context.shared, customer);
    paging::list("Customers retrieved", &customers, &query, row)
}

/// `PUT /customer/{code}`: changes the names, the number and the metadata that the request has.
pub(super) async fn update(
    State(context): State<Context<Paystack>>,
    _: Authorized,
    Path(code): Path<String>,
    Body(request): Body,
) -> Result<Response, Refusal> {
    let Context { shared, protocol: paystack } = &context;
    let changed = change(paystack, &code, &request, shared.clock.now()).ok_or_else(not_found)?;
    Ok(success("Customer updated", body(shared, &changed)))
}

fn not_found() -> Refusal {
    error(StatusCode::NOT_FOUND, "customer_not_found", "Customer not found")
}

/// Changes a customer. Members that the request lacks stay as they are.
fn change(paystack: &Paystack, code: &str, request: &Value, now: Timestamp) -> Option<Customer> {
    let mut customers = paystack.customers();
    let customer = customers.iter_mut().find(|customer| customer.code == code)?;
    for (name, place) in [
        ("first_name", &mut customer.first_name),
        ("last_name", &mut customer.last_name),
        ("phone", &mut customer.phone),
    ] {
        if request.get(name).is_some() {
            text(request, name).clone_into(place);
        }
    }
    if let Some(metadata) = request.get("metadata") {
        customer.metadata = metadata.clone();
    }
    customer.updated = now;
    Some(customer.clone())
}

fn body(shared: &Shared, customer: &Customer) -> Value {
    json!({
        "transactions": [],
        "subscriptions": [],
        "authorizations": [],
        "id": customer.id,
        "integration": 100_032,
        "domain": domain(shared),
        "email": customer.email,
        "first_name": customer.first_name,
        "last_name": customer.last_name,
        "phone": customer.phone,
        "metadata": customer.metadata,
        "customer_code": customer.code,
        "risk_action": "default",
        "identified": false,
        "identifications": null,
        "createdAt": iso8601(customer.created),
        "updatedAt": iso8601(customer.updated),
    })
}
