use std::fs;

use serde_json::json;

use crate::Test;
use crate::child::SERVER;
use crate::parent::Server;

pub(crate) const TESTS: &[Test] = &[("one_dense_line_costs_little", one_dense_line_costs_little)];

const MIB: usize = 1024 * 1024;

/// The most memory the server has had so far, in bytes.
fn peak(server: &Server) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

fn one_dense_line_costs_little() {
    let mut server = Server::initialized(SERVER);
    let before = peak(&server);
    for (bytes, code) in [(24 * MIB, -32600), (MIB - 200, -32602)] {
        for (case, value) in [("a list", "0,"), ("nested lists", "[[]],"), ("objects", "{\"a\":0},")] {
            let values = value.repeat(bytes / value.len());
            let line = format!(
                r#"{{"jsonrpc":"2.0","method":"tools/call","params":{{"name":"print","arguments":{{"x":[{values}0]}}}},"id":5}}"#
            );
            server.send_bytes(line.as_bytes());
            server.send_bytes(b"\n");
            let answer = server.answer();
            assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(5), &json!(code)), "{case} of {bytes}");
            server.ping();
        }
    }
    let grown = peak(&server).saturating_sub(before);
    assert!(grown < 16 * MIB, "{} KiB more", grown / 1024);
}
