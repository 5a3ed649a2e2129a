use std::sync::Mutex;

use mtb_core::Timestamp;
use uuid::{ContextV7, Uuid};

/// Makes the ids of one trail: ascending, also within a millisecond and when the host's clock steps back.
#[derive(Debug, Default)]
pub(crate) struct EventIds(Mutex<ContextV7>);

impl EventIds {
    pub(crate) fn next(&self, at: Timestamp) -> Uuid {
        // Version 7 has no way to write a moment before 1970.
        let millis = u64::try_from(at.as_millis()).unwrap_or(0);
        let nanos = u32::try_from(millis % 1000 * 1_000_000).unwrap_or(0);
        Uuid::new_v7(uuid::Timestamp::from_unix(&self.0, millis / 1000, nanos))
    }
}

#[cfg(test)]
mod tests {
    use mtb_core::Timestamp;

    use super::EventIds;

    #[test]
    fn ids_ascend_whatever_the_clock_does() {
        let ids = EventIds::default();
        let moments = [-1, 0, 5, 5, 5, 3, 1_790_942_400_000, 1_790_942_400_000, 0, i64::MAX];
        let made: Vec<_> = moments.map(|millis| ids.next(Timestamp::from_millis(millis))).into();
        assert!(made.is_sorted_by(|a, b| a < b), "{made:?}");
        assert!(made.iter().all(|id| id.get_version_num() == 7));
    }

    #[test]
    fn an_id_tells_the_host_clock() {
        let id = EventIds::default().next(Timestamp::from_millis(1_790_942_400_025));
        assert_eq!(id.get_timestamp().unwrap().to_unix(), (1_790_942_400, 25_000_000));
    }
}
