//! What one principal may cost at a time.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use governor::clock::{Clock as _, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use mtb_core::PrincipalId;

/// Requests of one principal in a time.
pub(crate) struct Rate {
    limiter: RateLimiter<PrincipalId, HashMapStateStore<PrincipalId>, DefaultClock>,
    clock: DefaultClock,
    /// At so many principals, those are forgotten who have their whole rate again.
    forget_at: AtomicUsize,
}

const REMEMBERED: usize = 1_024;

impl Rate {
    pub(crate) fn per_minute(requests: NonZeroU32) -> Self {
        let clock = DefaultClock::default();
        let limiter = RateLimiter::new(Quota::per_minute(requests), HashMapStateStore::default(), clock.clone());
        Self { limiter, clock, forget_at: AtomicUsize::new(REMEMBERED) }
    }

    /// Counts so many more requests.
    ///
    /// # Errors
    /// How long it is too early.
    pub(crate) fn take(&self, principal: &PrincipalId, requests: usize) -> Result<(), Duration> {
        let Some(requests) = NonZeroU32::new(u32::try_from(requests).unwrap_or(u32::MAX)) else { return Ok(()) };
        if self.limiter.len() >= self.forget_at.load(Ordering::Relaxed) {
            self.limiter.retain_recent();
            // Twice as many as are left: looking through them costs each request the same.
            self.forget_at.store((2 * self.limiter.len()).max(REMEMBERED), Ordering::Relaxed);
        }
        match self.limiter.check_key_n(principal, requests) {
            Ok(checked) => checked.map_err(|too_early| too_early.wait_time_from(self.clock.now())),
            // So many never fit.
            Err(_) => Err(Duration::from_secs(60)),
        }
    }
}

/// Things of one principal that are there at the same time.
#[derive(Clone)]
pub(crate) struct Places {
    most: usize,
    taken: Arc<Mutex<HashMap<PrincipalId, usize>>>,
}

/// Given back when it is dropped.
pub(crate) struct Place {
    of: PrincipalId,
    count: usize,
    taken: Arc<Mutex<HashMap<PrincipalId, usize>>>,
}

impl Places {
    pub(crate) fn for_each(most: usize) -> Self {
        Self { most, taken: Arc::default() }
    }

    /// One more, if there is room.
    pub(crate) fn take(&self, principal: &PrincipalId) -> Option<Place> {
        self.take_several(principal, 1)
    }

    /// So many more, if there is room for all of them.
    pub(crate) fn take_several(&self, principal: &PrincipalId, count: usize) -> Option<Place> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let all = taken.get(principal).copied().unwrap_or_default().saturating_add(count);
        if all > self.most {
            return None;
        }
        taken.insert(principal.clone(), all);
        Some(Place { of: principal.clone(), count, taken: Arc::clone(&self.taken) })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        match taken.get_mut(&self.of) {
            Some(count) if *count > self.count => *count -= self.count,
            _ => {
                taken.remove(&self.of);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use mtb_core::PrincipalId;

    use super::{Places, Rate};

    fn principals() -> [PrincipalId; 2] {
        ["alice", "bob"].map(|id| PrincipalId::new(id).unwrap())
    }

    #[test]
    fn a_rate_is_each_principals_own() {
        let [alice, bob] = principals();
        let rate = Rate::per_minute(NonZeroU32::new(3).unwrap());
        for _ in 0..3 {
            assert_eq!(rate.take(&alice, 1), Ok(()));
        }
        let early = rate.take(&alice, 1).unwrap_err();
        assert!(early.as_secs() <= 20 && !early.is_zero(), "{early:?}");
        assert_eq!((rate.take(&bob, 0), rate.take(&bob, 2)), (Ok(()), Ok(())));
        assert!(rate.take(&bob, 2).is_err() && rate.take(&bob, 1).is_ok());
        assert_eq!(rate.take(&alice, 4), Err(std::time::Duration::from_secs(60)), "as many never fit");
    }

    #[test]
    fn places_are_given_back() {
        let [alice, bob] = principals();
        let places = Places::for_each(2);
        let (one, _two) = (places.take(&alice).unwrap(), places.take(&alice).unwrap());
        assert!(places.take(&alice).is_none());
        let other = places.take(&bob).unwrap();
        drop(one);
        assert!(places.take(&alice).is_some());
        drop(other);
        assert_eq!(places.taken.lock().unwrap().len(), 1, "who has none is forgotten");
        assert!(Places::for_each(0).take(&alice).is_none());
        let several = Places::for_each(3);
        let two = several.take_several(&alice, 2).unwrap();
        assert!(several.take_several(&alice, 2).is_none() && several.take_several(&bob, 3).is_some());
        drop(two);
        assert!(several.take_several(&alice, 3).is_some());
    }
}
