use std::sync::{Mutex, MutexGuard, PoisonError};

/// A note and who wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) author: String,
}

/// The notes, in the order they were written.
#[derive(Debug)]
pub(crate) struct Notebook(Mutex<Vec<Note>>);

/// There is no room for another note.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Notebook {
    /// The most notes it holds.
    pub(crate) const CAPACITY: usize = 1_000;

    /// A notebook with a note of alice and one of bob.
    pub(crate) fn new() -> Self {
        let note = |id: &str, text: &str, author: &str| Note {
            id: id.to_owned(),
            text: text.to_owned(),
            author: author.to_owned(),
        };
        Self(Mutex::new(vec![
            note("n1", "Invoice 12 is due at the end of the month.", "alice"),
            note("n2", "Lunch with the new colleagues on Tuesday.", "bob"),
        ]))
    }

    /// The notes that hold this text, whatever its case.
    pub(crate) fn search(&self, query: &str) -> Vec<Note> {
        let query = query.to_lowercase();
        self.notes().iter().filter(|note| note.text.to_lowercase().contains(&query)).cloned().collect()
    }

    /// Adds a note and gives its id.
    pub(crate) fn add(&self, text: &str, author: &str) -> Result<String, Full> {
        let mut notes = self.notes();
        if notes.len() >= Self::CAPACITY {
            return Err(Full);
        }
        let id = format!("n{}", notes.len() + 1);
        notes.push(Note { id: id.clone(), text: text.to_owned(), author: author.to_owned() });
        Ok(id)
    }

    fn notes(&self) -> MutexGuard<'_, Vec<Note>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{Full, Notebook};

    #[test]
    fn a_full_notebook_takes_nothing() {
        let notebook = Notebook::new();
        while notebook.add("More.", "alice").is_ok() {}
        assert_eq!(notebook.search("").len(), Notebook::CAPACITY);
        assert_eq!(notebook.add("More.", "alice"), Err(Full));
    }

    #[test]
    fn finds_what_was_added() {
        let notebook = Notebook::new();
        assert!(notebook.search("van").is_empty());
        assert_eq!(notebook.add("Book the van.", "alice").unwrap(), "n3");
        let found = notebook.search("VAN");
        assert_eq!(found.iter().map(|note| (&*note.id, &*note.author)).collect::<Vec<_>>(), [("n3", "alice")]);
        assert_eq!(notebook.search("invoice")[0].id, "n1");
    }
}
