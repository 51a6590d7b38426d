//! From programs in the text of the IR to findings: no compiler, no LLVM.

use farside_findings::{Finding, Rule, ShortfallKind};
use farside_lint::ir::Module;
use farside_lint::{Analysis, MemoryLimit, Options, analyse};
use std::fmt::Write as _;

/// MPICH's handles.
const WORLD: u32 = 0x4400_0000;
const SELF: u32 = 0x4400_0001;
const INT: u32 = 0x4c00_0405;
const NO_INFO: u32 = 0x1c00_0000;

/// What comes of a program of two processes. Process 0 does what the blocks say, from block 1 to block 9, in an epoch;
/// register 4 is the window, and register 5 has room for a million numbers.
fn analysis(blocks: &str) -> Analysis {
    let analysis = analyse(&module(blocks), &Options::default());
    assert_eq!(analysis.processes, [2]);
    let others = analysis.shortfalls.iter();
    let mut others = others.filter(|shortfall| shortfall.id != ShortfallKind::NotComputed);
    assert!(others.next().is_none(), "{:?}", analysis.shortfalls);
    assert!(analysis.coverage.is_complete(), "{:?}", analysis.coverage);
    analysis
}

fn module(blocks: &str) -> Module {
    let text = format!(
        r#"0:
  call &MPI_Init(0, 0)
  %0 = allocate 4 * 1 "rank"
  call &MPI_Comm_rank({WORLD}, %0)
  %1 = load i32, %0
  %2 = allocate 8 * 1 "base"
  %3 = allocate 4 * 1 "win"
  call &MPI_Win_allocate(64, 4, {NO_INFO}, {WORLD}, %2, %3)
  %4 = load i32, %3
  %5 = call &malloc(4000000)
  call &MPI_Win_lock_all(0, %4)
  %6 = compare eq i32 %1, 0
  branch %6, 1, 9
{blocks}9:
  call &MPI_Win_unlock_all(%4)
  call &MPI_Win_free(%3)
  call &MPI_Finalize()
  return 0"#
    );
    let mut module = String::new();
    for line in 0..=text.lines().count() {
        let _ = writeln!(module, "place \"program.c\" {line} 1 8");
    }
    for name in [
        "MPI_Init",
        "MPI_Comm_rank",
        "MPI_Win_allocate",
        "malloc",
        "MPI_Win_lock_all",
        "MPI_Put",
        "MPI_Get",
        "MPI_Win_flush",
        "MPI_Win_unlock_all",
        "MPI_Win_free",
        "MPI_Win_allocate_shared",
        "MPI_Win_shared_query",
        "MPI_Win_create",
        "MPI_Comm_size",
        "MPI_Type_contiguous",
        "MPI_Type_commit",
        "MPI_Op_create",
        "MPI_Allreduce",
        "MPI_Recv",
    ] {
        let _ = writeln!(module, "declare {name}()");
    }
    module.push_str("function main() registers 24 {\n");
    for (line, text) in (1..).zip(text.lines()) {
        let has_place = text.starts_with("  ") && !text.contains("= phi");
        match has_place {
            true => writeln!(module, "{text} !{line}"),
            false => writeln!(module, "{text}"),
        }
        .expect("writing to a string does not fail");
    }
    module.push_str("}\ndeclare MPI_Finalize()\nglobal @count 4\n");
    module
        .parse()
        .unwrap_or_else(|wrong| panic!("{wrong}:\n{module}"))
}

fn rules(analysis: &Analysis) -> Vec<Rule> {
    let rule = |finding: &Finding| finding.rule;
    analysis.findings.iter().map(rule).collect()
}

/// A loop over an array of which a put has one element.
struct LongLoop {
    /// Which one.
    put: u32,
    rounds: u32,
    /// How block 3 ends: in block 4, which is the body, or in block 5, which ends the round. Register 8 is its number.
    begins: &'static str,
    /// What is done to the element of the round, whose address is in register 14.
    body: &'static str,
    /// What comes after the loop, with the sum of what was loaded in register 9: block 7, which stores to what was put,
    /// or block 8.
    then: String,
}

impl LongLoop {
    fn of(put: u32, rounds: u32, body: &'static str) -> Self {
        Self {
            put,
            rounds,
            begins: "goto 4",
            body,
            then: "goto 8".to_owned(),
        }
    }

