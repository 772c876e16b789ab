//! A payer's journeys, each in a browser of its own.

mod watchfulness;
