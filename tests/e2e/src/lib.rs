//! A payer in a real browser, end to end
