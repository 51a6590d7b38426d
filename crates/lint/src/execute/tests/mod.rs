//! What comes of a program is the same with and without each shortcut; and small programs, in the text of the IR.

mod program;

use crate::budget::{Budget, Limits, Shortcuts};
use crate::execute::{Job, Order};
use crate::ir::Module;
use crate::memory::{FIRST_OBJECT, Memory};
use crate::survey::Survey;
use farside_events::{AccessRun, Event, EventKind, StackId};
use farside_findings::Rule;
use farside_race::RawFinding;
use program::{Program, program, sweeps};
use proptest::prelude::*;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;
use std::fmt::Debug;

/// What comes of a simulation. Stacks are shown by their places: their numbers say only which of them was met first.
#[derive(Debug, PartialEq)]
struct Outcome {
    sent: Vec<(u32, String)>,
    /// By process: the single accesses between two other events, in any order, and the event.
    courses: [Vec<(Vec<String>, String)>; 2],
    findings: Vec<String>,
    /// The rule and the places of each finding, whichever way it was counted.
    rules: BTreeSet<String>,
    notes: String,
    /// The blocks that were entered.
    entered: Vec<Vec<bool>>,
    certain: bool,
    steps: u64,
    course: u64,
    /// What the objects hold at the end, and whether it is known; nothing of what was not computed.
    memory: Vec<Option<(u8, bool)>>,
}

/// Simulates a program of two processes.
fn outcome(module: &Module, shortcuts: Shortcuts) -> Outcome {
    outcome_in(module, shortcuts, Order::Ranks)
}

/// Simulates a program of two processes in some order.
fn outcome_in(module: &Module, shortcuts: Shortcuts, order: Order) -> Outcome {
    let survey = Survey::of(module);
    let overrides = HashMap::default();
    let budget = Budget::of(Limits { steps: 4_000_000 }, shortcuts);
    let mut job = Job::new(module, &survey, 2, &overrides, budget);
    job.take_turns(order);
    assert!(job.enter_main(crate::start::Given::Nothing, &crate::Inputs::default()));
    let found = job.run();
    let sent = job.events.sent();
    let shown = |of: &dyn Debug| with_places(&job, &format!("{of:?}"));
    let rule = |finding: &RawFinding| {
        let sites: BTreeSet<String> = finding.parties.iter().map(|party| shown(&party.site)).collect();
        // Whether a load is one of a polling loop depends on how many of its rounds are announced together.
        let rule = match finding.rule {
            Rule::Polling => Rule::RemoteRace,
            rule => rule,
        };
        format!("{rule:?} {sites:?}")
    };
    Outcome {
        sent: sent.iter().map(|(rank, event)| (*rank, shown(event))).collect(),
        courses: [0, 1].map(|rank| course(sent, rank, shown)),
        findings: found.iter().map(|finding| shown(finding)).collect(),
        rules: found.iter().map(rule).collect(),
        notes: format!("{:?} {:?}", job.notes, job.decisions),
        entered: job.notes.entered().to_vec(),
        certain: job.notes.is_certain(),
        steps: job.budget.steps(),
        course: job.course(),
        memory: job
            .processes
            .all()
            .iter()
            .flat_map(|process| contents(process.memory()))
            .collect(),
    }
}

fn contents(memory: &Memory) -> impl Iterator<Item = Option<(u8, bool)>> {
    let bytes = (FIRST_OBJECT..FIRST_OBJECT + (1 << 14)).map(|at| memory.load(at, 1));
    bytes.map(|byte| (!byte.is_uncomputed()).then_some((byte.bits as u8, byte.is_known())))
}

/// A text with each stack that it names replaced by the stack's places.
fn with_places(job: &Job, text: &str) -> String {
    let mut parts = text.split("StackId(");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once(')').expect("a number in parentheses");
        let stack = StackId(number.parse().expect("the number of a stack"));
        shown.push_str(&format!("{:?}{rest}", job.stacks.places(stack)));
    }
    shown
}

fn course(
    sent: &[(u32, Event)],
    rank: u32,
    shown: impl Fn(&dyn Debug) -> String,
) -> Vec<(Vec<String>, String)> {
    let mut course = Vec::new();
    let mut accesses = Vec::new();
    for (_, event) in sent.iter().filter(|(of, _)| *of == rank) {
        let EventKind::Accesses(runs) = &event.kind else {
            accesses.sort();
            course.push((std::mem::take(&mut accesses), shown(&event.kind)));
            continue;
        };
        for run in runs {
            for single in single_accesses(run) {
                accesses.push(shown(&single));
            }
        }
    }
    accesses.sort();
    course.push((accesses, String::new()));
    course
}

