//! The colour and the logo of an account, in the settings.

use reqwest::{Method, header};
use tua_domain::{AccountId, Mode, branding::LOGO_MAX_BYTES, people::Role};
use tua_test_support::{
    Response, TestApp,
    dashboard::{Browser, Shop, page},
    pictures::{PNG, SVG},
};

/// Sends the form as a browser does.
async fn send(browser: &Browser, path: &str, fields: &[(&str, &[u8])]) -> Response {
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend_from_slice(
            format!("--limit\r\nContent-Disposition: form-data; name=\"{name}\"").as_bytes(),
        );
        body.extend_from_slice(if *name == "logo" {
            b"; filename=\"logo\"\r\n\r\n"
        } else {
            b"\r\n\r\n"
        });
        body.extend_from_slice(value);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--limit--\r\n");
    let request = browser.request(Method::POST, path).body(body);
    let request = request.header(header::CONTENT_TYPE, "multipart/form-data; boundary=limit");
    Response::read(request.send().await.unwrap()).await
}

async fn owner() -> (TestApp, AccountId, Browser) {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    (app, account, owner)
}

#[tokio::test]
async fn an_owner_sets_changes_and_removes_colour_and_logo() {
    let (app, account, owner) = owner().await;
    let settings = page(&account, Mode::Test, "/settings");
    let form = format!("{settings}/branding");
    let token = owner.token.form_token();
    let token = ("formToken", token.as_bytes());
    send(&owner, &form, &[token, ("accent", b"#0A1F44"), ("logo", PNG)]).await.is(303);
    let shown = owner.get(&settings).await.is(200);
    assert!(shown.text.contains(r##"value="#0a1f44""##), "{}", shown.text);
    let image = owner.get(&format!("{settings}/logo.png")).await.is(200);
    assert_eq!(image.header("content-type"), "image/png");
    assert!(shown.text.contains("settings/logo.png?name="), "{}", shown.text);

    // A file field without a file is empty, and the logo stays.
    send(&owner, &form, &[token, ("accent", b""), ("logo", b"")]).await.is(303);
    let stored = app.running().store.account(&account).await.unwrap().unwrap().branding;
    assert!(stored.accent.is_none() && stored.logo.is_some(), "{stored:?}");
    send(&owner, &form, &[token, ("accent", b"#ffffff"), ("logo", b""), ("remove-logo", b"on")])
        .await
        .is(303);
    let stored = app.running().store.account(&account).await.unwrap().unwrap().branding;
    assert_eq!(
        (stored.accent.map(|accent| accent.to_string()), stored.logo),
        (Some("#ffffff".to_owned()), None)
    );
    owner.get(&format!("{settings}/logo.png")).await.is(404);

    let audit =
        owner.get(&page(&account, Mode::Test, "/audit?action=account.branded")).await.is(200);
    assert_eq!(audit.text.matches("<code>account.branded</code>").count(), 3, "{}", audit.text);
}

#[tokio::test]
async fn every_fault_of_the_form_is_shown_and_nothing_is_changed() {
    let (app, account, owner) = owner().await;
    let form = page(&account, Mode::Test, "/settings/branding");
    let token = owner.token.form_token();
    let token = ("formToken", token.as_bytes());
    let svg = send(&owner, &form, &[token, ("accent", b"teal"), ("logo", SVG)]).await.is(422);
    for text in ["Write the colour as #rrggbb", "An SVG can contain script", r#"value="teal""#] {
        assert!(svg.text.contains(text), "{text}: {}", svg.text);
    }
    let large = vec![0; LOGO_MAX_BYTES + 1];
    for (file, text) in [
        (&b"GIF89a"[..], "PNG, JPEG or WebP picture"),
        (&PNG[..60], "damaged"),
        (&large, "larger than 1 MiB"),
    ] {
        let refused =
            send(&owner, &form, &[token, ("accent", b"#0a6a50"), ("logo", file)]).await.is(422);
        assert!(refused.text.contains(text), "{text}: {}", refused.text);
    }
    send(&owner, &form, &[token, ("logo", &vec![0; 50 << 20])]).await.is(413);
    send(&owner, &form, &[("formToken", b"guessed"), ("accent", b"#0a6a50")]).await.is(403);
    send(&owner, &form, &[("accent", b"#0a6a50")]).await.is(403);
    owner
        .post_body(&page(&account, Mode::Test, "/settings/name"), "x".repeat(40 << 10))
        .await
        .is(413);
    let stored = app.running().store.account(&account).await.unwrap().unwrap().branding;
    assert_eq!(stored, tua_domain::branding::Branding::default());
}

#[tokio::test]
async fn the_checkout_is_shown_in_the_chosen_colour_before_it_is_stored() {
    let shop = Shop::start().await;
    let at = |query: &str| page(&shop.account, Mode::Test, &format!("/settings/accent{query}"));
    let usual = shop.owner.get(&at("")).await.is(200).text;
    assert!(usual.contains("fill=\"#0a6a50\""), "{usual}");
    let typed = shop.owner.get(&at("?accent=%230a1f44&picked=%230a6a50&shown=%230a6a50")).await;
    let typed = typed.is(200).text;
    assert!(typed.contains("fill=\"#0a1f44\"") && typed.contains("fill=\"#1e1c18\""), "{typed}");
    let picked = shop.owner.get(&at("?accent=%230a1f44&picked=%23aa2200&shown=%230a1f44")).await;
    assert!(picked.is(200).text.contains(
        "name=\"accent\" placeholder=\"#0a6a50\" maxlength=\"7\" \
        autocomplete=\"off\" spellcheck=\"false\" value=\"#aa2200\""
    ));
    let wrong = shop.owner.get(&at("?accent=%22%3E%3Cscript%3E")).await.is(200).text;
    assert!(!wrong.contains("<svg role=\"img\"") && wrong.contains("&lt;script&gt;"), "{wrong}");
    let stored = shop.app.running().store.accounts().await.unwrap().remove(0).branding;
    assert_eq!(stored.accent, None);
}
