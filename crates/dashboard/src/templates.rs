//! The HTML of the dashboard, from templates that escape all values.

use super::{
    formats, language::Language, money::Cedis, security_headers, service_sentences::of_service,
    texts,
};
use axum::{
    http::StatusCode,
    response::{Html, IntoResponse, Response},
};
use fluent_bundle::{FluentArgs, FluentValue};
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, Value, context, value::Kwargs};
use std::sync::LazyLock;
use tua_web::http::{PAGE, html_environment, write_html_value};
use url::form_urlencoded::byte_serialize;

macro_rules! templates {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../../../www/dashboard/", $name)))),+]
    };
}

/// The files of `www/dashboard` that are compiled in, each by its name.
const TEMPLATES: &[(&str, &str)] = &templates![
    "accent.html",
    "accent_fields.html",
    "alert_channels.html",
    "approvers.html",
    "ask.html",
    "ask_charge.html",
    "ask_outcome.html",
    "audit.html",
    "base.html",
    "batch.html",
    "batch_check.html",
    "batch_rows.html",
    "batch_upload.html",
    "batches.html",
    "books.html",
    "books_table.html",
    "charge_rows.html",
    "checkouts.html",
    "closed_day.html",
    "closed_days.html",
    "confirm.html",
    "connect.html",
    "connect_form.html",
    "connected_operator.html",
    "copy.html",
    "copy_head.html",
    "customer.html",
    "deliveries.html",
    "day_agreement.html",
    "differing_payments.html",
    "enrol.html",
    "first_password.html",
    "first_step_rows.html",
    "first_steps.html",
    "footer.html",
    "kept.html",
    "keys.html",
    "key_rotation.html",
    "keyboard.html",
    "float_warning.html",
    "home.html",
    "layout.html",
    "link.html",
    "links.html",
    "list_head.html",
    "live_attributes.html",
    "live_head.html",
    "mail.html",
    "mail_server.html",
    "message.html",
    "money_fault.html",
    "money_fields.html",
    "money_head.html",
    "money_refresh.html",
    "money_unserved.html",
    "notice.html",
    "oidc_go.html",
    "operator_address.html",
    "operator_check.html",
    "operator_warning.html",
    "operators.html",
    "passkey.html",
    "password_and_code.html",
    "pay.html",
    "pay_confirm.html",
    "payees.html",
    "payment.html",
    "payments.html",
    "payouts.html",
    "plot.html",
    "poster.html",
    "people.html",
    "person_layout.html",
    "proof.html",
    "proof_fields.html",
    "receipt.html",
    "recipient_name.html",
    "recovery_codes.html",
    "refund_rows.html",
    "refunds.html",
    "review.html",
    "rows.html",
    "repeatable_form.html",
    "repeated.html",
    "security.html",
    "service_sentence.html",
    "settings.html",
    "sign_in.html",
    "signed_out.html",
    "single_payouts.html",
    "status.html",
    "statement.html",
    "statement_period.html",
    "statement_rows.html",
    "statement_sums.html",
    "statements.html",
    "test_numbers.html",
    "till.html",
    "till_charge.html",
    "till_head.html",
    "till_layout.html",
    "till_lock_refresh.html",
    "till_pin.html",
    "till_pin_field.html",
    "unlock.html",
    "webhooks.html",
];

/// The pages that run script: one asks the device for a passkey, some help a person to ask for
/// money, to pay it, or to type a PIN, some refresh themselves, and lists have keys.
const WITH_SCRIPT: &[&str] = &[
    "ask.html",
    "ask_charge.html",
    "audit.html",
    "batch.html",
    "batches.html",
    "checkouts.html",
    "closed_days.html",
    "connect_form.html",
    "connected_operator.html",
    "customer.html",
    "deliveries.html",
    "home.html",
    "keys.html",
    "link.html",
    "links.html",
    "passkey.html",
    "pay.html",
    "payees.html",
    "payment.html",
    "payments.html",
    "payouts.html",
    "people.html",
    "receipt.html",
    "refunds.html",
    "review.html",
    "settings.html",
    "single_payouts.html",
    "statement.html",
    "statements.html",
    "till.html",
    "till_charge.html",
    "unlock.html",
    "webhooks.html",
];

static ENGLISH: LazyLock<Environment<'static>> = LazyLock::new(|| environment(Language::English));
static FRENCH: LazyLock<Environment<'static>> = LazyLock::new(|| environment(Language::French));

fn environment(language: Language) -> Environment<'static> {
    let mut environment = html_environment();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_formatter(move |output, state, value| {
        match value.downcast_object_ref::<Cedis>() {
            Some(cedis) => Ok(output.write_str(&cedis.text(language))?),
            None => write_html_value(output, state, value),
        }
    });
    environment.add_function("t", move |key: &str, arguments: Kwargs| {
        translate(language, key, &arguments)
    });
    formats::add(&mut environment, language);
    environment.add_function("icon", |name: &str| Value::from_safe_string(icon(name)));
    environment
        .add_filter("urlencode", |text: &str| byte_serialize(text.as_bytes()).collect::<String>());
    environment.add_filter("of_service", move |sentence: &str| of_service(language, sentence));
    environment.add_global("assets", PAGE);
    environment.add_global("language", language.code());
    for (name, source) in TEMPLATES {
        if let Err(error) = environment.add_template(name, source) {
            tracing::error!(name, %error, "a template is broken");
        }
    }
    environment
}

