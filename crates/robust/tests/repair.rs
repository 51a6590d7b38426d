//! Repairs: what is found makes the program robust, nothing cheaper does, and the text says the same as the tree.

use farside_pgas::ast::{Api, Program};
use farside_pgas::calculus::Polls;
use farside_pgas::change::{Change, Kind, apply, offers, patch};
use farside_pgas::lower::{Settings, lower};
use farside_pgas::parser::parse;
use farside_robust::repair::{Costs, Repair, repair, superfluous};
use farside_robust::{Limits, Options, Verdict, decide, direct};
use std::path::{Path, PathBuf};

const TWO: Settings = Settings {
    ranks: Some(2),
    domain: Some(2),
    api: None,
    polls: Polls::Awaited,
};
const FIGURE_1: &str =
    "shared x = 1, y\nqueue q\nwrite(x, (me + 1) % n, y, q)  // copies\nbarrier\nassert y == 1\n";

fn robust(program: &Program, settings: Settings) -> Option<bool> {
    let program = lower(program, settings).unwrap();
    let options = Options {
        limits: Limits {
            states: 2_000_000,
            ..Limits::default()
        },
        ..Options::default()
    };
    match decide(&program, &options, &mut || false).verdict {
        Verdict::Robust => Some(true),
        Verdict::NotRobust(_) => Some(false),
        Verdict::OutsideDomain(_) | Verdict::Inconclusive(_) => None,
    }
}

fn found(text: &str, settings: Settings, costs: &Costs) -> (Vec<Change>, u32, String) {
    let program = parse(text).unwrap();
    match repair(&program, settings, costs, &Options::default(), &mut || false) {
        Repair::Found { changes, cost, .. } => {
            let patched = patch(text, &program, &changes);
            let again = parse(&patched).unwrap_or_else(|errors| panic!("{errors:?}\n{patched}"));
            assert_eq!(robust(&again, settings), Some(true), "{patched}");
            (changes, cost, patched)
        }
        other => panic!("{other:?}\n{text}"),
    }
}

#[test]
fn figure_1_needs_a_wait_before_the_barrier() {
    let (changes, cost, patched) = found(FIGURE_1, TWO, &Costs::default());
    assert_eq!((changes.len(), cost), (1, 2));
    assert_eq!(
        patched,
        "shared x = 1, y\nqueue q\nwrite(x, (me + 1) % n, y, q)  // copies\nwait q // inserted: wait\nbarrier\nassert \
         y == 1\n"
    );
}

#[test]
fn lines_that_are_put_in_end_as_the_others() {
    let text = FIGURE_1.replace('\n', "\r\n");
    let (_, _, patched) = found(&text, TWO, &Costs::default());
    let line = "// copies\r\nwait q // inserted: wait\r\nbarrier\r\n";
    assert!(patched.contains(line), "{patched:?}");
}

#[test]
fn the_cost_of_a_kind_decides() {
    let text = "shared one = 1, data, flag\nqueue q unordered\nrank 0 {\n  write(one, 1, data, q)\n  write(one, 1, \
        flag, q)\n} else {\n  while flag == 0 { }\n  assert data == 1\n}\n";
    let costs = |wait, fence, ordered| Costs {
        wait,
        fence,
        ordered,
        ..Costs::default()
    };
    for (costs, kind, line) in [
        (costs(5, 1, 9), Kind::Fence, "  fence q // inserted: fence"),
        (costs(5, 9, 1), Kind::Ordered, "queue q ordered // changed: order"),
        (costs(1, 9, 9), Kind::Wait, "  wait q // inserted: wait"),
    ] {
        let (changes, cost, patched) = found(text, TWO, &costs);
        assert_eq!(
            (changes.len(), changes[0].kind(), cost),
            (1, Some(kind), 1),
            "{patched}"
        );
        assert!(patched.lines().any(|known| known == line), "{patched}");
    }
}

