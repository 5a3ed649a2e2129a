use mtb_core::{ConfirmMode, Declaration, Reversibility, Sensitivity};

/// Which calls wait for a person. The decision follows from the declaration and this alone.
///
/// ```
/// use mtb_guard::{ConfirmationPolicy, IrreversibleRule, Threshold};
///
/// let strict = ConfirmationPolicy { threshold: Threshold::Medium, irreversible: IrreversibleRule::LowersThreshold };
/// assert_ne!(strict, ConfirmationPolicy::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConfirmationPolicy {
    /// The mildest sensitivity that waits.
    pub threshold: Threshold,
    /// What it means that an effect cannot be undone.
    pub irreversible: IrreversibleRule,
}

/// The mildest sensitivity that waits for a person. Tools without any effect never wait, unless they say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Threshold {
    /// Whatever has an effect.
    Low,
    /// What somebody has to clean up.
    Medium,
    /// What hurts.
    High,
    /// What can end a business.
    Critical,
}

/// What it means for the threshold that an effect cannot be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IrreversibleRule {
    /// Irreversible tools wait one level earlier.
    LowersThreshold,
    /// Irreversible tools wait at the same level.
    Same,
}

/// What becomes of a call that nobody has confirmed yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a call that is not held is run"]
pub enum Decision {
    /// It runs.
    Run,
    /// It waits for a person.
    Hold,
}

impl Default for ConfirmationPolicy {
    /// `high` and above wait; irreversible tools from `medium`.
    fn default() -> Self {
        Self { threshold: Threshold::High, irreversible: IrreversibleRule::LowersThreshold }
    }
}

impl ConfirmationPolicy {
    /// Whether calls of this tool wait for a person.
    pub fn decide(&self, declaration: &Declaration) -> Decision {
        self.judge(declaration.confirm(), declaration.sensitivity(), declaration.reversibility())
    }

    fn judge(self, confirm: ConfirmMode, sensitivity: Sensitivity, reversibility: Reversibility) -> Decision {
        let level = match sensitivity {
            _ if confirm == ConfirmMode::Always => return Decision::Hold,
            Sensitivity::None => return Decision::Run,
            Sensitivity::Low => Threshold::Low,
            Sensitivity::Medium => Threshold::Medium,
            Sensitivity::High => Threshold::High,
            Sensitivity::Critical => Threshold::Critical,
        };
        let earlier =
            (reversibility, self.irreversible) == (Reversibility::Irreversible, IrreversibleRule::LowersThreshold);
        let threshold = if earlier { self.threshold.one_lower() } else { self.threshold };
        if level >= threshold { Decision::Hold } else { Decision::Run }
    }
}

impl Threshold {
    const fn one_lower(self) -> Self {
        match self {
            Self::Low | Self::Medium => Self::Low,
            Self::High => Self::Medium,
            Self::Critical => Self::High,
        }
    }
}

#[cfg(test)]
mod tests {
    use mtb_core::ConfirmMode::{Always, Policy};
    use mtb_core::Reversibility::{Irreversible, Reversible};
    use mtb_core::Sensitivity::{Critical, High, Low, Medium, None};

    use super::{ConfirmationPolicy, Decision, IrreversibleRule, Threshold};

    #[test]
    fn the_default_policy_holds_from_high_and_irreversible_from_medium() {
        for (confirm, level, undo, held) in [
            (Policy, None, Reversible, false),    // case 111
            (Policy, None, Irreversible, false),  // case 112
            (Policy, Low, Reversible, false),     // case 113
            (Policy, Low, Irreversible, false),   // case 114
            (Policy, Medium, Reversible, false),  // case 115
            (Policy, Medium, Irreversible, true), // case 116
            (Policy, High, Reversible, true),     // case 117
            (Policy, High, Irreversible, true),   // case 118
            (Policy, Critical, Reversible, true), // case 119
            (Always, None, Reversible, true),     // case 120
            (Always, Low, Reversible, true),
        ] {
            let decision = ConfirmationPolicy::default().judge(confirm, level, undo);
            assert_eq!(decision == Decision::Hold, held, "{confirm:?} {level} {undo}");
        }
    }

    #[test]
    fn threshold_and_rule_move_the_line() {
        use IrreversibleRule::{LowersThreshold, Same};
        for (threshold, irreversible, level, undo, held) in [
            (Threshold::Medium, LowersThreshold, Medium, Reversible, true), // case 121
            (Threshold::Critical, LowersThreshold, Medium, Reversible, false), // case 121
            (Threshold::Critical, LowersThreshold, High, Irreversible, true),
            (Threshold::High, Same, Medium, Irreversible, false), // case 122
            (Threshold::Low, LowersThreshold, Low, Reversible, true),
            (Threshold::Low, LowersThreshold, None, Irreversible, false),
            (Threshold::Medium, LowersThreshold, Low, Irreversible, true),
        ] {
            let policy = ConfirmationPolicy { threshold, irreversible };
            assert_eq!(policy.judge(Policy, level, undo) == Decision::Hold, held, "{policy:?} {level} {undo}");
        }
    }
}
