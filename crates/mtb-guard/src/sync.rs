//! The lock of the memory store, exchanged for one whose interleavings a model checker explores.

#[cfg(shuttle)]
pub(crate) use shuttle::sync::Mutex;
#[cfg(not(shuttle))]
pub(crate) use std::sync::Mutex;
