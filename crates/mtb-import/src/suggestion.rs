use mtb_core::Reversibility::{self, Irreversible, Reversible};
use mtb_core::Sensitivity::{self, Critical, High, Medium, None as Harmless};
use mtb_core::{cut, printable};

use crate::outline::Outline;

/// What a person might answer, and why. It is a guess from the outside: words, never a decision.
pub(crate) struct Suggestion {
    pub(crate) sensitivity: Sensitivity,
    pub(crate) reversibility: Reversibility,
    pub(crate) reasons: Vec<String>,
}

/// One thing that points to a degree of harm.
type Sign = (Sensitivity, Reversibility, String);

/// Words of a name or arguments, with what they point to and how that is said.
type Words = (&'static str, Sensitivity, Reversibility, &'static str);

/// Longest name of an argument that a reason repeats, in characters.
const MAX_QUOTED: usize = 64;

/// Words that say what a tool does. The first of them in a name counts: `list_deleted` lists.
const VERBS: [Words; 6] = [
    (
        "analyze browse check compare count describe diff explain extract fetch find get inspect list lookup \
         preview query read recommend retrieve search show status summarize validate view",
        Harmless,
        Reversible,
        "reads",
    ),
    (
        "add append apply assign close copy create disable enable insert open register restore schedule start stop \
         tag upload",
        Medium,
        Reversible,
        "changes something",
    ),
    (
        "configure edit modify move patch push put rename replace save set store update upsert write",
        Medium,
        Irreversible,
        "may go over what was there",
    ),
    (
        "approve broadcast charge deploy email invite merge notify pay post publish refund reply send share \
         sign submit transfer",
        High,
        Irreversible,
        "reaches others",
    ),
    (
        "cancel clear delete destroy discard drop erase kill overwrite prune purge remove reset revoke \
         terminate truncate uninstall wipe",
        High,
        Irreversible,
        "takes something away",
    ),
    ("eval exec execute run shell spawn", Critical, Irreversible, "runs something"),
];

/// Arguments by which a tool can do more than its name says.
const ARGUMENTS: [Words; 5] = [
    ("cmd code command script shell sql", High, Irreversible, "is something to run"),
    ("bcc cc recipient recipients", High, Irreversible, "is somebody who is written to"),
    ("amount currency iban payment", High, Irreversible, "is about money"),
    ("apikey credential credentials password privatekey secret", High, Reversible, "is a secret"),
    ("force overwrite recursive", Medium, Irreversible, "goes over what is in the way"),
];

/// The gravest of all signs in the definitions of one tool, with the reason for each; nothing where there is no sign.
pub(crate) fn suggest(outlines: &[Outline]) -> Option<Suggestion> {
    let mut signs: Vec<Sign> = Vec::new();
    for outline in outlines {
        for sign in hint(outline).into_iter().chain(verb(outline)).chain(arguments(outline)) {
            // Several definitions of one name give most reasons alike.
            if !signs.contains(&sign) {
                signs.push(sign);
            }
        }
    }
    let sensitivity = signs.iter().map(|(sensitivity, ..)| *sensitivity).max()?;
    let is_final = signs.iter().any(|(_, reversibility, _)| *reversibility == Irreversible);
    Some(Suggestion {
        sensitivity,
        reversibility: if is_final { Irreversible } else { Reversible },
        reasons: signs.into_iter().map(|(.., reason)| reason).collect(),
    })
}

/// What the definition claims of itself. MCP gives `destructiveHint` a meaning only beside effects, and takes it for
/// true where it is not there (<https://modelcontextprotocol.io/specification/2025-06-18/schema#toolannotations>).
fn hint(outline: &Outline) -> Option<Sign> {
    let (sensitivity, reversibility, hint) = match (outline.read_only, outline.destructive) {
        (Some(true), _) => (Harmless, Reversible, "`readOnlyHint` is true"),
        (_, Some(true)) => (High, Irreversible, "`destructiveHint` is true"),
        (_, Some(false)) => (Medium, Reversible, "`destructiveHint` is false"),
        (Some(false), None) => {
            (High, Irreversible, "`readOnlyHint` is false, and nothing says that it destroys nothing")
        }
        (None, None) => return None,
    };
    Some((sensitivity, reversibility, format!("its definition claims that {hint}")))
}

fn verb(outline: &Outline) -> Option<Sign> {
    let sign = |word: &String| {
        let (_, sensitivity, reversibility, what) = known(&VERBS, word)?;
        Some((*sensitivity, *reversibility, format!("`{word}` in its name says that it {what}")))
    };
    words(outline.name.as_str()).iter().find_map(sign)
}

fn arguments(outline: &Outline) -> impl Iterator<Item = Sign> {
    outline.arguments.iter().filter_map(|name| {
        let plain = words(name).concat();
        let (_, sensitivity, reversibility, what) = known(&ARGUMENTS, &plain)?;
        Some((*sensitivity, *reversibility, format!("its argument `{}` {what}", cut(&printable(name), MAX_QUOTED))))
    })
}

