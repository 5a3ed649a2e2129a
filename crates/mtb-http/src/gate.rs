//! Whom a browser may be made to talk to this server for: nobody, unless the host says so.
//!
//! A page on the web can make its visitor's browser send requests to a server on the visitor's machine: under a name
//! that resolves to it (DNS rebinding), or simply across origins. The first shows in `Host`, the second in `Origin`.

use http::header::{HOST, ORIGIN};
use http::request::Parts;
use http::uri::Authority;
use http::{HeaderMap, HeaderName, Uri};

/// Where the page is from that a browser sends a request for, as seen from here.
static FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Names by which this machine reaches itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The names under which a server may be addressed, and the origins whose pages may address it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Gate {
    hosts: Vec<Authority>,
    origins: Vec<Origin>,
}

/// Where a page comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Origin {
    scheme: String,
    host: String,
    /// None is the scheme's own.
    port: Option<u16>,
}

/// Which header keeps a request out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Foreign {
    Host,
    Origin,
}

impl Gate {
    /// Only what is on this machine.
    pub(crate) fn loopback() -> Self {
        Self { hosts: Vec::new(), origins: Vec::new() }
    }

    /// Lets these names in, too: `api.example.com` at any port, `api.example.com:8443` at this one.
    pub(crate) fn add_hosts(&mut self, hosts: impl IntoIterator<Item = impl AsRef<str>>) -> Result<(), String> {
        for host in hosts {
            let host = host.as_ref();
            let authority = host.parse::<Authority>().ok().filter(is_plain);
            self.hosts.push(authority.ok_or_else(|| host.to_owned())?);
        }
        Ok(())
    }

    /// Lets pages of these origins in, too: `https://app.example.com`.
    pub(crate) fn add_origins(&mut self, origins: impl IntoIterator<Item = impl AsRef<str>>) -> Result<(), String> {
        for origin in origins {
            let origin = origin.as_ref();
            self.origins.push(Origin::parse(origin).ok_or_else(|| origin.to_owned())?);
        }
        Ok(())
    }

    /// # Errors
    /// Which header is not one of this server's.
    pub(crate) fn check(&self, head: &Parts) -> Result<(), Foreign> {
        if !self.knows_host(head) {
            return Err(Foreign::Host);
        }
        match only(&head.headers, &ORIGIN) {
            // Browsers say of some requests only that it is a page that sends them.
            Found::Nothing if is_of_foreign_page(&head.headers) => Err(Foreign::Origin),
            Found::Nothing => Ok(()),
            Found::One(origin) if Origin::parse(origin).is_some_and(|origin| self.knows(&origin)) => Ok(()),
            Found::One(_) | Found::Unusable => Err(Foreign::Origin),
        }
    }

    /// Whatever names the server names it rightly: the header, and the target of a request where that has a name.
    fn knows_host(&self, head: &Parts) -> bool {
        let target = head.uri.authority();
        let header = match only(&head.headers, &HOST) {
            Found::Nothing => None,
            Found::One(host) => match host.parse::<Authority>() {
                Ok(host) => Some(host),
                Err(_) => return false,
            },
            Found::Unusable => return false,
        };
        (target.is_some() || header.is_some())
            && target.into_iter().chain(header.as_ref()).all(|host| self.is_ours(host))
    }

    /// Whether this is a name of the server.
    pub(crate) fn is_ours(&self, host: &Authority) -> bool {
        let is = |known: &Authority| {
            known.host().eq_ignore_ascii_case(host.host())
                && (known.port().is_none() || known.port_u16() == host.port_u16())
        };
        is_plain(host) && (is_loopback(host.host()) || self.hosts.iter().any(is))
    }

    fn knows(&self, origin: &Origin) -> bool {
        let is_page = matches!(&*origin.scheme, "http" | "https");
        (is_page && is_loopback(&origin.host)) || self.origins.contains(origin)
    }
}

/// A host and perhaps a port, and nothing else that a reader of one of them would pass by.
fn is_plain(authority: &Authority) -> bool {
    let rest = authority.as_str().strip_prefix(authority.host()).filter(|_| !authority.as_str().contains('*'));
    rest.is_some_and(|rest| rest.is_empty() || (rest.starts_with(':') && authority.port_u16().is_some()))
}

/// Whether a browser sends this for a page of another origin (<https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header>).
fn is_of_foreign_page(headers: &HeaderMap) -> bool {
    match only(headers, &FETCH_SITE) {
        Found::Nothing => false,
        Found::One(site) => !matches!(site, "same-origin" | "none"),
        Found::Unusable => true,
    }
}

fn is_loopback(host: &str) -> bool {
    LOOPBACK.iter().any(|name| name.eq_ignore_ascii_case(host))
}

impl Origin {
    /// `scheme://host` or `scheme://host:port` (<https://www.rfc-editor.org/rfc/rfc6454#section-7>). A page without an
    /// origin sends `null`, which is none.
    fn parse(text: &str) -> Option<Self> {
        let uri = text.parse::<Uri>().ok()?;
        let (scheme, authority) = (uri.scheme_str()?, uri.authority()?);
        let whole =
            !text.ends_with('/') && !text.contains('#') && uri.path_and_query().is_none_or(|rest| rest.as_str() == "/");
        let usual = match scheme {
            "http" => Some(80),
            "https" => Some(443),
            _ => None,
        };
        let port = authority.port_u16().filter(|port| Some(*port) != usual);
        (whole && is_plain(authority)).then(|| Self {
            scheme: scheme.to_ascii_lowercase(),
            host: authority.host().to_ascii_lowercase(),
            port,
        })
    }
}

