use std::io::{self, ErrorKind};

use anyhow::{Context, Result};

/// Prints what `--list` and `--help` show. Whoever closed the pipe has read enough: that is no failure.
///
/// # Errors
/// When standard output cannot be written for another reason.
pub(crate) fn print(lines: impl IntoIterator<Item = impl AsRef<str>>) -> Result<()> {
    match write(io::stdout().lock(), lines) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("cannot write to standard output"),
        _ => Ok(()),
    }
}

fn write(mut output: impl io::Write, lines: impl IntoIterator<Item = impl AsRef<str>>) -> io::Result<()> {
    lines.into_iter().try_for_each(|line| writeln!(output, "{}", line.as_ref()))?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use std::io::{self, ErrorKind};

    use super::write;

    #[test]
    fn every_line_is_written() {
        let mut output = Vec::new();
        write(&mut output, ["one", "two"]).unwrap();
        assert_eq!(output, b"one\ntwo\n");
    }

    #[test]
    fn a_closed_pipe_is_told_from_other_errors() {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        assert_eq!(write(writer, ["one"]).unwrap_err().kind(), ErrorKind::BrokenPipe);
    }
}
