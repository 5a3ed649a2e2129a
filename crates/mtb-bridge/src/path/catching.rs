use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::FutureExt;

/// Runs the host's code; a panic becomes its text, which may hold content.
pub(super) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| panic_text(&*panic))
}

/// The same for a future, from its making to its end.
pub(super) async fn caught_async<T, F: Future<Output = T>>(make: impl FnOnce() -> F) -> Result<T, String> {
    let future = caught(make)?;
    AssertUnwindSafe(future).catch_unwind().await.map_err(|panic| panic_text(&*panic))
}

pub(super) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panicked: {}", text.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::panic::panic_any;

    use super::caught;

    #[test]
    fn a_panic_becomes_its_text() {
        let rows: [(fn(), &str); 3] = [
            (|| panic!("boom"), "panicked: boom"),
            (|| panic!("{}", 7), "panicked: 7"),
            (|| panic_any(7), "panicked: "),
        ];
        for (run, text) in rows {
            assert_eq!(caught(run), Err(text.to_owned()));
        }
        assert_eq!(caught(|| 4), Ok(4));
    }
}
