//! The addresses at which people and other services reach the service.

use crate::{Config, PublicUrl, dashboard_origin};

impl Config {
    /// The public URL that the settings name, or that follows from their certificate.
    #[must_use]
    pub fn configured_public_url(&self) -> Option<PublicUrl> {
        let of_acme = || PublicUrl::parse(&self.acme.as_ref()?.public_url());
        self.public_url.clone().or_else(of_acme)
    }

    /// The public URL of a service that listens on this address.
    ///
    /// # Errors
    /// A sentence: there is no public URL in the settings, and the address is none.
    pub fn public_url_at(&self, address: impl std::fmt::Display) -> Result<PublicUrl, String> {
        let scheme = if self.is_tls() { "https" } else { "http" };
        let of_listener = || PublicUrl::parse(&format!("{scheme}://{address}"));
        self.configured_public_url()
            .or_else(of_listener)
            .ok_or_else(|| format!("listen: {address} is not an address such as 127.0.0.1:8080"))
    }

    /// The origin of the dashboard's links. `public_url` is the service's, and `own_address` that
    /// of the dashboard's own listener, if it has one.
    #[must_use]
    pub fn dashboard_url_at(
        &self,
        public_url: &PublicUrl,
        own_address: Option<impl std::fmt::Display>,
    ) -> PublicUrl {
        let scheme = if self.is_tls() { "https" } else { "http" };
        let own = || PublicUrl::parse(&format!("{scheme}://{}", own_address?));
        let configured = self.dashboard_url.clone();
        dashboard_origin(&configured.or_else(own).unwrap_or_else(|| public_url.clone()))
    }
}
