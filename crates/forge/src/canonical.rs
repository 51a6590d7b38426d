//! One form for all tests that differ by names only.
//!
//! Registers and values have no names in a [`Test`]. Variables are numbered by owner in order of first use, processes
//! one after the other. Of the orders of processes, the canonical one sorts them by [`shape`], and among processes of
//! equal shape takes the one whose statements come first.

use crate::test::{Kind, Step, Test, VariableName};
use crate::{MOST_PROCESSES, MOST_VARIABLES};
use std::cmp::Ordering;

/// What a process looks like whatever its variables are: the number of its statements, then their kinds.
#[must_use]
pub fn shape(a: &[Step], b: &[Step]) -> Ordering {
    let kinds = |steps: &[Step]| steps.iter().map(|step| step.kind).collect::<Vec<Kind>>();
    a.len().cmp(&b.len()).then_with(|| kinds(a).cmp(&kinds(b)))
}

/// Whether the test is in canonical form, its variables being numbered by first use and its processes sorted by shape.
#[must_use]
pub fn is_canonical(test: &Test) -> bool {
    let processes = &test.processes;
    if processes
        .windows(2)
        .any(|pair| shape(&pair[0], &pair[1]) == Ordering::Greater)
    {
        return false;
    }
    let mut order: Vec<usize> = (0..processes.len()).collect();
    each_order(test, &mut order, 0, &mut |order| {
        compare(test, order) != Ordering::Less
    })
}

/// The canonical form of a test.
#[must_use]
pub fn canonical(test: &Test) -> Test {
    let mut order: Vec<usize> = (0..test.processes.len()).collect();
    order.sort_by(|&a, &b| shape(&test.processes[a], &test.processes[b]));
    let sorted = arranged(test, &order);
    let mut least = arranged(&sorted, &(0..order.len()).collect::<Vec<_>>());
    let mut order: Vec<usize> = (0..order.len()).collect();
    each_order(&sorted, &mut order, 0, &mut |order| {
        let other = arranged(&sorted, order);
        if other < least {
            least = other;
        }
        true
    });
    least
}

/// Calls `visit` for every order of processes that keeps them sorted by shape, until it says no.
fn each_order(
    test: &Test,
    order: &mut Vec<usize>,
    from: usize,
    visit: &mut dyn FnMut(&[usize]) -> bool,
) -> bool {
    if from == order.len() {
        return visit(order);
    }
    for next in from..order.len() {
        let [a, b] = [order[from], order[next]];
        if shape(&test.processes[a], &test.processes[b]) != Ordering::Equal {
            continue;
        }
        order.swap(from, next);
        let go_on = each_order(test, order, from + 1, visit);
        order.swap(from, next);
        if !go_on {
            return false;
        }
    }
    true
}

/// New names, given in order of first use.
struct Names {
    /// New rank by old rank.
    ranks: [u8; MOST_PROCESSES],
    given: [[Option<u8>; MOST_VARIABLES]; MOST_PROCESSES],
    count: [u8; MOST_PROCESSES],
}

impl Names {
    fn new(order: &[usize]) -> Self {
        let mut ranks = [0; MOST_PROCESSES];
        for (new, &old) in (0..).zip(order) {
            ranks[old] = new;
        }
        Self {
            ranks,
            given: [[None; MOST_VARIABLES]; MOST_PROCESSES],
            count: [0; MOST_PROCESSES],
        }
    }

    fn step(&mut self, step: &Step) -> Step {
        if step.kind == Kind::Flush {
            return Step::flush(self.ranks[usize::from(step.operands[0].owner())]);
        }
        let mut renamed = *step;
        for operand in &mut renamed.operands[..step.kind.operands()] {
            let owner = usize::from(operand.owner());
            let count = &mut self.count[owner];
            let index = *self.given[owner][usize::from(operand.index())].get_or_insert_with(|| {
                *count += 1;
                *count - 1
            });
            *operand = VariableName::new(self.ranks[owner], index);
        }
        renamed
    }
}

/// The test with its processes in this order, and names given anew.
fn arranged(test: &Test, order: &[usize]) -> Test {
    let mut names = Names::new(order);
    let rename = |&old: &usize| test.processes[old].iter().map(|step| names.step(step)).collect();
    Test {
        processes: order.iter().map(rename).collect(),
    }
}

/// The test in this order compared with the test as it is.
fn compare(test: &Test, order: &[usize]) -> Ordering {
    let mut names = Names::new(order);
    for (new, &old) in order.iter().enumerate() {
        for (step, here) in test.processes[old].iter().zip(&test.processes[new]) {
            match names.step(step).cmp(here) {
                Ordering::Equal => {}
                unequal => return unequal,
            }
        }
    }
    Ordering::Equal
}
