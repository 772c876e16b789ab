//! The documentation and the page at `/`.

use reqwest::Method;
use tua_test_support::{TestApp, hosted_page::NO_DEVICES};

/// The text of a page, with readable addresses.
async fn page(app: &TestApp, path: &str) -> String {
    let page = app.actor("").get(path).await.is(200);
    assert!(page.header("content-type").starts_with("text/html"), "{page:?}");
    assert!(
        page.header("content-security-policy").starts_with("default-src 'none'; style-src 'self';"),
        "{page:?}"
    );
    page.text
}

#[tokio::test]
async fn a_visitor_of_the_address_learns_what_it_is() {
    let app = TestApp::start().await;
    let home = page(&app, "/").await;
    for part in [
        "href=\"/docs\"",
        "href=\"/docs/api\"",
        "/dashboard\"",
        "href=\"/healthz\"",
        env!("CARGO_PKG_VERSION"),
    ] {
        assert!(home.contains(part), "{part}: {home}");
    }
}

#[tokio::test]
async fn the_documentation_is_served_with_a_search_and_every_route() {
    let app = TestApp::start().await;
    assert!(page(&app, "/docs").await.contains("<h1 id=\"documentation\">"));
    assert!(page(&app, "/docs/").await.contains("<h1 id=\"documentation\">"));
    let errors = page(&app, "/docs/reference/errors").await;
    assert!(errors.contains("aria-current=\"page\">Errors</a>"), "{errors}");
    let found = page(&app, "/docs/search?q=Idempotency-Key+replayed").await;
    assert!(found.contains("href=\"/docs/reference/idempotency"), "{found}");
    let nothing = page(&app, "/docs/search?q=%3Cscript%3E").await;
    assert!(nothing.contains("&lt;script&gt;") && !nothing.contains("<script"), "{nothing}");
    for query in ["", "?q=", "?q=%00", "?q=%ff", "?x=1&q=%F0%9F%98%80"] {
        page(&app, &format!("/docs/search{query}")).await;
    }
    let api = page(&app, "/docs/api").await;
    for part in
        ["id=\"post-v1charge\"", "<code>payerMessage</code>", "<code>GET /v1/transactions</code>"]
    {
        assert!(api.contains(part), "{part}");
    }
    assert!(api.contains("id=\"request-createCharge-python\""), "{api}");
    app.actor("").get("/docs/reference/nothing").await.is_problem(404, "not_found");
    app.actor("").get("/docs/../Cargo.toml").await.is_problem(404, "not_found");
    assert_eq!(
        app.actor("").get("/docs/demo.png").await.is(200).header("content-type"),
        "image/png"
    );
}

#[tokio::test]
async fn requests_are_shown_in_four_languages_and_the_choice_is_a_script_file_of_the_service() {
    let app = TestApp::start().await;
    for path in ["/docs/quickstart", "/docs/reference/endpoints", "/docs/api"] {
        let shown = app.actor("").get(path).await.is(200);
        let policy = shown.header("content-security-policy");
        assert!(policy.contains("; script-src 'self'; ") && !policy.contains("unsafe"), "{policy}");
        for label in [">curl</label>", ">Node.js</label>", ">Python</label>", ">PHP</label>"] {
            assert!(shown.text.contains(label), "{path}: {label}");
        }
        assert_eq!(shown.text.matches("<script").count(), 1, "{path}");
        let script = shown.text.split_once("<script src=\"").unwrap().1.split('"').next().unwrap();
        let script = app.actor("").get(script).await.is(200);
        assert!(script.header("content-type").starts_with("text/javascript"), "{script:?}");
        assert!(!shown.text.contains(" style=") && !shown.text.contains("<style"), "{path}");
    }
    let without = app.actor("").get("/docs/reference/errors").await.is(200);
    assert!(!without.header("content-security-policy").contains("script"), "{without:?}");
    assert!(!without.text.contains("<script"), "{}", without.text);
}

#[tokio::test]
async fn a_page_is_the_same_in_every_content_coding_and_compressed() {
    let app = TestApp::start().await;
    let nobody = app.actor("");
    for path in ["/", "/docs", "/docs/api", "/docs/reference/errors"] {
        let plain =
            nobody.send(Method::GET, path, &[("accept-encoding", "identity")], None).await.is(200);
        for coding in ["br", "gzip"] {
            for _ in 0..2 {
                let sent =
                    app.http.get(format!("{}{path}", app.origin)).header("accept-encoding", coding);
                let response = sent.send().await.unwrap();
                assert_eq!(response.headers()["content-encoding"], coding, "{path}");
                assert_eq!(response.headers()["vary"], "accept-encoding");
                assert_eq!(response.headers()["x-frame-options"], "DENY");
                assert_eq!(response.headers()["permissions-policy"], NO_DEVICES);
                let bytes = response.bytes().await.unwrap();
                assert!(
                    bytes.len() < plain.text.len() * 2 / 3,
                    "{path} {coding}: {} of {}",
                    bytes.len(),
                    plain.text.len()
                );
            }
        }
    }
}
