//! Journeys of payers, and of people in the dashboard. Each runs in its own browser.

mod dashboard;
mod demo_shop;
mod embedded_tag;
mod hosted_page;
mod journey_checks;
mod layout_shift;
mod take_over;
mod without_script;
