use std::fmt;

use mtb_core::{Declaration, KeepPointer};

/// The declared tools as people review them: one line a tool, like a table of permissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewTable {
    rows: Vec<[String; 6]>,
}

const HEAD: [&str; 6] = ["tool", "sensitivity", "reversible", "confirm", "roles", "kept in the audit"];

impl ReviewTable {
    pub(crate) fn of<'d>(declarations: impl Iterator<Item = &'d Declaration>) -> Self {
        Self { rows: declarations.map(row).collect() }
    }
}

fn row(declaration: &Declaration) -> [String; 6] {
    let roles: Vec<_> = declaration.roles().as_slice().iter().map(mtb_core::Role::as_str).collect();
    [
        declaration.name().to_string(),
        declaration.sensitivity().to_string(),
        declaration.reversibility().to_string(),
        declaration.confirm().as_str().to_owned(),
        roles.join(", "),
        kept(declaration),
    ]
}

fn kept(declaration: &Declaration) -> String {
    let retention = declaration.retention();
    let arguments = retention.arguments().iter().map(|pointer| format!("arguments{pointer}"));
    let result = retention.result().iter().map(|pointer: &KeepPointer| format!("result{pointer}"));
    let errors = retention.keeps_errors().then(|| "error texts".to_owned());
    let kept: Vec<_> = arguments.chain(result).chain(errors).collect();
    if kept.is_empty() { "nothing".to_owned() } else { kept.join(", ") }
}

impl fmt::Display for ReviewTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = HEAD.map(str::to_owned);
        let mut widths = [0; 6];
        for row in std::iter::once(&head).chain(&self.rows) {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.chars().count().max(*width);
            }
        }
        let rule = widths.map(|width| "-".repeat(width));
        for row in [&head, &rule].into_iter().chain(&self.rows) {
            for (cell, width) in row.iter().zip(widths) {
                write!(f, "| {cell:width$} ")?;
            }
            writeln!(f, "|")?;
        }
        Ok(())
    }
}
