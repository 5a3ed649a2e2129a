use serde_json::{Map, Value};

use super::Generator;

/// Texts that have the format, by every reading of it that we know.
const SAMPLES: [(&str, &[&str]); 12] = [
    ("date-time", &["2024-02-29T12:30:00Z", "1999-12-31T23:59:59.5+01:00"]),
    ("date", &["2024-02-29", "1970-01-01"]),
    ("time", &["12:30:00Z", "23:59:59.25-08:00"]),
    ("duration", &["P1D", "PT36H"]),
    ("email", &["ada@example.com", "a.b+c@example.org"]),
    ("hostname", &["example.com", "a-b.example"]),
    ("ipv4", &["127.0.0.1"]),
    ("ipv6", &["::1", "2001:db8::7"]),
    ("uri", &["https://example.com/a?b=c#d", "urn:isbn:0451450523"]),
    ("uri-reference", &["/a/b", "https://example.com"]),
    ("uuid", &["123e4567-e89b-12d3-a456-426614174000"]),
    ("regex", &["^a+$"]),
];

/// Of one, two, three and four bytes in UTF-8, because lengths count characters.
const LETTERS: [char; 8] = ['a', 'Z', '0', ' ', '-', 'é', '漢', '😀'];

impl Generator<'_> {
    pub(super) fn string(&mut self, schema: &Map<String, Value>) -> String {
        let text = |keyword: &str| schema.get(keyword).and_then(Value::as_str);
        let samples = SAMPLES.iter().find(|(format, _)| text("format") == Some(*format)).map(|(_, samples)| *samples);
        let pattern = text("pattern").and_then(|pattern| self.chance.matching(pattern));
        match (samples, pattern) {
            // What has the format seldom misses the pattern beside it, and the other way around.
            (Some(samples), pattern) if pattern.is_none() || self.chance.percent(50) => {
                self.chance.pick(samples).map(|sample| (*sample).to_owned()).unwrap_or_default()
            }
            (_, Some(matching)) => matching,
            _ => self.letters(schema),
        }
    }

    fn letters(&mut self, schema: &Map<String, Value>) -> String {
        let count = |keyword: &str| schema.get(keyword).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        let least = count("minLength").unwrap_or(0);
        let length = (least + self.chance.below(8)).min(count("maxLength").unwrap_or(usize::MAX));
        (0..length).filter_map(|_| self.chance.pick(&LETTERS).copied()).collect()
    }

    pub(super) fn number(&mut self, schema: &Map<String, Value>, integral: bool) -> Value {
        let bound = |keyword: &str| schema.get(keyword).and_then(integer);
        let least = bound("minimum").or_else(|| bound("exclusiveMinimum").map(|bound| bound.saturating_add(1)));
        let most = bound("maximum").or_else(|| bound("exclusiveMaximum").map(|bound| bound.saturating_sub(1)));
        let low = least.unwrap_or_else(|| most.unwrap_or(100).saturating_sub(200));
        let high = most.unwrap_or_else(|| low.saturating_add(200));
        let number = match self.chance.below(4) {
            0 => low,
            1 => high,
            _ => self.chance.between(low, high),
        };
        let step = bound("multipleOf").filter(|step| *step > 1);
        let number = step.map_or(number, |step| number - number % step);
        let between = (number < high && step.is_none()).then(|| format!("{number}.5").parse::<f64>().ok()).flatten();
        match between {
            Some(between) if !integral && self.chance.percent(50) => between.into(),
            _ => number.into(),
        }
    }
}

/// The closest integer that 64 bits hold, towards zero.
fn integer(bound: &Value) -> Option<i64> {
    bound.as_i64().or_else(|| format!("{:.0}", bound.as_f64()?.trunc()).parse().ok())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::valid;

    /// A schema, and whether a text fits it.
    type Row = (Value, fn(&str) -> bool);

    #[test]
    fn texts_have_the_length_the_pattern_or_the_format() {
        let rows: [Row; 3] = [
            (json!({"type": "string", "minLength": 3, "maxLength": 4}), |text| (3..=4).contains(&text.chars().count())),
            (json!({"type": "string", "pattern": "^[0-9]{4}-ab$"}), |text| text.len() == 7 && text.ends_with("-ab")),
            (json!({"type": "string", "format": "email"}), |text| text.contains('@')),
        ];
        for (schema, fits) in rows {
            for seed in 0..50 {
                assert!(fits(valid(&schema, seed).as_str().unwrap()), "{schema} gave {}", valid(&schema, seed));
            }
        }
    }

    #[test]
    fn numbers_stay_within_their_bounds() {
        let mut fractions = 0;
        for seed in 0..200 {
            for schema in [
                json!({"type": "integer", "minimum": 2, "maximum": 5}),
                json!({"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 6.5}),
                json!({"type": "integer", "maximum": 5, "minimum": 2, "multipleOf": 2}),
            ] {
                let value: Value = valid(&schema, seed);
                assert!((2.0..=5.5).contains(&value.as_f64().unwrap()), "{schema} gave {value}");
                fractions += usize::from(value.is_f64());
            }
        }
        assert!(fractions > 20, "{fractions}");
    }
}
