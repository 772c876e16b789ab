//! A merchant's own site: another origin, a strict security policy, one plain page.

use anyhow::Result;
use axum::Router;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A site with `/` and `/shop.js`. Dropping it stops it.
#[derive(Debug)]
pub struct Merchant {
    origin: String,
    server: JoinHandle<()>,
}

impl Merchant {
    /// Serves `body` at `/`, with a content security policy that allows only the origin of the
    /// payments service. The page's script is at `/shop.js`, because the policy blocks inline
    /// scripts.
    pub async fn with_page(service: &str, body: &str, script: &str) -> Result<Self> {
        Self::serve(service, body, script, "'wasm-unsafe-eval'", "'none'").await
    }

    /// As [`Merchant::with_page`], with a policy that does not allow WebAssembly, and allows forms
    /// to be posted to `forms` only: an origin or `'none'`.
    pub async fn without_wasm(service: &str, body: &str, forms: &str) -> Result<Self> {
        Self::serve(service, body, "", "", forms).await
    }

    async fn serve(
        service: &str,
        body: &str,
        script: &str,
        wasm: &str,
        forms: &str,
    ) -> Result<Self> {
        let policy = format!(
            "default-src 'none'; script-src 'self' {service} {wasm}; connect-src {service}; \
             style-src 'self'; img-src 'self'; base-uri 'none'; form-action {forms}"
        );
        let page = format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>A merchant</title>\
             <link rel=\"icon\" href=\"/icon.svg\">\
             <script type=\"module\" src=\"{service}/sdk/tua-checkout.js\"></script>\
             <script type=\"module\" src=\"/shop.js\"></script><body>{body}</body></html>"
        );
        let script = script.to_owned();
        let site = Router::new()
            .route(
                "/",
                get(move || async move {
                    (
                        [(CONTENT_TYPE, "text/html".to_owned()), (CONTENT_SECURITY_POLICY, policy)],
                        page,
                    )
                }),
            )
            .route(
                "/shop.js",
                get(move || async move { ([(CONTENT_TYPE, "text/javascript")], script) }),
            )
            .route(
                "/icon.svg",
                get(|| async {
                    (
                        [(CONTENT_TYPE, "image/svg+xml")],
                        "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
                    )
                }),
            );
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        // `localhost` instead of 127.0.0.1, so that the page is another site than the service, not
        // only another port.
        let origin = format!("http://localhost:{}", listener.local_addr()?.port());
        let server = tokio::spawn(async move {
            let _ = axum::serve(listener, site).await;
        });
        Ok(Self { origin, server })
    }

    /// The origin of the page.
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

impl Drop for Merchant {
    fn drop(&mut self) {
        self.server.abort();
    }
}
