use std::fmt;

use mtb_core::{Declaration, KeepPointer, Schema, printable};

/// The declared tools as people review them: one line a tool, like a table of permissions. The last column tells which
/// formats, keywords and dialects its schemas may use although nothing checks them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewTable {
    rows: Vec<[String; COLUMNS]>,
}

const COLUMNS: usize = 7;
const HEAD: [&str; COLUMNS] =
    ["tool", "sensitivity", "reversible", "confirm", "roles", "kept in the audit", "unchecked in schemas"];

impl ReviewTable {
    pub(crate) fn of<'d>(declarations: impl Iterator<Item = &'d Declaration>) -> Self {
        Self { rows: declarations.map(row).collect() }
    }
}

fn row(declaration: &Declaration) -> [String; COLUMNS] {
    let roles: Vec<_> = declaration.roles().as_slice().iter().map(mtb_core::Role::as_str).collect();
    [
        declaration.name().to_string(),
        declaration.sensitivity().to_string(),
        declaration.reversibility().to_string(),
        declaration.confirm().as_str().to_owned(),
        roles.join(", "),
        kept(declaration),
        unchecked(declaration),
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

fn unchecked(declaration: &Declaration) -> String {
    let schemas = [("arguments", Some(declaration.arguments())), ("result", declaration.output())];
    let allowed = |(what, schema): (&str, Option<&Schema>)| {
        let allowances = schema?.allowances();
        (!allowances.is_empty()).then(|| format!("{what}: {}", printable(&allowances.to_string())))
    };
    let unchecked: Vec<_> = schemas.into_iter().filter_map(allowed).collect();
    if unchecked.is_empty() { "nothing".to_owned() } else { unchecked.join("; ") }
}

impl fmt::Display for ReviewTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = HEAD.map(str::to_owned);
        let mut widths = [0; COLUMNS];
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
