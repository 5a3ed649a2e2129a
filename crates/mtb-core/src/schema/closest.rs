/// Names longer than this are not compared: nobody types them by hand.
const MAX_NAME_BYTES: usize = 64;

/// The known name that a misspelt one was most likely meant to be: at most a third of its characters differ, or the two
/// start in the same way.
pub(super) fn closest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > MAX_NAME_BYTES {
        return None;
    }
    let length = name.chars().count();
    let allowed = (length / 3).max(1);
    let near = known.into_iter().filter(|known| known.len() <= MAX_NAME_BYTES).filter_map(|known| {
        let distance = distance(name, known);
        let unshared = length - name.chars().zip(known.chars()).take_while(|(one, other)| one == other).count();
        let similar = distance <= allowed && distance < known.chars().count();
        let begins = name.len() >= 3 && known.len() >= 3 && (known.starts_with(name) || name.starts_with(known));
        let cut_short = (length >= 5 && 4 * unshared <= length) || begins;
        (similar || cut_short).then_some((!similar, unshared.min(distance), distance, known))
    });
    near.min().map(|(_, _, _, known)| known)
}

/// Levenshtein distance in characters, without regard to case.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().flat_map(char::to_lowercase).collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (above, letter) in from.chars().flat_map(char::to_lowercase).enumerate() {
        let mut diagonal = above;
        let mut left = above + 1;
        for (cell, other) in row.iter_mut().skip(1).zip(&to) {
            let cost = diagonal + usize::from(letter != *other);
            diagonal = *cell;
            left = cost.min(left + 1).min(*cell + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = above + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn suggests_what_was_probably_meant() {
        for (name, known, expected) in [
            ("bcc", &["to", "bc", "subject"][..], Some("bc")),
            ("subjct", &["to", "subject"], Some("subject")),
            ("Subject", &["subject"], Some("subject")),
            ("minProps", &["minProperties", "minItems"], Some("minProperties")),
            ("repo", &["owner", "repo_path"], Some("repo_path")),
            ("repository", &["repo", "owner"], Some("repo")),
            ("id", &["identity"], None),
            ("colour", &["date", "email"], None),
            ("a", &["b", "to"], None),
            ("", &["b"], None),
            ("größe", &["grösse", "größen"], Some("größen")),
        ] {
            assert_eq!(closest(name, known.iter().copied()), expected, "{name}");
        }
        let [long, longest, shorter] = [65, 64, 63].map(|length| "x".repeat(length));
        assert_eq!(closest(&long, [&*longest]), None);
        assert_eq!(closest(&longest, [&*long]), None);
        assert_eq!(closest(&longest, [&*shorter]), Some(&*shorter));
        // A third of the characters may differ, and no more.
        assert_eq!(closest("abcdef", ["abXYef", "aXYZef"]), Some("abXYef"));
        assert_eq!(closest("abcdef", ["aXYZef"]), None);
        // What begins alike counts from five characters on, if a quarter differs.
        assert_eq!(closest("tokens", ["token_limits"]), Some("token_limits"));
        assert_eq!(closest("toks", ["tokxxxxxxxx"]), None);
        assert_eq!(closest("customer_identifier", ["customer_number_of_a_person"]), None);
        // What differs little is closer than what begins alike.
        assert_eq!(closest("tokens", ["token_limits", "tokyos"]), Some("tokyos"));
    }

    #[test]
    fn a_distance_is_the_number_of_edits() {
        for (from, to, edits) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("abc", "abc", 0),
            ("abc", "ABC", 0),
            ("abc", "xabc", 1),
            ("xabc", "abc", 1),
            ("abc", "abd", 1),
            ("ab", "ba", 2),
            ("kitten", "sitting", 3),
            ("abcd", "wxyz", 4),
            ("ab", "wxyz", 4),
        ] {
            assert_eq!(super::distance(from, to), edits, "{from} {to}");
        }
    }
}