    fn analysis(&self) -> Analysis {
        let Self {
            put,
            rounds,
            begins,
            body,
            then,
        } = self;
        let offset = 4 * put;
        analysis(&format!(
            r"1:
  %7 = offset %5 + {offset}
  call &MPI_Put(%7, 1, {INT}, 1, 0, 1, {INT}, %4)
  goto 2
2:
  %8 = phi [1: 0, 5: %12]
  %9 = phi [1: 0, 5: %11]
  %13 = compare slt i32 %8, {rounds}
  branch %13, 3, 6
3:
  %14 = offset %5 + 0 + %8:32*4
  {begins}
4:
  {body}
  goto 5
5:
  %10 = load i32, %14
  %11 = add i32 %9, %10
  %12 = add i32 %8, 1
  goto 2
6:
  {then}
7:
  store i32 1, %7
  goto 8
8:
  goto 9
"
        ))
    }

    fn rules(&self) -> Vec<Rule> {
        rules(&self.analysis())
    }
}

const STORE: &str = "store i32 1, %14";
const NOTHING: &str = "%15 = add i32 0, 0";

/// More rounds than are executed one by one.
#[test]
fn a_long_loop_is_followed_to_its_last_round() {
    assert_eq!(LongLoop::of(299_999, 300_000, STORE).rules(), [Rule::LocalRace]);
    assert_eq!(LongLoop::of(300_000, 300_000, STORE).rules(), []);
    // Loads do not conflict with a put.
    assert_eq!(LongLoop::of(299_999, 300_000, NOTHING).rules(), []);
}

#[test]
fn rounds_that_go_another_way_are_told_apart() {
    let in_rounds = |begins, put| LongLoop {
        begins,
        ..LongLoop::of(put, 300_000, STORE)
    };
    let first = "%16 = compare ult i32 %8, 200000\n  branch %16, 4, 5";
    assert_eq!(in_rounds(first, 199_999).rules(), [Rule::LocalRace]);
    assert_eq!(in_rounds(first, 200_000).rules(), []);
    let single = "%16 = compare eq i32 %8, 200000\n  branch %16, 4, 5";
    assert_eq!(in_rounds(single, 200_000).rules(), [Rule::LocalRace]);
    assert_eq!(in_rounds(single, 200_001).rules(), []);
}

/// A number that the loop keeps in memory, and what it stores, are as after the last round.
#[test]
fn counters_in_memory_and_stored_values_are_those_of_all_rounds() {
    let store_if = |address: &str, value: u32| LongLoop {
        then: format!("%20 = load i32, {address}\n  %21 = compare eq i32 %20, {value}\n  branch %21, 7, 8"),
        ..LongLoop::of(
            900_000,
            100_000,
            "%17 = load i32, @count\n  %18 = add i32 %17, 3\n  store i32 %18, @count\n  store i32 %18, %14",
        )
    };
    assert_eq!(store_if("@count", 300_000).rules(), [Rule::LocalRace]);
    assert_eq!(store_if("@count", 299_997).rules(), []);
    assert_eq!(store_if("%5", 3).rules(), [Rule::LocalRace]);
}

/// The sum of what was loaded in rounds that were taken together is not known: what depends on it is possible only.
#[test]
fn what_was_not_computed_decides_nothing_with_certainty() {
    let certain_and_possible = |then: &str| {
        let analysis = LongLoop {
            then: then.to_owned(),
            ..LongLoop::of(900_000, 300_000, NOTHING)
        }
        .analysis();
        let says_so = analysis.shortfalls.len();
        (analysis.findings.len(), analysis.possible.len(), says_so)
    };
    let condition = "%20 = compare eq i32 %9, 0\n  branch %20, 7, 8";
    assert_eq!(certain_and_possible(condition), (0, 1, 1));
    let address = "%20 = offset %7 + 0 + %9:32*4\n  store i32 1, %20\n  goto 8";
    assert_eq!(certain_and_possible(address), (0, 1, 1));
    assert_eq!(certain_and_possible("goto 7"), (1, 0, 0));
}

