use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::table::{Mutation, TestTarget};

/// The mutants that nobody has taken yet.
#[derive(Debug)]
pub(super) struct Queue<'a>(Mutex<Vec<&'a Mutation>>);

impl<'a> Queue<'a> {
    pub(super) fn of(mutations: impl IntoIterator<Item = &'a Mutation>) -> Self {
        Self(Mutex::new(mutations.into_iter().collect()))
    }

    /// Takes the mutant that costs least where `green` was built and `last` was tried: one whose tests are all built
    /// there, of the same file if possible. When there is none, one of those whose programs most others need too.
    pub(super) fn take(&self, green: &BTreeSet<TestTarget>, last: Option<&Mutation>) -> Option<&'a Mutation> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let cost = |mutation: &Mutation| {
            let cold = mutation.targets().into_iter().filter(|target| !green.contains(target)).count();
            let elsewhere = last.is_none_or(|last| last.file != mutation.file);
            let sharing = open.iter().filter(|other| other.targets() == mutation.targets()).count();
            (cold, elsewhere, std::cmp::Reverse(if cold > 0 { sharing } else { 0 }))
        };
        let (at, _) = open.iter().enumerate().min_by_key(|(_, mutation)| cost(mutation))?;
        Some(open.remove(at))
    }

    /// Leaves nothing to take.
    pub(super) fn abandon(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::table::{Table, TestTarget};
    use super::Queue;

    fn table(rows: &[(&str, &str, &str)]) -> Table {
        let rows = rows.iter().map(|(id, file, target)| {
            format!(
                "[[guard.mutation]]\nid = '{id}'\nchange = ''\nfile = '{file}'\ntext = 'a'\nreplacement = 'b'\n\
                 tests = ['p {target} t']\n"
            )
        });
        let head = "[[guard]]\nid = 'g'\nguard = ''\nmechanism = ''\npoints = []\nreference = []\n";
        let text = head.to_owned() + &rows.collect::<String>();
        Table::parse([("t", text.as_str())]).unwrap()
    }

    fn target(name: &str) -> TestTarget {
        TestTarget { package: "p".into(), target: name.into() }
    }

    #[test]
    fn each_is_taken_once_and_the_cheapest_first() {
        let table = table(&[("1", "x", "a"), ("2", "y", "b"), ("3", "x", "b"), ("4", "y", "b"), ("5", "z", "c")]);
        let queue = Queue::of(table.mutations());
        let mut green = BTreeSet::from([target("a")]);
        let mut order = Vec::new();
        let mut last = None;
        while let Some(mutation) = queue.take(&green, last) {
            green.extend(mutation.targets().into_iter().cloned());
            order.push(mutation.id.as_str());
            last = Some(mutation);
        }
        // What is built (1), then the file at hand (3), then the rest of that program (2, 4), then what nobody built.
        assert_eq!(order, ["1", "3", "2", "4", "5"]);
    }

    #[test]
    fn what_is_abandoned_is_not_taken() {
        let table = table(&[("1", "x", "a")]);
        let queue = Queue::of(table.mutations());
        queue.abandon();
        assert!(queue.take(&BTreeSet::new(), None).is_none());
    }
}
