//! Types of every shape that `serde` can give a type.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::{NonZeroI8, NonZeroI64, NonZeroI128, NonZeroU8, NonZeroU64, NonZeroUsize};
use std::ops::{Bound, Range};
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use proptest::num::{f32, f64};
use proptest::prelude::*;
use proptest_derive::Arbitrary;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Arguments of one value, for types that are no objects.
#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
#[serde(deny_unknown_fields)]
pub(crate) struct Just<T> {
    pub(crate) it: T,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
pub(crate) struct Integers {
    tiny: i8,
    short: i16,
    int: i32,
    long: i64,
    #[proptest(strategy = "any::<i64>().prop_map(i128::from)")]
    wide: i128,
    size: isize,
    byte: u8,
    word: u16,
    double: u32,
    quad: u64,
    #[proptest(strategy = "any::<u64>().prop_map(u128::from)")]
    octo: u128,
    index: usize,
    #[proptest(strategy = "any::<Option<u64>>().prop_map(|it| it.map(u128::from))")]
    maybe: Option<u128>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
pub(crate) struct NonZero {
    tiny: NonZeroI8,
    long: Option<NonZeroI64>,
    byte: NonZeroU8,
    quads: Vec<NonZeroU64>,
    #[proptest(strategy = "any::<NonZeroI64>().prop_map(NonZeroI128::from)")]
    wide: NonZeroI128,
    index: NonZeroUsize,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
pub(crate) struct Scalars {
    #[proptest(strategy = "f32::NORMAL | f32::ZERO")]
    single: f32,
    #[proptest(strategy = "f64::NORMAL | f64::ZERO")]
    double: f64,
    letter: char,
    letters: Option<Vec<char>>,
    yes: bool,
    nothing: (),
    #[proptest(strategy = "any::<String>().prop_map(Cow::Owned)")]
    text: Cow<'static, str>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
pub(crate) struct Containers {
    list: Vec<u8>,
    set: BTreeSet<i16>,
    pair: (u8, Option<String>),
    fixed: [i8; 3],
    empty: [i8; 0],
    map: BTreeMap<String, u16>,
    #[proptest(strategy = "prop::collection::hash_map(any::<String>(), small(), 0..3)")]
    nested: HashMap<String, Vec<BTreeMap<String, bool>>>,
    by_kind: BTreeMap<Kind, u8>,
    documented: Documented,
    boxed: Box<Named>,
    #[proptest(strategy = "any::<u8>().prop_map(Rc::new)")]
    shared: Rc<u8>,
    twice: Option<Option<u8>>,
    tuple: Pair,
    newtype: Wrapped,
    unit: Unit,
}

fn small() -> impl Strategy<Value = Vec<BTreeMap<String, bool>>> {
    prop::collection::vec(prop::collection::btree_map("[a-c~/]{0,2}", any::<bool>(), 0..3), 0..3)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, Arbitrary)]
#[serde(rename_all = "SCREAMING-KEBAB-CASE")]
pub(crate) enum Kind {
    OneWay,
    #[serde(rename = "2")]
    Both,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, Arbitrary)]
pub(crate) enum Documented {
    Plain,
    /// Described, so that it is a form of its own.
    Described,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Named {
    first_name: String,
    #[serde(rename = "a/b~c", alias = "abc")]
    slashed: u8,
    #[serde(default)]
    count: u32,
    #[serde(default = "seven")]
    seven: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    #[serde(skip)]
    #[expect(dead_code, reason = "not a member of the value")]
    skipped: u8,
}

fn seven() -> i64 {
    7
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
pub(crate) struct Pair(u8, #[serde(default)] i8);

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
pub(crate) struct Wrapped(u16);

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
pub(crate) struct Unit;

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
#[serde(rename_all = "snake_case")]
pub(crate) enum External {
    Unit,
    Newtype(u8),
    Tuple(u8, NonZeroI8),
    Struct { letter: char, open: Option<bool> },
    Inner(Named),
    Nothing(()),
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Internal {
    Unit,
    Struct { x: u8, big: u64 },
    Pixels(Pixels),
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
pub(crate) struct Pixels {
    width: NonZeroU8,
    height: Option<u16>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum InternalNewtype {
    Closed(Named),
    Open(Scalars),
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
#[serde(tag = "type", deny_unknown_fields)]
pub(crate) enum InternalClosed {
    Unit,
    Struct { x: u8 },
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
#[serde(tag = "t", content = "c")]
pub(crate) enum Adjacent {
    Unit,
    Newtype(i64),
    Tuple(u8, i8),
    Struct { x: u8 },
    Inner(Internal),
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
#[serde(tag = "t", content = "c", deny_unknown_fields)]
pub(crate) enum AdjacentClosed {
    Unit,
    Newtype(u32),
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
#[serde(untagged)]
pub(crate) enum Untagged {
    Number(u8),
    Negative(i64),
    Text(String),
    Named(Named),
    Struct {
        x: u8,
        y: Option<i32>,
    },
    #[proptest(strategy = "prop::collection::vec(any::<External>(), 0..4).prop_map(Untagged::List)")]
    List(Vec<External>),
    Nothing,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
pub(crate) struct Flat {
    id: u64,
    #[serde(flatten)]
    inner: Inner,
    #[serde(flatten)]
    tagged: Internal,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
pub(crate) struct Inner {
    size: u16,
    note: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
pub(crate) struct FlatExternal {
    id: u8,
    #[serde(flatten)]
    form: External,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
pub(crate) struct FlatAdjacent {
    id: u8,
    #[serde(flatten)]
    form: Adjacent,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
pub(crate) struct FlatRest {
    id: u8,
    #[serde(flatten)]
    inner: Option<Inner>,
    #[serde(flatten)]
    #[proptest(strategy = "prop::collection::btree_map(\"[u-z]{3}\", any::<i16>(), 0..4)")]
    rest: BTreeMap<String, i16>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
pub(crate) struct Tree {
    value: i32,
    #[proptest(strategy = "trees()")]
    children: Vec<Tree>,
    #[proptest(value = "None")]
    next: Option<Box<Tree>>,
}

fn trees() -> impl Strategy<Value = Vec<Tree>> {
    let leaf = any::<i32>().prop_map(|value| Tree { value, children: Vec::new(), next: None });
    let grow = |inner: BoxedStrategy<Tree>| {
        (any::<i32>(), prop::collection::vec(inner.clone(), 0..3), prop::option::of(inner.prop_map(Box::new)))
            .prop_map(|(value, children, next)| Tree { value, children, next })
    };
    prop::collection::vec(leaf.prop_recursive(3, 8, 3, grow), 0..3)
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(crate) enum Expression {
    Value {
        of: Number,
    },
    #[proptest(skip)]
    Sum {
        terms: Vec<Expression>,
    },
    #[proptest(skip)]
    Not {
        it: Box<Expression>,
    },
}

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
#[serde(transparent)]
pub(crate) struct Number(#[proptest(strategy = "f32::NORMAL")] f32);

#[derive(Debug, Serialize, Deserialize, JsonSchema, Arbitrary)]
pub(crate) struct Standard {
    lasts: Duration,
    #[proptest(
        strategy = "any::<u32>().prop_map(|seconds| SystemTime::UNIX_EPOCH + Duration::new(u64::from(seconds), 7))"
    )]
    since: SystemTime,
    range: Range<u8>,
    #[proptest(strategy = "any::<u8>().prop_map(Bound::Excluded)")]
    bound: Bound<u8>,
    result: Result<u8, String>,
    #[proptest(strategy = "any::<[u8; 4]>().prop_map(Into::into)")]
    v4: std::net::Ipv4Addr,
    #[proptest(strategy = "any::<[u8; 16]>().prop_map(Into::into)")]
    v6: std::net::Ipv6Addr,
}
