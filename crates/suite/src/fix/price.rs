//! What the calls cost that a program has and another one has not, by the table of costs that suggestions are ranked
//! by.
//!
//! Calls are counted in the text, comments aside: one in a loop counts once, as it does for a suggestion. A call that
//! the table does not have, a message for example, makes the sum a lower bound.
//!
//! Two repairs are compared where both are repairs of one program: a twin that puts to other bytes, accumulates with
//! another operation or loads another element says nothing of what it costs to order the accesses that are there.
//! Whether it does, the text tells: apart from synchronisation it has the same lines, and under the same conditions.

use farside_trial::Costs;
use std::collections::{BTreeMap, BTreeSet};

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
    /// It costs more.
    Dearer,
    /// The other one is no repair of this program: it makes other accesses.
    OfOther,
    /// The other one has calls of which nobody knows what they cost.
    NotKnown,
}

impl Price {
    /// Of the calls that `new` has and `old` has not, among so many processes.
    pub(crate) fn of_added(old: &str, new: &str, processes: u32) -> Self {
        let costs = Costs::default().among(processes);
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

    /// How it compares with another price, that of a program which is like this in its text.
    pub(crate) fn compared(self, other: Self, likeness: Likeness) -> Compared {
        // Sums of the same numbers in another order are the same price.
        let is_less = self.known <= other.known + 1e-6;
        match likeness {
            Likeness::OtherAccesses => Compared::OfOther,
            _ if is_less && !self.more => Compared::NoDearer,
            _ if other.more || self.more => Compared::NotKnown,
            Likeness::SameLines => Compared::ThanMoved,
            Likeness::SameAccesses => Compared::Dearer,
        }
    }
}

/// What two texts of a program have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// The same lines of code, in some order.
    SameLines,
    /// The same accesses, with other synchronisation.
    SameAccesses,
    /// Neither.
    OtherAccesses,
}

impl Likeness {
    /// Of a racy program and its clean twin.
    pub(crate) fn of(racy: &str, clean: &str) -> Self {
        let all = |source: &str| {
            let mut lines = lines(source);
            lines.sort_unstable();
            lines
        };
        if all(racy) == all(clean) {
            return Self::SameLines;
        }
        // What a call of the standard needs besides, a variable for a request, is no access.
        let accesses = |source: &str, with_plain: bool| {
            let mut lines = lines(source);
            lines.retain(|line| !is_synchronisation(line) && !branches(line));
            lines.retain(|line| with_plain || !calls(line).is_empty());
            lines.sort_unstable();
            lines
        };
        let mut left = accesses(clean, true);
        let has = |line: &String| {
            let at = left.iter().position(|other| other == line);
            at.map(|at| left.remove(at)).is_some()
        };
        let has_all = accesses(racy, true).iter().all(has);
        let conditions = |source: &str| {
            let all = lines(source).into_iter();
            all.filter(|line| line.to_ascii_lowercase().starts_with("if"))
                .collect::<BTreeSet<_>>()
        };
        let has_all = has_all && conditions(racy).is_subset(&conditions(clean));
        match has_all && accesses(racy, false) == accesses(clean, false) {
            true => Self::SameAccesses,
            false => Self::OtherAccesses,
        }
    }
}

/// The lines of code of a source, without the braces and blanks around them.
fn lines(source: &str) -> Vec<String> {
    let code = without_comments(source);
    let line = |line: &str| {
        line.trim_matches(|c: char| c.is_whitespace() || "{}".contains(c))
            .to_owned()
    };
    // A pause orders nothing, and is no access.
    let is_code = |line: &String| !line.is_empty() && !line.starts_with("usleep(");
    code.lines().map(line).filter(is_code).collect()
}

