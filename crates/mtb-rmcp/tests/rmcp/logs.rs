//! What the SDK writes into logs, which no layer behind it can help.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::peer::Peer;
use crate::site::Site;

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Written {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// What is logged up to `level` while a call with a secret is served, and one whose tool nobody has.
async fn logged(level: LevelFilter) -> String {
    let written = Written::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(level).with_writer(written.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let mut peer = Peer::initialized(Site::new().for_alice(), "2025-11-25", json!({})).await;
    peer.called(1, json!({"name": "repeat", "arguments": {"number": 8_765_432}})).await;
    peer.called(2, json!({"name": "Bartholomew"})).await;
    let written = written.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
    String::from_utf8(written).unwrap()
}

#[tokio::test]
async fn the_sdk_logs_content_at_debug_and_not_above() {
    assert!(logged(LevelFilter::DEBUG).await.contains("8765432"));
    assert!(!logged(LevelFilter::INFO).await.contains("8765432"));
}

/// What a caller invents is content, too.
#[tokio::test]
async fn the_sdk_logs_the_names_of_unknown_tools_at_warn() {
    assert!(logged(LevelFilter::WARN).await.contains("Bartholomew"));
    assert!(!logged(LevelFilter::ERROR).await.contains("Bartholomew"));
}
