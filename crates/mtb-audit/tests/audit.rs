//! The trail as its users see it: what reaches a sink, what reaches an operator, and what reaches nobody.

#[cfg(test)]
mod audit {
    mod canary;
    mod failing_sinks;
    mod fixture;
    mod goldens;
    mod records;
    mod unknown_tools;
    mod writing;
}
