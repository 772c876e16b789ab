//! A request or a pause. Dropping a job ends it.

use crate::api::Api;
use crate::flow::{ApiResponse, Request};
use crate::locale::{Text, Texts};
use gloo_timers::callback::Timeout;
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;

/// After this time a request is aborted. The service holds a status request for 25 s, and a charge
/// waits 2 s for the operator.
const REQUEST_TIMEOUT_MS: u32 = 40_000;

/// A request or a pause in progress.
#[must_use = "dropping it ends it"]
pub(super) enum Job {
    /// A request, and the timer that aborts it.
    Request(
        AbortController,
        #[expect(dead_code, reason = "dropping it cancels the timer")] Timeout,
    ),
    /// A pause before the next request.
    Pause(#[expect(dead_code, reason = "dropping it cancels the timer")] Timeout),
}

impl Job {
    /// Sends a request and calls `then` with the answer. `None` in a browser that cannot abort
    /// requests.
    pub(super) fn request(
        api: Rc<Api>,
        request: Request,
        texts: Texts,
        then: impl FnOnce(ApiResponse, Option<i64>) + 'static,
    ) -> Option<Self> {
        let controller = AbortController::new().ok()?;
        let signal = controller.signal();
        let timeout = controller.clone();
        spawn_local(async move {
            let (answer, now_ms) = api.send(request, texts.get(Text::Language), &signal).await;
            then(answer, now_ms);
        });
        Some(Self::Request(controller, Timeout::new(REQUEST_TIMEOUT_MS, move || timeout.abort())))
    }

    /// Calls `then` after this time.
    pub(super) fn pause(millis: u32, then: impl FnOnce() + 'static) -> Self {
        Self::Pause(Timeout::new(millis, then))
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if let Self::Request(controller, _) = self {
            controller.abort();
        }
    }
}
