use anyhow::{Result, bail};
use serde_json::Value;

use crate::tool;

/// How both of our servers begin an answer.
const BEGINNING: &str = r#"{"jsonrpc":"2.0","id":"#;

/// Which call a line is the right answer to, or `None` if it is no answer: servers may say other things as well.
///
/// # Errors
/// When it is an answer, and a wrong one.
pub(crate) fn sum(line: &str) -> Result<Option<u32>> {
    if let Some((id, _)) = line.strip_prefix(BEGINNING).and_then(|rest| rest.split_once(','))
        && line.contains(tool::ANSWER)
        && let Ok(id) = id.parse()
    {
        return Ok(Some(id));
    }
    let Some((id, reply)) = answer(line)? else { return Ok(None) };
    let text = reply.pointer("/result/content/0/text").and_then(Value::as_str);
    let failed = reply.pointer("/result/isError") == Some(&Value::Bool(true));
    if text != Some(tool::SUM) || failed {
        bail!("a wrong answer: {line}");
    }
    Ok(Some(id))
}

/// An answer of whatever kind, and what it answers.
///
/// # Errors
/// When it is no JSON, or answers nothing that was asked.
pub(crate) fn answer(line: &str) -> Result<Option<(u32, Value)>> {
    let reply: Value = serde_json::from_str(line)?;
    if reply.get("method").is_some() {
        return Ok(None);
    }
    match reply.get("id").and_then(Value::as_u64).map(u32::try_from) {
        Some(Ok(id)) => Ok(Some((id, reply))),
        _ => bail!("an answer to nothing: {line}"),
    }
}

#[cfg(test)]
mod tests {
    use super::sum;

    #[test]
    fn a_wrong_answer_is_none() {
        for line in [
            "",
            "{}",
            r#"{"jsonrpc":"2.0","id":null,"error":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"42"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"43"}]}}"#,
            r#"{"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "42"}], "isError": true}}"#,
        ] {
            assert!(sum(line).is_err(), "{line}");
        }
    }

    #[test]
    fn an_answer_is_read_however_it_is_written() {
        for (line, expect) in [
            (r#"{"jsonrpc":"2.0","id":42,"result":{"content":[{"type":"text","text":"42"}]}}"#, Some(42)),
            (r#"{"result": {"content": [{"text": "42", "type": "text"}]}, "id": 7, "jsonrpc": "2.0"}"#, Some(7)),
            (r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"42"}}"#, None),
        ] {
            assert_eq!(sum(line).unwrap(), expect, "{line}");
        }
    }
}
