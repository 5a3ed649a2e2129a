use mtb_core::Principal;
use proptest::prelude::*;
use serde_json::json;

use crate::lab::{Lab, answers};

const TOOLS: [&str; 5] = ["t0", "t1", "t2", "t3", "t4"];
const ROLES: [&str; 4] = ["a", "b", "A", "ab"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// What is listed is what may be called, for every distribution of roles.
    #[test]
    fn the_list_is_exactly_what_may_be_called(
        needed in prop::array::uniform5(0..ROLES.len()),
        held in prop::collection::vec(prop::sample::select(&ROLES[..]), 0..4),
    ) {
        let tools = TOOLS.into_iter().zip(needed).map(|(name, role)| answers(name, ROLES[role]));
        let lab = Lab::new(tools);
        let principal = Principal::new("p", held).unwrap();
        let listed: Vec<_> = lab.bridge.list_tools(&principal).iter().map(|tool| tool.name().to_owned()).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        for name in TOOLS {
            let outcome = runtime.block_on(lab.call(&principal, name, json!({})));
            prop_assert_eq!(outcome.status() == "ok", listed.iter().any(|listed| listed == name));
        }
    }
}
