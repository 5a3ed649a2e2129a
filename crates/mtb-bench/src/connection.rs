use anyhow::{Context, Result, bail};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::answer::Answer;
use crate::tool;

/// A connection that is kept alive, with one request on it at a time.
pub(crate) struct Connection {
    stream: TcpStream,
    /// What has arrived of the answer.
    arrived: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).await.with_context(|| format!("nobody listens at {address}"))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, arrived: Vec::with_capacity(4_096) })
    }

    /// Sends a request and waits for its answer.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> Result<Answer<'_>> {
        self.arrived.clear();
        self.stream.write_all(request).await?;
        loop {
            if self.stream.read_buf(&mut self.arrived).await? == 0 {
                bail!("the server closed a connection");
            }
            if Answer::parse(&self.arrived)?.is_some() {
                break;
            }
        }
        let answer = Answer::parse(&self.arrived)?.context("it was there")?;
        if answer.length != self.arrived.len() {
            bail!("more came than an answer");
        }
        Ok(answer)
    }

    /// The same for a call, whose answer has to be the right one.
    pub(crate) async fn call(&mut self, request: &[u8]) -> Result<()> {
        let answer = self.exchange(request).await?;
        if answer.status != 200 || !answer.body.contains(tool::ANSWER) {
            bail!("a wrong answer: {} {}", answer.status, answer.body);
        }
        Ok(())
    }
}
