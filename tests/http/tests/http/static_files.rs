//! Static files: immutable by their hash, and compressed in advance.

use reqwest::{
    Method,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use std::{fs, path::Path};
use tua_packing::Sdk;
use tua_test_support::TestApp;
use tua_web::http::{PAGE, SDK, is_component_built};

const FOR_EVER: &str = "public, max-age=31536000, immutable";
const ASKED_ABOUT: &str = "no-cache";

/// A response as it was sent, without decompression.
#[derive(Debug)]
struct Sent {
    status: u16,
    headers: HeaderMap,
    bytes: Vec<u8>,
}

impl Sent {
    async fn of(app: &TestApp, method: Method, path: &str, headers: &[(&str, &str)]) -> Self {
        let mut request = app.actor("").request(method, path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        Self { status, headers, bytes: response.bytes().await.unwrap().to_vec() }
    }

    async fn get(app: &TestApp, path: &str, headers: &[(&str, &str)]) -> Self {
        Self::of(app, Method::GET, path, headers).await
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    fn text(&self) -> &str {
        str::from_utf8(&self.bytes).unwrap()
    }
}

fn repository(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The URLs of a page's own origin that it refers to.
fn links(page: &str) -> Vec<&str> {
    let places =
        page.split('"').filter(|text| text.starts_with("/sdk/") || text.starts_with("/assets/"));
    places.collect()
}

#[tokio::test]
async fn every_file_of_the_hosted_page_is_immutable() {
    let app = TestApp::start().await;
    let payer = app.payer(&app.shop().await).await;
    let page = Sent::get(&app, &format!("/pay?key={}", payer.credential), &[]).await;
    let links = links(page.text());
    assert!(links.len() >= if is_component_built() { 4 } else { 2 }, "{links:?}");
    for link in links {
        assert!(
            link.starts_with(&format!("{SDK}/")) || link.starts_with(&format!("{PAGE}/")),
            "{link}"
        );
        let file = Sent::get(&app, link, &[]).await;
        assert_eq!((file.status, file.header("cache-control")), (200, Some(FOR_EVER)), "{link}");
    }
    assert!(!page.text().contains("preload"), "a payer without script downloads no script");
    let gone = Sent::get(&app, "/pay", &[]).await;
    assert!(!gone.text().contains("/sdk/"), "a page without the component loads none of its files");
}

#[tokio::test]
async fn the_loader_has_a_stable_url_and_loads_immutable_files() {
    if !is_component_built() {
        return;
    }
    let app = TestApp::start().await;
    for entry in ["tua-checkout.js", "element.js"] {
        let path = format!("/sdk/{entry}");
        let loader = Sent::get(&app, &path, &[]).await;
        assert_eq!((loader.status, loader.header("cache-control")), (200, Some(ASKED_ABOUT)));
        let tag = loader.header("etag").unwrap();
        let second = Sent::get(&app, &path, &[("if-none-match", tag)]).await;
        assert_eq!((second.status, second.bytes.len(), second.header("etag")), (304, 0, Some(tag)));

        let folder = SDK.trim_start_matches("/sdk/");
        for file in ["locales/en.js", "locales/ha.js", "tua_embed_bg.wasm"] {
            assert!(loader.text().contains(&format!("{folder}/{file}\"")), "{entry} loads {file}");
            let kept = Sent::get(&app, &format!("{SDK}/{file}"), &[]).await;
            assert_eq!(
                (kept.status, kept.header("cache-control")),
                (200, Some(FOR_EVER)),
                "{file}"
            );
            assert_eq!(kept.header("access-control-allow-origin"), Some("*"));
            assert_eq!(kept.header("cross-origin-resource-policy"), Some("cross-origin"));
            let plain = Sent::get(&app, &format!("/sdk/{file}"), &[]).await;
            assert_eq!(
                (&plain.bytes, plain.header("cache-control")),
                (&kept.bytes, Some(ASKED_ABOUT)),
                "{file}"
            );
        }
        // In the folder it is the package's own loader, which loads files relative to itself.
        let inside = Sent::get(&app, &format!("{SDK}/{entry}"), &[]).await;
        assert_eq!(inside.bytes, fs::read(repository("pkg").join(entry)).unwrap());
    }
}

#[tokio::test]
async fn the_loader_matches_the_integrity_that_xtask_dist_prints() {
    let app = TestApp::start().await;
    let sdk = Sdk::read(&repository("pkg")).unwrap();
    if let Some(loader) = sdk.entries.get("tua-checkout.js") {
        let sent = Sent::get(&app, "/sdk/tua-checkout.js", &[]).await;
        assert_eq!(tua_packing::integrity(&sent.bytes), tua_packing::integrity(loader));
    }
}

#[tokio::test]
async fn a_file_is_sent_in_the_encoding_that_the_browser_prefers() {
    let app = TestApp::start().await;
    let mut paths = vec![format!("{PAGE}/page.css"), "/assets/pay.js".to_owned()];
    if is_component_built() {
        paths.extend([format!("{SDK}/tua_embed_bg.wasm"), "/sdk/tua-checkout.js".to_owned()]);
    }
    for path in paths {
        let plain = Sent::get(&app, &path, &[]).await;
        assert_eq!(
            (plain.header("content-encoding"), plain.header("vary")),
            (None, Some("accept-encoding"))
        );
        let brotli = tua_packing::brotli(&plain.bytes).unwrap();
        let gzip = tua_packing::gzip(&plain.bytes).unwrap();
        assert!(brotli.len() < gzip.len() && gzip.len() < plain.bytes.len(), "{path}");
        for (asked, coding, bytes) in [
            ("gzip, deflate, br, zstd", Some("br"), &brotli),
            ("gzip", Some("gzip"), &gzip),
            ("br;q=0, gzip;q=0.5", Some("gzip"), &gzip),
            ("identity", None, &plain.bytes),
            ("br;q=0, gzip;q=0, identity", None, &plain.bytes),
            ("deflate", None, &plain.bytes),
        ] {
            let sent = Sent::get(&app, &path, &[("accept-encoding", asked)]).await;
            assert_eq!(
                (sent.status, sent.header("content-encoding")),
                (200, coding),
                "{path} {asked}"
            );
            assert_eq!(sent.bytes.len(), bytes.len(), "{path} {asked}");
            assert!(sent.bytes == *bytes, "{path} {asked}");
            for name in ["content-type", "cache-control", "vary"] {
                assert_eq!(sent.header(name), plain.header(name), "{path} {asked}");
            }
        }
    }
}

#[tokio::test]
async fn each_encoding_of_a_file_has_its_own_etag() {
    let app = TestApp::start().await;
    for path in ["/assets/page.css", &format!("{PAGE}/page.css")] {
        let mut tags = Vec::new();
        for coding in ["br", "gzip", "identity"] {
            let asks = [("accept-encoding", coding)];
            tags.push(Sent::get(&app, path, &asks).await.header("etag").unwrap().to_owned());
        }
        for (at, tag) in tags.iter().enumerate() {
            assert_eq!(tags.iter().position(|other| other == tag), Some(at));
            let asks = [("accept-encoding", "br"), ("if-none-match", tag)];
            let again = Sent::get(&app, path, &asks).await;
            assert_eq!(
                again.status,
                if at == 0 { 304 } else { 200 },
                "only the encoding that is sent"
            );
            assert_eq!(again.header("vary"), Some("accept-encoding"));
        }
    }
}

#[tokio::test]
async fn head_returns_the_headers_of_get() {
    let app = TestApp::start().await;
    let changing = [HeaderName::from_static("date"), HeaderName::from_static("x-request-id")];
    for coding in ["br", "gzip", "identity"] {
        let path = format!("{PAGE}/page.css");
        let asks = [("accept-encoding", coding)];
        let mut get = Sent::get(&app, &path, &asks).await;
        let mut head = Sent::of(&app, Method::HEAD, &path, &asks).await;
        for name in &changing {
            get.headers.remove(name);
            head.headers.remove(name);
        }
        assert_eq!((head.status, head.bytes.len()), (200, 0));
        assert_eq!(head.headers, get.headers);
        assert_eq!(get.headers["content-length"], HeaderValue::from(get.bytes.len()));
    }
}

#[tokio::test]
async fn a_url_with_another_hash_falls_back_to_the_unhashed_file_uncached() {
    let app = TestApp::start().await;
    let client =
        reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let mut moved = vec![("/assets", "pay.js")];
    if is_component_built() {
        moved.extend([("/sdk", "tua-checkout.js"), ("/sdk", "locales/fr.js")]);
    }
    for (above, file) in moved {
        let old =
            client.get(format!("{}{above}/0123456789ab/{file}", app.origin)).send().await.unwrap();
        assert_eq!(old.status(), 307, "{file}");
        assert_eq!(old.headers()["cache-control"], "no-store");
        assert_eq!(old.headers()["location"], format!("{above}/{file}"));
        assert_eq!(old.headers().get("access-control-allow-origin").is_some(), above == "/sdk");
    }
    // The wasm fits only the loader of its own build.
    for missing in [
        "/sdk/0123456789ab/tua_embed_bg.wasm",
        "/sdk/0123456789ab/nothing.js",
        "/assets/0123456789ab/x.css",
    ] {
        let answer = Sent::get(&app, missing, &[]).await;
        assert_eq!(
            (answer.status, answer.header("cache-control")),
            (404, Some("no-store")),
            "{missing}"
        );
    }
}

#[tokio::test]
async fn only_browser_files_are_served() {
    let app = TestApp::start().await;
    for path in [
        "/sdk/tua-checkout.js.br",
        "/sdk/tua_embed_bg.wasm.gz",
        "/assets/page.css.br",
        "/assets/error.html",
        "/assets/",
        &format!("{PAGE}/page.css.gz"),
        &format!("{PAGE}/"),
        &format!("{PAGE}/../page.css.br"),
        &format!("{SDK}{SDK}/tua-checkout.js"),
        PAGE,
        SDK,
    ] {
        assert_eq!(Sent::get(&app, path, &[]).await.status, 404, "{path}");
    }
}
