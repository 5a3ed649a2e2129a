use std::time::Duration;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::in_process::Figures;
use crate::latencies::Latencies;

/// What one round measured of one server. The load generator prints it as a line of JSON; what does not apply is left
/// out.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Measure {
    /// Answered requests per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_per_second: Option<f64>,
    /// Half of the requests were answered within so many microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50_us: Option<f64>,
    /// 99 of a hundred requests were answered within so many microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99_us: Option<f64>,
    /// Processor time of the server for each request, in microseconds, in the kernel and out of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<f64>,
    /// The most memory that the server ever held, in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_mib: Option<f64>,
    /// From the start of the process to its first answer, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_ms: Option<f64>,
    /// Memory that the server holds while it has nothing to do, in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle_mib: Option<f64>,
    /// Memory for each open session, in KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_kib: Option<f64>,
    /// A governed call in this process, in microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_us: Option<f64>,
    /// What it is made of at least, each alone, in microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts_us: Option<f64>,
    /// The call by the sum of its parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_parts: Option<f64>,
    /// The call among 10,000 tools by the call among 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_few: Option<f64>,
}

impl Measure {
    /// Of calls in this process.
    #[must_use]
    pub fn of_figures(figures: &Figures) -> Self {
        Self {
            call_us: Some(figures.call.as_secs_f64() * 1e6),
            parts_us: Some(figures.sum().as_secs_f64() * 1e6),
            times_parts: Some(figures.times_parts),
            times_few: Some(figures.times_few),
            ..Self::default()
        }
    }

    /// Of requests that together took `elapsed`, and the server `cpu` of processor time.
    pub(crate) fn of_requests(mut latencies: Latencies, elapsed: Duration, cpu: Duration) -> Result<Self> {
        let count = f64::from(u32::try_from(latencies.count()).context("that many requests")?);
        let micros = |duration: Duration| Some(duration.as_secs_f64() * 1e6);
        Ok(Self {
            requests_per_second: Some(count / elapsed.as_secs_f64()),
            p50_us: micros(latencies.percentile(50)),
            p99_us: micros(latencies.percentile(99)),
            cpu_us: Some(cpu.as_secs_f64() * 1e6 / count),
            ..Self::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Measure;
    use crate::latencies::Latencies;

    #[test]
    fn prints_what_applies() {
        let mut latencies = Latencies::default();
        for millis in 1..=4 {
            latencies.add(Duration::from_millis(millis));
        }
        let measure = Measure::of_requests(latencies, Duration::from_millis(8), Duration::from_millis(2)).unwrap();
        let expected = r#"{"requests_per_second":500.0,"p50_us":2000.0,"p99_us":4000.0,"cpu_us":500.0}"#;
        assert_eq!(serde_json::to_string(&measure).unwrap(), expected);
    }
}