/// A limit of memory ends a simulation, and the report says so.
#[test]
fn what_is_not_simulated_for_want_of_memory_is_said() {
    let blocks: String = (1..9).map(|block| format!("{block}:\n  goto 9\n")).collect();
    let within = |bytes| {
        let options = Options {
            memory: Some(MemoryLimit { bytes, used: || 1000 }),
            ..Options::default()
        };
        let analysis = analyse(&module(&blocks), &options);
        let kinds = analysis.shortfalls.iter().map(|shortfall| shortfall.id);
        kinds.collect::<Vec<_>>()
    };
    assert_eq!(within(1000), []);
    assert_eq!(within(999), [ShortfallKind::MemoryLimit]);
}

/// MPI refuses it (MPI-4.1 §12.3).
#[test]
fn a_negative_count_is_misuse() {
    let put = |count: i32| {
        let count = count.cast_unsigned();
        let block = |number, text| format!("{number}:\n  {text}\n");
        let mut blocks = block(
            1,
            format!("call &MPI_Put(%5, {count}, {INT}, 1, 0, {count}, {INT}, %4)\n  goto 2"),
        );
        for number in 2..9 {
            blocks += &block(number, format!("goto {}", number + 1));
        }
        rules(&analysis(&blocks))
    };
    assert_eq!(put(-1), [Rule::OutOfRange]);
    assert_eq!((put(0), put(4)), (vec![], vec![]));
}

/// Block 1, and those after it that only go on.
fn only_block(text: &str) -> String {
    let others: String = (2..9)
        .map(|block| format!("{block}:\n  goto {}\n", block + 1))
        .collect();
    format!("1:\n{text}\n  goto 2\n{others}")
}

/// MPI-4.1 §5.1.9.
#[test]
fn a_type_must_be_committed() {
    let put = |commit: &str| {
        let text = format!(
            "  %7 = allocate 4 * 1 \"type\"\n  call &MPI_Type_contiguous(2, {INT}, %7)\n{commit}  %8 = load i32, %7\n  \
             call &MPI_Put(%5, 1, %8, 1, 0, 2, {INT}, %4)"
        );
        rules(&analysis(&only_block(&text)))
    };
    assert_eq!(put(""), [Rule::InvalidArgument]);
    assert_eq!(put("  call &MPI_Type_commit(%7)\n"), []);
}

/// MPI-4.1 §12.2.1.
#[test]
fn a_window_lies_within_its_object() {
    let window = |size: u32| {
        let text = format!(
            "  %7 = allocate 4 * 1 \"win\"\n  %8 = call &malloc(16)\n  %9 = offset %8 + 4\n  \
             call &MPI_Win_create(%9, {size}, 1, {NO_INFO}, {SELF}, %7)\n  call &MPI_Win_free(%7)"
        );
        rules(&analysis(&only_block(&text)))
    };
    assert_eq!(window(13), [Rule::InvalidArgument]);
    assert_eq!(window(12), []);
}

/// The number grows with that of the processes, or it may be one of more of them (MPI-4.1 §12.3).
#[test]
fn a_target_that_no_number_of_processes_has() {
    let put = |target: &str| {
        let text = format!(
            "  %7 = allocate 4 * 1 \"size\"\n  call &MPI_Comm_size({WORLD}, %7)\n  %8 = load i32, %7\n  \
             call &MPI_Put(%5, 1, {INT}, {target}, 0, 1, {INT}, %4)"
        );
        let analysis = analyse(&module(&only_block(&text)), &Options::default());
        let shortfalls: Vec<ShortfallKind> =
            analysis.shortfalls.iter().map(|shortfall| shortfall.id).collect();
        (rules(&analysis), shortfalls, analysis.processes)
    };
    assert_eq!(put("%8"), (vec![Rule::InvalidTarget], vec![], vec![2]));
    assert_eq!(put("4294967294"), (vec![Rule::InvalidTarget], vec![], vec![2]));
    assert_eq!(put("5"), (vec![], vec![], vec![6]));
    assert_eq!(put("9"), (vec![], vec![ShortfallKind::MissingProcesses], vec![8]));
}

