//! What a collective call is: what all ranks of a group have to agree on.

use crate::{Operation, Rank};
use std::fmt;
use std::panic::Location;

/// A collective call: the function, and those of its arguments that are the same at all ranks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signature {
    name: Name,
    /// Where the program calls it. Ranks may call from different places.
    place: &'static Location<'static>,
    /// The type of the elements, and its size.
    elements: Option<(&'static str, usize)>,
    length: Option<usize>,
    /// A number of elements that is a rank's own: told, and not compared.
    own: Option<usize>,
    root: Option<Rank>,
    operator: Option<Operator>,
    /// The number of the window in its group.
    window: Option<u32>,
    /// Stands for a list that is too long to be kept.
    list: Option<u64>,
}

/// How elements are combined, or what else is chosen by a name.
#[derive(Clone, Copy, Debug)]
enum Operator {
    Known(Operation),
    Named(&'static str),
}

impl Signature {
    /// A call without further arguments.
    #[inline]
    pub(crate) fn new(name: Name, place: &'static Location<'static>) -> Self {
        Self {
            name,
            place,
            elements: None,
            length: None,
            own: None,
            root: None,
            operator: None,
            window: None,
            list: None,
        }
    }

    /// Of so many elements of a type.
    #[inline]
    pub(crate) fn of<T>(self, length: usize) -> Self {
        Self {
            elements: Some((std::any::type_name::<T>(), size_of::<T>())),
            length: Some(length),
            ..self
        }
    }

    /// Of elements of a type, of which each rank has a number of its own.
    #[inline]
    pub(crate) fn of_own<T>(self, length: usize) -> Self {
        Self {
            length: None,
            own: Some(length),
            ..self.of::<T>(length)
        }
    }

    /// With a list of lengths.
    pub(crate) fn lengths(self, lengths: &[usize]) -> Self {
        let list = lengths
            .iter()
            .fold(SEED, |hash, &length| mix(hash, length as u64));
        Self {
            list: Some(list),
            ..self
        }
    }

    /// From, or to, a rank.
    #[inline]
    pub(crate) fn root(self, root: Rank) -> Self {
        Self {
            root: Some(root),
            ..self
        }
    }

    /// With an operation.
    #[inline]
    pub(crate) fn operation(self, operation: Operation) -> Self {
        Self {
            operator: Some(Operator::Known(operation)),
            ..self
        }
    }

    /// With a function of the program's, or what else has a name.
    #[inline]
    pub(crate) fn named(self, name: &'static str) -> Self {
        Self {
            operator: Some(Operator::Named(name)),
            ..self
        }
    }

    /// On a window of the group.
    #[inline]
    pub(crate) fn window(self, name: u64) -> Self {
        Self {
            window: Some(name as u32),
            ..self
        }
    }

    /// With a list of ranks.
    pub(crate) fn list(self, ranks: &[Rank]) -> Self {
        let list = ranks.iter().fold(SEED, |hash, &rank| mix(hash, rank.into()));
        Self {
            length: Some(ranks.len()),
            list: Some(list),
            ..self
        }
    }

    /// The name of the function.
    pub(crate) fn name(&self) -> &'static str {
        self.name.text()
    }

    /// Where the program calls it, as `FILE:LINE`.
    pub(super) fn place(&self) -> String {
        format!("{}:{}", self.place.file(), self.place.line())
    }

    /// The calls of a group before this one, with this one.
    #[inline]
    pub(super) fn chained(&self, calls: u64) -> u64 {
        // What is there tells which of the words follow.
        let parts = u64::from(self.elements.is_some())
            | u64::from(self.length.is_some()) << 1
            | u64::from(self.root.is_some()) << 2
            | u64::from(self.window.is_some()) << 3
            | u64::from(self.list.is_some()) << 4
            | u64::from(self.operator.is_some()) << 5;
        let mut hash = mix(calls, self.name.hash ^ parts);
        if let Some((name, size)) = self.elements {
            hash = mix(text(hash, name), size as u64);
        }
        if let Some(length) = self.length {
            hash = mix(hash, length as u64);
        }
        if let Some(root) = self.root {
            hash = mix(hash, root.into());
        }
        if let Some(window) = self.window {
            hash = mix(hash, window.into());
        }
        if let Some(list) = self.list {
            hash = mix(hash, list);
        }
        match self.operator {
            None => hash,
            Some(Operator::Known(operation)) => mix(hash, operation as u64),
            Some(Operator::Named(name)) => text(hash, name),
        }
    }
}

