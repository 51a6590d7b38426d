//! Programs whose processes take turns, count one another, or form trees: what is said of every number of ranks,
//! against the engine for small ones.
//!
//! A program is made of one that is right, by changes: a line is left out, two lines are exchanged, or a number or an
//! order becomes another one. Some are robust, some are not.

mod small;

use farside_pgas::lower::Settings;
use farside_pgas::parser::parse;
use farside_robust::every::argue;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use small::engine;

/// Lines of a program; those that begin with a blank may be changed.
struct Class {
    name: &'static str,
    lines: &'static str,
}

const CLASSES: [Class; 10] = [
    Class {
        name: "pipeline",
        lines: "shared x = 1, y, f, g\nregister i = 1, r\nqueue q unordered\nwhile i < 3 {\nif me > 0 {\n \
                while f != i { }\n r = y\n swap(_, me - 1, g, i, q)\n wait q\n}\nif me + 1 < n {\n \
                write(x, me + 1, y, q)\n fence q\n swap(_, me + 1, f, i, q)\n while g != i { }\n}\n \
                i = i + 1\n}\n",
    },
    Class {
        name: "around a ring",
        lines: "shared x = 1, y, f, g\nregister i = 1, r\nqueue q unordered\nwhile i < 3 {\n \
                write(x, (me + 1) % n, y, q)\n fence q\n swap(_, (me + 1) % n, f, i, q)\n while f < i { }\n \
                r = y\n swap(_, (me + n - 1) % n, g, i, q)\n while g != i { }\n i = i + 1\n}\n",
    },
    Class {
        name: "read and answer",
        lines: "shared x = 1, y, f, g\nregister i = 0, r\nqueue q unordered\nwhile i < 2 {\n \
                write(x, (me + 1) % n, y, q)\n fence q\n swap(_, (me + 1) % n, f, i + 1, q)\n while f < i + 1 { }\n \
                swap(_, (me + n - 1) % n, g, i + 1, q)\n while g < i + 1 { }\n r = y\n i = i + 1\n}\n",
    },
    Class {
        name: "to the first",
        lines: "shared x = 1, y[8], f\nregister r\nqueue q unordered\nif me > 0 {\n write(x, 0, y[me], q)\n \
                fence q\n fetch_add(_, 0, f, 1, q)\n r = y[0]\n} else {\n while f < n - 1 { }\n r = y[1]\n}\n",
    },
    Class {
        name: "two neighbours",
        lines: "shared x = 1, y[2], f\nregister r\nqueue q unordered\n write(x, (me + 1) % n, y[0], q)\n \
                write(x, (me + n - 1) % n, y[1], q)\n fence q\n fetch_add(_, (me + 1) % n, f, 1, q)\n \
                fetch_add(_, (me + n - 1) % n, f, 1, q)\n while f != 2 { }\n r = y[0]\n r = y[1]\n",
    },
    Class {
        name: "tree",
        lines: "shared x = 1, y, f\nregister r\nqueue q unordered\nif me > 0 {\n while f == 0 { }\n r = y\n}\n\
                if 2 * me + 1 < n {\n write(x, 2 * me + 1, y, q)\n fence q\n swap(_, 2 * me + 1, f, 1, q)\n}\n\
                if 2 * me + 2 < n {\n write(x, 2 * me + 2, y, q)\n fence q\n swap(_, 2 * me + 2, f, 1, q)\n}\n",
    },
    Class {
        name: "gather, then tell",
        lines: "shared x = 1, y, z, f, h\nregister r\nqueue q unordered\n write(x, (me + 1) % n, y, q)\n wait q\n \
                fetch_add(_, 0, f, 1, q)\nif me == 0 {\n while f != n { }\n swap(_, 1, h, 1, q)\n r = y\n} else {\n\
                if me == 1 {\n while h == 0 { }\n}\n}\n r = y\n write(x, 0, z, q)\n",
    },
    Class {
        name: "a token",
        lines: "shared x = 1, y, z, f\nregister i = 1, r\nqueue q unordered\nwhile i < 3 {\nif me > 0 {\n \
                while f != i { }\n}\n read(z, 0, y, q)\n wait q\n write(x, 0, y, q)\n wait q\n \
                swap(_, (me + 1) % n, f, i, q)\nif me == 0 {\n while f != i { }\n}\n i = i + 1\n}\n",
    },
    Class {
        name: "a token and data",
        lines: "shared x = 1, y, f\nregister i = 1, r\nqueue q unordered\nwhile i < 3 {\nif me > 0 {\n \
                while f < i { }\n r = y\n}\n write(x, (me + 1) % n, y, q)\n fence q\n \
                swap(_, (me + 1) % n, f, i, q)\nif me == 0 {\n while f < i { }\n r = y\n}\n i = i + 1\n}\n",
    },
    Class {
        name: "answered at the end",
        lines: "shared x = 1, y, f, g\nregister i = 1, r\nqueue q ordered\nwhile i < 3 {\nif me == 0 {\n \
                write(x, 1, y, q)\n swap(_, 1, f, i, q)\n while g < i { }\n}\nif me == 1 {\n while f < i { }\n r = y\n \
                swap(_, 0, g, i, q)\n}\n i = i + 1\n}\n r = y\n",
    },
];

