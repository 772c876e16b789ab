//! A payer's journeys, each in a browser of its own.

mod demo_shop;
mod embedded_tag;
mod hosted_page;
mod steadiness;
mod taking_over;
mod watchfulness;
mod without_script;
