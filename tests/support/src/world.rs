//! A shop whose payments a scripted operator gets, with a clock that only the test moves.

use super::{ApiClient, TestApp, scripted_operator::ScriptedOperator};
use serde_json::json;
use std::sync::Arc;

/// A service with a stopped clock, its operator in test mode, and a merchant.
#[derive(Debug)]
pub struct World {
    /// The service under test.
    pub app: TestApp,
    /// The operator of test mode.
    pub operator: Arc<ScriptedOperator>,
    /// A client with a v2 test key.
    pub shop: ApiClient,
}

impl World {
    /// Starts a service with this operator.
    pub async fn new(operator: ScriptedOperator) -> Self {
        let operator = Arc::new(operator);
        let app = TestApp::with_stopped_clock(operator.behind_test()).await;
        let shop = app.shop().await;
        Self { app, operator, shop }
    }

    /// Begins a payment to or from a number outside the sandbox's table.
    pub async fn begin(&self, path: &str) -> String {
        let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
        self.shop.post(path, &body).await.is(202).id()
    }

    /// Moves the clock by these seconds, one after the other, and waits each time for what is due.
    pub async fn wait(&self, gaps: impl IntoIterator<Item = u64>) {
        for gap in gaps {
            self.app.advance(gap);
            self.app.wait_for_due_work().await;
        }
    }
}
