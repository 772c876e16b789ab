//! A shop's page in Yew: its server opens an order, the checkout takes the token.
//!
//! `cargo xtask test --all --only consumers` builds it and pays in it.

use gloo_net::http::Request;
use serde::Deserialize;
use tua_checkout::Checkout;
use tua_checkout::flow::{Event, EventKind};
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

/// What the shop's own server hands out, having opened a checkout with its secret key.
#[derive(Deserialize, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Order {
    checkout_token: String,
    url: String,
}

#[function_component]
fn Shop() -> Html {
    let order = use_state(|| None::<Order>);
    let paid = use_state(String::new);
    use_effect_with((), {
        let order = order.clone();
        move |()| spawn_local(async move { order.set(open_order().await) })
    });
    let on_event = {
        let paid = paid.clone();
        move |event: Event| {
            if event.kind == EventKind::Successful {
                paid.set(format!("Paid: {}", event.reference.unwrap_or_default()));
            }
        }
    };
    html! {
        <>
            if let Some(order) = &*order {
                <Checkout token={order.checkout_token.clone()} base_url={api(order)} {on_event} />
            }
            <p role="status">{ &*paid }</p>
        </>
    }
}

async fn open_order() -> Option<Order> {
    Request::post("/order").send().await.ok()?.json().await.ok()
}

/// Where the API is; an application knows that by heart.
fn api(order: &Order) -> Option<String> {
    Some(order.url.split_once("/pay?")?.0.to_owned() + "/v1")
}

fn main() {
    yew::Renderer::<Shop>::new().render();
}
