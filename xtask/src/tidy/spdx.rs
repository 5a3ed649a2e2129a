//! SPDX licence expressions, evaluated against a list of what is allowed.

use anyhow::{Result, bail};

/// Whether `expression` can be satisfied with licences of `allowed` alone.
///
/// `AND` binds more than `OR`, as SPDX has it; the `/` that old manifests put between alternatives is read as `OR`.
///
/// # Errors
/// When it is not a licence expression.
pub(super) fn is_satisfied(expression: &str, allowed: &[String]) -> Result<bool> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut parser = Parser { words: spaced.split_whitespace().collect(), at: 0, allowed };
    let satisfied = parser.alternatives()?;
    match parser.peek() {
        None => Ok(satisfied),
        Some(word) => bail!("`{word}` is one too many in the licence expression"),
    }
}

struct Parser<'a> {
    words: Vec<&'a str>,
    at: usize,
    allowed: &'a [String],
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.at).copied()
    }

    fn eat(&mut self, word: &str) -> bool {
        let is_next = self.peek() == Some(word);
        self.at += usize::from(is_next);
        is_next
    }

    fn alternatives(&mut self) -> Result<bool> {
        let mut satisfied = self.conjunction()?;
        while self.eat("OR") {
            satisfied |= self.conjunction()?;
        }
        Ok(satisfied)
    }

    fn conjunction(&mut self) -> Result<bool> {
        let mut satisfied = self.licence()?;
        while self.eat("AND") {
            satisfied &= self.licence()?;
        }
        Ok(satisfied)
    }

    fn licence(&mut self) -> Result<bool> {
        if self.eat("(") {
            let satisfied = self.alternatives()?;
            if !self.eat(")") {
                bail!("a parenthesis of the licence expression is not closed");
            }
            return Ok(satisfied);
        }
        let id = self.name()?;
        let id = if self.eat("WITH") { format!("{id} WITH {}", self.name()?) } else { id.to_owned() };
        Ok(self.allowed.contains(&id))
    }

    fn name(&mut self) -> Result<&'a str> {
        match self.peek() {
            None => bail!("the licence expression ends too early"),
            Some(word @ ("OR" | "AND" | "WITH" | "(" | ")")) => bail!("`{word}` where a licence should stand"),
            Some(word) => {
                self.at += 1;
                Ok(word)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_satisfied;

    fn check(expression: &str, expected: Option<bool>) {
        let allowed = ["MIT", "Apache-2.0", "Zlib", "Apache-2.0 WITH LLVM-exception"].map(String::from);
        assert_eq!(is_satisfied(expression, &allowed).ok(), expected, "{expression:?}");
    }

    #[test]
    fn refuses_what_needs_a_licence_that_is_not_allowed() {
        for expression in [
            "GPL-3.0",
            "mit",
            "MIT AND GPL-3.0",
            "(MIT OR Zlib) AND GPL-3.0",
            "GPL-3.0 OR MPL-2.0 AND MIT",
            "GPL-3.0 WITH Classpath-exception-2.0",
            "MIT WITH LLVM-exception",
            "GPL-3.0/LGPL-3.0",
        ] {
            check(expression, Some(false));
        }
    }

    #[test]
    fn refuses_what_is_no_expression() {
        for expression in ["", "OR", "MIT OR", "MIT AND OR Zlib", "(MIT", "MIT)", "MIT Zlib", "MIT WITH", "()"] {
            check(expression, None);
        }
    }

    #[test]
    fn accepts_what_the_allowed_licences_satisfy() {
        for expression in [
            "MIT",
            "MIT OR GPL-3.0",
            "GPL-3.0 OR MIT AND Zlib",
            "MIT OR GPL-3.0 AND MPL-2.0",
            "(GPL-3.0 OR MIT) AND (Zlib OR GPL-3.0)",
            "Apache-2.0 WITH LLVM-exception OR GPL-3.0",
            "MIT/Apache-2.0",
            "((MIT))",
        ] {
            check(expression, Some(true));
        }
    }
}