fn single_accesses(run: &AccessRun) -> impl Iterator<Item = AccessRun> {
    let times = run.repeats as usize + 1;
    let rows = (0..run.outer_count as i64).map(|nth| nth * run.outer_stride);
    let offsets =
        rows.flat_map(move |row| (0..run.inner_count as i64).map(move |nth| row + nth * run.inner_stride));
    offsets.flat_map(move |offset| {
        let address = run.base.wrapping_add_signed(offset);
        let single = AccessRun {
            source: run.source.clone(),
            ..AccessRun::single(run.kind, address, run.size, run.pc, run.stack)
        };
        std::iter::repeat_n(single, times)
    })
}

const PLAIN: Shortcuts = Shortcuts {
    alone: false,
    together: false,
    after: None,
};

fn module(program: &Program) -> Module {
    let text = program.to_string();
    text.parse().unwrap_or_else(|wrong| panic!("{wrong}:\n{text}"))
}

proptest! {
    /// Whatever a thread does alone is what it does step by step, to the last event and the last step.
    #[test]
    fn a_thread_does_alone_what_it_does_step_by_step(
        program in program(12),
        together in any::<bool>(),
        after in 2u32..6,
    ) {
        let module = module(&program);
        let plain = Shortcuts { alone: false, together, after: Some(after) };
        let (expected, alone) = (outcome(&module, plain), outcome(&module, Shortcuts { alone: true, ..plain }));
        prop_assert_eq!(expected, alone, "{}", program);
    }

    /// These programs have nothing that chance decides: in whatever order processes go on, each does the same, and the
    /// same is found.
    #[test]
    fn any_order_of_processes_shows_the_same(program in program(12), seed in any::<u64>()) {
        let module = module(&program);
        let expected = outcome(&module, PLAIN);
        let drawn = outcome_in(&module, PLAIN, Order::Drawn(seed));
        // What is loaded while others write it depends on who is first.
        if expected.rules.is_empty() {
            prop_assert_eq!(&expected.courses, &drawn.courses, "{}", program);
        }
        prop_assert_eq!(&expected.rules, &drawn.rules, "{}", program);
        prop_assert_eq!(&expected.entered, &drawn.entered, "{}", program);
    }

    /// Rounds that are taken together make the accesses of single ones, and lead to the same findings.
    #[test]
    fn rounds_that_are_taken_together_make_the_same_accesses(
        program in prop_oneof![program(60), sweeps(24)],
        alone in any::<bool>(),
        after in 2u32..6,
    ) {
        let module = module(&program);
        let together = Shortcuts { alone, together: true, after: Some(after) };
        let (expected, found) = (outcome(&module, PLAIN), outcome(&module, together));
        // After a condition on what was not computed, or an access to where that says, nothing is certain; but addresses that
        // depend on counters are the same in any case.
        if found.certain || program.is_plain() {
            prop_assert_eq!(expected.courses, found.courses, "{}", program);
            prop_assert_eq!(&expected.rules, &found.rules, "{}", program);
            // Of a branch that only chooses between values, both ways are entered if its condition is not computed.
            let mut blocks = expected.entered.iter().flatten().zip(found.entered.iter().flatten());
            let chooses = program.chooses();
            prop_assert!(blocks.all(|(expected, found)| expected == found || chooses && *found), "{}", program);
        }
        // What is moved while others write it depends on who is first.
        if found.certain && expected.rules.is_empty() {
            for (expected, found) in expected.memory.into_iter().zip(found.memory) {
                prop_assert!(found.is_none_or(|found| Some(found) == expected), "{}", program);
            }
        }
    }
}

