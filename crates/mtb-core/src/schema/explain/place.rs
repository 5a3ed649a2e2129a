use super::{Found, Wanted};
use crate::schema::issue::{Issue, segment};

/// Where a value stands: a chain from the root, so that nothing is written before something is wrong.
pub(super) struct Place<'p> {
    above: Option<&'p Place<'p>>,
    rank: Rank,
}

/// What a place is sorted by among its neighbours: declared properties and items by position, others by name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    position: usize,
    name: String,
}

impl<'p> Place<'p> {
    pub(super) fn root() -> Self {
        Self { above: None, rank: Rank { position: 0, name: String::new() } }
    }

    pub(super) fn member(&'p self, name: &str, position: usize) -> Place<'p> {
        Place { above: Some(self), rank: Rank { position, name: name.to_owned() } }
    }

    pub(super) fn item(&'p self, index: usize) -> Place<'p> {
        self.member(&index.to_string(), index)
    }

    pub(super) fn depth(&self) -> usize {
        self.above.map_or(0, |above| above.depth() + 1)
    }

    fn ranks(&self) -> Vec<Rank> {
        let mut ranks = self.above.map(Place::ranks).unwrap_or_default();
        if self.above.is_some() {
            ranks.push(self.rank.clone());
        }
        ranks
    }

    pub(super) fn issue(&self, declared: String, keyword: &str, message: &str) -> Issue {
        let ranks = self.ranks();
        Issue {
            path: ranks.iter().map(|rank| segment(&rank.name)).collect(),
            message: message.to_owned(),
            keyword: keyword.to_owned(),
            declared,
        }
    }

    pub(super) fn add(&self, found: &mut Vec<Found<'_>>, declared: String, keyword: &str, message: &str) {
        if found.len() < super::MAX_FOUND {
            let issue = self.issue(declared, keyword, message);
            found.push(Found { ranks: self.ranks(), issue, wanted: None, forms: Vec::new() });
        }
    }

    /// Adds what is wrong together with what would fit here.
    pub(super) fn add_wanted<'d>(
        &self,
        found: &mut Vec<Found<'d>>,
        declared: String,
        keyword: &str,
        message: &str,
        wanted: Wanted<'d>,
    ) {
        if found.len() < super::MAX_FOUND {
            let issue = self.issue(declared, keyword, message);
            found.push(Found { ranks: self.ranks(), issue, wanted: Some(wanted), forms: Vec::new() });
        }
    }
}
