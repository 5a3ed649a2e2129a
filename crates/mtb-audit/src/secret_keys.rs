/// Words that make a member name secret-looking, wherever they stand in it.
const WORDS: [&str; 26] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "privatekey",
    "signingkey",
    "encryptionkey",
    "masterkey",
    "sshkey",
    "authorization",
    "authorisation",
    "authheader",
    "bearer",
    "cookie",
    "credential",
    "sessionid",
    "sessionkey",
    "sessid",
    "seedphrase",
    "connectionstring",
    "jwt",
];

/// Names that are secret-looking only as a whole: inside other names they are ordinary syllables.
const WHOLE: [&str; 6] = ["pass", "auth", "pin", "otp", "cvv", "cvc"];

/// Ordinary words that contain one of the words above.
const INNOCENT: [&str; 11] = [
    "secretary",
    "secretaries",
    "secretariat",
    "tokenizer",
    "tokenization",
    "tokenized",
    "tokencount",
    "tokenlimit",
    "maxtokens",
    "inputtokens",
    "outputtokens",
];

/// Whether a member name looks as if its value were a secret. Kept values under such names are replaced by
/// [`REDACTED`](crate::REDACTED).
///
/// Case, `_`, `-` and everything else that is neither letter nor digit is ignored. The list is a net below the
/// declaration, not a substitute for it: a secret under an innocent name passes.
///
/// ```
/// use mtb_audit::is_secret_key;
///
/// assert!(is_secret_key("X-Api-Key"));
/// assert!(is_secret_key("refresh_token"));
/// assert!(!is_secret_key("messageId"));
/// ```
#[must_use]
pub fn is_secret_key(name: &str) -> bool {
    let mut plain: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    for word in INNOCENT {
        if plain.contains(word) {
            plain = plain.replace(word, " ");
        }
    }
    WHOLE.contains(&&*plain) || WORDS.iter().any(|word| plain.contains(word))
}

#[cfg(test)]
mod tests {
    use super::is_secret_key;

    #[track_caller]
    fn check(names: &[&str], secret: bool) {
        for name in names {
            assert_eq!(is_secret_key(name), secret, "{name}");
        }
    }

    #[test]
    fn secret_looking_names() {
        check(&["password", "userPassword", "passwd", "pwd", "passphrase"], true); // case 53
        check(&["apiKey", "apikey", "openaiApiKey"], true); // case 54
        check(&["API_KEY", "Api_Key", "PASS_WORD", "SECRET"], true); // case 55
        check(&["x-api-key", "X-Api-Key", "my-x-api-key-2"], true); // case 56
        check(&["authorization", "Authorization", "Proxy-Authorization"], true); // case 57
        check(&["refresh_token", "token", "accessToken", "tokens", "csrf-token"], true); // case 58
        check(&["client-secret", "clientSecret", "secrets", "secret_access_key"], true); // case 59
        check(&["Set-Cookie", "cookie", "cookies"], true); // case 60
    }

    #[test]
    fn more_names_of_secrets() {
        check(&["private_key", "privateKeyPem", "ssh-key", "credentials", "bearer", "PHPSESSID"], true);
        check(&["session.id", "session id", "connectionString", "id_jwt", "auth", "pass", "PIN", "otp"], true);
        check(&["secretaryToken", "tokenizer_token"], true);
    }

    #[test]
    fn innocent_names() {
        check(&["messageId", "message_id"], false); // case 61
        check(&["key", "keyboard", "monkey", "primaryKey"], false); // case 62
        check(&["author", "authors", "authority", "coauthor"], false); // case 63
        check(&["subject", "to", "from", "body", "name", ""], false); // case 64
        check(&["secretary", "tokenizer", "max_tokens", "tokenCount", "compass", "spinner", "session"], false);
        check(&["bypass", "passenger", "shipping", "hotpot", "cookbook", "accession"], false);
    }
}