/// Random programs would show nothing if none of them was made shorter, or had accesses to speak of.
#[test]
fn the_shortcuts_are_taken() {
    use proptest::strategy::ValueTree as _;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut shorter, mut compared, mut racing, mut accessing, mut nested) = (0, 0, 0, 0, 0);
    for _ in 0..128 {
        let program = prop_oneof![program(60), sweeps(24)]
            .new_tree(&mut runner)
            .unwrap()
            .current();
        let module = module(&program);
        let after = Some(3);
        let together = Shortcuts {
            together: true,
            after,
            ..PLAIN
        };
        let (plain, together) = (outcome(&module, PLAIN), outcome(&module, together));
        shorter += u32::from(together.steps < plain.steps);
        let whole = together.certain && plain.rules.is_empty();
        compared += u32::from(together.steps < plain.steps && whole);
        racing += u32::from(!plain.findings.is_empty());
        let events = plain.courses.iter().flatten();
        accessing += u32::from(events.into_iter().any(|(accesses, _)| !accesses.is_empty()));
        let rows = |text: &String| {
            let counts = text.split("outer_count: ").skip(1);
            counts.filter(|count| !count.starts_with("1,")).count()
        };
        nested += u32::from(together.sent.iter().any(|(_, text)| rows(text) > 0));
        assert!(plain.notes.contains("hung: false"), "{}\n{program}", plain.notes);
    }
    assert!(
        shorter > 32 && compared > 16 && racing > 16 && accessing > 32 && nested > 4,
        "{shorter} {compared} {racing} {accessing} {nested}"
    );
}

/// Every combination of shortcuts.
fn all_shortcuts() -> impl Iterator<Item = Shortcuts> {
    [false, true].into_iter().flat_map(|alone| {
        [false, true].map(|together| Shortcuts {
            alone,
            together,
            after: Some(2),
        })
    })
}

/// What a program leaves in its first global variable, in words of 8 bytes.
fn left_in_memory(text: &str, shortcuts: Shortcuts) -> Vec<Option<u64>> {
    let module: Module = text.parse().unwrap();
    let memory = outcome(&module, shortcuts).memory;
    let words = memory
        .chunks(8)
        .map(|bytes| bytes.iter().map(|byte| Some((*byte)?.0)).collect());
    let words = words.map(|bytes: Option<Vec<u8>>| Some(u64::from_le_bytes(bytes?.try_into().ok()?)));
    words.collect()
}

/// All machines share the step that gives phis their values, so that no comparison of two of them would show it.
#[test]
fn phis_are_read_before_any_of_them_is_written() {
    for count in [2, 8, 9, 20] {
        // Each takes the value of the next one, and the last that of the first.
        let phi = |nth| format!("  %{nth} = phi [0: {}, 1: %{}]\n", nth + 100, (nth + 1) % count);
        let store = |nth| format!("  store i64 %{nth}, @(cells + {}) !1\n", 8 * nth);
        let (phis, stores): (String, String) =
            ((0..count).map(phi).collect(), (0..count).map(store).collect());
        let (counter, next, holds) = (count, count + 1, count + 2);
        let text = format!(
            "global @cells 256\nfunction main() registers {} {{\n0:\n  goto 1 !1\n\
             1:\n  %{counter} = phi [0: 0, 1: %{next}]\n{phis}  %{next} = add i64 %{counter}, 1 !1\n  \
             %{holds} = compare slt i64 %{next}, 12 !1\n  branch %{holds}, 1, 2 !1\n\
             2:\n{stores}  return 0 !1\n}}",
            count + 3
        );
        // Where rounds are taken together, what is no line is not computed.
        for shortcuts in all_shortcuts().filter(|shortcuts| !shortcuts.together) {
            let left = left_in_memory(&text, shortcuts);
            let expected = (0..count).map(|nth| Some(100 + (nth + 11) % count));
            assert!(left.into_iter().take(count as usize).eq(expected), "{count}");
        }
    }
}

#[test]
fn certainty_ends_where_a_way_out_begins() {
    let text = r"declare abort()
        function main() registers 2 {
        0:
          %0 = compare eq i32 1, 1 !1
          branch %0, 1, 2 !2
        1:
          %1 = add i32 1, 1 !3
          call &abort() !4
          unreachable !5
        2:
          return 0 !6
        }";
    let module: Module = text.parse().unwrap();
    for shortcuts in all_shortcuts() {
        assert!(!outcome(&module, shortcuts).certain);
    }
}

#[test]
fn a_round_that_goes_another_way_is_not_taken_with_the_others() {
    let text = r"global @cells 16
        function main() registers 4 {
        0:
          goto 1 !1
        1:
          %0 = phi [0: 0, 3: %1]
          %2 = compare eq i64 %0, 57 !2
          branch %2, 2, 3 !3
        2:
          store i64 9, @cells !4
          goto 3 !5
        3:
          %1 = add i64 %0, 1 !6
          %3 = compare slt i64 %1, 100 !7
          branch %3, 1, 4 !8
        4:
          store i64 %1, @(cells + 8) !9
          return 0 !10
        }";
    for shortcuts in all_shortcuts() {
        assert_eq!(left_in_memory(text, shortcuts)[..2], [Some(9), Some(100)]);
    }
}
