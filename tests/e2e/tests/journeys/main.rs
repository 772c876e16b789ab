//! A payer's journeys. Each runs in its own browser.

mod demo_shop;
mod embedded_tag;
mod hosted_page;
mod journey_checks;
mod layout_shift;
mod take_over;
mod without_script;
