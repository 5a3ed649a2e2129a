use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use futures_util::task::AtomicWaker;

/// What waits for its one reader. It takes no memory until something does: most exchanges have one message to pass on,
/// and many have no report.
#[derive(Debug)]
pub(super) struct Queue<T> {
    waiting: Mutex<VecDeque<T>>,
    reader: AtomicWaker,
    ended: AtomicBool,
}

impl<T> Queue<T> {
    pub(super) fn new() -> Self {
        Self { waiting: Mutex::default(), reader: AtomicWaker::new(), ended: AtomicBool::new(false) }
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<T>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.waiting().len()
    }

    pub(super) fn push(&self, item: T) {
        self.waiting().push_back(item);
        self.reader.wake();
    }

    /// The same, unless so many wait already, or nobody reads any more: then it is dropped.
    pub(super) fn push_within(&self, most: usize, item: T) {
        let mut waiting = self.waiting();
        if waiting.len() < most && !self.ended.load(Ordering::Acquire) {
            waiting.push_back(item);
            drop(waiting);
            self.reader.wake();
        }
    }

    pub(super) fn pop(&self) -> Option<T> {
        self.waiting().pop_front()
    }

    /// No more will come.
    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::Release);
        self.reader.wake();
    }

    /// Nobody reads any more: what waits is dropped.
    pub(super) fn close(&self) {
        let mut waiting = self.waiting();
        self.ended.store(true, Ordering::Release);
        waiting.clear();
    }

    /// The next, once there is one; nothing after the last.
    pub(super) fn poll_pop(&self, cx: &Context<'_>) -> Poll<Option<T>> {
        self.reader.register(cx.waker());
        // What is pushed before the end is seen with it.
        let ended = self.ended.load(Ordering::Acquire);
        match self.pop() {
            Some(item) => Poll::Ready(Some(item)),
            None if ended => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Context, Poll, Wake, Waker};

    use super::Queue;

    #[derive(Default)]
    struct Wakes(AtomicUsize);

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn a_reader_is_woken_by_what_comes_and_by_the_end() {
        let counter = Arc::<Wakes>::default();
        let waker = Waker::from(Arc::clone(&counter));
        let cx = Context::from_waker(&waker);
        let queue = Queue::new();
        assert_eq!(queue.poll_pop(&cx), Poll::Pending);
        queue.push(1);
        assert_eq!(counter.0.load(Ordering::SeqCst), 1);
        queue.push_within(2, 2);
        queue.push_within(2, 3);
        assert_eq!(queue.len(), 2, "there was no room");
        assert_eq!(
            (queue.poll_pop(&cx), queue.pop(), queue.poll_pop(&cx)),
            (Poll::Ready(Some(1)), Some(2), Poll::Pending)
        );
        queue.push(4);
        queue.end();
        assert_eq!(counter.0.load(Ordering::SeqCst), 2);
        assert_eq!((queue.poll_pop(&cx), queue.poll_pop(&cx)), (Poll::Ready(Some(4)), Poll::Ready(None)));
        let _ = queue.poll_pop(&cx);
        queue.end();
        assert_eq!(counter.0.load(Ordering::SeqCst), 3);
    }

    #[test]
    fn what_nobody_will_read_is_not_kept() {
        let (queue, item) = (Queue::new(), Arc::new(()));
        queue.push_within(2, Arc::clone(&item));
        queue.close();
        queue.push_within(2, Arc::clone(&item));
        assert_eq!((queue.len(), Arc::strong_count(&item)), (0, 1));
    }
}
