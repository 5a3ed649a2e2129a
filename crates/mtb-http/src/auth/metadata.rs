use http::Uri;
use http::uri::{Authority, PathAndQuery};
use serde::Serialize;

/// The beginning of every place where it is served.
pub(crate) const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// What clients may learn of a server before they have a token: where to get one
/// (<https://www.rfc-editor.org/rfc/rfc9728>).
///
/// ```
/// use mtb_http::ResourceMetadata;
///
/// let metadata = ResourceMetadata::of("https://mcp.example.com/mcp", &["https://id.example.com"], &["tools"]);
/// let address = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
/// assert_eq!(metadata.unwrap().address(), address);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceMetadata {
    /// Of the resource.
    host: Authority,
    path: String,
    address: String,
    document: String,
}

/// <https://www.rfc-editor.org/rfc/rfc9728#section-2>
#[derive(Serialize)]
struct Document<'d> {
    resource: &'d str,
    authorization_servers: &'d [&'d str],
    #[serde(skip_serializing_if = "Option::is_none")]
    scopes_supported: Option<&'d [&'d str]>,
    bearer_methods_supported: [&'static str; 1],
}

impl ResourceMetadata {
    /// Of the resource at this address, for which these authorization servers give tokens, with these scopes if clients
    /// are to ask for any.
    ///
    /// None where the address is not `https://…`, or `http://` on this machine, without parameters and fragment.
    #[must_use]
    pub fn of(resource: &str, authorization_servers: &[&str], scopes: &[&str]) -> Option<Self> {
        let uri: Uri = resource.parse().ok()?;
        let (scheme, authority) = (uri.scheme_str()?, uri.authority()?);
        let local = matches!(authority.host(), "localhost" | "127.0.0.1" | "[::1]");
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | '~');
        let usable = (scheme == "https" || (scheme == "http" && local))
            && !authority.as_str().contains('@')
            && !resource.contains('#')
            && uri.path_and_query().is_none_or(|rest| PathAndQuery::query(rest).is_none())
            && uri.path().chars().all(plain)
            && !uri.path().contains("//");
        if !usable {
            return None;
        }
        let path = uri.path().trim_end_matches('/').to_owned();
        let document = Document {
            resource,
            authorization_servers,
            scopes_supported: Some(scopes).filter(|scopes| !scopes.is_empty()),
            bearer_methods_supported: ["header"],
        };
        let document = serde_json::to_string(&document).ok()?;
        let address = format!("{scheme}://{authority}{WELL_KNOWN}{path}");
        Some(Self { host: authority.clone(), path, address, document })
    }

    /// Where clients find it.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The host by which clients find the server, and the path at which.
    pub(crate) fn resource(&self) -> (&Authority, &str) {
        (&self.host, &self.path)
    }

    /// Both places where it is served: with the path of the resource, and without.
    pub(crate) fn places(&self) -> Vec<String> {
        let mut places = vec![WELL_KNOWN.to_owned()];
        if !self.path.is_empty() {
            places.push(format!("{WELL_KNOWN}{}", self.path));
        }
        places
    }

    pub(crate) fn document(&self) -> &str {
        &self.document
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::ResourceMetadata;

    #[test]
    fn it_is_where_clients_look() {
        for (resource, address, places) in [
            ("https://a.com", "https://a.com/.well-known/oauth-protected-resource", 1),
            ("https://a.com/", "https://a.com/.well-known/oauth-protected-resource", 1),
            ("https://a.com:8443/v1/mcp", "https://a.com:8443/.well-known/oauth-protected-resource/v1/mcp", 2),
            ("http://localhost:8080/mcp", "http://localhost:8080/.well-known/oauth-protected-resource/mcp", 2),
        ] {
            let metadata = ResourceMetadata::of(resource, &["https://id.com"], &[]).unwrap();
            assert_eq!((metadata.address(), metadata.places().len()), (address, places));
            assert!(metadata.places().iter().all(|place| address.starts_with("http") && place.starts_with("/.well")));
            let document: Value = serde_json::from_str(metadata.document()).unwrap();
            assert_eq!(document["resource"], resource);
            assert_eq!(document["authorization_servers"], json!(["https://id.com"]));
            assert_eq!(document["scopes_supported"], Value::Null);
        }
    }

    #[test]
    fn a_resource_is_an_address_of_a_server() {
        for resource in [
            "",
            "mcp",
            "/mcp",
            "http://a.com/mcp",
            "https://a.com/mcp?x=1",
            "https://a.com/mcp#x",
            "https://b@a.com/mcp",
            "https://a.com/{mcp}",
            "https://a.com//mcp",
            "ftp://localhost/mcp",
        ] {
            assert_eq!(ResourceMetadata::of(resource, &[], &[]), None, "{resource}");
        }
    }
}
