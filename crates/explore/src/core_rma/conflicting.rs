//! Whether some execution of a program has two accesses that conflict, whether or not an outcome shows it.
//!
//! Promise: exact, by the words of the naive engine. What an access that is not atomic reads orders nothing: of those,
//! one source is tried, unless a branch hangs on their values.
//!
//! Used where an engine that finds races is compared with a model.

use super::naive::{Candidate, each, happens_before, sources, values::Values, write_orders};
use super::{Budget, ExploreError, Limits, refuse};
use farside_litmus::ast::Program;
use farside_models::core_rma::paths::paths;
use farside_models::core_rma::rules::{conflict, no_c};
use farside_models::core_rma::value::{Source, Term};
use farside_models::core_rma::{CoreModel, Path};

/// Two accesses that conflict in some execution: their statements, counted from 0 in their processes; none if there are
/// no such two. First values conflict with nothing.
///
/// # Errors
/// As [`outcomes`](crate::outcomes).
pub fn conflicting(
    program: &Program,
    model: &CoreModel,
    limits: &Limits,
) -> Result<Option<[(u32, usize); 2]>, ExploreError> {
    let mut budget = Budget::new(limits);
    let ways = paths(program, model, &[]).map_err(|unfit| refuse(program, model, unfit, limits))?;
    for path in ways {
        let path = path.map_err(|unfit| refuse(program, model, unfit, limits))?;
        let found = of_path(&path, model, &mut budget)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn of_path(
    path: &Path,
    model: &CoreModel,
    budget: &mut Budget,
) -> Result<Option<[(u32, usize); 2]>, ExploreError> {
    let demanded = happens_before::demanded_by_program(path, model);
    let orders = write_orders(path, model);
    let by_reads = model.orders.iter().any(|order| order.dynamic) || !model.requirements.is_empty();
    let all = by_reads || !branches_know(path);
    let mut choices = sources(path);
    for (r, sources) in choices.iter_mut().enumerate() {
        if !all && !path.actions[r].is_atomic() {
            sources.truncate(1);
        }
    }
    let mut found = None;
    each(&choices, &mut |reads_from| {
        if found.is_some() {
            return Ok(());
        }
        budget.step()?;
        if happens_before::least(path, model, &demanded, reads_from, &[]).is_none() {
            return Ok(());
        }
        each(&orders, &mut |orders| {
            budget.step()?;
            let Some(hb) = happens_before::least(path, model, &demanded, reads_from, orders) else {
                return Ok(());
            };
            let candidate = Candidate {
                path,
                model,
                reads_from,
                hb: &hb,
            };
            let consistent = match all {
                true => candidate.is_consistent(),
                false => atomic_reads_are_consistent(&candidate),
            };
            if consistent && Values::new(&candidate).branches_hold() {
                found = found.or_else(|| pair(path, |a, b| hb[a][b]));
            }
            Ok(())
        })
    })?;
    Ok(found)
}

/// What atomic accesses read is what they may read.
fn atomic_reads_are_consistent(candidate: &Candidate<'_>) -> bool {
    let path = candidate.path;
    let mut readers = (0..path.actions.len()).filter_map(|r| Some((r, candidate.reads_from[r]?)));
    readers.all(|(r, w)| {
        !path.actions[r].is_atomic()
            || candidate.read_conflict(r)
            || no_c(path, |a, b| candidate.hb[a][b], w, r)
    })
}

/// The first two that conflict.
fn pair(path: &Path, hb: impl Fn(usize, usize) -> bool) -> Option<[(u32, usize); 2]> {
    let size = path.actions.len();
    let place = |action: usize| {
        let statement = &path.statements[path.actions[action].statement?];
        Some((statement.rank.0, statement.ordinal))
    };
    for a in 0..size {
        for b in a + 1..size {
            if let (Some(first), Some(second)) = (place(a), place(b))
                && conflict(path, &hb, a, b)
            {
                return Some([first, second]);
            }
        }
    }
    None
}

/// Whether all branches hang on values that atomic writes give, and these on nothing that is read.
fn branches_know(path: &Path) -> bool {
    path.branches.iter().all(|(term, _)| known(path, term))
}

fn known(path: &Path, term: &Term) -> bool {
    match term {
        Term::Number(_) => true,
        Term::Read(r) => {
            let variable = path.actions[*r].reads;
            let is_writer = |w: &usize| path.actions[*w].writes == variable;
            (0..path.actions.len()).filter(is_writer).all(|w| {
                path.actions[w].is_atomic() && matches!(path.written[w], Some(Source::Term(Term::Number(_))))
            }) && path.actions[*r].is_atomic()
        }
        Term::Binary(_, left, right) => known(path, left) && known(path, right),
        _ => false,
    }
}