/// `t("key", name=value)`: a text in the language of the page.
fn translate(language: Language, key: &str, arguments: &Kwargs) -> Result<String, Error> {
    let mut fluent = FluentArgs::new();
    for name in arguments.args() {
        let value: Value = arguments.get(name)?;
        // A number decides between singular and plural.
        let value = match value.downcast_object_ref::<Cedis>() {
            Some(cedis) => cedis.text(language).into(),
            None => i64::try_from(value.clone())
                .map_or_else(|_| value.to_string().into(), FluentValue::from),
        };
        fluent.set(name.to_owned(), value);
    }
    texts::text(language, key, &fluent).ok_or_else(|| {
        Error::new(
            ErrorKind::InvalidOperation,
            format!("there is no text {key}, or an argument is missing"),
        )
    })
}

/// `icon("home")`: a picture of `icons.svg`, which stands beside its meaning in words.
fn icon(name: &str) -> String {
    debug_assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{name}");
    format!(r#"<svg class="i" aria-hidden="true"><use href="{PAGE}/icons.svg#{name}"/></svg>"#)
}

/// A page from a template, with the headers of the dashboard.
pub(super) fn render(
    language: Language,
    status: StatusCode,
    template: &str,
    values: Value,
) -> Response {
    let environment = match language {
        Language::English => &*ENGLISH,
        Language::French => &*FRENCH,
    };
    let drawn = environment
        .get_template(template)
        .and_then(|template| template.render(context! { ..values }));
    let mut response = match drawn {
        Ok(html) => (status, Html(html)).into_response(),
        Err(error) => {
            tracing::error!(template, error = %format!("{error:#}"), "a page could not be drawn");
            (StatusCode::INTERNAL_SERVER_ERROR, "This page could not be shown.\n").into_response()
        }
    };
    security_headers::add(response.headers_mut());
    if WITH_SCRIPT.contains(&template) {
        security_headers::allow_script(response.headers_mut());
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::LANGUAGES;

    #[test]
    fn every_template_is_correct_and_every_text_in_it_exists_in_every_language() {
        for (name, source) in TEMPLATES {
            for language in LANGUAGES {
                assert!(environment(language).get_template(name).is_ok(), "{name}");
                for call in source.split("t(\"").skip(1) {
                    let (key, rest) = call.split_once('"').unwrap();
                    if rest.starts_with(" ~") {
                        continue;
                    }
                    let mut arguments = FluentArgs::new();
                    let list = rest.split_once(')').unwrap().0;
                    for argument in list.split(',').filter_map(|one| one.split_once('=')) {
                        arguments.set(argument.0.trim().to_owned(), 1);
                    }
                    assert!(
                        texts::text(language, key, &arguments).is_some(),
                        "{name}: {key} in {language:?}"
                    );
                }
            }
            // The only scripts, of pages whose policy permits them.
            let scripts = [
                r#"<script type="module" src="{{ assets }}/passkey.js"></script>"#,
                r#"<script src="{{ assets }}/htmx.min.js" defer></script>"#,
                r#"<script src="{{ assets }}/live.js" defer></script>"#,
                r#"<script src="{{ assets }}/keyboard.js" defer></script>"#,
                r#"<script src="{{ assets }}/money.js" defer></script>"#,
                r#"<script src="{{ assets }}/copy.js" defer></script>"#,
            ];
            let includes = |head: &str| source.contains(&format!("{{% include \"{head}\" %}}"));
            let has_script = source.contains(scripts[0])
                || includes("live_head.html")
                || includes("money_head.html")
                || includes("copy_head.html")
                || includes("list_head.html");
            assert_eq!(has_script, WITH_SCRIPT.contains(name), "{name}");
            let source = scripts
                .iter()
                .fold((*source).to_owned(), |source, script| source.replace(script, ""));
            for forbidden in ["<script", " style=", "<style", "javascript:", "|safe", " onclick"] {
                assert!(!source.contains(forbidden), "{name}: {forbidden}");
            }
        }
    }

    /// On a narrow screen cells are blocks, which are no table for screen readers without these
    /// roles.
    #[test]
    fn tables_keep_their_roles_and_each_cell_has_the_name_of_its_column() {
        let tables: String = TEMPLATES
            .iter()
            .flat_map(|(_, source)| source.split("<table").skip(1))
            .map(|table| table.split_once("</table>").unwrap().0)
            .collect::<Vec<_>>()
            .join("<table");
        for (tag, attributes) in [
            ("<table", &[" role=\"table\">"][..]),
            ("<thead", &[" role=\"rowgroup\">"]),
            ("<tbody", &[" role=\"rowgroup\">"]),
            ("<tr", &[" role=\"row\">"]),
            (
                "<td",
                &[
                    " role=\"cell\" data-label=\"GH₵\"",
                    " role=\"cell\" data-label=\"{{ t(",
                    " role=\"cell\" data-label=\"{{ link.question }}\"",
                ],
            ),
            ("<th ", &["role=\"columnheader\" scope=\"col\"", "role=\"rowheader\" scope=\"row\""]),
        ] {
            let elements: Vec<&str> = tables.split(tag).skip(1).collect();
            assert!(elements.len() > 10, "{tag}");
            for element in elements {
                assert!(attributes.iter().any(|one| element.starts_with(one)), "{tag}{element}");
            }
        }
    }
}
