//! Payment links in the dashboard.

use reqwest::Method;
use tua_domain::{Mode, people::Role};
use tua_test_support::{
    Response, TestApp,
    dashboard::page,
    hosted_page::{FORM_CONTENT_TYPE, send_form},
};

const FORM: [(&str, &str); 4] =
    [("title", "<b>Robe"), ("amount", "1234.50"), ("uses", "single"), ("expires-at", "2999-12-31")];

/// The key of the form on the page of links.
fn form_key(page: &str) -> String {
    page.split("name=\"key\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_form_that_is_sent_twice_creates_one_link() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let finance = app.browser_of(&account, Role::Finance).await;
    let links = page(&account, Mode::Test, "/links");
    let key = form_key(&finance.get(&links).await.is(200).text);
    let form = [&FORM[..], &[("key", &key)]].concat();
    let first = finance.post(&links, &form).await.is(303).header("location").to_owned();
    let second = finance.post(&links, &form).await.is(303).header("location").to_owned();
    assert_eq!(first, second);
    let other = [&[("title", "Scarf")], &FORM[1..], &[("key", &*key)]].concat();
    let refused = finance.post(&links, &other).await.is(422).text;
    assert!(refused.contains("sent before with other values"), "{refused}");
    let key = form_key(&refused);
    let again = [&[("title", "Scarf")], &FORM[1..], &[("key", &*key)]].concat();
    assert_ne!(finance.post(&links, &again).await.is(303).header("location"), first);
}

#[tokio::test]
async fn a_link_is_created_shown_closed_and_reopened() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let finance = app.browser_of(&account, Role::Finance).await;
    let links = page(&account, Mode::Test, "/links");
    let created = finance.post(&links, &FORM).await.is(303).header("location").to_owned();
    let link = created.strip_suffix("?done=link-created").unwrap();
    let shown = finance.get(&created).await.is(200).text;
    for text in [
        "&lt;b&gt;Robe",
        "1,234.50",
        "Adom Stores: &lt;b&gt;Robe, GH₵1,234.50",
        "https://wa.me/?text=Adom",
        "2999-12-31",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    let code = finance.get(&format!("{link}/qr.svg")).await.is(200);
    assert!(
        code.header("content-type") == "image/svg+xml" && code.text.contains("<svg"),
        "{code:?}"
    );

    // A payer pays at the page that the address names.
    let url = shown.split("id=\"url\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let path = url.strip_prefix(&app.origin).unwrap_or_else(|| panic!("{url}")).to_owned();
    let press = async || send_form(&app.actor(""), &path, "", &[FORM_CONTENT_TYPE]).await;
    press().await.is(303);
    finance.post_confirmed(&format!("{link}/close"), &[]).await.is(303);
    press().await.is(410);
    finance.post(&format!("{link}/reopen"), &[]).await.is(303);
    press().await.is(303);
    let listed = finance.get(&links).await.is(200);
    assert!(
        listed.text.contains("&lt;b&gt;Robe") && listed.text.contains("1,234.50"),
        "{}",
        listed.text
    );

    let viewer = app.browser_of(&account, Role::Viewer).await;
    let read = viewer.get(link).await.is(200);
    assert!(
        !read.text.contains("/close") && !viewer.get(&links).await.text.contains("name=\"title\"")
    );
    let live = link.replace("/test/", "/live/");
    for path in [&*live, &format!("{live}/qr.svg"), &links.replace("/links", "/links/lnk_%00")] {
        finance.get(path).await.is(404);
    }
    finance.post(&format!("{live}/close"), &[]).await.is(404);
    assert!(
        !finance.get(&page(&account, Mode::Live, "/links")).await.is(200).text.contains("Robe")
    );
    let entries = app.running().store.audit_entries(0, 100).await.unwrap();
    let actions: Vec<&str> = entries
        .iter()
        .filter(|one| one.actor.starts_with("finance@"))
        .map(|one| &*one.action)
        .collect();
    assert_eq!(actions, ["link.created", "link.closed", "link.reopened"]);
}

#[tokio::test]
async fn a_form_with_faults_keeps_what_was_typed_and_says_every_fault() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let links = page(&account, Mode::Live, "/links");
    let typed = [
        ("title", " "),
        ("amount", "1.234"),
        ("min-amount", "5"),
        ("max-amount", "4"),
        ("expires-at", "1999-12-31"),
    ];
    let refused = owner.post(&links, &typed).await.is(422);
    for text in [
        "must not be empty",
        "at most 2 decimals",
        "smallest amount",
        "This day has passed",
        "value=\"1.234\"",
    ] {
        assert!(refused.text.contains(text), "{text}: {}", refused.text);
    }
    assert!(
        owner.get(&format!("{links}?after=%00")).await.is(200).text.contains("no payment link yet")
    );
}

#[tokio::test]
async fn an_open_link_has_a_poster_in_both_languages_and_sizes() {
    let app = TestApp::start().await;
    let account = app.account("Adom <Stores>").await;
    let finance = app.browser_of(&account, Role::Finance).await;
    let links = page(&account, Mode::Test, "/links");
    let create = async |uses: &str| {
        let form = [("title", "Robe"), ("amount", "1234.50"), ("uses", uses)];
        let created = finance.post(&links, &form).await.is(303);
        created.header("location").strip_suffix("?done=link-created").unwrap().to_owned()
    };
    let link = create("many").await;
    let poster = format!("{link}/poster");
    let shown = finance.get(&link).await.is(200).text;
    assert!(shown.contains(&poster), "{shown}");
    let url = shown.split("id=\"url\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(shown.contains("Adom &lt;Stores&gt;: Robe, GH₵1,234.50\n"), "{shown}");
    let french = finance.request(Method::GET, &link).header("accept-language", "fr");
    let french = Response::read(french.send().await.unwrap()).await.is(200).text;
    let sent = "Adom &lt;Stores&gt;\u{a0}: Robe, GH₵1\u{202f}234,50\n";
    assert!(french.contains(sent), "{french}");
    let printed = finance.get(&poster).await.is(200).text;
    for text in [
        "Adom &lt;Stores&gt;",
        "class=\"poster a4\"",
        "GH₵1,234.50",
        "Scan, pay with MTN, Telecel or AT Money (AirtelTigo)",
        "Test: no money moves",
        &format!("{link}/qr.svg"),
        url,
    ] {
        assert!(printed.contains(text), "{text}: {printed}");
    }
    let small = finance.get(&format!("{poster}?size=a5")).await.is(200).text;
    assert!(small.contains("class=\"poster a5\""), "{small}");
    let other = finance.get(&format!("{poster}?size=letter")).await.is(200).text;
    assert!(other.contains("class=\"poster a4\""), "{other}");
    let french = finance.request(Method::GET, &poster).header("accept-language", "fr");
    let french = Response::read(french.send().await.unwrap()).await.is(200).text;
    assert!(
        french.contains("Scannez, payez avec MTN, Telecel ou AT Money (AirtelTigo)"),
        "{french}"
    );

    // One payer alone needs no poster, and nobody can pay a closed link.
    let once = create("single").await;
    finance.get(&format!("{once}/poster")).await.is(404);
    assert!(!finance.get(&once).await.is(200).text.contains("/poster"));
    finance.post_confirmed(&format!("{link}/close"), &[]).await.is(303);
    finance.get(&poster).await.is(404);
}