#[test]
fn an_operation_is_moved_to_an_ordered_queue() {
    let text = "shared one = 1, data, flag\nqueue p, q\nrank 0 {\n  write(one, 1, data, p)\n  write(one, 1, flag, \
        q)\n} else {\n  while flag == 0 { }\n  assert data == 1\n}\n";
    let (changes, cost, patched) = found(text, TWO, &Costs::default());
    assert!(matches!(changes[..], [Change::Move { .. }]), "{changes:?}");
    assert_eq!(cost, 1);
    assert!(patched.contains("// changed: queue"), "{patched}");
    let gpi = text
        .replace("queue p, q\n", "")
        .replace("write(one, 1, data, p)", "writeDmaGPI(&one, &data, 1, 1, 0)")
        .replace("write(one, 1, flag, q)", "writeDmaGPI(&one, &flag, 1, 1, 1)");
    let settings = Settings {
        api: Some(Api::Gpi),
        ..TWO
    };
    let (changes, _, patched) = found(&gpi, settings, &Costs::default());
    assert!(
        matches!(changes[..], [Change::Move { .. }]),
        "{changes:?}\n{patched}"
    );
}

#[test]
fn what_is_there_is_made_stronger_and_what_is_needless_then_is_left_out() {
    // The fence orders the two puts, but the barrier waits for neither.
    let text = "api shmem\nshared x = 1, y, z\nshmem_put(&y, &x, 1, (me + 1) % n)\nshmem_fence()\nshmem_put(&z, &x, 1, \
        (me + 1) % n)\nshmem_sync_all()\nassert y == 1 && z == 1\n";
    let program = parse(text).unwrap();
    let found = repair(&program, TWO, &Costs::default(), &Options::default(), &mut || {
        false
    });
    let Repair::Found {
        changes,
        cost,
        needless,
    } = found
    else {
        panic!("{found:?}");
    };
    assert!(
        matches!(changes[..], [Change::Strengthen { .. }]) && cost == 2,
        "{changes:?}"
    );
    let patched = patch(text, &program, &[&changes[..], &needless].concat());
    assert!(
        patched.contains("shmem_barrier_all() // changed: wait"),
        "{patched}"
    );
    assert!(patched.contains("skip // changed: left out"), "{patched}");
    // A fence is made a wait where only that is missing.
    let text =
        "shared x = 1, y\nqueue q unordered\nwrite(x, (me + 1) % n, y, q)\nfence q\nbarrier\nassert y == 1\n";
    let (changes, cost, patched) = self::found(text, TWO, &Costs::default());
    assert!(
        matches!(changes[..], [Change::Strengthen { .. }]) && cost == 1,
        "{changes:?}"
    );
    assert!(patched.contains("wait q // changed: wait"), "{patched}");
}

#[test]
fn waiting_for_the_source_is_enough_where_only_that_is_written_again() {
    let text = "shared x = 1, y\nqueue q\nrank 0 { write(x, 1, y, q)\nx = 2 }\n";
    let settings = Settings {
        domain: Some(3),
        ..TWO
    };
    let (_, cost, patched) = found(text, settings, &Costs::default());
    assert_eq!(cost, 2);
    assert!(patched.contains("wait_local q"), "{patched}");
}

#[test]
fn a_barrier_is_put_where_all_processes_come_by() {
    let text =
        "api shmem\nshared x = 1, y\nshmem_put(&y, &x, 1, (me + 1) % n)\nshmem_sync_all()\nassert y == 1\n";
    let cheap = Costs {
        barrier: 1,
        ..Costs::default()
    };
    let (changes, cost, patched) = found(text, TWO, &cheap);
    assert_eq!((changes[0].kind(), cost), (Some(Kind::Barrier), 1));
    assert!(
        patched.contains("shmem_barrier_all() // inserted: barrier\n"),
        "{patched}"
    );
    // In code of some processes only there is no place for it.
    let some = "shared x, y\nqueue q\nrank 0 { write(x, 1, y, q)\nx = 1 } else { y = 1 }\n";
    let offered = offers(&parse(some).unwrap(), None);
    assert!(offered.iter().all(|change| change.kind() != Some(Kind::Barrier)));
    let jump = "shared x, y\nqueue q\nback:\nwrite(x, 1, y, q)\ngoto back\n";
    let offered = offers(&parse(jump).unwrap(), None);
    assert!(offered.iter().all(|change| change.kind() != Some(Kind::Barrier)));
}

