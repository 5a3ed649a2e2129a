use std::future::pending;
use std::io::stdin;
use std::process::{Command, ExitCode, Stdio};

use mtb_bridge::{Bridge, HandlerError, JsonSchema, Tool, ToolDraft, ToolRegistry};
use mtb_core::{Governance, Principal, Reversibility, Sensitivity, any_of};
use mtb_stdio::{Ended, ServeError, ServerInfo, StdioOptions, serve_stdio, shutdown_signal};

/// Names the variable that makes this program a server, and says which.
pub(crate) const ROLE: &str = "MTB_STDIO_TEST_ROLE";

/// Serves once and exits.
pub(crate) const SERVER: &str = "server";
/// Serves, then prints to stdout how it ended.
pub(crate) const TALKER: &str = "talker";
/// Serves, then reads on from stdin and prints what it found.
pub(crate) const READER: &str = "reader";
/// Tries to serve twice at once.
pub(crate) const TWINS: &str = "twins";

pub(crate) fn run(role: &str) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ended = runtime.block_on(async {
        if role == TWINS {
            let (first, second) = tokio::join!(serve(), serve());
            assert!(matches!(second, Err(ServeError::AlreadyServing)), "{second:?}");
            eprintln!("the second was refused");
            first
        } else {
            serve().await
        }
    });
    drop(runtime);
    if role == TALKER {
        println!("ended: {ended:?}");
    }
    if role == READER {
        eprintln!("reading on");
        let mut line = String::new();
        stdin().read_line(&mut line).unwrap();
        print!("read: {line}");
    }
    match ended {
        Ok(_) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

async fn serve() -> Result<Ended, ServeError> {
    let registry = ToolRegistry::new();
    registry.register_all(tools()).unwrap();
    let info = ServerInfo { name: "child".into(), version: "1.0.0".into(), title: None, instructions: None };
    let options = StdioOptions::new(Principal::new("alice", ["staff"]).unwrap(), info);
    serve_stdio(Bridge::new(registry), options.with_shutdown(shutdown_signal())).await
}

fn tools() -> [ToolDraft; 5] {
    let tool = |name| {
        let governance = Governance {
            sensitivity: Sensitivity::None,
            reversibility: Reversibility::Reversible,
            roles: any_of(["staff"]),
        };
        Tool::declare(name, "Misbehaves.", JsonSchema::no_arguments(), governance)
    };
    [
        tool("print").handler(|_args, _call| async {
            print!("a stray line\na stray beginning");
            Ok("printed")
        }),
        tool("spawn").handler(|_args, _call| async {
            // A child process inherits the standard streams, reads all of its stdin and writes to its stdout.
            let script = "cat && echo a stray child";
            let status = Command::new("sh").args(["-c", script]).stdin(Stdio::inherit()).status()?;
            Ok(format!("exited: {}", status.success()))
        }),
        tool("panic").handler(|_args, call| async move {
            assert!(call.cancellation().is_cancelled(), "a stray panic");
            Ok("unreachable")
        }),
        tool("large").handler(|_args, _call| async { Ok("x".repeat(1_000_000)) }),
        tool("stubborn").handler(|_args, _call| {
            eprintln!("stubborn began");
            pending::<Result<&str, HandlerError>>()
        }),
    ]
}
