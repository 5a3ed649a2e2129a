use mtb_core::json::RequestId;

use crate::batches::BatchId;
use crate::version::Version;

/// Where the one answer to a request goes, and in which revision it is written.
#[derive(Debug, Clone)]
pub(crate) struct ReplyTo {
    pub(crate) id: RequestId,
    pub(crate) version: Version,
    /// The batch that the request came in, whose answers leave together.
    pub(crate) batch: Option<BatchId>,
}
