use std::collections::{BTreeSet, HashMap};

use jsonschema::{Uri, uri};
use serde_json::Value;

use super::quoted;
use crate::schema::dialect::Dialect;
use crate::schema::document::Node;
use crate::schema::problem::SchemaProblem;

/// The base of a document that does not name itself.
pub(super) const BASE: &str = "json-schema:///";

/// A reference as it is written.
pub(super) struct Reference {
    pub(super) from: String,
    pub(super) keyword: &'static str,
    pub(super) text: String,
    pub(super) base: Uri<String>,
}

impl Reference {
    /// The pointer of its keyword.
    pub(super) fn place(&self) -> String {
        format!("{}/{}", self.from, self.keyword)
    }
}

/// What a document can be referred to by.
pub(super) struct Identifiers {
    dialect: Dialect,
    /// Pointers of the schemas that have their own identity, by URI.
    resources: HashMap<String, String>,
    /// Pointers of anchored schemas, by URI and name.
    anchors: HashMap<(String, String), String>,
    /// The dynamic anchors of all resources.
    dynamic: BTreeSet<String>,
    /// Whether a resource has the recursive anchor.
    recursive: bool,
}

impl Identifiers {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self { dialect, resources: HashMap::new(), anchors: HashMap::new(), dynamic: BTreeSet::new(), recursive: false }
    }

    /// The base URI inside this schema.
    pub(super) fn resource(&mut self, node: &Node<'_>, base: &Uri<String>) -> Result<Uri<String>, SchemaProblem> {
        if node.pointer.is_empty() {
            self.resources.insert(base.as_str().to_owned(), String::new());
        }
        let keyword = if self.dialect == Dialect::Draft4 { "id" } else { "$id" };
        let Some(id) = node.get(keyword).and_then(Value::as_str) else { return Ok(base.clone()) };
        let bad = |problem: &str| {
            let remedy = "write a URI without a fragment, or remove it";
            SchemaProblem::new(node.at(keyword), format!("`{keyword}` {problem}"), remedy)
        };
        // Up to draft-07, an anchor is written as an identifier that is a fragment only.
        if let Some(name) = id.strip_prefix('#').filter(|name| !name.is_empty() && self.dialect <= Dialect::Draft7) {
            return self.anchor(node, keyword, name, base).map(|()| base.clone());
        }
        let id = id.strip_suffix('#').unwrap_or(id);
        if id.contains('#') {
            return Err(bad("has a fragment"));
        }
        let resolved = uri::resolve_against(&base.borrow(), id).map_err(|_| bad("is not a URI"))?;
        // The engine knows these documents by heart, and would look into them instead of here.
        if resolved.as_str().split_once("://").is_some_and(|(_, place)| place.starts_with("json-schema.org/")) {
            return Err(bad("names a schema of JSON Schema itself"));
        }
        match self.resources.insert(resolved.as_str().to_owned(), node.pointer.clone()) {
            Some(other) if other != node.pointer => Err(bad("is given to two schemas")),
            _ => Ok(resolved),
        }
    }

    pub(super) fn anchor(
        &mut self,
        node: &Node<'_>,
        keyword: &str,
        name: &str,
        base: &Uri<String>,
    ) -> Result<(), SchemaProblem> {
        let mut letters = name.chars();
        let first = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        if !first || !letters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')) {
            let problem = format!("`{keyword}` is not a name");
            return Err(SchemaProblem::new(node.at(keyword), problem, "use letters, digits, `-`, `_` and `.`"));
        }
        match self.anchors.insert((base.as_str().to_owned(), name.to_owned()), node.pointer.clone()) {
            Some(other) if other != node.pointer => {
                return Err(SchemaProblem::new(
                    node.at(keyword),
                    "the same anchor is given twice",
                    "rename one of them",
                ));
            }
            _ => {}
        }
        if keyword == "$dynamicAnchor" && !self.dynamic.insert(name.to_owned()) {
            let problem = "the same dynamic anchor is given twice, so that where it leads depends on the way there";
            return Err(SchemaProblem::new(node.at(keyword), problem, "rename one of them, or use `$anchor`"));
        }
        Ok(())
    }

    /// The anchor that `$recursiveRef` looks for among the resources on its way.
    pub(super) fn recursive_anchor(&mut self, node: &Node<'_>, base: &Uri<String>) -> Result<(), SchemaProblem> {
        let refuse =
            |problem: &str, remedy: &str| Err(SchemaProblem::new(node.at("$recursiveAnchor"), problem, remedy));
        if self.resources.get(base.as_str()) != Some(&node.pointer) {
            return refuse(
                "`$recursiveAnchor` means nothing below the root of a resource",
                "move it to the root, or remove it",
            );
        }
        if std::mem::replace(&mut self.recursive, true) {
            let problem = "two resources have `$recursiveAnchor`, so that where it leads depends on the way there";
            return refuse(problem, "remove one of them, and use `$ref`");
        }
        Ok(())
    }

    /// Where a reference leads. Nothing is ever fetched: it has to lead to a schema of this document.
    pub(super) fn resolve(&self, reference: &Reference, schemas: &BTreeSet<String>) -> Result<String, SchemaProblem> {
        let place = reference.place();
        let refuse = |problem: String, remedy: &str| Err(SchemaProblem::new(&place, problem, remedy));
        let (document, fragment) = reference.text.split_once('#').unwrap_or((&reference.text, ""));
        let base = reference.base.borrow();
        let Ok(uri) = uri::resolve_against(&base, document) else {
            return refuse(format!("{} is not a URI reference", quoted(&reference.text)), "write `#/$defs/…`");
        };
        if uri::resolve_against(&base, &reference.text).is_err() {
            let problem = format!("{} holds characters that no URI reference holds", quoted(&reference.text));
            return refuse(problem, &format!("write {}", quoted(&format!("{document}#{}", percent_encoded(fragment)))));
        }
        if reference.keyword == "$recursiveRef" && reference.text != "#" {
            return refuse(
                format!("{} is no value of `$recursiveRef`", quoted(&reference.text)),
                "write `#`, or use `$ref`",
            );
        }
        let Some(resource) = self.resources.get(uri.as_str()) else {
            let problem = format!("{} leads out of this schema, and nothing is ever fetched", quoted(&reference.text));
            return refuse(problem, "copy what it refers to into `$defs` and refer to it as `#/$defs/…`");
        };
        let fragment = percent_decoded(fragment);
        let target = if fragment.is_empty() {
            Some(resource.clone())
        } else if fragment.starts_with('/') {
            Some(format!("{resource}{fragment}"))
        } else {
            self.anchors.get(&(uri.as_str().to_owned(), fragment)).cloned()
        };
        if let Some(target) = target.filter(|target| schemas.contains(target)) {
            return Ok(target);
        }
        let problem = format!("{} does not lead to a schema of this document", quoted(&reference.text));
        refuse(problem, "declare it under `$defs` and refer to it as `#/$defs/…`")
    }
}

/// The fragment as a URI may hold it. What is escaped already stays so.
fn percent_encoded(fragment: &str) -> String {
    let bytes = fragment.as_bytes();
    let is_hex = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
    let encode = |(at, byte): (usize, &u8)| match byte {
        b'%' if is_hex(at + 1) && is_hex(at + 2) => "%".to_owned(),
        byte if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(byte) => char::from(*byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    bytes.iter().enumerate().map(encode).collect()
}

fn percent_decoded(text: &str) -> String {
    let mut pieces = text.split('%');
    let mut bytes = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        let hex = piece.get(..2).filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
        if let Some((byte, rest)) = hex.and_then(|hex| Some((u8::from_str_radix(hex, 16).ok()?, piece.get(2..)?))) {
            bytes.push(byte);
            bytes.extend_from_slice(rest.as_bytes());
        } else {
            bytes.push(b'%');
            bytes.extend_from_slice(piece.as_bytes());
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}
