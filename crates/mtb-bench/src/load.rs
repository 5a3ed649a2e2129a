//! What `load` does to a server.

mod calls;
mod dense;
mod pipe;
mod sessions;
mod start;

pub use calls::calls;
pub use dense::dense;
pub use pipe::pipe;
pub use sessions::sessions;
pub use start::start;
