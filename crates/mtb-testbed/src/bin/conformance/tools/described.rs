use mtb_bridge::{Call, JsonSchema, Tool, ToolDraft};

use super::harmless;

/// The suite compares this with what clients are shown, keyword by keyword. Only the address is closed, too: a schema
/// that is silent about what else there may be is refused.
const KEYWORDS: &str = r##"{
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            "additionalProperties": false
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"}
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": false
}"##;

pub(super) fn keywords() -> ToolDraft {
    let schema = JsonSchema::text(KEYWORDS);
    Tool::declare("json_schema_2020_12_tool", "Has arguments that many keywords describe.", schema, harmless())
        .handler(|_, _: Call| async { Ok("These arguments are good.") })
}

pub(super) fn header() -> ToolDraft {
    let schema = JsonSchema::text(
        r#"{
            "type": "object",
            "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
            "additionalProperties": false
        }"#,
    );
    let schema = schema.allow_keywords(["x-mcp-header"]);
    Tool::declare("test_header", "Has an argument that travels in a header, too.", schema, harmless())
        .handler(|_, _: Call| async { Ok("The header and the argument agree.") })
}
