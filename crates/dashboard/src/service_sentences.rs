//! Sentences that the service writes in English wherever they occur, such as why a delivery failed,
//! as French pages show them. What a server or an operator has written stays as it is, and is
//! marked as English.

use super::language::Language;
use minijinja::{Value, context};

/// The English sentences with their French ones. An English sentence that ends with a space is
/// followed by another one, or by a value.
const FRENCH: &[(&str, &str)] = &[
    // Deliveries of webhooks and alerts (crates/webhooks).
    ("it could not be reached: ", "impossible de le joindre : "),
    (
        "nothing accepts connections at this address and port",
        "rien n’accepte de connexions à cette adresse et sur ce port",
    ),
    ("the server closed the connection", "le serveur a fermé la connexion"),
    ("no network leads to the server", "aucun réseau ne mène au serveur"),
    ("the server did not respond in time", "le serveur n’a pas répondu à temps"),
    ("the endpoint's URL is invalid", "l’adresse du point de webhook n’est pas valable"),
    (
        "the endpoint's secret was encrypted with another server key; rotate the secret",
        "le secret du point de webhook a été chiffré avec une autre clé du serveur ; remplacez-le",
    ),
    ("the endpoint was removed", "le point de webhook a été retiré"),
    (
        "the address is private, link-local or reserved; nothing is ever sent there",
        "l’adresse est privée, locale ou réservée ; rien n’y est jamais envoyé",
    ),
    // Addresses of endpoints that are refused.
    (
        "it is not an absolute address such as https://shop.example/webhooks",
        "ce n’est pas une adresse complète comme https://shop.example/webhooks",
    ),
    ("it is longer than 2048 characters", "elle a plus de 2048 caractères"),
    ("it contains control characters", "elle contient des caractères de contrôle"),
    ("it must begin with https://", "elle doit commencer par https://"),
    (
        "a live endpoint must begin with https://",
        "une adresse en mode réel doit commencer par https://",
    ),
    (
        "it holds a name or password; check the signature of what arrives instead",
        "elle contient un nom ou un mot de passe ; vérifiez plutôt la signature de ce qui arrive",
    ),
    (
        "it has a fragment (#…), which is never sent",
        "elle a un fragment (#…), qui n’est jamais envoyé",
    ),
    (
        "its address is private, link-local or reserved; nothing is ever sent there",
        "son adresse est privée, locale ou réservée ; rien n’y est jamais envoyé",
    ),
    // Checks of operators (crates/operators).
    ("callback address: ", "adresse de rappel : "),
    ("callback address at pawaPay: ", "adresse de rappel chez pawaPay : "),
    ("collection credentials: ", "identifiants d’encaissement : "),
    ("disbursement credentials: ", "identifiants de versement : "),
    ("stored credentials: ", "identifiants enregistrés : "),
    ("secret key: ", "clé secrète : "),
    ("API token: accepted", "jeton d’API : accepté"),
    ("API token: ", "jeton d’API : "),
    ("signed callbacks: ", "rappels signés : "),
    ("signed requests: ", "requêtes signées : "),
    ("keys of signed callbacks: ", "clés des rappels signés : "),
    (
        "receive money: credentials and address list: ",
        "encaisser : identifiants et liste d’adresses : ",
    ),
    ("send money: credentials and address list: ", "verser : identifiants et liste d’adresses : "),
    ("the live key is accepted", "la clé du mode réel est acceptée"),
    ("clock: ", "horloge : "),
    ("networks: ", "réseaux : "),
    ("operations: ", "opérations : "),
    ("accepted", "acceptés"),
    (
        "is on a loopback address, which no operator can reach",
        "est sur l’adresse de la machine elle-même, qu’aucun opérateur ne peut joindre",
    ),
    ("is not https, which operators require", "n’est pas en https, que les opérateurs exigent"),
    (
        "names an IP address; operators require a host name",
        "est une adresse IP ; les opérateurs exigent un nom d’hôte",
    ),
    ("is not a URL", "n’est pas une adresse"),
    ("is https on the host ", "est en https sur l’hôte "),
    ("differs from the operator's by ", "s’écarte de celle de l’opérateur de "),
];

/// `sentence|of_service`: what is known in the language of the page, and the rest, which is
/// English.
pub(super) fn of_service(language: Language, sentence: &str) -> Value {
    let (known, rest) = match language {
        Language::English => (sentence.to_owned(), ""),
        Language::French => french(sentence),
    };
    context! { known, rest }
}

/// The French beginning of a sentence, and what is left of it in English.
fn french(sentence: &str) -> (String, &str) {
    let mut translated = String::new();
    let mut rest = sentence;
    while let Some((english, french)) = FRENCH.iter().find(|(english, _)| {
        if english.ends_with(' ') { rest.starts_with(english) } else { rest == *english }
    }) {
        translated.push_str(french);
        rest = &rest[english.len()..];
    }
    (translated, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_beginning_of_a_sentence_is_french() {
        let reached = "it could not be reached: the server closed the connection";
        let both = "impossible de le joindre : le serveur a fermé la connexion".to_owned();
        assert_eq!(french(reached), (both, ""));
        let beginning = "impossible de le joindre : ".to_owned();
        assert_eq!(french("it could not be reached: dns error"), (beginning, "dns error"));
        assert_eq!(french("dns error"), (String::new(), "dns error"));
        let check = "adresse de rappel : n’est pas une adresse".to_owned();
        assert_eq!(french("callback address: is not a URL"), (check, ""));
    }

    #[test]
    fn a_value_at_the_end_of_a_check_is_left() {
        for (check, rest) in [
            ("clock: differs from the operator's by 2 s", "2 s"),
            ("callback address: is https on the host pay.example", "pay.example"),
            ("receive money: credentials and address list: accepted", ""),
        ] {
            assert_eq!(french(check).1, rest, "{check}");
        }
    }

    #[test]
    fn every_refused_address_has_its_french_sentence() {
        use tua_domain::Mode;
        for address in [
            "shop.example",
            "ftp://shop.example",
            "http://shop.example",
            "https://a:b@shop.example",
            "https://shop.example/#a",
            "https://127.0.0.1/",
            &format!("https://shop.example/{}", "a".repeat(2048)),
        ] {
            let fault =
                tua_webhooks::endpoint_url::parse_url(address, Mode::Live, false).unwrap_err();
            assert_eq!(french(fault).1, "", "{fault}");
        }
    }
}
