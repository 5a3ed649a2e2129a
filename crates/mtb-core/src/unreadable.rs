use crate::json::JsonError;
use crate::schema::Issue;

impl From<JsonError> for Issue {
    /// Arguments that are no acceptable JSON have one issue, at their root.
    fn from(error: JsonError) -> Self {
        Self {
            path: String::new(),
            message: format!("cannot be read: {}", error.fault),
            keyword: "json".to_owned(),
            declared: String::new(),
        }
    }
}
