//! Schemas of Rust types. `schemars` says less than `serde` means in places; what is missing is added here, so that
//! whatever the schema accepts, the type accepts.

mod chrono;
mod keys;
mod number;
mod root;
mod tagged;
mod unknown;
mod witness;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::problem::SchemaProblem;

/// The schema of a type, and why the type cannot be read from JSON where it cannot.
#[derive(Clone)]
pub(super) struct Derived {
    pub(super) schema: Value,
    problems: Vec<SchemaProblem>,
}

impl Derived {
    /// What a type is read from.
    pub(super) fn of<T: JsonSchema + DeserializeOwned>() -> Self {
        let mut schema = schema_of::<T>(SchemaSettings::draft2020_12().for_deserialize());
        root::say_object(&mut schema);
        let mut problems = root::check(&schema);
        problems.extend(keys::check::<T>(&schema));
        Self { schema, problems }
    }

    /// What came of the schema, with the problems of the type. About the root, the type says more than its schema.
    pub(super) fn judge<C>(&self, checked: Result<C, Vec<SchemaProblem>>) -> Result<C, Vec<SchemaProblem>> {
        let mut problems = self.problems.clone();
        let about_root = problems.iter().any(|problem| problem.pointer.is_empty());
        match checked {
            Ok(checked) if problems.is_empty() => return Ok(checked),
            Ok(_) => {}
            Err(of_schema) => {
                let is_root = |problem: &SchemaProblem| matches!(&*problem.pointer, "" | "/type");
                problems.extend(of_schema.into_iter().filter(|problem| !(about_root && is_root(problem))));
            }
        }
        problems.sort_by(|one, other| one.pointer.cmp(&other.pointer));
        Err(problems)
    }
}

/// The schema of what a type is written as.
pub(super) fn written_as<T: JsonSchema>() -> Value {
    schema_of::<T>(SchemaSettings::draft2020_12().for_serialize())
}

/// The schema without what is not a statement about values.
fn schema_of<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let settings = settings.with(|settings| settings.meta_schema = None);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Value::Object(members) = &mut schema {
        members.remove("$schema");
        members.remove("title");
        if let Some(Value::Object(definitions)) = members.get_mut("$defs") {
            unknown::close(definitions);
        }
    }
    each(&mut schema, &mut |members| {
        chrono::rewrite(members);
        number::bound(members);
        tagged::complete(members);
    });
    schema
}

/// Calls a function with this schema and every one below it that is an object.
fn each(schema: &mut Value, visit: &mut impl FnMut(&mut Map<String, Value>)) {
    let Value::Object(members) = schema else { return };
    visit(members);
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "$defs" | "dependentSchemas", Value::Object(schemas)) => {
                for schema in schemas.values_mut() {
                    each(schema, visit);
                }
            }
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(schemas)) => {
                for schema in schemas {
                    each(schema, visit);
                }
            }
            (
                "items"
                | "contains"
                | "additionalProperties"
                | "propertyNames"
                | "unevaluatedProperties"
                | "unevaluatedItems"
                | "not"
                | "if"
                | "then"
                | "else",
                inner,
            ) => each(inner, visit),
            _ => {}
        }
    }
}
