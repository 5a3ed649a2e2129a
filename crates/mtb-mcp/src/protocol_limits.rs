use mtb_core::json::{Limits, ScanLimits};

/// Bounds on one connection. Past each of them there is a definite answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProtocolLimits {
    /// Most bytes of one message. Default 1 MiB.
    pub message_bytes: usize,
    /// Bounds on the values of one message.
    pub json: Limits,
    /// Calls that run at the same time. Default 256. The confirmed calls of pending questions may come on top.
    pub in_flight: usize,
    /// Questions to the client that wait for an answer. Default 32; past it the host is asked instead.
    pub pending_questions: usize,
    /// Tools on one page of a list. Default 1,000; 0 counts as 1.
    pub page_tools: usize,
    /// Messages of one batch, where batches are part of the protocol. Default 256; past it the batch is refused as one.
    pub batch_messages: usize,
    /// Answers of one batch together, in bytes; what does not fit is an error in its place. Default 4 MiB.
    pub batch_answer_bytes: usize,
    /// Subscriptions that are open at the same time. Default 32.
    pub subscriptions: usize,
}

impl Default for ProtocolLimits {
    fn default() -> Self {
        let ScanLimits { message_bytes, json } = ScanLimits::default();
        Self {
            message_bytes,
            json,
            in_flight: 256,
            pending_questions: 32,
            page_tools: 1_000,
            batch_messages: 256,
            batch_answer_bytes: 4 * 1024 * 1024,
            subscriptions: 32,
        }
    }
}

impl ProtocolLimits {
    pub(crate) fn scan(&self) -> ScanLimits {
        ScanLimits { message_bytes: self.message_bytes, json: self.json }
    }
}
