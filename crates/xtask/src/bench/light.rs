//! What the service weighs.

use super::load;
use crate::fault::Result;

pub(super) fn run() -> Result<()> {
    load::run("light", "nine starts", 10, &[])
}
