use serde_json::{Map, Value, json};

/// Says what each form of a tagged enum leaves to the others.
pub(super) fn complete(members: &mut Map<String, Value>) {
    let Some(Value::Array(forms)) = members.get_mut("oneOf") else { return };
    if let Some(content) = content_of(forms) {
        without_content(forms, &content);
    } else {
        one_variant(forms);
    }
}

/// A variant of an adjacently tagged enum that has no content takes none either.
fn without_content(forms: &mut [Value], content: &str) {
    for form in forms {
        if let Some(properties) = properties_mut(form)
            && properties.len() == 1
        {
            properties.insert(content.to_owned(), json!({"type": "null"}));
        }
    }
}

/// An externally tagged enum inside a flattened struct leaves its forms open for the other fields, but one value has
/// one variant.
fn one_variant(forms: &mut [Value]) {
    let variants: Option<Vec<String>> = forms.iter().map(|form| variant_of(form).map(str::to_owned)).collect();
    let Some(variants) = variants else { return };
    for properties in forms.iter_mut().filter_map(properties_mut) {
        for variant in &variants {
            properties.entry(variant.as_str()).or_insert(Value::Bool(false));
        }
    }
}

/// The one member that an open form of an object has and requires.
fn variant_of(form: &Value) -> Option<&str> {
    let properties = form.get("properties")?.as_object()?;
    let (name, schema) = properties.iter().next()?;
    let required = form.get("required")?.as_array()?;
    let is_variant = properties.len() == 1
        && **required == [Value::from(name.as_str())]
        && schema.get("const").is_none()
        && form.get("additionalProperties").is_none();
    is_variant.then_some(name)
}

fn properties_mut(form: &mut Value) -> Option<&mut Map<String, Value>> {
    form.get_mut("properties")?.as_object_mut()
}

/// The member for the content, where every form has the tag, and nothing beside it but that member.
///
/// An internally tagged enum can look the same. It then refuses under its variants without fields what is a field of
/// another variant, which a caller does not mean to send.
fn content_of(forms: &[Value]) -> Option<String> {
    let mut tag: Option<&str> = None;
    let mut content: Option<&str> = None;
    for form in forms {
        let properties = form.get("properties")?.as_object()?;
        let (tags, others): (Vec<_>, Vec<_>) = properties
            .iter()
            .partition(|(name, schema)| schema.get("const").is_some() && tag.is_none_or(|tag| tag == *name));
        let ([(this_tag, _)], true) = (&*tags, others.len() < 2) else { return None };
        tag = Some(this_tag.as_str());
        if let Some((name, _)) = others.first() {
            if content.is_some_and(|content| content != name.as_str()) {
                return None;
            }
            content = Some(name);
        }
    }
    content.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::complete;

    fn completed(forms: &Value) -> Value {
        let mut schema = json!({"oneOf": forms});
        complete(schema.as_object_mut().unwrap());
        schema["oneOf"].clone()
    }

    #[test]
    fn a_variant_without_content_takes_none() {
        let tag = |name: &str| json!({"const": name});
        let forms = json!([
            {"properties": {"t": tag("a"), "c": {"type": "string"}}, "required": ["t", "c"]},
            {"properties": {"t": tag("b")}, "required": ["t"]},
        ]);
        let mut expected = forms.clone();
        expected[1]["properties"]["c"] = json!({"type": "null"});
        assert_eq!(completed(&forms), expected);
        // What has other members than a tag and its content is tagged in another way.
        for forms in [
            json!([{"properties": {"t": tag("a"), "c": {}, "d": {}}}, {"properties": {"t": tag("b")}}]),
            json!([{"properties": {"t": tag("a"), "c": {}}}, {"properties": {"t": tag("b"), "d": {}}}]),
            json!([{"properties": {"t": tag("a"), "c": {}}}, {"properties": {"c": {}}}]),
            json!([{"properties": {"t": tag("a"), "c": {}}}, {"type": "null"}]),
        ] {
            assert_eq!(completed(&forms), forms);
        }
    }

    #[test]
    fn a_value_of_open_forms_has_one_variant() {
        let form = |name: &str| json!({"properties": {name: {}}, "required": [name]});
        let mut expected = json!([form("A"), form("B")]);
        expected[0]["properties"]["B"] = json!(false);
        expected[1]["properties"]["A"] = json!(false);
        assert_eq!(completed(&json!([form("A"), form("B")])), expected);
        for other in [
            json!({"properties": {"B": {}, "C": {}}, "required": ["B"]}),
            json!({"properties": {"B": {}}, "required": []}),
            json!({"properties": {"B": {"const": 1}}, "required": ["B"]}),
            json!({"properties": {"B": {}}, "required": ["B"], "additionalProperties": false}),
            json!({"properties": {"B": {}}}),
            json!({"type": "string"}),
        ] {
            let forms = json!([form("A"), other]);
            assert_eq!(completed(&forms), forms);
        }
    }
}
