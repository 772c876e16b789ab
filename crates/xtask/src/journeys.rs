//! Journeys of payers and of people in the dashboard, end to end, in each engine.

use crate::browsers::{self, Chromium, Firefox};
use crate::dist;
use crate::fault::Result;
use crate::step::Step;
use crate::{paths, programs, tools};
use std::path::PathBuf;

/// The browser engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    Chromium,
    Firefox,
    WebKit,
}

/// The journeys of the daily run in the engines other than Chromium, which runs all.
pub const MAIN_JOURNEYS: [&str; 8] = [
    "dashboard::a_page_that_is_left_while_it_refreshes_logs_no_error",
    "dashboard::a_person_refunds_one_cedi_after_a_fresh_proof",
    "demo_shop::a_payer_buys_with_mtn_and_approves_on_the_phone",
    "demo_shop::a_payer_buys_with_a_telecel_voucher_read_from_the_phone",
    "embedded_tag::a_payer_pays_in_a_page_of_another_origin",
    "hosted_page::a_reload_during_a_payment_shows_it_again",
    "take_over::input_and_focus_are_kept_when_the_component_takes_over",
    "without_script::a_payer_without_script_pays_by_approval",
];

/// WebKitGTK cannot be asked for its console: an automated page is a private one there, and writes
/// its console nowhere.
const NO_CONSOLE: &str = "its console cannot be read";
/// MiniBrowser makes no pop-up narrower than 334 px.
const NOT_SO_NARROW: &str = "its narrowest window is wider";
const NOT_IN_WEBKIT: [(&str, &str); 3] = [
    ("dashboard::a_person_refunds_one_cedi_in_a_window_of_320_pixels", NOT_SO_NARROW),
    ("journey_checks::an_error_on_the_console_fails_a_journey", NO_CONSOLE),
    ("journey_checks::an_uncaught_error_fails_a_journey", NO_CONSOLE),
];

impl Engine {
    /// The name for people; in lower case, the value of `TUA_E2E_ENGINE` and `TUA_ENGINE`.
    fn name(self) -> &'static str {
        match self {
            Self::Chromium => "Chromium",
            Self::Firefox => "Firefox",
            Self::WebKit => "WebKit",
        }
    }

    /// Journeys that make no sense in it, and why.
    fn not_applicable(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Chromium | Self::Firefox => &[],
            Self::WebKit => &NOT_IN_WEBKIT,
        }
    }

    /// The step with the paths of the browser and its driver in the environment. Installs them if
    /// missing.
    fn with_browser(self, step: Step) -> Result<Step> {
        match self {
            Self::Chromium => {
                let Chromium { browser, driver } = browsers::chromium()?;
                Ok(step.env("CHROMIUM", browser).env("CHROMEDRIVER", driver))
            }
            Self::Firefox => {
                let Firefox { browser, driver } = browsers::firefox()?;
                Ok(step.env("FIREFOX", browser).env("GECKODRIVER", driver))
            }
            Self::WebKit => Ok(step.env("WEBKITWEBDRIVER", browsers::webkit()?)),
        }
    }
}

/// Every journey that makes sense in this engine; the others are named with the reason.
pub fn all_journeys(engine: Engine) -> Result<Step> {
    let others = engine.not_applicable();
    for (journey, why) in others {
        eprintln!("  – not in {}: {journey}: {why}", engine.name());
    }
    let skips = others.iter().flat_map(|(journey, _)| ["--skip", journey]);
    Ok(step(engine, "every journey")?.args(skips).about(120))
}

/// The main journeys in this engine.
pub fn main_journeys(engine: Engine) -> Result<Step> {
    Ok(step(engine, "the main journeys")?.args(MAIN_JOURNEYS).about(60))
}

/// What people do in the dashboard, and how every page looks, with the real service.
pub fn dashboard(engine: Engine) -> Result<Step> {
    let built = programs::build()?;
    let script = paths::root().join("tests/dashboard/dashboard.mjs");
    let pictures = paths::target().join(match engine {
        Engine::Chromium => "dashboard",
        Engine::Firefox => "dashboard-firefox",
        Engine::WebKit => "dashboard-webkit",
    });
    // The program of the browser; the engines with WebDriver find theirs in the environment.
    let browser = match engine {
        Engine::Chromium => browsers::chromium()?.browser,
        Engine::Firefox | Engine::WebKit => PathBuf::new(),
    };
    let title = format!("people in the dashboard, in {}", engine.name());
    let step = Step::node_tests(title, &script)
        .args([&paths::root(), &browser, &pictures])
        .env("NODE_PATH", tools::npm_dir(&tools::LOOKS_PACKAGES))
        .env("TUA_ENGINE", engine.name().to_lowercase())
        .env("TUA_BIN", built.join("tua"));
    let seconds = if engine == Engine::Chromium { 40 } else { 300 };
    Ok(engine.with_browser(step)?.about(seconds))
}

fn step(engine: Engine, what: &str) -> Result<Step> {
    dist::require()?;
    let built = programs::build()?;
    let step = Step::cargo(format!("{what} in {}", engine.name()), "test")
        .args(["--package", "tua-e2e", "--test", "journeys", "--", "--exact"])
        .env("TUA_E2E_ENGINE", engine.name().to_lowercase())
        .env("TUA_BIN", built.join("tua"))
        .env("TUA_HARNESS_BIN", built.join("tua-harness"));
    engine.with_browser(step)
}
