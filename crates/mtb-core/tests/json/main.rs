//! JSON as untrusted input: the canonical form and the scan of a message.

#[cfg(test)]
mod canonical;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod duplicates;
#[cfg(test)]
mod envelope;
#[cfg(test)]
mod grammar;
#[cfg(test)]
mod numbers;
#[cfg(test)]
mod spans;
