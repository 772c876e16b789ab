//! Start time, memory at rest and binary size of the service.

use super::load;
use crate::fault::Result;

pub(super) fn run() -> Result<()> {
    load::run("light", "starting the service nine times", 10, &[])
}