fn known(table: &'static [Words], word: &str) -> Option<&'static Words> {
    table.iter().find(|(words, ..)| words.split(' ').any(|known| known == word))
}

/// The words of a name in `snake_case`, `kebab-case`, `camelCase` or a mixture, in lower case.
fn words(name: &str) -> Vec<String> {
    let (mut words, mut word, mut before) = (Vec::new(), String::new(), ' ');
    for c in name.chars() {
        let is_start = c.is_ascii_uppercase() && !before.is_ascii_uppercase();
        if (is_start || !c.is_ascii_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    words.push(word);
    words
}

#[cfg(test)]
mod tests {
    use mtb_core::{Sensitivity, ToolName};

    use super::{ARGUMENTS, VERBS, suggest, words};
    use crate::outline::Outline;

    fn outline(name: &str, hints: [Option<bool>; 2], arguments: &[&str]) -> Outline {
        let [read_only, destructive] = hints;
        let arguments = arguments.iter().map(ToString::to_string).collect();
        Outline { name: ToolName::new(name).unwrap(), read_only, destructive, arguments }
    }

    /// `sensitivity reversibility reasons`, or nothing.
    #[track_caller]
    fn check(name: &str, hints: [Option<bool>; 2], arguments: &[&str], expected: &str) {
        let suggestion = suggest(&[outline(name, hints, arguments)]);
        let told = suggestion.map(|told| format!("{} {} {}", told.sensitivity, told.reversibility, told.reasons.len()));
        assert_eq!(told.unwrap_or_default(), expected, "{name} {hints:?} {arguments:?}");
    }

    #[test]
    fn the_gravest_sign_counts() {
        let none = [None, None];
        for (name, hints, arguments, expected) in [
            ("frobnicate", none, &[][..], ""),
            ("frobnicate", none, &["to", "query"], ""),
            ("get_deleted_files", none, &["path"], "none reversible 1"),
            ("brave_web_search", none, &["query"], "none reversible 1"),
            ("createIssue", none, &[], "medium reversible 1"),
            ("mail.send", none, &[], "high irreversible 1"),
            ("delete-branch", none, &["force"], "high irreversible 2"),
            ("run_query", none, &["sql"], "critical irreversible 2"),
            ("listUsers", [Some(true), Some(true)], &[], "none reversible 2"),
            ("frobnicate", [Some(true), None], &[], "none reversible 1"),
            // A claim of harmlessness hides nothing.
            ("delete_branch", [Some(true), None], &[], "high irreversible 2"),
            ("frobnicate", [Some(true), None], &["command"], "high irreversible 2"),
            ("frobnicate", [None, Some(true)], &[], "high irreversible 1"),
            ("frobnicate", [Some(false), Some(false)], &[], "medium reversible 1"),
            ("frobnicate", [Some(false), None], &[], "high irreversible 1"),
            ("write_file", none, &["path", "content"], "medium irreversible 1"),
            // Here too.
            ("write_file", [Some(false), Some(false)], &[], "medium irreversible 2"),
            ("get_login", none, &["api-key"], "high reversible 2"),
            ("get_login", none, &["apiKey", "API_KEY"], "high reversible 3"),
        ] {
            check(name, hints, arguments, expected);
        }
    }

    #[test]
    fn every_definition_of_a_name_counts() {
        let [harmless, harmful] =
            [&["query"][..], &["sql"]].map(|arguments| outline("get_rows", [None, None], arguments));
        for outlines in [
            [harmless, harmful],
            [outline("get_rows", [Some(true), None], &["sql"]), outline("get_rows", [None, None], &[])],
        ] {
            let suggestion = suggest(&outlines).unwrap();
            assert_eq!(suggestion.sensitivity, Sensitivity::High);
        }
    }

    #[test]
    fn no_reason_is_shown_otherwise_than_it_reads() {
        let reasons = suggest(&[outline("x", [None, None], &["com\u{202e}mand\u{1b}", "-sql"])]).unwrap().reasons;
        assert_eq!(reasons.len(), 2);
        assert!(reasons.iter().all(|reason| !reason.contains(['\u{202e}', '\u{1b}'])), "{reasons:?}");
    }

    #[test]
    fn names_are_cut_into_words() {
        assert_eq!(words("slack_postMessage-now.v2"), ["slack", "post", "message", "now", "v2"]);
        assert_eq!(words("HTTPGet"), ["httpget"]);
        assert_eq!(words("__"), [""]);
    }

    #[test]
    fn no_word_has_two_meanings() {
        for table in [&VERBS[..], &ARGUMENTS] {
            let mut all: Vec<_> = table.iter().flat_map(|(words, ..)| words.split(' ')).collect();
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count);
        }
    }
}
