//! The real service for tests in browsers. It prints its addresses and the secret key of its
//! account, and is controlled over HTTP.

use tokio::net::TcpListener;
use tua_harness::{TestService, control};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let service = TestService::start().await?;
    let control = TcpListener::bind("127.0.0.1:0").await?;
    println!("TUA_TEST_API={}", service.origin());
    println!("TUA_TEST_KEY={}", service.secret_key());
    println!("TUA_TEST_DASHBOARD={}", service.dashboard()?);
    println!("TUA_TEST_CONTROL=http://{}", control.local_addr()?);
    axum::serve(control, control::router(service)).await?;
    Ok(())
}
