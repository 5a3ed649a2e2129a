use mtb_core::Reversibility::{Irreversible, Reversible};
use mtb_core::Sensitivity::{Critical, High, Low, Medium, None};
use mtb_guard::{ConfirmationPolicy, Decision};

use crate::lab::{always, draft};

#[test]
fn the_decision_follows_from_the_declaration() {
    for (level, undo, held) in [
        (None, Reversible, false),
        (None, Irreversible, false),
        (Low, Irreversible, false),
        (Medium, Reversible, false),
        (Medium, Irreversible, true),
        (High, Reversible, true),
        (Critical, Irreversible, true),
    ] {
        let policy = ConfirmationPolicy::default();
        let decision = policy.decide(&draft("tool", level, undo).check().unwrap());
        assert_eq!(decision == Decision::Hold, held, "{level} {undo}");
        assert_eq!(policy.decide(&always(level, undo)), Decision::Hold, "{level} {undo}");
    }
}
