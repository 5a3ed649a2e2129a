//! Random documents, and random ways to write them.

use std::fmt::Write as _;

use mtb_core::CanonicalJson;
use mtb_core::json::{JsonFault, Limits};
use proptest::prelude::*;
use serde_json::Value;

/// Wide enough for every random document.
pub(crate) const WIDE: Limits = Limits { depth: 64, nodes: 10_000, string_bytes: 10_000 };

pub(crate) fn canonical(text: &str) -> CanonicalJson {
    CanonicalJson::from_text(text, &WIDE).unwrap_or_else(|error| panic!("{text}: {error}"))
}

pub(crate) fn refusal(text: &str, limits: &Limits) -> (JsonFault, usize) {
    match CanonicalJson::from_text(text, limits) {
        Ok(accepted) => panic!("{text} was accepted as {}", accepted.as_str()),
        Err(error) => (error.fault, error.offset),
    }
}

pub(crate) fn name() -> impl Strategy<Value = String> {
    "[ab\u{e000}😀\"\\\\\n/\u{1}é]{0,3}"
}

pub(crate) fn number() -> impl Strategy<Value = Value> {
    let edge = prop::sample::select(vec![(1_i64 << 53) - 1, 1 << 53, (1 << 53) + 1, i64::MAX - 1, i64::MAX]);
    prop_oneof![
        (-3_i64..3).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        edge.clone().prop_map(Value::from),
        edge.clone().prop_map(|integer| Value::from(-integer)),
        edge.prop_map(|integer| format!("{integer}.0").parse::<f64>().unwrap().into()),
        (-8_i32..8).prop_map(|quarters| Value::from(f64::from(quarters) / 4.0)),
        any::<u64>().prop_map(|bits| Value::from(Some(f64::from_bits(bits)).filter(|double| double.is_finite()))),
    ]
}

pub(crate) fn document() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number(),
        name().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    scalar.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(name(), inner, 0..12).prop_map(|members| members.into_iter().collect()),
        ]
    })
}

/// Writes a value in one of many ways, which the seed chooses: order of members, whitespace, escapes, number forms.
pub(crate) fn written(value: &Value, seed: u64) -> String {
    let mut writer = Writer { text: String::new(), seed };
    writer.space();
    writer.value(value);
    writer.space();
    writer.text
}

struct Writer {
    text: String,
    seed: u64,
}

impl Writer {
    fn pick(&mut self, below: u64) -> u64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) % below
    }

    fn space(&mut self) {
        for _ in 0..self.pick(3) {
            let space = [" ", "\n", "\r", "\t"][usize::try_from(self.pick(4)).unwrap()];
            self.text.push_str(space);
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Array(items) => {
                self.text.push('[');
                for (index, item) in items.iter().enumerate() {
                    self.separate(index);
                    self.value(item);
                    self.space();
                }
                self.space();
                self.text.push(']');
            }
            Value::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                for index in 1..members.len() {
                    let other = usize::try_from(self.pick(1 + u64::try_from(index).unwrap())).unwrap();
                    members.swap(index, other);
                }
                self.text.push('{');
                for (index, (name, member)) in members.into_iter().enumerate() {
                    self.separate(index);
                    self.string(name);
                    self.space();
                    self.text.push(':');
                    self.space();
                    self.value(member);
                    self.space();
                }
                self.space();
                self.text.push('}');
            }
            Value::String(text) => self.string(text),
            Value::Number(number) => {
                let small = number.as_i64().filter(|integer| integer.unsigned_abs() < 1 << 53);
                match (small, self.pick(4)) {
                    (Some(integer), 1) => write!(self.text, "{integer}.000"),
                    (Some(integer), 2) if integer != 0 => write!(self.text, "{integer}0E-1"),
                    (Some(integer), 3) => write!(self.text, "{integer}e+0"),
                    _ => write!(self.text, "{number}"),
                }
                .unwrap();
            }
            scalar => self.text.push_str(&scalar.to_string()),
        }
    }

    fn separate(&mut self, index: usize) {
        if index > 0 {
            self.text.push(',');
        }
        self.space();
    }

    fn string(&mut self, text: &str) {
        self.text.push('"');
        for character in text.chars() {
            match (character, self.pick(3)) {
                (_, 0) | ('\0'..=' ', _) => {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        let _ = if unit.is_multiple_of(2) {
                            write!(self.text, "\\u{unit:04x}")
                        } else {
                            write!(self.text, "\\u{unit:04X}")
                        };
                    }
                }
                ('"' | '\\', _) | ('/', 1) => self.text.extend(['\\', character]),
                _ => self.text.push(character),
            }
        }
        self.text.push('"');
    }
}
