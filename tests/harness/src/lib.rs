//! The real service, with a clock that tests move and a switch to turn it off and on.
