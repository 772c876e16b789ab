//! Rate limits and load shedding.

mod overload;
mod prompts_and_codes;
mod rate_limits;
