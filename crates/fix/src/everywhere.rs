//! Where a call stands that all ranks make, between two places.
//!
//! Both are ways through the statements of one function. The call goes into the innermost block that has both, after
//! the statement of the first, or after one of those that follow up to the second. Where two branches of one `if` have
//! them, each branch gets the call, and what takes no branch, too. Where a loop leads from the first to the second, it
//! goes to the end of the first's statement in it. Nothing around the call may ask for the rank; but an `if` that does,
//! and has both in its one branch, can end before the call and begin again after it.

use crate::edit::Side;
use crate::source::{Source, names};
use crate::statement::{Kind, Statement, Step};

/// Places for one and the same call, of which every rank comes to one.
pub(crate) struct Places<'s> {
    /// Beside statements; those that decide come first.
    beside: Vec<(Step<'s>, Side)>,
    /// How many of them lie between the two places in the text. The others are where ranks come that make neither.
    deciding: usize,
    /// An `if` whose ranks that take no branch make the call in an `else`.
    otherwise: Option<Step<'s>>,
    /// An `if` that ends after the statement, and begins again after the call.
    split: Option<Step<'s>>,
}

impl<'s> Places<'s> {
    fn one(step: Step<'s>) -> Self {
        Self {
            beside: vec![(step, Side::After)],
            deciding: 1,
            otherwise: None,
            split: None,
        }
    }

    /// An `if` that ends after the statement, and begins again after the call.
    pub(crate) fn split(&self) -> Option<Step<'s>> {
        self.split
    }

    /// Whether the call stands right after the statement at the end of a way, and nowhere else.
    pub(crate) fn follows(&self, path: &[Step<'s>]) -> bool {
        let is_there = |step: &Step<'s>| path.last().is_some_and(|last| last.is(step));
        let is_alone = self.split.is_none() && self.otherwise.is_none();
        is_alone && matches!(self.beside.as_slice(), [(step, Side::After)] if is_there(step))
    }

    /// Beside statements.
    pub(crate) fn beside(&self) -> &[(Step<'s>, Side)] {
        &self.beside
    }

    /// Those of them that lie between the two places in the text.
    pub(crate) fn deciding(&self) -> &[(Step<'s>, Side)] {
        &self.beside[..self.deciding]
    }

    /// An `if` whose ranks that take no branch make the call in an `else`.
    pub(crate) fn otherwise(&self) -> Option<Step<'s>> {
        self.otherwise
    }
}

/// Why there is none.
pub(crate) enum Nowhere {
    /// What has both is reached by some ranks only.
    SomeRanks,
    /// No statement lies between the two.
    Nothing,
}

/// The places for a call after the first and before the second, the nearest to the first one first; at least one.
pub(crate) fn between<'s>(
    source: &Source,
    first: &[Step<'s>],
    second: &[Step<'s>],
) -> Result<Vec<Places<'s>>, Nowhere> {
    let shared = first.iter().zip(second).take_while(|(a, b)| a.is(b)).count();
    match (first.get(shared), second.get(shared)) {
        (Some(a), Some(b)) if a.number() != b.number() => {
            let parent = shared.checked_sub(1).ok_or(Nowhere::Nothing)?;
            if !matches!(first[parent].statement().kind(), Kind::If { .. }) {
                return round(source, first, shared);
            }
            reached_by_all(source, &first[..parent])?;
            in_branches(&first[parent], a, b)
        }
        (Some(a), Some(b)) if a.index() < b.index() => {
            let places = (a.index()..b.index()).map(|index| Places::one(a.sibling(index)));
            match (reached_by_all(source, &first[..shared]), shared.checked_sub(1)) {
                (Ok(()), _) => Ok(places.collect()),
                (Err(_), Some(parent)) if can_be_split(source, &first[parent], b.index()) => {
                    reached_by_all(source, &first[..parent])?;
                    let split = Some(first[parent]);
                    Ok(places.map(|place| Places { split, ..place }).collect())
                }
                (Err(why), _) => Err(why),
            }
        }
        _ => round(source, first, shared),
    }
}

/// The places in the branches of an `if`, two of which have the two places.
///
/// The call stands somewhere in one of the two. Who is in a branch above that one comes there when it leaves its own
/// branch, and who is in a branch below when it enters it.
fn in_branches<'s>(
    branching: &Step<'s>,
    first: &Step<'s>,
    second: &Step<'s>,
) -> Result<Vec<Places<'s>>, Nowhere> {
    let statement = branching.statement();
    let blocks = statement.blocks();
    if blocks.iter().any(|block| block.statements().is_empty()) {
        return Err(Nowhere::Nothing);
    }
    let Kind::If { complete } = statement.kind() else {
        return Err(Nowhere::Nothing);
    };
    let edge = |number: usize, of: usize| {
        let block = &blocks[number];
        let (index, side) = match number < of {
            true => (block.statements().len() - 1, Side::After),
            false => (0, Side::Before),
        };
        (Step::of(block, number, index, first.depth()), side)
    };
    let places = |known: &[(Step<'s>, Side)]| {
        let others =
            (0..blocks.len()).filter(|number| known.iter().all(|(step, _)| step.number() != *number));
        let of = known[0].0.number();
        Places {
            beside: known
                .iter()
                .copied()
                .chain(others.map(|number| edge(number, of)))
                .collect(),
            deciding: known.len(),
            otherwise: (!complete).then_some(*branching),
            split: None,
        }
    };
    let mut all = vec![places(&[(*first, Side::After), (*second, Side::Before)])];
    let after = first.index()..first.block().statements().len();
    all.extend(after.map(|index| places(&[(first.sibling(index), Side::After)])));
    let before = (0..=second.index()).rev();
    all.extend(before.map(|index| places(&[(second.sibling(index), Side::Before)])));
    Ok(all)
}

