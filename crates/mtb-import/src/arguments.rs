use std::ffi::OsString;
use std::path::PathBuf;

use lexopt::{Arg, Parser, ValueExt as _};
use mtb_adapt::{ImportOptions, check_definitions};
use mtb_core::{Dialect, UnknownArguments};

use crate::remedy::as_options;

/// What `--help` says.
pub(crate) const HELP: &str = "\
Says of tool definitions whether they can be imported, and what keeps them out.

Usage: mtb-import [OPTION]... FILE...

A FILE is an array of definitions in the form of Anthropic, MCP or OpenAI, or
the answer to `tools/list`: an object with `tools`, or the JSON-RPC message with
that as its `result`. `-` is standard input.

  --json               print {\"accepted\", \"refused\"} as JSON, and \"warnings\"
                       where there are any
  --governance OUT     write a new file with one entry for each tool, for
                       somebody to say how much harm it can do, whether that
                       can be undone, and who may use it
  -h, --help           this text
  -V, --version        the version of this program

Each of these widens what is accepted; say the same in `ImportOptions`.
  --allow-format NAME           a `format` that nothing checks
  --allow-keyword NAME          a keyword that nothing enforces
  --allow-dialect URI=DIALECT   a foreign `$schema`, read as draft-04, draft-06,
                                draft-07, 2019-09 or 2020-12
This one narrows it:
  --unknown-arguments refuse    close schemas that are silent about arguments
                                they do not declare (default: as-declared)

A tool that several files define, a file that is one page of a longer list, and
an empty list are warnings on standard output and change no exit code.

Exit code
  0  every tool is accepted
  1  a tool is refused
  2  the command line is wrong, a file cannot be read or is no list of tools
     (the others are reported), or OUT exists or cannot be written; the reason
     is on standard error
";

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Help,
    Version,
    Check(Request),
}

/// Which files to check, and how.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// At least one; `-` is standard input and stands here once at most.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) output: Output,
    /// Where the governance to fill in goes.
    pub(crate) governance: Option<PathBuf>,
    pub(crate) options: ImportOptions,
}

/// For whom the report is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    Text,
    Json,
}

/// # Errors
/// A sentence on what is wrong with the command line.
pub(crate) fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Asked, String> {
    match parsed(Parser::from_args(arguments)) {
        Ok(Asked::Check(request)) => check(request).map(Asked::Check),
        Ok(other) => Ok(other),
        Err(error) => Err(mtb_core::printable(&format!("{error}; try `mtb-import --help`"))),
    }
}

fn parsed(mut parser: Parser) -> Result<Asked, lexopt::Error> {
    let (mut files, mut output, mut governance) = (Vec::new(), Output::Text, None);
    let mut options = ImportOptions::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Asked::Help),
            Arg::Long("version") | Arg::Short('V') => return Ok(Asked::Version),
            Arg::Long("json") => output = Output::Json,
            Arg::Long("governance") if governance.is_some() => return Err("`--governance` is given twice".into()),
            Arg::Long("governance") => governance = Some(parser.value()?.into()),
            Arg::Long("allow-format") => options = options.allow_formats([parser.value()?.string()?]),
            Arg::Long("allow-keyword") => options = options.allow_keywords([parser.value()?.string()?]),
            Arg::Long("allow-dialect") => {
                let (uri, read_as) = parser.value()?.parse_with(dialect)?;
                options = options.allow_dialect(uri, read_as);
            }
            Arg::Long("unknown-arguments") => {
                options = options.unknown_arguments(parser.value()?.parse_with(unknown_arguments)?);
            }
            Arg::Value(file) => files.push(file.into()),
            other => return Err(other.unexpected()),
        }
    }
    Ok(Asked::Check(Request { files, output, governance, options }))
}

