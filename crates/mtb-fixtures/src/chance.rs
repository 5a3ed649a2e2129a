use proptest::prelude::RngExt;
use proptest::strategy::{Strategy, ValueTree};
use proptest::string::string_regex;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Choices that a seed decides, the same on every machine.
pub(crate) struct Chance(TestRunner);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        let mut bytes = [0; 32];
        for (byte, given) in bytes.iter_mut().zip(seed.to_le_bytes()) {
            *byte = given;
        }
        Self(TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)))
    }

    /// A number below `count`; 0 when that is 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0.rng().random_range(0..count.max(1))
    }

    /// A number from `low` to `high`, both included; `low` when they are the wrong way around.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        self.0.rng().random_range(low..=high.max(low))
    }

    pub(crate) fn percent(&mut self, of_hundred: usize) -> bool {
        self.below(100) < of_hundred
    }

    pub(crate) fn pick<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        from.get(self.below(from.len()))
    }

    /// A text that matches, where proptest can make one.
    pub(crate) fn matching(&mut self, pattern: &str) -> Option<String> {
        let tree = string_regex(&without_anchors(pattern)).ok()?.new_tree(&mut self.0).ok()?;
        Some(tree.current())
    }
}

/// A text made from the whole pattern begins and ends where the anchors at its ends say.
fn without_anchors(pattern: &str) -> String {
    let inside = pattern.strip_prefix('^').unwrap_or(pattern);
    let escaped = inside.strip_suffix('$').is_some_and(|before| before.ends_with('\\'));
    let inside = if escaped { inside } else { inside.strip_suffix('$').unwrap_or(inside) };
    // Digits of ECMA-262 are those of ASCII.
    inside.replace("\\d", "[0-9]")
}

#[cfg(test)]
mod tests {
    use super::{Chance, without_anchors};

    #[test]
    fn a_seed_decides_everything() {
        let drawn = |seed| {
            let mut chance = Chance::new(seed);
            (chance.between(0, i64::MAX), chance.matching("^[a-z]{8}$"), chance.below(1 << 30))
        };
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
    }

    #[test]
    fn anchors_at_the_ends_are_left_out() {
        for (pattern, inside) in [("^a$", "a"), ("a", "a"), (r"^a\$", r"a\$"), (r"^\d+$", "[0-9]+")] {
            assert_eq!(without_anchors(pattern), inside);
        }
        assert_eq!(Chance::new(0).matching("(?=a)b"), None);
    }
}
