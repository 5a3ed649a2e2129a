use std::collections::HashMap;

use serde_json::{Map, Value};

use super::dialect::Dialect;
use crate::pointer::escape_token;

/// A schema whose subschemas and references were found.
pub(super) struct Document {
    pub(super) root: Value,
    pub(super) dialect: Dialect,
    /// Where a reference leads: from the JSON Pointer of the schema and the keyword, to the pointer of the target.
    pub(super) targets: HashMap<(String, &'static str), String>,
    pub(super) order: Order,
}

/// The keywords that refer to another schema.
pub(super) const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// In which order the properties of an object were declared.
#[derive(Default)]
pub(super) struct Order(pub(super) HashMap<String, HashMap<String, usize>>);

/// A schema inside a document, with the place where it is declared.
#[derive(Clone)]
pub(super) struct Node<'d> {
    pub(super) schema: &'d Value,
    pub(super) pointer: String,
}

/// How a schema applies another to the same value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InPlace {
    /// Always: references and `allOf`.
    Always,
    /// Sometimes: `anyOf`, `oneOf`, `then`, `else`, `dependentSchemas`, `if`.
    Sometimes,
    /// `not`.
    Negated,
}

impl Document {
    pub(super) fn root(&self) -> Node<'_> {
        Node { schema: &self.root, pointer: String::new() }
    }

    pub(super) fn target(&self, node: &Node<'_>, keyword: &'static str) -> Option<Node<'_>> {
        node.get(keyword)?;
        let pointer = self.targets.get(&(node.pointer.clone(), keyword))?;
        Some(Node { schema: self.root.pointer(pointer)?, pointer: pointer.clone() })
    }

    /// Every schema that this one applies to the same value.
    pub(super) fn in_place<'d>(&'d self, node: &Node<'d>) -> Vec<(InPlace, Node<'d>)> {
        let mut found = Vec::new();
        for keyword in REFERENCES {
            found.extend(self.target(node, keyword).map(|target| (InPlace::Always, target)));
        }
        found.extend(node.items("allOf").map(|branch| (InPlace::Always, branch)));
        for keyword in ["anyOf", "oneOf"] {
            found.extend(node.items(keyword).map(|branch| (InPlace::Sometimes, branch)));
        }
        for keyword in ["if", "then", "else"] {
            found.extend(node.child(keyword).map(|branch| (InPlace::Sometimes, branch)));
        }
        found.extend(node.dependent_schemas().map(|(_, branch)| (InPlace::Sometimes, branch)));
        found.extend(node.child("not").map(|branch| (InPlace::Negated, branch)));
        found
    }
}

impl Order {
    /// Properties of one `properties` object come in the order of the text; else in the order of `required`, the
    /// others by name after them.
    pub(super) fn rank(&self, node: &Node<'_>, name: &str) -> usize {
        let declared = format!("{}/properties", node.pointer);
        if let Some(rank) = self.0.get(&declared).and_then(|names| names.get(name)) {
            return *rank;
        }
        let required = node.get("required").and_then(Value::as_array);
        required.and_then(|names| names.iter().position(|required| required == name)).unwrap_or(usize::MAX)
    }
}

impl<'d> Node<'d> {
    pub(super) fn object(&self) -> Option<&'d Map<String, Value>> {
        self.schema.as_object()
    }

    pub(super) fn get(&self, keyword: &str) -> Option<&'d Value> {
        self.object()?.get(keyword)
    }

    pub(super) fn at(&self, keyword: &str) -> String {
        format!("{}/{}", self.pointer, escape_token(keyword))
    }

    /// The schema that a keyword holds.
    pub(super) fn child(&self, keyword: &str) -> Option<Node<'d>> {
        Some(Node { schema: self.get(keyword)?, pointer: self.at(keyword) })
    }

    /// The schemas of a keyword that holds an array of them.
    pub(super) fn items(&self, keyword: &str) -> impl Iterator<Item = Node<'d>> + use<'d> {
        let items = self.get(keyword).and_then(Value::as_array).map(|items| (self.at(keyword), items));
        items.into_iter().flat_map(|(place, items)| {
            let items = items.iter().enumerate();
            items.map(move |(index, schema)| Node { schema, pointer: format!("{place}/{index}") })
        })
    }

    /// The schemas of a keyword that holds an object of them, sorted by name.
    pub(super) fn members(&self, keyword: &str) -> impl Iterator<Item = (&'d str, Node<'d>)> + use<'d> {
        let members = self.get(keyword).and_then(Value::as_object).map(|members| (self.at(keyword), members));
        members.into_iter().flat_map(|(place, members)| {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            members.into_iter().map(move |(name, schema)| {
                let pointer = format!("{place}/{}", escape_token(name));
                (name.as_str(), Node { schema, pointer })
            })
        })
    }

    /// The schemas of the first items, one for each.
    pub(super) fn first_items(&self) -> impl Iterator<Item = Node<'d>> + use<'d> {
        self.items("prefixItems").chain(self.items("items"))
    }

    /// The schema of the items that have none of their own.
    pub(super) fn other_items(&self) -> Option<Node<'d>> {
        let by_position = self.get("items").is_some_and(Value::is_array);
        self.child(if by_position { "additionalItems" } else { "items" })
    }

    /// The schemas that apply to an object which has a member of this name.
    pub(super) fn dependent_schemas(&self) -> impl Iterator<Item = (&'d str, Node<'d>)> + use<'d> {
        let dependencies = self.members("dependencies").filter(|(_, dependency)| !dependency.schema.is_array());
        self.members("dependentSchemas").chain(dependencies)
    }

    /// The names that are required of an object which has a member of this name: the keyword, the name and the list.
    pub(super) fn dependent_names(&self) -> impl Iterator<Item = (&'static str, &'d str, Node<'d>)> + use<'d> {
        let dependencies = self.members("dependencies").filter(|(_, dependency)| dependency.schema.is_array());
        let required = self.members("dependentRequired").map(|(name, list)| ("dependentRequired", name, list));
        required.chain(dependencies.map(|(name, list)| ("dependencies", name, list)))
    }

    /// A bound, and whether it is excluded.
    pub(super) fn bounds(
        &self,
        inclusive: &'static str,
        exclusive: &'static str,
    ) -> Vec<(&'static str, &'d Value, bool)> {
        let is_excluded = self.get(exclusive) == Some(&Value::Bool(true));
        let (included, excluded) = (self.get(inclusive), self.get(exclusive));
        let included = included.map(|bound| (inclusive, bound, is_excluded));
        included
            .into_iter()
            .chain(excluded.map(|bound| (exclusive, bound, true)))
            .filter(|(_, bound, _)| bound.is_number())
            .collect()
    }

    pub(super) fn member(&self, keyword: &str, name: &str) -> Option<Node<'d>> {
        let schema = self.get(keyword)?.get(name)?;
        Some(Node { schema, pointer: format!("{}/{}", self.at(keyword), escape_token(name)) })
    }

    pub(super) fn names(&self, keyword: &str) -> impl Iterator<Item = &'d str> + use<'d> {
        names(self.get(keyword))
    }

    pub(super) fn is_closed(&self) -> bool {
        self.get("additionalProperties") == Some(&Value::Bool(false))
    }

    /// The types that are declared; empty when none are.
    pub(super) fn types(&self) -> Vec<&'d str> {
        match self.get("type") {
            Some(Value::String(name)) => vec![name.as_str()],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        }
    }
}

/// The texts in an array.
pub(super) fn names(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}