/// Whether a line is there for an order alone: all its calls cost what synchronisation costs, or are messages, and none
/// moves data of a window.
fn is_synchronisation(line: &str) -> bool {
    let costs = Costs::default();
    let moves = |name: &str| {
        name.split('_')
            .any(|part| ["write", "read", "put", "get"].contains(&part))
    };
    let is_message = |name: &str| {
        ["send", "recv", "probe", "test"]
            .iter()
            .any(|part| name.contains(part))
    };
    let calls = calls(line);
    let orders = |name: &String| (costs.of_call(name).is_some() || is_message(name)) && !moves(name);
    !calls.is_empty() && calls.keys().all(orders)
}

/// Whether a line begins with a word that branches: a statement between two parts of a branch makes it two.
fn branches(line: &str) -> bool {
    let word = line
        .split(|c: char| !c.is_ascii_alphanumeric())
        .next()
        .unwrap_or_default();
    ["if", "else", "end", "endif", "do"].contains(&word.to_ascii_lowercase().as_str())
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
        let price = |new: &str| Price::of_added(racy, new, 2);
        let repaired = price("MPI_Put(a); MPI_Win_flush(1, w); // MPI_Barrier(c)\nMPI_Win_unlock(1, w);");
        assert_eq!(
            repaired.known(),
            Costs::default().of_call("MPI_Win_flush").unwrap()
        );
        let both = price("MPI_Put(a); MPI_Win_flush(1, w); MPI_Barrier(c); MPI_Win_unlock(1, w);");
        assert_eq!(
            repaired.compared(both, Likeness::SameAccesses),
            Compared::NoDearer
        );
        assert_eq!(both.compared(repaired, Likeness::SameAccesses), Compared::Dearer);
        let moved = price("MPI_Put(a);");
        assert_eq!(both.compared(moved, Likeness::SameLines), Compared::ThanMoved);
        assert_eq!(both.compared(moved, Likeness::OtherAccesses), Compared::OfOther);
        let message = price("MPI_Put(a); MPI_Send(b); MPI_Recv(b);");
        assert_eq!(both.compared(message, Likeness::SameAccesses), Compared::NotKnown);
    }

    #[test]
    fn a_twin_with_other_accesses_is_no_repair() {
        let racy = "if (r == 0) {\n MPI_Put(a, 1, win);\n b = a[0]; // own\n MPI_Win_unlock(1, win);\n}";
        let flushed = "if (r == 0) {\n MPI_Put(a, 1, win);\n MPI_Win_flush(1, win);\n}\nif (r == 0) {\n b = a[0];\n \
                       MPI_Win_unlock(1, win);\n}";
        let waited = "MPI_Request q;\nif (r == 0) {\n MPI_Put(a, 1, win);\n MPI_Wait(&q);\n b = a[0];\n \
                      MPI_Win_unlock(1, win);\n}";
        let moved = "if (r == 0) {\n MPI_Put(a, 1, win);\n MPI_Win_unlock(1, win);\n b = a[0];\n}";
        for (twin, wanted) in [
            (flushed, Likeness::SameAccesses),
            (waited, Likeness::SameAccesses),
            (moved, Likeness::SameLines),
            (&racy.replace("a[0]", "a[1]"), Likeness::OtherAccesses),
            (&racy.replace("r == 0", "r == 1"), Likeness::OtherAccesses),
            (&racy.replace("b =", "usleep(9);\nb ="), Likeness::SameLines),
            (
                &racy.replace("MPI_Put(a", "MPI_Accumulate(a"),
                Likeness::OtherAccesses,
            ),
            (
                &racy.replace("b =", "MPI_Get(c, 1, win);\nb ="),
                Likeness::OtherAccesses,
            ),
        ] {
            assert_eq!(Likeness::of(racy, twin), wanted, "{twin}");
        }
        let told = "gaspi_write_notify(1, 8, 1);";
        assert_eq!(
            Likeness::of(told, "gaspi_write_notify(1, 9, 1);"),
            Likeness::OtherAccesses
        );
    }

    #[test]
    fn fortran_has_small_and_capital_letters() {
        let found = calls("! call mpi_barrier(c)\n  call MPI_Win_Fence (0, win)\n");
        assert_eq!(found, BTreeMap::from([("mpi_win_fence".to_owned(), 1)]));
    }
}
