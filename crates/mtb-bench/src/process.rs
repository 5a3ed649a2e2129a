//! What the kernel knows of another process. It says so on Linux only.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};

const NANOSECONDS: u64 = 1_000_000_000;

/// A process that is measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Process(pub(crate) u32);

impl Process {
    /// Processor time until now.
    pub(crate) fn cpu(self) -> Result<Duration> {
        let ticks = ticks(&self.read("stat")?).context("`stat` of a process is written otherwise")?;
        Ok(Duration::from_nanos(ticks * (NANOSECONDS / rustix::param::clock_ticks_per_second())))
    }

    /// Memory that it holds, in KiB.
    pub(crate) fn resident_kib(self) -> Result<u32> {
        self.kib("VmRSS:")
    }

    /// The most that it ever held, in KiB.
    fn peak_kib(self) -> Result<u32> {
        self.kib("VmHWM:")
    }

    /// The same in MiB.
    pub(crate) fn peak_mib(self) -> Result<f64> {
        Ok(f64::from(self.peak_kib()?) / 1_024.0)
    }

    fn kib(self, field: &str) -> Result<u32> {
        kib(&self.read("status")?, field).with_context(|| format!("`status` of a process has no {field}"))
    }

    fn read(self, file: &str) -> Result<String> {
        let path = format!("/proc/{}/{file}", self.0);
        fs::read_to_string(&path).with_context(|| format!("{path} cannot be read"))
    }
}

/// The fields after the name, which may hold anything: the 14th and 15th of the line are times.
fn ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut times = fields.split_whitespace().skip(11).map(str::parse::<u64>);
    times.next()?.ok()?.checked_add(times.next()?.ok()?)
}

fn kib(status: &str, field: &str) -> Option<u32> {
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{kib, ticks};

    #[test]
    fn reads_what_the_kernel_writes() {
        let stat = "7 (a) (b) S 1 7 7 0 -1 4194560 90 0 0 0 30 12 5 5 20 0 1 0 100 200 300";
        assert_eq!(ticks(stat), Some(42));
        assert_eq!(ticks("7 (a) S 1"), None);
        let status = "Name:\tx\nVmHWM:\t   2048 kB\nVmRSS:\t    512 kB\n";
        assert_eq!(
            (kib(status, "VmHWM:"), kib(status, "VmRSS:"), kib(status, "VmSwap:")),
            (Some(2_048), Some(512), None)
        );
    }
}