/// The name of a function, with its hash, which is computed when this is compiled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    text: &'static str,
    hash: u64,
}

impl Name {
    pub(crate) const fn new(text: &'static str) -> Self {
        let bytes = text.as_bytes();
        let (mut hash, mut at) = (SEED, 0);
        while at < bytes.len() {
            hash = mix(hash, bytes[at] as u64);
            at += 1;
        }
        Self { text, hash }
    }

    pub(crate) fn text(self) -> &'static str {
        self.text
    }
}

const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// A step of the hash of rustc (FxHash): what is seen here is no attack.
#[inline]
pub(crate) const fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(0x517C_C1B7_2722_0A95)
}

#[inline]
fn text(hash: u64, text: &str) -> u64 {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let hash = words
        .iter()
        .fold(hash, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let last = rest.iter().fold(0, |last, &byte| last << 8 | u64::from(byte));
    mix(mix(hash, last), text.len() as u64)
}

impl fmt::Display for Signature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name.text)?;
        match self.operator {
            None => {}
            Some(Operator::Known(operation)) => write!(formatter, "({operation:?})")?,
            Some(Operator::Named(name)) => write!(formatter, " with `{name}`")?,
        }
        match (self.length.or(self.own), self.elements) {
            (Some(length), Some((name, _))) => write!(formatter, " of {length} {name}")?,
            (Some(length), None) => write!(formatter, " of {length} ranks")?,
            (None, _) => {}
        }
        if let Some(list) = self.list {
            write!(formatter, " (list {:04x})", list >> 48)?;
        }
        if let Some(root) = self.root {
            write!(formatter, " with root {root}")?;
        }
        if let Some(window) = self.window {
            write!(formatter, " on window {window}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each argument alone makes another call of it, and the place does not.
    #[test]
    fn what_must_agree_is_in_the_hash() {
        let call = || Signature::new(Name::new("reduce"), Location::caller());
        let base = call().of::<u64>(4).root(1).operation(Operation::Sum);
        let others = [
            Signature::new(Name::new("allreduce"), Location::caller())
                .of::<u64>(4)
                .root(1)
                .operation(Operation::Sum),
            base.of::<i64>(4),
            base.of::<[u64; 2]>(4),
            base.of::<u64>(5),
            base.root(0),
            base.operation(Operation::Max),
            base.named("Sum"),
            base.window(1 << 32),
            base.window(1),
            base.list(&[0, 1]),
            base.list(&[1, 0]),
        ];
        let mut seen: Vec<u64> = others.iter().map(|other| other.chained(7)).collect();
        seen.extend([base.chained(7), base.chained(8)]);
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), others.len() + 2);
        let elsewhere = call().of::<u64>(4).root(1).operation(Operation::Sum);
        assert_eq!(elsewhere.chained(7), base.chained(7));
        // Lengths of their own agree; that there are such, and a list of all, have to.
        let (own, other) = (base.of_own::<u64>(4), base.of_own::<u64>(5));
        assert_eq!(own.chained(7), other.chained(7));
        assert_ne!(own.chained(7), base.chained(7));
        assert_ne!(own.lengths(&[4, 5]).chained(7), own.lengths(&[5, 4]).chained(7));
    }

    #[test]
    fn a_call_is_told_as_the_program_writes_it() {
        let call = |name| Signature::new(Name::new(name), Location::caller());
        let told = |signature: Signature| signature.to_string();
        assert_eq!(told(call("barrier")), "barrier");
        assert_eq!(
            told(call("broadcast").of::<u8>(3).root(2)),
            "broadcast of 3 u8 with root 2"
        );
        assert_eq!(
            told(call("gatherv").of_own::<u8>(3).root(2)),
            "gatherv of 3 u8 with root 2"
        );
        let sum = call("allreduce").of::<f64>(1).operation(Operation::Sum);
        assert_eq!(told(sum), "allreduce(Sum) of 1 f64");
        assert_eq!(told(call("free").window(1 << 32 | 5)), "free on window 5");
    }
}
