//! The row of every action: below what comes before it in its column, and below what an edge leads from.

use super::arrows::Drawn;
use farside_verdicts::Execution;

/// The row of every action; those without a box have row 0.
pub(super) fn levels(execution: &Execution, drawn: &Drawn) -> Vec<usize> {
    let count = execution.actions.len();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut last_of_column = std::collections::BTreeMap::new();
    for (index, action) in execution
        .actions
        .iter()
        .enumerate()
        .filter(|(i, _)| drawn.shown[*i])
    {
        if let Some(previous) = last_of_column.insert(action.process, index) {
            before[index].push(previous);
        }
    }
    // An edge against the order so far is drawn upwards.
    for arrow in &drawn.arrows {
        if !reaches(&before, arrow.from, arrow.to) {
            before[arrow.to].push(arrow.from);
        }
    }
    let mut rows = vec![None; count];
    (0..count).for_each(|action| {
        row(action, &before, &mut rows);
    });
    rows.into_iter().map(Option::unwrap_or_default).collect()
}

/// Whether `late` is before `early`, by a search backwards from `early`.
fn reaches(before: &[Vec<usize>], early: usize, late: usize) -> bool {
    let mut seen = vec![false; before.len()];
    let mut open = vec![early];
    while let Some(action) = open.pop() {
        if action == late {
            return true;
        }
        if !std::mem::replace(&mut seen[action], true) {
            open.extend(&before[action]);
        }
    }
    false
}

/// The longest way to an action. The edges have no cycle, and a picture has few actions, so that recursion is shallow.
fn row(action: usize, before: &[Vec<usize>], rows: &mut [Option<usize>]) -> usize {
    if let Some(known) = rows[action] {
        return known;
    }
    let longest = before[action]
        .iter()
        .map(|&earlier| row(earlier, before, rows) + 1)
        .max();
    *rows[action].insert(longest.unwrap_or(0))
}
