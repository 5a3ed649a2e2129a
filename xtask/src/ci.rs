//! `cargo xtask ci`: every step in order of cost, stopping at the first that fails.

mod step;

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};

use crate::clock::spoken;
use crate::interrupt;
use crate::listing;
use crate::options::Options;
use crate::workspace::Workspace;
use step::{Action, STEPS, Step};

/// Runs the steps that the options select.
///
/// # Errors
/// The first step that failed, with the command line that repeats it.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    options.check_only(STEPS.iter().map(|step| step.name))?;
    let steps: Vec<&Step> = STEPS.iter().filter(|step| options.selects(step.name)).collect();
    if options.list {
        return listing::print(steps.iter().map(|step| format!("{:11} {}", step.name, step.about)));
    }
    let begun = Instant::now();
    let mut took = Vec::new();
    let mut failure = None;
    for step in &steps {
        println!("\n=== {}: {}", step.name, step.about);
        let started = Instant::now();
        let outcome = perform(step, workspace);
        took.push(started.elapsed());
        let word = if outcome.is_ok() { "ok" } else { "FAILED" };
        println!("=== {}: {word} in {}{}", step.name, spoken(started.elapsed()), over(step, started.elapsed()));
        if let Err((repeat, error)) = outcome {
            failure = Some((step.name, repeat, error));
            break;
        }
    }
    println!("\n{}", summary(&steps, &took, failure.is_some()));
    if let Some((name, repeat, error)) = failure {
        bail!("step `{name}` failed: {error:#}\nrepeat it with: {repeat}");
    }
    println!("ci passed in {}", spoken(begun.elapsed()));
    Ok(())
}

/// Does what the step says; a failure comes with the command line that repeats it.
fn perform(step: &Step, workspace: &Workspace) -> Result<(), (String, anyhow::Error)> {
    if interrupt::is_requested() {
        return Err(("cargo xtask ci".into(), anyhow!("interrupted")));
    }
    match step.action {
        Action::Cargo(invocations) => invocations(workspace).into_iter().try_for_each(|invocation| {
            println!("    {invocation}");
            invocation.run(&workspace.root).map_err(|error| (invocation.to_string(), error))
        }),
        Action::Own(own) => own(workspace).map_err(|error| (format!("cargo xtask {}", step.name), error)),
    }
}

/// One line a step: its time beside its budget.
fn summary(steps: &[&Step], took: &[Duration], failed: bool) -> String {
    let mut text = format!("{:11} {:>10} {:>10}\n", "step", "time", "budget");
    for (at, step) in steps.iter().enumerate() {
        let budget = spoken(step.budget);
        let line = match took.get(at) {
            None => format!("{:11} {:>10} {budget:>10}  not run", step.name, "-"),
            Some(_) if failed && at + 1 == took.len() => format!("{:11} {:>10} {budget:>10}  FAILED", step.name, "-"),
            Some(time) => format!("{:11} {:>10} {budget:>10}{}", step.name, spoken(*time), over(step, *time)),
        };
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let total: Duration = took.iter().sum();
    let budget: Duration = steps.iter().map(|step| step.budget).sum();
    text + &format!("{:11} {:>10} {:>10}", "total", spoken(total), spoken(budget))
}

fn over(step: &Step, time: Duration) -> String {
    if time > step.budget { format!("  warning: over its budget of {}", spoken(step.budget)) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::step::{Action, STEPS, Step};
    use super::summary;

    fn step(name: &'static str, seconds: u64) -> Step {
        Step { name, about: "", budget: Duration::from_secs(seconds), action: Action::Own(|_| Ok(())) }
    }

    #[test]
    fn the_summary_tells_the_late_the_failed_and_the_unreached() {
        let steps = [step("a", 5), step("b", 1), step("c", 60), step("d", 60)];
        let steps: Vec<&Step> = steps.iter().collect();
        let took = [1, 2, 3].map(Duration::from_secs);
        let text = summary(&steps, &took, true);
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[1], ["a", "1.0", "s", "5.0", "s"]);
        assert_eq!(rows[2].join(" "), "b 2.0 s 1.0 s warning: over its budget of 1.0 s");
        assert_eq!(rows[3].join(" "), "c - 1 m 00 s FAILED");
        assert_eq!(rows[4].join(" "), "d - 1 m 00 s not run");
        assert_eq!(rows[5].join(" "), "total 6.0 s 2 m 06 s");
    }

    #[test]
    fn the_budgets_keep_the_whole_run_under_fifty_minutes() {
        let total: Duration = STEPS.iter().map(|step| step.budget).sum();
        assert!(total < Duration::from_secs(50 * 60), "{total:?}");
    }

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), STEPS.len());
    }
}
