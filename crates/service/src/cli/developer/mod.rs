//! Commands for developers of shops: they call the API of a service with a test key, and need no
//! database.
//!
//! | module | does |
//! |---|---|
//! | `test_api` | requests to the API with the test key of the environment |
//! | `event` | an event as the API returns it |
//! | `event_stream` | follows events as they happen |
//! | `forward` | signs an event and sends it to an address of the developer |
//! | `listen` | `tua listen`: forwards events as they happen |
//! | `log_page` | what `GET /v1/logs` returns, and how it is printed |
//! | `logs` | `tua logs tail`: prints requests, events and deliveries as they happen |
//! | `logged_request` | `tua logs --request`: prints those of one request |
//! | `poll_pace` | how fast a client asks again that waits |
//! | `events` | `tua events resend`: forwards one event again |
//! | `scenario` | what each event of `tua trigger` needs |
//! | `test_payments` | payments and checkout sessions of test mode |
//! | `clock_event` | an event that comes when the sandbox clock is advanced |
//! | `trigger` | `tua trigger`: makes an event happen in the sandbox |

mod clock_event;
mod event;
mod event_stream;
pub(super) mod events;
mod forward;
pub(super) mod listen;
mod log_page;
mod logged_request;
pub(super) mod logs;
mod poll_pace;
mod scenario;
pub(super) mod test_api;
mod test_payments;
pub(super) mod trigger;
