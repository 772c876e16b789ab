//! The token server that a merchant runs: POST /checkout, and nothing else
