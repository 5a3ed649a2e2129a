use std::cell::Cell;
use std::fmt::Debug;

use mtb_core::{CanonicalJson, Schema, SchemaRole, SchemaSource, decode};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::types::{
    Adjacent, AdjacentClosed, Containers, Expression, External, Flat, FlatAdjacent, FlatExternal, FlatRest, Integers,
    Internal, InternalClosed, InternalNewtype, Just, Named, NonZero, Scalars, Standard, Tree, Untagged,
};
use crate::values::{change, changes};

pub(crate) fn compile<T: JsonSchema + DeserializeOwned>() -> Schema {
    Schema::compile(&SchemaSource::derived::<T>(), SchemaRole::Arguments).unwrap()
}

fn canonical(value: &Value) -> Value {
    CanonicalJson::from_value(value, &mtb_core::json::Limits::default()).unwrap().into_value()
}

/// What a type writes, its schema accepts; what its schema accepts of values near that, the type reads.
pub(crate) fn check<T: Arbitrary + Debug + Serialize + DeserializeOwned + JsonSchema>() {
    let schema = compile::<T>();
    let accepted = Cell::new(0_u32);
    let mut runner = TestRunner::new(Config { cases: 256, max_shrink_iters: 4_000, ..Config::default() });
    let checked = runner.run(&(any::<T>(), changes()), |(it, changes)| {
        let mut value = canonical(&serde_json::to_value(&it).unwrap());
        prop_assert_eq!(schema.validate(&value), Ok(()), "{}", value);
        prop_assert!(decode::<T>(&value).is_ok(), "{}", value);
        change(&mut value, changes);
        let value = canonical(&value);
        if schema.validate(&value).is_ok() {
            accepted.set(accepted.get() + 1);
            prop_assert!(decode::<T>(&value).is_ok(), "accepted and not read: {}", value);
        }
        Ok(())
    });
    if let Err(error) = checked {
        panic!("{error}\n{}", schema.text());
    }
    assert!(accepted.get() > 0, "no changed value was accepted");
}

macro_rules! agrees {
    ($($name:ident: $type:ty),+ $(,)?) => {
        $(#[test] fn $name() { check::<$type>(); })+
    };
}

agrees! {
    integers: Integers,
    non_zero_integers: NonZero,
    scalars: Scalars,
    containers: Containers,
    renamed_and_closed: Named,
    externally_tagged: Just<External>,
    internally_tagged: Internal,
    internally_tagged_newtypes: InternalNewtype,
    internally_tagged_and_closed: InternalClosed,
    adjacently_tagged: Adjacent,
    adjacently_tagged_and_closed: AdjacentClosed,
    untagged: Just<Untagged>,
    flattened: Flat,
    flattened_and_externally_tagged: FlatExternal,
    flattened_and_adjacently_tagged: FlatAdjacent,
    flattened_rest: FlatRest,
    recursive: Tree,
    recursive_enum: Expression,
    of_the_standard_library: Standard,
    optional: Just<Option<Adjacent>>,
}
