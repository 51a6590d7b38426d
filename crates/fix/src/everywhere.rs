//! Where a call stands that all ranks make, between two places.
//!
//! Both are ways through the statements of one function. The call goes into the innermost block that has both, after
//! the statement of the first. Where two branches of one `if` have them, each branch gets the call, and what takes no
//! branch, too. Where a loop leads from the first to the second, it goes to the end of the first's statement in it.
//! Nothing around the call may ask for the rank.

use crate::edit::Side;
use crate::source::Source;
use crate::statement::{Kind, Step};

/// Places for one and the same call, of which every rank comes to one.
pub(crate) struct Places<'s> {
    /// Beside statements.
    beside: Vec<(Step<'s>, Side)>,
    /// An `if` whose ranks that take no branch make the call in an `else`.
    otherwise: Option<Step<'s>>,
}

impl<'s> Places<'s> {
    /// Beside statements.
    pub(crate) fn beside(&self) -> &[(Step<'s>, Side)] {
        &self.beside
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

/// The places for a call after the first and before the second.
pub(crate) fn between<'s>(
    source: &Source,
    first: &[Step<'s>],
    second: &[Step<'s>],
) -> Result<Places<'s>, Nowhere> {
    let shared = first.iter().zip(second).take_while(|(a, b)| a.is(b)).count();
    match (first.get(shared), second.get(shared)) {
        (Some(a), Some(b)) if a.number() != b.number() => {
            let parent = shared.checked_sub(1).ok_or(Nowhere::Nothing)?;
            let statement = first[parent].statement();
            let Kind::If { complete } = statement.kind() else {
                return round(source, first, shared);
            };
            reached_by_all(source, &first[..parent])?;
            let others =
                (0..statement.blocks().len()).filter(|number| ![a.number(), b.number()].contains(number));
            let mut beside = vec![(*a, Side::After), (*b, Side::Before)];
            for other in others {
                let block = &statement.blocks()[other];
                if block.statements().is_empty() {
                    return Err(Nowhere::Nothing);
                }
                beside.push((Step::of(block, other, 0, shared), Side::Before));
            }
            Ok(Places {
                beside,
                otherwise: (!complete).then_some(first[parent]),
            })
        }
        (Some(a), Some(b)) if a.index() < b.index() => {
            reached_by_all(source, &first[..shared])?;
            Ok(Places {
                beside: vec![(*a, Side::After)],
                otherwise: None,
            })
        }
        _ => round(source, first, shared),
    }
}

/// A loop leads from the first to the second, if anything does.
fn round<'s>(source: &Source, first: &[Step<'s>], shared: usize) -> Result<Places<'s>, Nowhere> {
    let loops = (0..shared.min(first.len().saturating_sub(1))).rev();
    let mut nowhere = Nowhere::Nothing;
    for level in loops.filter(|level| first[*level].statement().kind() == Kind::Loop) {
        match reached_by_all(source, &first[..=level]) {
            Ok(()) => {
                return Ok(Places {
                    beside: vec![(first[level + 1], Side::After)],
                    otherwise: None,
                });
            }
            Err(why) => nowhere = why,
        }
    }
    Err(nowhere)
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
