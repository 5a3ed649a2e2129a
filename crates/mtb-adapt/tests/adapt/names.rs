use std::collections::BTreeSet;

use mtb_core::{DefinitionCode as Code, DefinitionError};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::lab::{Dispatched, all_harmless};

fn names() -> impl Strategy<Value = BTreeSet<String>> {
    proptest::collection::btree_set("[a-d]{1,2}", 0..5)
}

fn named(error: &DefinitionError, code: Code) -> BTreeSet<String> {
    error.problems().iter().filter(|problem| problem.code == code).map(|problem| problem.tool.clone()).collect()
}

proptest! {
    /// Tools come out only when exactly the defined ones are governed; otherwise every other name is told.
    #[test]
    fn definitions_and_governance_name_the_same_tools(defined in names(), governed in names()) {
        let definitions: Value = defined.iter().map(|name| json!({"name": name, "description": "Does it."})).collect();
        let table = all_harmless(&governed.iter().map(String::as_str).collect::<Vec<_>>());
        match Dispatched::default().import(&definitions, &table) {
            Ok(tools) => {
                prop_assert_eq!(&defined, &governed);
                prop_assert_eq!(tools.len(), defined.len());
            }
            Err(error) => {
                prop_assert_eq!(named(&error, Code::MissingGovernance), &defined - &governed);
                prop_assert_eq!(named(&error, Code::UnknownGovernance), &governed - &defined);
                prop_assert_ne!(defined, governed);
            }
        }
    }
}
