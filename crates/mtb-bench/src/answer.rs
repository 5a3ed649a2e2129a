use anyhow::{Context, Result, bail};

/// What comes back, read no further than is needed to know where it ends and whether it is right.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer<'b> {
    pub(crate) status: u16,
    pub(crate) session: Option<&'b str>,
    pub(crate) body: &'b str,
    /// All of it, in bytes.
    pub(crate) length: usize,
}

impl<'b> Answer<'b> {
    /// The answer at the beginning of these bytes, or none while more of it has to arrive.
    ///
    /// # Errors
    /// When it is no HTTP/1.1, or does not say how long it is: an answer that comes as a stream is none here.
    pub(crate) fn parse(bytes: &'b [u8]) -> Result<Option<Self>> {
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { return Ok(None) };
        let (head, rest) = bytes.split_at_checked(end + 4).context("a head has an end")?;
        let mut lines = str::from_utf8(head)?.split("\r\n");
        let status = lines.next().and_then(|line| line.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok());
        let status = status.context("no status of HTTP/1.1")?;
        let (mut session, mut length) = (None, None);
        for (name, value) in lines.filter_map(|line| line.split_once(':')) {
            if name.eq_ignore_ascii_case("content-length") {
                length = Some(value.trim().parse::<usize>()?);
            } else if name.eq_ignore_ascii_case("mcp-session-id") {
                session = Some(value.trim());
            }
        }
        let Some(length) = length else { bail!("an answer without a length: {}", String::from_utf8_lossy(head)) };
        let Some(body) = rest.get(..length) else { return Ok(None) };
        Ok(Some(Self { status, session, body: str::from_utf8(body)?, length: head.len() + length }))
    }
}

#[cfg(test)]
mod tests {
    use super::Answer;

    const WHOLE: &str = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nmcp-session-id: abc\r\n\r\nbody";

    #[test]
    fn an_answer_is_read_once_it_is_there() {
        for length in 0..WHOLE.len() {
            assert_eq!(Answer::parse(&WHOLE.as_bytes()[..length]).unwrap(), None, "{length}");
        }
        let expected = Answer { status: 200, session: Some("abc"), body: "body", length: WHOLE.len() };
        assert_eq!(Answer::parse(WHOLE.as_bytes()).unwrap(), Some(expected));
        let more = format!("{WHOLE}HTTP/1.1 ");
        assert_eq!(Answer::parse(more.as_bytes()).unwrap().unwrap().length, WHOLE.len());
    }

    #[test]
    fn what_is_no_answer_with_a_length_is_an_error() {
        for text in [
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n",
            "HTTP/2 200 OK\r\ncontent-length: 0\r\n\r\n",
            "\r\n\r\n",
        ] {
            assert!(Answer::parse(text.as_bytes()).is_err(), "{text:?}");
        }
    }
}
