use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::walk;

/// The text files of the checkout, in the order of their paths.
pub(super) struct Tree(Vec<SourceFile>);

/// One file.
pub(super) struct SourceFile {
    /// From the root, with `/` between folders.
    pub(super) path: String,
    pub(super) text: String,
}

impl Tree {
    /// Reads every file below `root` that is UTF-8.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let mut files = Vec::new();
        for path in walk::files(root)? {
            let bytes = fs::read(root.join(&path)).with_context(|| format!("`{path}` cannot be read"))?;
            files.extend(String::from_utf8(bytes).ok().map(|text| SourceFile { path, text }));
        }
        Ok(Self(files))
    }

    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let file = |&(path, text): &(&str, &str)| SourceFile { path: path.into(), text: text.into() };
        Self(files.iter().map(file).collect())
    }

    pub(super) fn files(&self) -> &[SourceFile] {
        &self.0
    }

    pub(super) fn find(&self, path: &str) -> Option<&SourceFile> {
        self.0.iter().find(|file| file.path == path)
    }

    /// The text of the file at `path`, empty when there is none.
    pub(super) fn text(&self, path: &str) -> &str {
        self.find(path).map_or("", |file| &file.text)
    }

    /// The manifests of the workspace's packages.
    pub(super) fn manifests(&self) -> impl Iterator<Item = &SourceFile> {
        self.0.iter().filter(|file| {
            let folders: Vec<&str> = file.path.split('/').collect();
            matches!(folders.as_slice(), ["crates" | "examples", _, "Cargo.toml"] | ["xtask", "Cargo.toml"])
        })
    }
}

impl SourceFile {
    /// Whether somebody else wrote it and it is kept here as data, with its own licence.
    pub(super) fn is_foreign(&self) -> bool {
        self.path.split('/').any(|folder| folder == "data") || self.name() == "Cargo.lock"
    }

    /// Whether it is text that people of this project write by hand.
    pub(super) fn is_ours(&self) -> bool {
        let name = self.name();
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let written = matches!(extension, "rs" | "toml" | "md" | "py" | "js" | "yml" | "yaml" | "sh");
        !self.is_foreign() && (written || self.path.starts_with(".ci/"))
    }

    pub(super) fn is_rust(&self) -> bool {
        self.name().rsplit_once('.').is_some_and(|(_, extension)| extension == "rs")
    }

    /// The last part of the path.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// `path:line` of each line, counted from 1, and the line.
    pub(super) fn lines(&self) -> impl Iterator<Item = (String, &str)> {
        self.text.split('\n').enumerate().map(|(at, line)| (format!("{}:{}", self.path, at + 1), line))
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;

    #[test]
    fn knows_our_files_from_foreign_ones() {
        let rows = [
            ("crates/a/src/lib.rs", true),
            (".ci/run", true),
            (".github/workflows/ci.yml", true),
            ("crates/a/tests/data/schema.py", false),
            ("Cargo.lock", false),
            ("xtask/fuzz/Cargo.lock", false),
            ("crates/a/tests/cases/x.stderr", false),
        ];
        for (path, ours) in rows {
            let tree = Tree::of(&[(path, "")]);
            assert_eq!(tree.files()[0].is_ours(), ours, "{path}");
        }
    }

    #[test]
    fn manifests_are_those_of_packages() {
        let paths = ["Cargo.toml", "crates/a/Cargo.toml", "crates/a/tests/b/Cargo.toml", "xtask/Cargo.toml"];
        let tree = Tree::of(&paths.map(|path| (path, "")));
        let found: Vec<&str> = tree.manifests().map(|file| file.path.as_str()).collect();
        assert_eq!(found, ["crates/a/Cargo.toml", "xtask/Cargo.toml"]);
    }
}
