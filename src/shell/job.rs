//! A request or a pause that ends when it is dropped.

use crate::api::Api;
use crate::flow::{Answer, Request};
use gloo_timers::callback::Timeout;
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;

/// Longer than the server ever takes: a status is held for 25 s, a charge waits 2 s for the operator.
const LONGEST_MS: u32 = 40_000;

/// What is under way.
#[must_use = "dropping it ends it"]
pub(super) enum Job {
    /// A request, and the timer that gives it up.
    Request(AbortController, #[expect(dead_code, reason = "dropping it stops it")] Timeout),
    /// A pause.
    Pause(#[expect(dead_code, reason = "dropping it stops it")] Timeout),
}

impl Job {
    /// Sends a request; nothing where the browser cannot even abort one.
    pub(super) fn ask(
        api: Rc<Api>,
        request: Request,
        then: impl FnOnce(Answer, Option<i64>) + 'static,
    ) -> Option<Self> {
        let controller = AbortController::new().ok()?;
        let signal = controller.signal();
        let limit = controller.clone();
        spawn_local(async move {
            let (answer, now_ms) = api.send(request, &signal).await;
            then(answer, now_ms);
        });
        Some(Self::Request(controller, Timeout::new(LONGEST_MS, move || limit.abort())))
    }

    /// Lets time pass.
    pub(super) fn sleep(millis: u32, then: impl FnOnce() + 'static) -> Self {
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
