//! What `load` does to a server.

mod calls;
mod pipe;
mod sessions;

pub use calls::calls;
pub use pipe::pipe;
pub use sessions::sessions;
