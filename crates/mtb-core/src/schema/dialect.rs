use std::fmt;

/// A version of JSON Schema, as `$schema` declares it. Later ones are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Draft 4 (2013).
    Draft4,
    /// Draft 6 (2017).
    Draft6,
    /// Draft 7 (2018).
    Draft7,
    /// Draft 2019-09.
    Draft201909,
    /// Draft 2020-12, which a schema without `$schema` is written in.
    Draft202012,
}

impl Dialect {
    /// Every dialect, oldest first.
    pub const ALL: [Self; 5] = [Self::Draft4, Self::Draft6, Self::Draft7, Self::Draft201909, Self::Draft202012];

    /// The URI that declares it, without a fragment.
    #[must_use]
    pub const fn uri(self) -> &'static str {
        match self {
            Self::Draft4 => "http://json-schema.org/draft-04/schema",
            Self::Draft6 => "http://json-schema.org/draft-06/schema",
            Self::Draft7 => "http://json-schema.org/draft-07/schema",
            Self::Draft201909 => "https://json-schema.org/draft/2019-09/schema",
            Self::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// The dialect that a `$schema` declares: over http or https, with an empty fragment or none.
    #[must_use]
    pub fn from_uri(uri: &str) -> Option<Self> {
        let place = |uri: &'static str| uri.split_once("://").map(|(_, place)| place);
        let (scheme, declared) = uri.strip_suffix('#').unwrap_or(uri).split_once("://")?;
        let is_web = scheme == "http" || scheme == "https";
        Self::ALL.into_iter().find(|dialect| is_web && place(dialect.uri()) == Some(declared))
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Draft4 => "draft-04",
            Self::Draft6 => "draft-06",
            Self::Draft7 => "draft-07",
            Self::Draft201909 => "2019-09",
            Self::Draft202012 => "2020-12",
        }
    }
}

/// The name of the version, such as `draft-07` or `2020-12`.
impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
