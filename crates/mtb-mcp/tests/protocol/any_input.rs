//! Whatever arrives: no panic, and one answer to every request.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::lab::{Lab, invoice};
use crate::peer::{Peer, cancelled, modern, request};

#[derive(Debug, Clone)]
enum Step {
    /// A request of its own id, in one era or the other.
    Ask {
        method: &'static str,
        params: Value,
        modern: bool,
    },
    /// A request under the id of an earlier one.
    Again {
        earlier: usize,
    },
    Cancel {
        earlier: usize,
    },
    /// Answers the oldest open question.
    Answer(Value),
    /// Lets one slow call go on.
    Open,
    Noise(String),
    Changed,
    Expire,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let calls = prop::sample::select(vec![
        json!({"name": "ping"}),
        json!({"name": "slow"}),
        json!({"name": "slow"}),
        json!({"name": "panics"}),
        json!({"name": "reports", "_meta": {"progressToken": 1}}),
        json!({"name": "send_mail", "arguments": invoice()}),
        json!({"name": "send_mail", "arguments": invoice()}),
        json!({"name": "send_mail", "arguments": {"to": 7}}),
        json!({"name": "open", "requestState": "x"}),
        json!({"name": "nonesuch"}),
        json!({"name": 7}),
        json!({"arguments": []}),
        json!([]),
    ]);
    let calls = calls.prop_map(|params| ("tools/call", params));
    let others = prop::sample::select(vec![
        ("tools/list", json!({})),
        ("tools/list", json!({"cursor": "x"})),
        ("ping", json!({})),
        ("server/discover", json!({})),
        ("initialize", json!({"protocolVersion": "2025-11-25", "capabilities": {}})),
        ("nonesuch", json!({})),
    ]);
    let ask = (prop_oneof![3 => calls, 1 => others], any::<bool>());
    let ask = ask.prop_map(|((method, params), modern)| Step::Ask { method, params, modern });
    let answers = prop::sample::select(vec![
        json!({"action": "accept", "content": {"confirm": true}}),
        json!({"action": "decline"}),
        json!({}),
    ]);
    let noise = prop::sample::select(vec!["", "{", "7", "[]", "{}", r#"{"jsonrpc":"2.0","method":"x"}"#]);
    let step = prop_oneof![
        8 => ask,
        2 => (0_usize..8).prop_map(|earlier| Step::Again { earlier }),
        2 => (0_usize..8).prop_map(|earlier| Step::Cancel { earlier }),
        3 => answers.prop_map(Step::Answer),
        2 => Just(Step::Open),
        1 => noise.prop_map(|noise| Step::Noise(noise.to_owned())),
        1 => Just(Step::Changed),
        1 => Just(Step::Expire),
    ];
    prop::collection::vec(step, 0..24)
}

/// How many answers each id is owed, and how many it got.
#[derive(Default)]
struct Ledger {
    /// Answers owed at least and at most.
    owed: BTreeMap<String, (usize, usize)>,
    got: BTreeMap<String, usize>,
    questions: Vec<Value>,
}

impl Ledger {
    fn take(&mut self, messages: &[Value]) {
        for message in messages {
            if message["method"] == "elicitation/create" {
                self.questions.push(message["id"].clone());
            } else if message["method"] == "notifications/cancelled" {
                self.questions.retain(|id| *id != message["params"]["requestId"]);
            } else if let Some(id) = message.get("id") {
                *self.got.entry(id.to_string()).or_default() += 1;
            }
        }
    }

    fn owe(&mut self, id: usize) {
        let owed = self.owed.entry(id.to_string()).or_default();
        *owed = (owed.0 + 1, owed.1 + 1);
    }

    /// What was cancelled in time is owed nothing; what was not had its answer.
    fn forgive(&mut self, id: usize, requests: usize) {
        if self.got.get(&id.to_string()).copied().unwrap_or_default() < requests {
            let owed = self.owed.entry(id.to_string()).or_default();
            owed.0 -= 1;
            owed.1 -= 1;
        }
    }
}

fn walk(steps: &[Step]) {
    let lab = Lab::new();
    let mut peer = Peer::legacy(&lab, "2025-11-25", json!({"elicitation": {}}));
    let mut ledger = Ledger::default();
    let mut asked = Vec::new();
    for step in steps {
        let messages = match step {
            Step::Ask { method, params, modern: is_modern } => {
                let params = if *is_modern && params.is_object() { modern(params.clone()) } else { params.clone() };
                asked.push(1);
                ledger.owe(asked.len() - 1);
                peer.tell(&request(asked.len() - 1, method, params))
            }
            Step::Again { earlier } if *earlier < asked.len() => {
                asked[*earlier] += 1;
                ledger.owe(*earlier);
                peer.tell(&request(*earlier, "ping", json!({})))
            }
            Step::Cancel { earlier } if *earlier < asked.len() => {
                ledger.forgive(*earlier, asked[*earlier]);
                asked[*earlier] = ledger.owed[&earlier.to_string()].0;
                peer.tell(&cancelled(*earlier))
            }
            Step::Answer(answer) if !ledger.questions.is_empty() => {
                let id = ledger.questions.remove(0);
                peer.tell(&json!({"jsonrpc": "2.0", "id": id, "result": answer}))
            }
            Step::Open => {
                lab.gate.add_permits(1);
                peer.settle()
            }
            Step::Noise(noise) => peer.tell_text(noise),
            Step::Changed => peer.tools_changed(),
            Step::Expire => {
                lab.clock.advance(std::time::Duration::from_secs(100));
                peer.expire()
            }
            _ => Vec::new(),
        };
        ledger.take(&messages);
    }
    let messages = peer.close();
    ledger.take(&messages);
    for (id, (least, most)) in &ledger.owed {
        let got = ledger.got.get(id).copied().unwrap_or_default();
        assert!((*least..=*most).contains(&got), "{id} got {got} answers instead of {least}: {steps:#?}");
    }
    assert!(peer.connection().is_idle());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_request_gets_one_answer(steps in steps()) {
        walk(&steps);
    }

    #[test]
    fn no_bytes_bring_it_down(messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..64), 1..8)) {
        let lab = Lab::new();
        let mut peer = Peer::legacy(&lab, "2025-03-26", json!({}));
        for message in messages {
            peer.tell_bytes(&message);
        }
    }

    #[test]
    fn no_broken_message_brings_it_down(at in 0_usize..400, byte in any::<u8>(), modern_era in any::<bool>()) {
        let params = json!({"name": "send_mail", "arguments": invoice(), "_meta": {"progressToken": 1}});
        let params = if modern_era { modern(params) } else { params };
        let mut message = request(1, "tools/call", params).to_string().into_bytes();
        let at = at % message.len();
        message[at] = byte;
        let lab = Lab::new();
        let mut peer = Peer::legacy(&lab, "2025-03-26", json!({}));
        let answers = peer.tell_bytes(&message);
        prop_assert!(answers.len() <= 1, "{answers:#?}");
        peer.tell_bytes(&message[..at]);
    }
}
