use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many of something are open at the same time, and how many may be.
pub(crate) struct Room {
    taken: Arc<AtomicUsize>,
    most: usize,
}

/// One of them, until it is dropped.
pub(crate) struct Place(Arc<AtomicUsize>);

impl Room {
    pub(crate) fn for_at_most(most: usize) -> Self {
        Self { taken: Arc::default(), most }
    }

    /// A place, if there is one.
    pub(crate) fn take(&self) -> Option<Place> {
        let place = self.take_anyway();
        (place.0.load(Ordering::SeqCst) <= self.most).then_some(place)
    }

    /// A place for what goes on and had one before.
    pub(crate) fn take_anyway(&self) -> Place {
        self.taken.fetch_add(1, Ordering::SeqCst);
        Place(Arc::clone(&self.taken))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::Room;

    #[test]
    fn a_place_is_free_again_once_it_is_dropped() {
        let room = Room::for_at_most(2);
        let first = room.take().unwrap();
        let second = room.take().unwrap();
        assert!(room.take().is_none());
        drop(first);
        let third = room.take().unwrap();
        let fourth = room.take_anyway();
        drop((second, third));
        assert!(room.take().is_some());
        drop(fourth);
        assert!(Room::for_at_most(0).take().is_none());
    }
}