/// With three processes and more, process 0 waits for a message that nobody sends. A program that computes with their
/// number is written for any; one that only looks at it may be meant for two.
#[test]
fn a_program_that_hangs_with_more_processes() {
    let hangs = |computes: &str| {
        let text = format!(
            "  %7 = allocate 4 * 1 \"size\"\n  call &MPI_Comm_size({WORLD}, %7)\n  %8 = load i32, %7\n{computes}  \
             %10 = compare eq i32 %8, 2\n  branch %10, 9, 2\n2:\n  \
             call &MPI_Recv(%5, 1, {INT}, 1, 0, {WORLD}, 1)\n  goto 9"
        );
        let others: String = (3..9)
            .map(|block| format!("{block}:\n  goto {}\n", block + 1))
            .collect();
        let analysis = analyse(&module(&format!("1:\n{text}\n{others}")), &Options::default());
        let shortfalls = analysis.shortfalls.iter().map(|shortfall| shortfall.id);
        let left = shortfalls.filter(|id| *id == ShortfallKind::NumbersLeft).count();
        (rules(&analysis), left)
    };
    assert_eq!(hangs("  %9 = add i32 %8, 1\n"), (vec![Rule::Deadlock], 0));
    assert_eq!(hangs(""), (vec![], 1));
}

/// What an operator of the program's own makes is not known, and is the same everywhere.
#[test]
fn operators_of_the_program_are_followed() {
    let text = format!(
        "  %7 = allocate 4 * 1 \"op\"\n  call &MPI_Op_create(0, 1, %7)\n  %8 = load i32, %7\n  \
         call &MPI_Allreduce(%5, %5, 1, {INT}, %8, {SELF})\n  %9 = load i32, %5\n  %10 = compare eq i32 %9, 77\n  \
         branch %10, 2, 3\n2:\n  call &MPI_Put(%5, 99, {INT}, 1, 0, 99, {INT}, %4)\n  goto 3"
    );
    let others: String = (3..9)
        .map(|block| format!("{block}:\n  goto {}\n", block + 1))
        .collect();
    let analysis = analysis(&format!("1:\n{text}\n{others}"));
    assert_eq!(rules(&analysis), []);
    assert_eq!(analysis.possible.len(), 1, "{:?}", analysis.possible);
}

#[test]
fn a_part_of_a_shared_window_without_bytes_lies_nowhere() {
    let unused: String = (3..9).map(|block| format!("{block}:\n  goto 9\n")).collect();
    let analysis = analysis(&format!(
        r#"1:
  %7 = allocate 8 * 4 ""
  %8 = offset %7 + 8
  %9 = offset %7 + 16
  %10 = offset %7 + 24
  call &MPI_Win_allocate_shared(0, 4, {NO_INFO}, {SELF}, %7, %10)
  %11 = load i32, %10
  call &MPI_Win_shared_query(%11, 0, %8, %9, %7)
  call &MPI_Win_free(%10)
  %12 = load i64, %7
  %13 = compare eq i64 %12, 0
  branch %13, 2, 9
2:
  call &MPI_Put(%5, 1, {INT}, 1, 0, 1, {INT}, %4)
  store i32 1, %5
  goto 9
{unused}"#
    ));
    assert_eq!(rules(&analysis), [Rule::LocalRace]);
}

/// A loop asks for a word of process 1, which waits for the end of the window; register 8 is another number, and
/// register 11 what it is after a round.
#[test]
fn a_loop_that_nobody_ends_is_a_deadlock() {
    let waiting = |round: &str, goes_on: &str| {
        let others: String = (3..9)
            .map(|block| format!("{block}:\n  goto {}\n", block + 1))
            .collect();
        let blocks = format!(
            "1:\n  %7 = allocate 4 * 1 \"seen\"\n  goto 2\n2:\n  %8 = phi [1: 0, 2: %11]\n  \
             call &MPI_Get(%7, 1, {INT}, 1, 0, 1, {INT}, %4)\n  call &MPI_Win_flush(1, %4)\n  %9 = load i32, %7\n  \
             {round}\n  {goes_on}\n  branch %10, 2, 3\n{others}"
        );
        rules(&analyse(&module(&blocks), &Options::default()))
    };
    let until_there = "%10 = compare eq i32 %9, 0";
    assert_eq!(waiting("%11 = add i32 %8, 0", until_there), [Rule::Deadlock]);
    // A round that changes something may lead to another one.
    assert_eq!(waiting("%11 = add i32 %8, 1", until_there), []);
    let for_a_while = "%10 = compare slt i32 %11, 20000";
    assert_eq!(waiting("%11 = add i32 %8, 1", for_a_while), []);
}
