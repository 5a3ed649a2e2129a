//! A mailer as it is found in older code: it knows nothing of tools and reports failure in its own envelope.

use std::sync::atomic::{AtomicU64, Ordering};

use mcp_tool_bridge::core::printable;

/// What the mailer takes.
pub(crate) struct Email {
    pub(crate) to: String,
    pub(crate) subject: String,
    pub(crate) body: String,
}

/// What the mailer returns, whether or not it worked.
pub(crate) struct Sent {
    pub(crate) success: bool,
    pub(crate) message_id: String,
    pub(crate) error: Option<String>,
}

static SENT: AtomicU64 = AtomicU64::new(0);

/// Pretends to send an email: one line on stderr. Mailboxes at `example.invalid` do not exist.
pub(crate) async fn send(email: Email) -> Sent {
    let Email { to, subject, body } = email;
    if to.to_ascii_lowercase().ends_with("@example.invalid") {
        let error = Some(format!("Mailbox {to} does not exist."));
        return Sent { success: false, message_id: String::new(), error };
    }
    // Nothing that came from a model may start a line of its own or move the cursor.
    eprintln!("[example] email to {}: {}", printable(&to), printable(&subject));
    drop(body);
    let number = SENT.fetch_add(1, Ordering::Relaxed) + 1;
    Sent { success: true, message_id: format!("m-{number}"), error: None }
}
