//! What the calls cost that a program has and another one has not, by the table of costs that suggestions are ranked
//! by.
//!
//! Calls are counted in the text, comments aside: one in a loop counts once, as it does for a suggestion. A call that
//! the table does not have, a message for example, makes the sum a lower bound.

use farside_trial::Costs;
use std::collections::BTreeMap;

/// What calls cost in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Price {
    known: f64,
    /// There are calls besides of which nobody knows what they cost.
    more: bool,
}

/// How the price of a repair compares with that of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Compared {
    /// It costs as much, or less.
    NoDearer,
    /// The other one adds no call at all: it has the same statements in another order.
    ThanMoved,
    /// It adds none, and is another program: with other bytes, another operation or another buffer.
    ThanOther,
    /// It costs more.
    Dearer,
    /// The other one has calls of which nobody knows what they cost.
    NotKnown,
}

impl Price {
    /// Of the calls that `new` has and `old` has not.
    pub(crate) fn of_added(old: &str, new: &str) -> Self {
        let costs = Costs::default();
        let mut left = calls(old);
        let mut price = Self::default();
        for (name, count) in calls(new) {
            let known = left.remove(&name).unwrap_or(0);
            for _ in known..count {
                match costs.of_call(&name) {
                    Some(cost) => price.known += cost,
                    None => price.more = true,
                }
            }
        }
        price
    }

    /// Microseconds, as far as they are known.
    pub(crate) fn known(self) -> f64 {
        self.known
    }

    /// How it compares with another price, that of a program which has the same statements, or others.
    pub(crate) fn compared(self, other: Self, same_statements: bool) -> Compared {
        // Sums of the same numbers in another order are the same price.
        let is_less = self.known <= other.known + 1e-6;
        match () {
            () if is_less && !self.more => Compared::NoDearer,
            () if other.more || self.more => Compared::NotKnown,
            () if other.known == 0.0 && same_statements => Compared::ThanMoved,
            () if other.known == 0.0 => Compared::ThanOther,
            () => Compared::Dearer,
        }
    }
}

/// Whether two sources have the same lines of code, in some order.
pub(super) fn has_same_lines(one: &str, other: &str) -> bool {
    let lines = |source: &str| {
        let code = without_comments(source);
        let lines = code.lines().map(|line| line.trim().to_owned());
        let mut lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
        lines.sort_unstable();
        lines
    };
    lines(one) == lines(other)
}

/// How often each call of an interface stands in a source, by its name in small letters.
fn calls(source: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    let source = without_comments(source);
    let mut rest = source.as_str();
    while let Some(open) = rest.find('(') {
        let before = rest[..open].trim_end();
        let word = before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let name = word.into_iter().next().unwrap_or_default().to_ascii_lowercase();
        if ["mpi_", "shmem_", "gaspi_"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
        {
            *found.entry(name).or_default() += 1;
        }
        rest = &rest[open + 1..];
    }
    found
}

/// The source without comments of C and C++, and without lines of Fortran that are comments.
pub(super) fn without_comments(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(start) = rest.find("/*") {
        out.push_str(&rest[..start]);
        rest = rest[start..].split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    let code = |line: &str| !line.trim_start().starts_with('!');
    let lines = out.lines().filter(|line| code(line));
    lines
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_are_added_cost() {
        let racy = "/* MPI_Barrier( */ MPI_Put(a); MPI_Win_unlock(1, w);";
        let price = |new: &str| Price::of_added(racy, new);
        let repaired = price("MPI_Put(a); MPI_Win_flush(1, w); // MPI_Barrier(c)\nMPI_Win_unlock(1, w);");
        assert_eq!(
            repaired.known(),
            Costs::default().of_call("MPI_Win_flush").unwrap()
        );
        let both = price("MPI_Put(a); MPI_Win_flush(1, w); MPI_Barrier(c); MPI_Win_unlock(1, w);");
        assert_eq!(repaired.compared(both, false), Compared::NoDearer);
        assert_eq!(both.compared(repaired, false), Compared::Dearer);
        for (same, wanted) in [(true, Compared::ThanMoved), (false, Compared::ThanOther)] {
            assert_eq!(both.compared(price("MPI_Put(b);"), same), wanted);
        }
        assert!(has_same_lines("a();\nb(); // b\n", "b();\n/* why */\n  a();\n"));
        assert!(!has_same_lines("a();\nb();\n", "a();\nc();\n"));
        let message = price("MPI_Put(a); MPI_Send(b); MPI_Recv(b);");
        assert_eq!(both.compared(message, false), Compared::NotKnown);
    }

    #[test]
    fn fortran_has_small_and_capital_letters() {
        let found = calls("! call mpi_barrier(c)\n  call MPI_Win_Fence (0, win)\n");
        assert_eq!(found, BTreeMap::from([("mpi_win_fence".to_owned(), 1)]));
    }
}