#[test]
fn a_barrier_that_stops_the_program_is_no_repair() {
    // The only gap that all come by is between the poll and what it polls for: a barrier there would make the program
    // robust, for nothing would happen after it.
    let text = "shared one = 1, data, flag\nqueue p, q\nrank 1 { while flag == 0 { } }\nskip\nrank 0 {\n  write(one, \
        1, data, p)\n  write(one, 1, flag, q)\n} else { assert data == 1 }\n";
    let free = Costs {
        barrier: 0,
        ..Costs::default()
    };
    let (changes, _, patched) = found(text, TWO, &free);
    assert!(
        changes.iter().all(|change| change.kind() != Some(Kind::Barrier)),
        "{patched}"
    );
    let barrier = offers(&parse(text).unwrap(), None)
        .into_iter()
        .find(|change| change.kind() == Some(Kind::Barrier))
        .unwrap();
    assert_eq!(robust(&apply(&parse(text).unwrap(), &[barrier]), TWO), Some(true));
}

#[test]
fn what_nobody_needs_is_found_and_what_is_needed_is_not() {
    let text = "shared x = 1, y\nqueue q, p\nwait p\nwrite(x, (me + 1) % n, y, q)\nwait q\nwait q\nbarrier\nassert y \
        == 1\n";
    let program = parse(text).unwrap();
    let found = superfluous(&program, TWO, &Options::default(), &mut || false);
    let lines: Vec<usize> = found
        .alone
        .iter()
        .map(|change| text[..change.at()].lines().count() + 1)
        .collect();
    // Of the two waits for q either can go, but not both.
    assert_eq!(lines, [3, 5, 6]);
    assert_eq!(found.together, [0, 1]);
    let quiet =
        "api shmem\nshared x = 1, y\nshmem_get(&y, &x, 1, (me + 1) % n)\nshmem_barrier_all()\nx = 0\n";
    let found = superfluous(&parse(quiet).unwrap(), TWO, &Options::default(), &mut || false);
    assert!(matches!(found.alone[..], [Change::Replace { .. }]), "{found:?}");
}

fn files(at: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(at).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path
            .file_stem()
            .is_some_and(|stem| stem.to_string_lossy().ends_with("-no"))
            && path.extension().is_some_and(|extension| extension == "pgas")
        {
            found.push(path);
        }
    }
}

#[test]
fn each_broken_program_of_the_library_is_repaired_at_least_cost() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robust-tests");
    let mut all = Vec::new();
    files(&folder, &mut all);
    all.sort();
    assert!(all.len() >= 60, "{}", all.len());
    let costs = Costs::default();
    let settings = Settings::default();
    for path in all {
        let text = std::fs::read_to_string(&path).unwrap();
        let program = parse(&text).unwrap();
        let found = repair(&program, settings, &costs, &Options::default(), &mut || false);
        if program.api == Some(Api::Gaspi17) {
            // Nothing in GASPI by its standard waits for the other side.
            let Repair::Impossible(tried) = found else {
                panic!("{}: {found:?}", path.display());
            };
            // The write is on the cycle that is left, and no wait helped.
            assert!(
                tried.sets >= 1 && !tried.left.is_empty(),
                "{}: {tried:?}",
                path.display()
            );
            continue;
        }
        let Repair::Found {
            changes,
            cost,
            needless,
        } = found
        else {
            panic!("{}: {found:?}", path.display());
        };
        let less = patch(&text, &program, &[&changes[..], &needless].concat());
        let less = parse(&less).unwrap_or_else(|errors| panic!("{errors:?}\n{less}"));
        assert_eq!(robust(&less, settings), Some(true), "{needless:?}\n{less}");
        let patched = patch(&text, &program, &changes);
        let again = parse(&patched).unwrap_or_else(|errors| panic!("{errors:?}\n{patched}"));
        assert_eq!(robust(&again, settings), Some(true), "{patched}");
        assert_eq!(
            robust(&apply(&program, &changes), settings),
            Some(true),
            "{patched}"
        );
        let bounded = direct::Options {
            queue_bound: Some(2),
            limits: Limits {
                states: 20_000,
                ..Limits::default()
            },
        };
        let other = direct::explore(&lower(&again, settings).unwrap(), &bounded, &|| false).verdict;
        assert!(!matches!(other, direct::Verdict::NotRobust(_)), "{patched}");
        for left_out in 0..changes.len() {
            let mut fewer = changes.clone();
            fewer.remove(left_out);
            assert_eq!(
                robust(&apply(&program, &fewer), settings),
                Some(false),
                "{patched}"
            );
        }
        // No other change, and no two others, are cheaper. (A barrier may be cheaper that stops the program.)
        let mut others = offers(&program, None);
        others.retain(|change| change.kind() != Some(Kind::Barrier));
        let try_one = |tried: &[Change]| {
            if tried.iter().map(|change| costs.of(change)).sum::<u32>() < cost {
                assert_ne!(robust(&apply(&program, tried), settings), Some(true), "{patched}");
            }
        };
        for (index, one) in others.iter().enumerate() {
            try_one(std::slice::from_ref(one));
            if cost > 2 && others.len() <= 60 {
                for other in &others[..index] {
                    try_one(&[other.clone(), one.clone()]);
                }
            }
        }
    }
}

