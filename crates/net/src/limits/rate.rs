//! Rate limits, and concurrency limits of one address: as configured, then validated.

use serde::Deserialize;
use tua_domain::rate_limit::Rate;

/// A rate of the configuration file, not validated yet.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a rate such as { quota = 60, window = 60 }")]
struct RateSetting {
    /// How many requests one key of the limit may send in a window.
    quota: i64,
    /// The length of the window, in seconds.
    window: i64,
}

impl RateSetting {
    /// `None` if the quota or the window is out of range.
    fn resolve(self) -> Option<Rate> {
        Rate::new(u32::try_from(self.quota).ok()?, u32::try_from(self.window).ok()?)
    }
}

/// The largest concurrency limit of one address.
const MAX_PER_ADDRESS: u32 = 1_000_000;

macro_rules! rates {
    (
        $($(#[doc = $doc:literal])+ $name:ident $key:literal = $quota:literal in $window:literal,)+;
        $($(#[doc = $limit_doc:literal])+ $limit:ident $limit_key:literal = $count:literal,)+
    ) => {
        /// All rate limits, and the concurrency limits of one address.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Rates {
            $($(#[doc = $doc])+ pub $name: Rate,)+
            $($(#[doc = $limit_doc])+ pub $limit: u32,)+
        }

        /// The `[limits]` table of the file; each entry is optional.
        #[derive(Clone, Debug, Default, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        pub struct RateSettings {
            $($name: Option<RateSetting>,)+
            $($limit: Option<i64>,)+
        }

        impl Default for Rates {
            fn default() -> Self {
                Self {
                    $($name: const { Rate::new($quota, $window).unwrap() },)+
                    $($limit: $count,)+
                }
            }
        }

        impl RateSettings {
            /// Validates the rates, and adds the default rates for the rest.
            ///
            /// # Errors
            /// Every invalid rate, each as a sentence that names the setting.
            pub fn resolve(mut self) -> Result<Rates, Vec<String>> {
                // A merchant who tries a daily limit out does so in test mode.
                self.prompt_daily_test = self.prompt_daily_test.or(self.prompt_daily);
                let mut rates = Rates::default();
                let mut faults = Vec::new();
                $(match self.$name.map(|written| (written, written.resolve())) {
                    None => {}
                    Some((_, Some(rate))) => rates.$name = rate,
                    Some((written, None)) => faults.push(format!(
                        "limits.{}: quota {} in window {} is not 1 to {} in 1 to {} seconds",
                        $key, written.quota, written.window, Rate::MAX_QUOTA, Rate::MAX_WINDOW,
                    )),
                })+
                $(match self.$limit.map(|written| (written, u32::try_from(written))) {
                    None => {}
                    Some((_, Ok(limit @ 1..=MAX_PER_ADDRESS))) => rates.$limit = limit,
                    Some((written, _)) => {
                        faults.push(format!("limits.{}: {written} is not 1 to \
                            {MAX_PER_ADDRESS}", $limit_key));
                    }
                })+
                if faults.is_empty() { Ok(rates) } else { Err(faults) }
            }
        }
    };
}

rates! {
    /// Requests with one secret key.
    secret_key "secret-key" = 500 in 5,
    /// Requests with one checkout token.
    checkout_token "checkout-token" = 120 in 24,
    /// Requests from one address (IPv6: one /64) without a valid credential.
    address "address" = 120 in 60,
    /// Passcodes and vouchers for one session, or for one transaction by secret key.
    passcode "passcode" = 25 in 1500,
    /// Live charges of one account to one phone number.
    prompt_live "prompt-live" = 3 in 600,
    /// Test charges of one account to one phone number.
    prompt_test "prompt-test" = 300 in 600,
    /// Live charges of all accounts to one phone number.
    prompt_daily "prompt-daily" = 20 in 86_400,
    /// Test charges of all accounts to one phone number. Where only `prompt-daily` is set, the
    /// same.
    prompt_daily_test "prompt-daily-test" = 50_000 in 86_400,
    /// Passcodes and vouchers for charges to one phone number, over all accounts, that were not
    /// right.
    passcode_phone "passcode-phone" = 60 in 86_400,
    /// Wrong passcodes and vouchers by checkout token from one address (IPv6: one /64).
    passcode_address "passcode-address" = 300 in 3_600,
    /// Sessions that payers open from payment links, from one address (IPv6: one /64).
    link_address "link-address" = 600 in 60,
    /// Pages that need no credential, from one address (IPv6: one /64).
    page_address "page-address" = 3_000 in 60,
    /// Searches for a payment by its transaction ID, from one address (IPv6: one /64).
    find_address "find-address" = 120 in 3_600,
    /// Searches for a payment by its transaction ID, on the page of one session or payment link.
    find_page "find-page" = 30 in 3_600,
    ;
    /// Connections of one address (IPv6: one /64) at the same time, at most half of all
    /// connections.
    connections_per_address "connections-per-address" = 2500,
    /// Long polls of one address (IPv6: one /64) that wait at the same time.
    polls_per_address "polls-per-address" = 2000,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str) -> Result<Rates, Vec<String>> {
        toml::from_str::<RateSettings>(text).unwrap().resolve()
    }

    #[test]
    fn the_reference_shows_the_default_rates() {
        let reference = include_str!("../../../../docs/reference/command-line.md");
        let (_, after) = reference.split_once("[limits]\n").unwrap();
        let (table, _) = after.split_once("```").unwrap();
        assert_eq!(resolve(table), Ok(Rates::default()));
        assert_eq!(table.trim().lines().count(), 16);
    }

    #[test]
    fn missing_rates_are_the_default_rates() {
        let rates = resolve("address = { quota = 7, window = 9 }\n").unwrap();
        assert_eq!(rates, Rates { address: Rate::new(7, 9).unwrap(), ..Rates::default() });
    }

    #[test]
    fn a_daily_limit_that_is_set_holds_in_test_mode_too() {
        let rates = resolve("prompt-daily = { quota = 3, window = 86400 }\n").unwrap();
        assert_eq!(
            (rates.prompt_daily, rates.prompt_daily_test),
            (Rate::new(3, 86_400).unwrap(), rates.prompt_daily)
        );
    }

    #[test]
    fn every_invalid_rate_is_named() {
        let faults = resolve(
            "secret-key = { quota = 0, window = 5 }\naddress = { quota = 1, window = 0 }\n\
             passcode = { quota = -1, window = 5 }\nprompt-live = { quota = 1000001, window = 5 }\n\
             prompt-test = { quota = 1, window = 86401 }\ncheckout-token = \
             { quota = 99999999999, window = 1 }\n\
             connections-per-address = 0\npolls-per-address = 1000001\n",
        )
        .unwrap_err();
        assert_eq!(faults.len(), 8, "{faults:?}");
        assert!(faults[0].starts_with("limits.secret-key: quota 0 in window 5 "), "{faults:?}");
    }

    #[test]
    fn unknown_rates_are_rejected() {
        for text in ["adress = { quota = 1, window = 1 }", "address = { quota = 1 }", "address = 5"]
        {
            assert!(toml::from_str::<RateSettings>(text).is_err(), "{text}");
        }
        assert!(
            toml::from_str::<RateSettings>("address = { quota = 1, window = 1, burst = 1 }")
                .is_err()
        );
    }
}
