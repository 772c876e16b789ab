//! More load than the service can serve.

use super::load;
use crate::fault::Result;

pub(super) fn run() -> Result<()> {
    load::run("overload", "sending three times the load that the service can serve", 30, &[])
}
