//! The pages that a payer sees, each found by role and name.