/// The program of a class with changes; equal seeds give equal programs.
fn program(class: &Class, seed: u64) -> String {
    let mut random = SplitMix64::seed_from_u64(seed);
    let mut below = |bound: usize| (random.next_u64() % bound as u64) as usize;
    let mut lines: Vec<String> = class.lines.lines().map(str::to_owned).collect();
    let changes = below(4);
    for _ in 0..changes {
        let free: Vec<usize> = (0..lines.len())
            .filter(|&line| lines[line].starts_with(' '))
            .collect();
        let at = free[below(free.len())];
        match below(5) {
            0 => lines[at] = " skip".to_owned(),
            1 => {
                let other = free[below(free.len())];
                lines.swap(at, other);
            }
            2 => {
                let changed = [
                    ("i, q", "i + 1, q"),
                    ("!=", "<"),
                    ("< i", "< i - 1"),
                    ("n - 1 {", "n - 2 {"),
                ];
                let (from, to) = changed[below(changed.len())];
                lines[at] = lines[at].replace(from, to);
            }
            3 => {
                let orders = ["ordered", "ordered per target", "unordered"];
                let to = format!("queue q {}", orders[below(3)]);
                let queue = lines.iter().position(|line| line.starts_with("queue"));
                lines[queue.unwrap()] = to;
            }
            _ => {
                let more = [
                    " wait q",
                    " fence q",
                    " r = y[0]",
                    " r = x",
                    " write(x, (me + 1) % n, x, q)",
                ];
                let more = more[below(more.len())];
                let more = match class.lines.contains("y[") {
                    true => more.to_owned(),
                    false => more.replace("[0]", ""),
                };
                lines.insert(at, more);
            }
        }
    }
    format!("program changed\n{}\n", lines.join("\n"))
}

/// As many programs a class as `FARSIDE_RANDOM_PROGRAMS` says, else some.
#[test]
fn what_is_argued_of_turns_counts_and_trees_holds() {
    let wanted = std::env::var("FARSIDE_RANDOM_PROGRAMS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(20);
    let most = if wanted > 20 { 5 } else { 4 };
    for class in &CLASSES {
        let (mut argued, mut waits, mut not_robust, mut open) = (0, 0, 0, 0);
        for seed in 0..wanted {
            let text = program(class, seed);
            let program = parse(&text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
            let argument = argue(&program, Settings::default());
            let from = argument.as_ref().map_or(2, |argument| argument.from);
            let verdicts: Vec<Option<bool>> = (from..=most.max(from))
                .map(|ranks| engine(&program, ranks))
                .collect();
            match argument {
                Ok(argument) => {
                    assert!(
                        !verdicts.contains(&Some(false)),
                        "{} {seed}: {verdicts:?} from {from} ranks on\n{text}\n{argument:#?}",
                        class.name
                    );
                    argued += usize::from(verdicts.contains(&Some(true)));
                    waits += usize::from(!argument.rounds.is_empty() || !argument.counted.is_empty());
                }
                Err(_) if verdicts.contains(&Some(false)) => not_robust += 1,
                Err(_) => open += 1,
            }
        }
        println!(
            "{}: {argued} argued and compared, {waits} of them by rounds or counts; {not_robust} not robust, {open} open",
            class.name
        );
        assert!(argued > wanted as usize / 60, "{}: {argued}", class.name);
        assert!(not_robust > wanted as usize / 60, "{}: {not_robust}", class.name);
    }
}
