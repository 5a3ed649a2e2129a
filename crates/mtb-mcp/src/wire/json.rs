use serde::Serialize;

/// Writes one JSON object straight into the bytes of a message.
pub(crate) struct Object<'w> {
    out: &'w mut Vec<u8>,
    separator: u8,
}

impl<'w> Object<'w> {
    /// Writes the members that `members` adds, between braces.
    pub(crate) fn write(out: &'w mut Vec<u8>, members: impl FnOnce(&mut Object<'_>)) {
        let mut object = Object { out, separator: b'{' };
        members(&mut object);
        let Object { out, separator } = object;
        if separator == b'{' {
            out.push(b'{');
        }
        out.push(b'}');
    }

    /// Makes room for so many bytes at once.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.out.reserve(bytes);
    }

    /// A member whose value is JSON already.
    pub(crate) fn raw(&mut self, name: &'static str, json: &str) {
        self.name(name);
        self.out.extend_from_slice(json.as_bytes());
    }

    pub(crate) fn text(&mut self, name: &'static str, text: &str) {
        self.name(name);
        string(self.out, text);
    }

    pub(crate) fn optional_text(&mut self, name: &'static str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(name, text);
        }
    }

    pub(crate) fn flag(&mut self, name: &'static str, flag: bool) {
        self.raw(name, if flag { "true" } else { "false" });
    }

    /// A finite number, an integral one without a fraction.
    pub(crate) fn number(&mut self, name: &'static str, number: f64) {
        self.raw(name, &number.to_string());
    }

    pub(crate) fn value(&mut self, name: &'static str, value: &serde_json::Value) {
        self.name(name);
        serialized(self.out, value);
    }

    pub(crate) fn object(&mut self, name: &'static str, members: impl FnOnce(&mut Object<'_>)) {
        self.name(name);
        Object::write(self.out, members);
    }

    pub(crate) fn array(&mut self, name: &'static str, items: impl FnOnce(&mut Array<'_>)) {
        self.name(name);
        let mut array = Array { out: self.out, separator: b'[' };
        items(&mut array);
        let Array { out, separator } = array;
        if separator == b'[' {
            out.push(b'[');
        }
        out.push(b']');
    }

    /// Names are ours, so none of them needs to be escaped.
    fn name(&mut self, name: &'static str) {
        self.out.push(self.separator);
        self.separator = b',';
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
    }
}

/// Writes the items of one JSON array.
pub(crate) struct Array<'w> {
    out: &'w mut Vec<u8>,
    separator: u8,
}

impl Array<'_> {
    pub(crate) fn object(&mut self, members: impl FnOnce(&mut Object<'_>)) {
        self.next();
        Object::write(self.out, members);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.next();
        string(self.out, text);
    }

    fn next(&mut self) {
        self.out.push(self.separator);
        self.separator = b',';
    }
}

fn string(out: &mut Vec<u8>, text: &str) {
    serialized(out, text);
}

/// Neither text nor a JSON value can fail to be written to memory: keys are strings, and numbers are finite.
fn serialized(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    let start = out.len();
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Object;

    fn check(members: impl FnOnce(&mut Object<'_>), expect: &str) {
        let mut out = Vec::new();
        Object::write(&mut out, members);
        assert_eq!(String::from_utf8(out).unwrap(), expect);
    }

    #[test]
    fn writes_members_with_commas_between_them() {
        check(|_| {}, "{}");
        check(|o| o.array("a", |_| {}), r#"{"a":[]}"#);
        check(|o| o.object("a", |_| {}), r#"{"a":{}}"#);
        check(
            |o| {
                o.raw("a", "1.50");
                o.text("b", "x\"\n\u{1}é");
                o.optional_text("c", None);
                o.flag("d", false);
                o.array("e", |a| {
                    a.object(|_| {});
                    a.object(|o| o.flag("f", true));
                });
                o.value("g", &json!({"h": [null]}));
            },
            r#"{"a":1.50,"b":"x\"\n\u0001é","d":false,"e":[{},{"f":true}],"g":{"h":[null]}}"#,
        );
    }

    #[test]
    fn writes_numbers_as_json_reads_them() {
        for (number, text) in [(0.0, "0"), (50.0, "50"), (0.1, "0.1"), (-2.5, "-2.5"), (1e21, "1000000000000000000000")]
        {
            check(|o| o.number("n", number), &format!(r#"{{"n":{text}}}"#));
        }
    }
}
