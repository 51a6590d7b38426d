//! The argument for every number of ranks, against the engine for small ones.

mod small;

use farside_pgas::lower::Settings;
use farside_pgas::parser::parse;
use farside_robust::every::{Doubt, argue};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use small::engine;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn files(at: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(at).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pgas") {
            found.push(path);
        }
    }
    found.sort();
}

#[test]
fn what_is_argued_holds_in_the_library() {
    let mut found = Vec::new();
    files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robust-tests"),
        &mut found,
    );
    let (mut argued, mut compared, mut robust) = (0, 0, 0);
    for path in &found {
        let program = parse(&std::fs::read_to_string(path).unwrap()).unwrap();
        let said = path.file_stem().unwrap().to_str().unwrap().ends_with("yes");
        robust += usize::from(said);
        match argue(&program, Settings::default()) {
            Ok(argument) => {
                argued += 1;
                println!(
                    "{}: from {} on, {} late",
                    path.display(),
                    argument.from,
                    argument.late.len()
                );
                for ranks in argument.from..argument.from + 3 {
                    if let Some(verdict) = engine(&program, ranks) {
                        assert!(verdict, "{} with {ranks} ranks", path.display());
                        compared += 1;
                    }
                }
            }
            Err(Doubt::Way { pair, steps }) if said => {
                println!(
                    "{}: `{}` past `{}`",
                    path.display(),
                    pair.overtaken_by.text,
                    pair.operation.text
                );
                for step in steps {
                    println!("      {}", step.text);
                }
            }
            Err(Doubt::Unfit { errors, ranks }) if said => {
                println!(
                    "{}: {ranks} ranks: {}",
                    path.display(),
                    errors.first().map_or("?", |error| &error.message)
                );
            }
            Err(_) => {}
        }
    }
    println!("{argued} of {robust} robust ones argued, {compared} compared");
    assert!(argued >= 70, "{argued}");
    assert!(compared >= 150, "{compared}");
}

/// Pseudo-random programs for any number of ranks; equal seeds give equal programs.
struct Generator {
    random: SplitMix64,
    text: String,
}

impl Generator {
    fn below(&mut self, bound: u64) -> u64 {
        self.random.next_u64() % bound
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }

    fn program(seed: u64) -> String {
        let mut generator = Self {
            random: SplitMix64::seed_from_u64(seed),
            text: String::new(),
        };
        let orders = ["ordered", "ordered per target", "unordered"];
        let (q, p) = (generator.pick(&orders), generator.pick(&orders));
        generator.text = format!(
            "program random\ndomain 3 wraps\nshared x = 1, y, f, g\nregister r\nqueue q {q}\nqueue p {p}\nhandle h\n"
        );
        let statements = 2 + generator.below(5);
        generator.block(statements, 1);
        generator.text
    }

    fn block(&mut self, statements: u64, depth: u32) {
        for _ in 0..statements {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        let rank = self.pick(&[
            "(me + 1) % n",
            "(me + 1) % n",
            "(me + n - 1) % n",
            "0",
            "1",
            "n - 1",
            "me",
        ]);
        let (local, remote) = (self.pick(&["x", "y", "x"]), self.pick(&["x", "y", "f", "f", "g"]));
        let (queue, handle) = (self.pick(&["q", "q", "p"]), self.pick(&["", "", ", h"]));
        // Writing to a string cannot fail.
        let _ = match self.below(if depth > 0 { 16 } else { 13 }) {
            0..=2 => writeln!(self.text, "write({local}, {rank}, {remote}, {queue}{handle})"),
            3 => writeln!(self.text, "read({local}, {rank}, {remote}, {queue})"),
            4 => writeln!(self.text, "write_after({local}, {rank}, {remote}, {queue})"),
            5 => writeln!(self.text, "fetch_add({local}, {rank}, {remote}, 1, {queue})"),
            6 => writeln!(self.text, "swap(_, {rank}, {remote}, 1, {queue})"),
            7 => writeln!(self.text, "{local} = {}", self.random.next_u64() % 3),
            8 => writeln!(self.text, "r = {remote}"),
            9 => {
                let what = self.pick(&["wait q", "wait p", "wait h", "wait_local q", "wait q"]);
                writeln!(self.text, "{what}")
            }
            10 => {
                let what = self.pick(&["fence q", "fence q, (me + 1) % n", "barrier", "barrier"]);
                writeln!(self.text, "{what}")
            }
            11..=12 => {
                let flag = self.pick(&["f == 0", "f == 0", "g != 1"]);
                writeln!(self.text, "while {flag} {{ }}")
            }
            13 => {
                let condition = self.pick(&[
                    "me == 0",
                    "me + 1 < n",
                    "me > 0",
                    "r == 1",
                    "me % 2 == 0",
                    "n > 2",
                ]);
                let _ = writeln!(self.text, "if {condition} {{");
                self.block(2, depth - 1);
                let _ = writeln!(self.text, "}} else {{");
                self.block(1, depth - 1);
                writeln!(self.text, "}}")
            }
            14 => {
                let _ = writeln!(self.text, "loop {{");
                self.block(2, depth - 1);
                writeln!(self.text, "}}")
            }
            _ => writeln!(
                self.text,
                "write(x, {rank}, y, q)\nwait q\nwrite(x, {rank}, f, q)\nwhile f == 0 {{ }}\nr = y"
            ),
        };
    }
}

/// As many programs as `FARSIDE_RANDOM_PROGRAMS` says, else some.
#[test]
fn what_is_argued_holds_in_random_programs() {
    let wanted = std::env::var("FARSIDE_RANDOM_PROGRAMS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(600);
    let (mut argued, mut with_late, mut not_robust) = (0, 0, 0);
    for seed in 0..wanted {
        let text = Generator::program(seed);
        let program = parse(&text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
        let Ok(argument) = argue(&program, Settings::default()) else {
            not_robust += usize::from(engine(&program, 2) == Some(false));
            continue;
        };
        for ranks in argument.from..=4.max(argument.from) {
            if let Some(verdict) = engine(&program, ranks) {
                assert!(
                    verdict,
                    "seed {seed}: not robust with {ranks} ranks\n{text}\n{argument:#?}"
                );
                argued += 1;
                with_late += usize::from(!argument.late.is_empty());
            }
        }
    }
    println!(
        "{argued} compared, {with_late} with something late; {not_robust} not robust with 2 ranks and not argued"
    );
    assert!(argued > wanted as usize / 10, "{argued}");
    assert!(with_late > wanted as usize / 20, "{with_late}");
    assert!(not_robust > wanted as usize / 10, "{not_robust}");
}