fn check(request: Request) -> Result<Request, String> {
    if request.files.is_empty() {
        return Err("no file to check; try `mtb-import --help`".to_owned());
    }
    if request.files.iter().filter(|file| file.as_os_str() == "-").count() > 1 {
        return Err("standard input can be read once only".to_owned());
    }
    if request.governance.as_ref().is_some_and(|out| out.as_os_str() == "-") {
        return Err("`--governance` takes the name of a new file; standard output has the report".to_owned());
    }
    // The options are the same for every file, so what is wrong with them is told once, before any is read.
    if let Some(refused) = check_definitions("[]", &request.options).refused() {
        let problems = refused.problems().iter().map(|problem| format!("{}; {}", problem.problem, problem.remedy));
        return Err(as_options(&problems.collect::<Vec<_>>().join("; ")));
    }
    Ok(request)
}

fn dialect(text: &str) -> Result<(String, Dialect), String> {
    let read = text.rsplit_once('=').and_then(|(uri, name)| {
        let read_as = Dialect::ALL.into_iter().find(|dialect| dialect.to_string() == name)?;
        (!uri.is_empty()).then(|| (uri.to_owned(), read_as))
    });
    let known = Dialect::ALL.map(|dialect| dialect.to_string()).join(", ");
    read.ok_or_else(|| format!("write URI=DIALECT, with one of {known}"))
}

fn unknown_arguments(text: &str) -> Result<UnknownArguments, String> {
    match text {
        "refuse" => Ok(UnknownArguments::Refuse),
        "as-declared" => Ok(UnknownArguments::AsDeclared),
        _ => Err("write `refuse` or `as-declared`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use mtb_adapt::ImportOptions;
    use mtb_core::{Dialect, UnknownArguments};

    use super::{Asked, HELP, Output, Request, read};

    fn of(arguments: &[&str]) -> Result<Asked, String> {
        read(arguments.iter().map(Into::into))
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        for arguments in [
            &[][..],
            &["--json"],
            &["--jsno", "a"],
            &["-j", "a"],
            &["--json=yes", "a"],
            &["-", "-"],
            &["a", "--governance"],
            &["a", "--governance", "x", "--governance", "y"],
            &["a", "--governance", "-"],
            &["a", "--allow-format", "email"],
            &["a", "--allow-keyword", "type"],
            &["a", "--allow-dialect", "http://json-schema.org/draft-07/schema#=draft-07"],
            &["a", "--allow-dialect", "urn:x"],
            &["a", "--allow-dialect", "=draft-07"],
            &["a", "--allow-dialect", "urn:x=draft-7"],
            &["a", "--unknown-arguments", "reject"],
        ] {
            assert!(of(arguments).is_err(), "{arguments:?}");
        }
    }

    #[test]
    fn reads_the_command_line() {
        let options = ImportOptions::default()
            .allow_formats(["a", "b"])
            .allow_keywords(["x-order"])
            .allow_dialect("urn:x=y", Dialect::Draft7)
            .unknown_arguments(UnknownArguments::Refuse);
        let request = Request {
            files: vec!["one.json".into(), "-".into()],
            output: Output::Json,
            governance: Some("out.json".into()),
            options,
        };
        let arguments = [
            "one.json --allow-format a --allow-format b --json --allow-keyword=x-order --governance out.json",
            "--allow-dialect urn:x=y=draft-07 --unknown-arguments refuse -",
        ];
        assert_eq!(of(&arguments.join(" ").split(' ').collect::<Vec<_>>()), Ok(Asked::Check(request)));
        assert_eq!(of(&["a", "--help"]), Ok(Asked::Help));
        assert_eq!(of(&["a", "-V"]), Ok(Asked::Version));
        let Ok(Asked::Check(plain)) = of(&["a"]) else { panic!("a file is enough") };
        assert_eq!((plain.output, plain.governance, plain.options), (Output::Text, None, ImportOptions::default()));
    }

    #[test]
    fn the_help_fits_a_terminal() {
        assert!(HELP.lines().all(|line| line.chars().count() <= 80));
    }
}
