//! Rate limits and load shedding.

mod overload;
mod rate_limits;