/// Whether an `if` means the same if it ends before a statement in it, and begins again with the same condition: the
/// condition has no effect, what it asks for is not changed before that statement, and nothing is declared there.
fn can_be_split(source: &Source, step: &Step<'_>, before: usize) -> bool {
    let statement = step.statement();
    let [block] = statement.blocks() else {
        return false;
    };
    let head = String::from_utf8_lossy(source.code(block.head())).into_owned();
    let has_effect = head.contains("++") || head.contains("--") || sets(&head, None);
    let is_changed = |one: &Statement| {
        let code = String::from_utf8_lossy(source.code(one.range())).into_owned();
        names(&head).any(|name| sets(&code, Some(name)))
    };
    let first = &block.statements()[..before];
    let is_simple = |one: &Statement| one.kind() == Kind::Simple && !source.declares(one);
    matches!(statement.kind(), Kind::If { .. })
        && block.is_braced()
        && !has_effect
        && first.iter().all(is_simple)
        && !first.iter().any(is_changed)
}

/// Whether code gives a variable, or any one, another value: it is assigned, or its address is taken.
fn sets(code: &str, name: Option<&str>) -> bool {
    let of_name = |before: &str| name.is_none_or(|name| names(before).last() == Some(name));
    let assigned = code.match_indices('=').any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + 1..]);
        let compares = after.starts_with('=') || before.ends_with(['=', '!', '<', '>', '/']);
        !compares && of_name(before)
    });
    let counted = ["++", "--"]
        .iter()
        .any(|sign| name.is_some() && code.contains(sign));
    let given = name.is_some_and(|name| code.replace(' ', "").contains(&format!("&{name}")));
    assigned || counted || given
}

/// A loop leads from the first to the second, if anything does.
fn round<'s>(source: &Source, first: &[Step<'s>], shared: usize) -> Result<Vec<Places<'s>>, Nowhere> {
    let loops = (0..shared.min(first.len().saturating_sub(1))).rev();
    let mut nowhere = Nowhere::Nothing;
    for level in loops.filter(|level| first[*level].statement().kind() == Kind::Loop) {
        match reached_by_all(source, &first[..=level]) {
            Ok(()) => {
                let step = first[level + 1];
                let last = step.block().statements().len();
                let places = (step.index()..last).map(|index| Places::one(step.sibling(index)));
                return Ok(places.collect());
            }
            Err(why) => nowhere = why,
        }
    }
    Err(nowhere)
}

/// The places after the first where no loop of its function leads to the second, but those who call the function again:
/// up to the end of the function, as far as all ranks come there.
pub(crate) fn before_the_next_call<'s>(source: &Source, first: &[Step<'s>]) -> Vec<Places<'s>> {
    let is_function = |step: &Step<'s>| step.statement().kind() == Kind::Function;
    let Some(function) = first.iter().rposition(is_function) else {
        return Vec::new();
    };
    let mut levels = (function + 1..first.len()).rev();
    let level = levels.find(|level| reached_by_all(source, &first[..*level]).is_ok());
    let places = level.map(|level| {
        let step = first[level];
        let last = step.block().statements().len();
        (step.index()..last).map(move |index| Places::one(step.sibling(index)))
    });
    places.into_iter().flatten().collect()
}

/// Whether no condition on a way asks for the rank.
pub(crate) fn reached_by_all(source: &Source, way: &[Step<'_>]) -> Result<(), Nowhere> {
    let conditional = |step: &Step<'_>| {
        let statement = step.statement();
        matches!(statement.kind(), Kind::If { .. } | Kind::Switch | Kind::Loop)
            && statement
                .blocks()
                .iter()
                .any(|block| source.asks_for_rank(block.head()))
    };
    match way.iter().any(conditional) {
        true => Err(Nowhere::SomeRanks),
        false => Ok(()),
    }
}
