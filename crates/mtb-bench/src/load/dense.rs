use std::ffi::OsString;

use anyhow::Result;

use crate::measure::Measure;
use crate::request;
use crate::served::Served;

/// So long is a message.
const BYTES: usize = 1_000_000;
/// So many objects with one member each are within the limits of a governed server: an object, a name and a text are
/// three values of 50,000.
const OBJECTS: usize = 16_600;

/// Starts a server and sends it a message of 1 MB with as many numbers in it as it holds, then one with as many small
/// objects as are taken, and looks at the most memory that the server ever held. Either is answered, with a refusal.
///
/// # Errors
/// When it does not start, or does not answer.
pub async fn dense(command: &[OsString]) -> Result<Measure> {
    let mut served = Served::start(command).await?;
    let object = format!(r#"{{"a":"{}"}}"#, "x".repeat(BYTES / OBJECTS - r#"{"a":""},"#.len()));
    for (id, item) in (1..).zip(["0", &object]) {
        let mut items = vec![item; BYTES / (item.len() + 1)];
        items.truncate(if item == object { OBJECTS } else { items.len() });
        let note = items.join(",");
        served.send(&request::call_with(id, &format!(r#"{{"a":19,"b":23,"note":[{note}]}}"#))).await?;
        served.answer_to(id).await?;
    }
    let peak_mib = Some(served.process.peak_mib()?);
    served.end().await?;
    Ok(Measure { peak_mib, ..Measure::default() })
}
