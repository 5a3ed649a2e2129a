use std::fmt;

use super::DefinitionProblem;
use crate::ToolName;
use crate::text::printable;

/// The problems of a [`DefinitionError`](super::DefinitionError) as a table: one row a problem, with its tool, its
/// place, what is wrong and what to do.
///
/// Columns are as wide as their texts, at most 128, 48, 36 and 36 characters; longer texts go on in the next line, which
/// no name of a tool is.
/// Characters that change how a line is shown are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionTable<'e>(Vec<[&'e str; COLUMNS]>);

const COLUMNS: usize = 4;
const HEAD: [&str; COLUMNS] = ["tool", "place", "problem", "remedy"];
const WIDEST: [usize; COLUMNS] = [ToolName::MAX_CHARS, 48, 36, 36];

impl<'e> DefinitionTable<'e> {
    pub(super) fn of(problems: &'e [DefinitionProblem]) -> Self {
        let row = |problem: &'e DefinitionProblem| {
            let DefinitionProblem { tool, pointer, problem, remedy, .. } = problem;
            [tool.as_str(), pointer, problem, remedy]
        };
        Self(problems.iter().map(row).collect())
    }
}

impl fmt::Display for DefinitionTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<_> = std::iter::once(&HEAD).chain(&self.0).map(lines).collect();
        let mut widths = [0; COLUMNS];
        for line in rows.iter().flatten() {
            for (width, cell) in widths.iter_mut().zip(line) {
                *width = cell.chars().count().max(*width);
            }
        }
        let mut rows = rows.iter();
        write_lines(f, rows.next().into_iter().flatten(), widths)?;
        write_lines(f, [&widths.map(|width| "-".repeat(width))], widths)?;
        write_lines(f, rows.flatten(), widths)
    }
}

fn write_lines<'l>(
    f: &mut fmt::Formatter<'_>,
    lines: impl IntoIterator<Item = &'l [String; COLUMNS]>,
    widths: [usize; COLUMNS],
) -> fmt::Result {
    for line in lines {
        for (cell, width) in line.iter().zip(widths) {
            write!(f, "| {cell:width$} ")?;
        }
        writeln!(f, "|")?;
    }
    Ok(())
}

/// The lines that a row takes: as many as its longest cell.
fn lines(row: &[&str; COLUMNS]) -> Vec<[String; COLUMNS]> {
    let mut lines: Vec<[String; COLUMNS]> = Vec::new();
    for (column, (text, widest)) in row.iter().zip(WIDEST).enumerate() {
        for (at, piece) in wrapped(&printable(text), widest).into_iter().enumerate() {
            if at == lines.len() {
                lines.push([const { String::new() }; COLUMNS]);
            }
            if let Some(cell) = lines.get_mut(at).and_then(|line| line.get_mut(column)) {
                *cell = piece;
            }
        }
    }
    lines
}

/// Breaks after a blank or a slash where there is one, else anywhere.
fn wrapped(text: &str, widest: usize) -> Vec<String> {
    let (mut lines, mut line, mut width) = (Vec::new(), String::new(), 0);
    for piece in text.split_inclusive([' ', '/']) {
        let length = piece.trim_end().chars().count();
        if width > 0 && width + length > widest {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
            width = 0;
        }
        for c in piece.chars() {
            if width == widest && c != ' ' {
                lines.push(std::mem::take(&mut line).trim_end().to_owned());
                width = 0;
            }
            line.push(c);
            width += 1;
        }
    }
    lines.push(line.trim_end().to_owned());
    lines
}