/// Two processes with a few statements each.
fn random(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
    let mut below = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let mut text = format!(
        "shared x, y, z = 1\nqueue p {}\nqueue q {}\n",
        ["ordered", "unordered", "ordered per target"][below(3)],
        ["ordered", "unordered"][below(2)]
    );
    for rank in 0..2 {
        text += &format!("rank {rank} {{\n");
        for _ in 0..2 + below(2) {
            let cell = |at: usize| ["x", "y"][at];
            let other = 1 - rank;
            let (one, two, queue) = (cell(below(2)), cell(below(2)), ["p", "q"][below(2)]);
            text += &match below(7) {
                0 | 1 => format!("    write(z, {other}, {one}, {queue})\n"),
                2 => format!("    write({one}, {other}, {two}, {queue})\n"),
                3 => format!("    read({one}, {other}, {two}, {queue})\n"),
                4 => format!("    wait {queue}\n"),
                5 => format!("    {one} = 1\n"),
                _ => format!("    r = {one}\n"),
            };
        }
        text += "}\n";
    }
    text
}

#[test]
fn no_two_changes_are_cheaper_than_what_is_found_for_random_programs() {
    let costs = Costs::default();
    let (mut repaired, mut impossible) = ([0; 4], 0);
    for seed in 0..60 {
        let text = random(seed);
        let program = parse(&text).unwrap();
        let cost = match repair(&program, TWO, &costs, &Options::default(), &mut || false) {
            Repair::Found { changes, cost, .. } => {
                assert_eq!(robust(&apply(&program, &changes), TWO), Some(true), "{text}");
                repaired[changes.len().min(3)] += 1;
                cost
            }
            // The two effects of one operation can be on a cycle that no wait of its process breaks.
            Repair::Impossible(_) => {
                impossible += 1;
                u32::MAX
            }
            Repair::GaveUp => panic!("{text}"),
        };
        let offered = offers(&program, None);
        let of = |tried: &[Change]| tried.iter().map(|change| costs.of(change)).sum::<u32>();
        let cheaper =
            |tried: &[Change]| of(tried) < cost && robust(&apply(&program, tried), TWO) == Some(true);
        for (index, one) in offered.iter().enumerate() {
            assert!(!cheaper(std::slice::from_ref(one)), "{one:?}\n{text}");
            for other in &offered[..index] {
                let both = [other.clone(), one.clone()];
                assert!(!cheaper(&both), "{both:?}\n{text}");
            }
        }
    }
    assert!(
        repaired[..3].iter().all(|&count| count >= 3) && impossible >= 1,
        "{repaired:?} {impossible}"
    );
}
