//! Where the messages of a channel go, with its secrets.

use crate::{encrypted_secret::EncryptedSecret, key_ring::KeyRing, secret::ServerKey, string_enum};
use std::fmt;

/// The purpose of the encryption of targets.
const PURPOSE: &[u8] = b"tua: alert channels, XChaCha20-Poly1305";

/// The number of the last characters of a secret that pages show.
const SHOWN_CHARACTERS: usize = 4;

/// The longest chat of Telegram and the longest token, in bytes.
const MAX_TELEGRAM_BYTES: usize = 128;

string_enum! {
    /// How a channel is sent to.
    pub enum ChannelService {
        /// An incoming webhook of Slack, or of a chat that takes the same messages.
        Slack = "slack",
        /// The method `sendMessage` of a bot of Telegram.
        Telegram = "telegram",
        /// A server of the merchant, which gets signed JSON.
        Https = "https",
    }
}

/// Where messages go. `Debug` hides it, because with it anybody can write into the chat.
#[derive(Clone, PartialEq, Eq)]
pub enum ChannelTarget {
    /// The address of an incoming webhook, which is a secret.
    Slack {
        /// The address, as text.
        url: String,
    },
    /// A bot of Telegram.
    Telegram {
        /// The token of the bot, which is a secret.
        token: String,
        /// The chat: a number, or `@` with the name of a public channel.
        chat: String,
    },
    /// A server of the merchant.
    Https {
        /// The address, as text.
        url: String,
        /// The secret that signs the messages, as `whsec_…` (Standard Webhooks 1.0).
        secret: String,
    },
}

/// Why a target of Telegram was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TargetFault {
    /// The token has not the form that Telegram gives out.
    #[error("the token of a bot is a number, a colon, and letters, digits, - and _")]
    Token,
    /// The chat is no number and no name of a channel.
    #[error("a chat is a number, or @ and the name of a public channel")]
    Chat,
}

impl ChannelTarget {
    /// A chat of a bot of Telegram.
    ///
    /// # Errors
    /// [`TargetFault`].
    pub fn telegram(token: &str, chat: &str) -> Result<Self, TargetFault> {
        let is_word = |text: &str| {
            !text.is_empty()
                && text.len() <= MAX_TELEGRAM_BYTES
                && text.bytes().all(|one| one.is_ascii_alphanumeric() || b"_-".contains(&one))
        };
        let is_number = |text: &str| is_word(text) && text.bytes().all(|one| one.is_ascii_digit());
        let is_token = token.split_once(':').is_some_and(|(id, key)| is_number(id) && is_word(key));
        if !is_token {
            return Err(TargetFault::Token);
        }
        let number = chat.strip_prefix('-').unwrap_or(chat);
        if !is_number(number) && !chat.strip_prefix('@').is_some_and(is_word) {
            return Err(TargetFault::Chat);
        }
        Ok(Self::Telegram { token: token.to_owned(), chat: chat.to_owned() })
    }

    /// How it is sent to.
    #[must_use]
    pub const fn service(&self) -> ChannelService {
        match self {
            Self::Slack { .. } => ChannelService::Slack,
            Self::Telegram { .. } => ChannelService::Telegram,
            Self::Https { .. } => ChannelService::Https,
        }
    }

    /// What people recognise it by: the host or the chat, and the last four characters of what is
    /// secret.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Slack { url } | Self::Https { url, .. } => {
                let host = url::Url::parse(url).ok();
                let host = host.as_ref().and_then(url::Url::host_str).unwrap_or_default();
                format!("{host} …{}", last_characters(url))
            }
            Self::Telegram { token, chat } => format!("{chat} …{}", last_characters(token)),
        }
    }

    /// Encrypts it for the store: its values, one on each line.
    #[must_use]
    pub fn encrypt(&self, key: &ServerKey) -> EncryptedSecret {
        let values = match self {
            Self::Slack { url } => vec![url],
            Self::Telegram { token, chat } => vec![token, chat],
            Self::Https { url, secret } => vec![url, secret],
        };
        let lines = std::iter::once(self.service().as_str());
        let lines: Vec<&str> = lines.chain(values.into_iter().map(String::as_str)).collect();
        EncryptedSecret::encrypt_for(PURPOSE, key, &lines.join("\n"))
    }

    /// Decrypts it. `None` if it was encrypted with another server key.
    #[must_use]
    pub fn decrypt(encrypted: &EncryptedSecret, keys: &KeyRing) -> Option<Self> {
        let text = encrypted.decrypt_with(PURPOSE, keys)?;
        let mut values = text.split('\n').map(str::to_owned);
        let service = ChannelService::parse(&values.next()?)?;
        let first = values.next()?;
        Some(match service {
            ChannelService::Slack => Self::Slack { url: first },
            ChannelService::Telegram => Self::Telegram { token: first, chat: values.next()? },
            ChannelService::Https => Self::Https { url: first, secret: values.next()? },
        })
    }
}

impl fmt::Debug for ChannelTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChannelTarget").field("service", &self.service()).finish_non_exhaustive()
    }
}

/// The last characters of a secret; fewer of a short one, so that most of it stays hidden.
fn last_characters(secret: &str) -> &str {
    let shown = SHOWN_CHARACTERS.min(secret.chars().count() / 4);
    let start = secret.char_indices().rev().take(shown).last().map_or(secret.len(), |(at, _)| at);
    &secret[start..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key_ring::RegisteredKey;

    const TOKEN: &str = "12345:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";

    #[test]
    fn a_target_comes_back_from_the_store_and_shows_four_characters_of_its_secret() {
        let key = ServerKey::parse(&"A".repeat(43)).unwrap();
        let registered = RegisteredKey { version: 1, digest: key.digest() };
        let keys = KeyRing::new(std::slice::from_ref(&key), &[registered]).unwrap();
        let slack = "https://hooks.slack.com/services/T0/B0/abcdWXYZ".to_owned();
        let url = "https://shop.example/alerts".to_owned();
        for (target, shown) in [
            (ChannelTarget::Slack { url: slack }, "hooks.slack.com …WXYZ"),
            (ChannelTarget::telegram(TOKEN, "-100200").unwrap(), "-100200 …Dsaw"),
            (ChannelTarget::Https { url, secret: "whsec_abc".to_owned() }, "shop.example …erts"),
        ] {
            assert_eq!(target.shown(), shown);
            assert_eq!(ChannelTarget::decrypt(&target.encrypt(&key), &keys), Some(target.clone()));
            let debug = format!("{target:?}");
            for secret in ["abcd", "AAHd", "whsec", "/alerts"] {
                assert!(!debug.contains(secret), "{debug}");
            }
        }
    }

    #[test]
    fn only_tokens_and_chats_of_telegram_are_taken() {
        for (token, chat) in [(TOKEN, "123"), (TOKEN, "-100123"), (TOKEN, "@adom_alerts")] {
            assert!(ChannelTarget::telegram(token, chat).is_ok(), "{chat}");
        }
        for token in ["", "12345", "12345:", "a:b", "12345:a/b", "12345:a\nb", "1:a?b=c"] {
            assert_eq!(ChannelTarget::telegram(token, "1"), Err(TargetFault::Token), "{token}");
        }
        for chat in ["", "-", "@", "adom", "1 2", "@a b", "@a\nb"] {
            assert_eq!(ChannelTarget::telegram(TOKEN, chat), Err(TargetFault::Chat), "{chat}");
        }
    }
}
