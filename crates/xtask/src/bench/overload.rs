//! More than the service can do.

use super::load;
use crate::fault::Result;

pub(super) fn run() -> Result<()> {
    load::run("overload", "three times what the service can do", 30, &[])
}