/// What a header that may be there once holds.
pub(crate) enum Found<'h> {
    Nothing,
    One(&'h str),
    /// It is there twice, or is no visible ASCII.
    Unusable,
}

pub(crate) fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Found<'h> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Found::Nothing,
        (Some(value), None) => value.to_str().map_or(Found::Unusable, |text| Found::One(text.trim())),
        (Some(_), Some(_)) => Found::Unusable,
    }
}

#[cfg(test)]
mod tests {
    use http::Request;
    use http::request::Parts;

    use super::{Foreign, Gate};

    fn head(uri: &str, headers: &[(&str, &str)]) -> Parts {
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap().into_parts().0
    }

    fn gate() -> Gate {
        let mut gate = Gate::loopback();
        gate.add_hosts(["api.example.com", "other.example.com:8443"]).unwrap();
        gate.add_origins(["https://app.example.com", "http://app.example.com:8080"]).unwrap();
        gate
    }

    #[test]
    fn only_names_of_this_server_are_let_in() {
        for host in [
            "localhost",
            "LOCALHOST:3000",
            "127.0.0.1:80",
            "[::1]",
            "[::1]:3000",
            "api.example.com",
            "API.example.com:443",
            "other.example.com:8443",
        ] {
            assert_eq!(gate().check(&head("/mcp", &[("host", host)])), Ok(()), "{host}");
            assert_eq!(gate().check(&head(&format!("http://{host}/mcp"), &[])), Ok(()), "{host}");
        }
        for host in [
            "evil.example.com",
            "localhost.evil.com",
            "127.0.0.2",
            "0.0.0.0",
            "other.example.com",
            "other.example.com:8444",
            "xapi.example.com",
            "api.example.com.",
            "localhost@evil.com",
            "evil@localhost",
            "[::1].evil.com",
            "[::1]evil.com:80",
            "localhost:",
            "localhost:99999",
            "",
            "a b",
        ] {
            assert_eq!(gate().check(&head("/mcp", &[("host", host)])), Err(Foreign::Host), "{host}");
        }
        assert_eq!(gate().check(&head("/mcp", &[])), Err(Foreign::Host));
        // Every name that a request has counts.
        let two = head("/mcp", &[("host", "localhost"), ("host", "localhost")]);
        assert_eq!(gate().check(&two), Err(Foreign::Host));
        let foreign = head("http://evil.example.com/mcp", &[("host", "localhost")]);
        assert_eq!(gate().check(&foreign), Err(Foreign::Host));
        let foreign = head("http://localhost/mcp", &[("host", "evil.example.com")]);
        assert_eq!(gate().check(&foreign), Err(Foreign::Host));
        assert_eq!(Gate::loopback().check(&head("/mcp", &[("host", "api.example.com")])), Err(Foreign::Host));
    }

    #[test]
    fn only_pages_of_known_origins_are_let_in() {
        let check = |origin: &str| gate().check(&head("/mcp", &[("host", "localhost"), ("origin", origin)]));
        for origin in [
            "http://localhost",
            "http://localhost:3000",
            "https://127.0.0.1:8443",
            "http://[::1]:1",
            "https://app.example.com",
            "https://app.example.com:443",
            "HTTPS://APP.example.com",
            "http://app.example.com:8080",
        ] {
            assert_eq!(check(origin), Ok(()), "{origin}");
        }
        for origin in [
            "null",
            "",
            "localhost",
            "http://app.example.com",
            "https://app.example.com:8443",
            "https://evil.com",
            "https://app.example.com.evil.com",
            "https://localhost.evil.com",
            "https://localhost@evil.com",
            "http://[::1].evil.com",
            "http://localhost#evil.com",
            "http://localhost:99999",
            "evil://localhost",
            "https://app.example.com/",
            "https://app.example.com/x",
            "https://app.example.com https://evil.com",
        ] {
            assert_eq!(check(origin), Err(Foreign::Origin), "{origin}");
        }
        let two = [("host", "localhost"), ("origin", "http://localhost"), ("origin", "http://localhost")];
        assert_eq!(gate().check(&head("/mcp", &two)), Err(Foreign::Origin));
        assert_eq!(
            Gate::loopback().check(&head("/mcp", &[("host", "localhost"), ("origin", "https://app.example.com")])),
            Err(Foreign::Origin)
        );
    }

    #[test]
    fn pages_without_an_origin_are_known_by_what_browsers_say() {
        let check = |sites: &[&str], origin: Option<&str>| {
            let mut headers = vec![("host", "localhost")];
            headers.extend(sites.iter().map(|site| ("sec-fetch-site", *site)));
            headers.extend(origin.map(|origin| ("origin", origin)));
            gate().check(&head("/sse", &headers))
        };
        for site in ["same-origin", "none"] {
            assert_eq!(check(&[site], None), Ok(()), "{site}");
        }
        for sites in [&["cross-site"][..], &["same-site"], &["other"], &[""], &["none", "none"], &["None"]] {
            assert_eq!(check(sites, None), Err(Foreign::Origin), "{sites:?}");
        }
        assert_eq!(check(&["cross-site"], Some("https://app.example.com")), Ok(()));
        assert_eq!(check(&["none"], Some("https://evil.com")), Err(Foreign::Origin));
    }

    #[test]
    fn what_is_declared_has_to_be_a_name_or_an_origin() {
        for host in ["", "https://api.example.com", "a b", "user@api.example.com", "*", "*.example.com"] {
            assert_eq!(Gate::loopback().add_hosts([host]), Err(host.to_owned()));
        }
        for origin in ["", "app.example.com", "null", "https://app.example.com/x", "*", "https://*.example.com"] {
            assert_eq!(Gate::loopback().add_origins([origin]), Err(origin.to_owned()));
        }
    }
}
