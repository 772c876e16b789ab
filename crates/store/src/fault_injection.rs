//! Faults that a test injects into the calls of the ports.
//!
//! Everything here but `port_impl` needs the feature `fault-injection`, which only tests enable.
//! Without it `port_impl` leaves an implementation as it is.

/// What a test does around each call of the ports that [`tua_domain::ports::Store`] consists of.
/// Methods have the names of the ports' methods.
#[cfg(feature = "fault-injection")]
#[async_trait::async_trait]
pub trait FaultInjector: std::fmt::Debug + Send + Sync {
    /// Runs before a method. The method begins when this returns.
    ///
    /// # Errors
    /// The method returns the error, and has done nothing.
    async fn before(&self, method: &'static str) -> Result<(), tua_domain::ports::StoreError>;

    /// Runs after a method has returned, also if it has failed.
    ///
    /// # Errors
    /// The method returns the error in place of its result. What it has written stays.
    fn after(&self, method: &'static str) -> Result<(), tua_domain::ports::StoreError>;
}

/// Implements a port for an engine. With the feature `fault-injection` the store's `FaultInjector`,
/// if it has one, runs before and after each asynchronous method.
#[cfg(not(feature = "fault-injection"))]
macro_rules! port_impl {
    ($($port_impl:tt)*) => {
        #[async_trait::async_trait]
        $($port_impl)*
    };
}

#[cfg(feature = "fault-injection")]
macro_rules! port_impl {
    (impl $port:ident for $store:ty {
        $(
            $(#[$attribute:meta])*
            async fn $method:ident(
                &$this:ident $(, $argument:ident: $type:ty)* $(,)?
            ) -> $result:ty { $($work:tt)* }
        )*
        $(fn $($synchronous:tt)*)?
    }) => {
        #[async_trait::async_trait]
        impl $port for $store {
            $(
                $(#[$attribute])*
                async fn $method(&$this $(, $argument: $type)*) -> $result {
                    if let Some(faults) = &$this.faults {
                        faults.before(stringify!($method)).await?;
                    }
                    let result: $result = async { $($work)* }.await;
                    if let Some(faults) = &$this.faults {
                        faults.after(stringify!($method))?;
                    }
                    result
                }
            )*
            $(fn $($synchronous)*)?
        }
    };
}

pub(crate) use port_impl;
