//! The programs, compiled and run under the MPIs and SHMEMs that are installed: no outcome that the model of an
//! unordered network forbids.

use farside_emit::{Target, Unsupported, emit};
use farside_explore::Limits;
use farside_explore::allowed::Allowed;
use farside_litmus::ast::Program;
use farside_litmus::log;
use std::path::Path;
use std::process::{Command, Output, Stdio};

// The owner only reads what others update: in MPI a store of the owner is not atomic to their updates (MPI-4.1
// §12.7.1), and with Open MPI's osc/sm a compare-and-swap was seen to overwrite one that came in between.
const TESTS: [&str; 8] = [
    "RMA FetchAdd\n{ 0: X = 1; 1: Y = 2; 1: Z = 0; }\n P0    | P1                ;\n a = X | Z = rga(X@0, Y)   ;\n b = \
     X | flush(0)          ;\n       | c = Z             ;\n",
    "RMA CompareSwap\n{ 0: X = 1; 1: Y = 1; 1: Z = 0; 1: U = 3; }\n P0    | P1                   ;\n a = X | Z = \
     cas(X@0, Y, U)   ;\n b = X | flush(0)             ;\n       | c = Z                ;\n",
    include_str!("../../../litmus-tests/papers/Fig1.litmus"),
    include_str!("../../../litmus-tests/papers/Fig6.litmus"),
    include_str!("../../../litmus-tests/papers/Fig7left.litmus"),
    include_str!("../../../litmus-tests/papers/Fig7right.litmus"),
    include_str!("../../../litmus-tests/papers/Fig8.litmus"),
    include_str!("../../../litmus-tests/papers/Fig9.litmus"),
];
const STORE_BESIDE_SWAP: &str = "RMA StoreBesideSwap\n{ 0: X = 1; 1: Y = 1; 1: Z = 0; 1: U = 3; }\n P0    | \
    P1                   ;\n X = 5 | Z = cas(X@0, Y, U)   ;\n a = X | flush(0)             ;\n       | c = \
    Z                ;\nlocations [X; 0:a; 1:c;]\n";
const RUNS: u64 = 200;
/// Over sockets a run takes milliseconds where others need the processors.
const SLOW_RUNS: u64 = 20;

fn programs() -> Vec<Program> {
    TESTS
        .iter()
        .map(|text| farside_litmus::parse(text).unwrap())
        .collect()
}

fn allowed(program: &Program) -> Allowed {
    let model = farside_models::named("coreRMA-no-IR").unwrap();
    let allowed = Allowed::of(program, &model, &Limits::default()).unwrap();
    assert!(
        !allowed.is_open(),
        "a test with atomic accesses has no undefined value"
    );
    allowed
}

fn is_there(program: &str) -> bool {
    let found = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    found.is_ok_and(|status| status.success())
}

/// The tests that a target has, as a program in the folder.
fn compile(target: Target, compiler: &str, libraries: &[&str], folder: &Path) -> Vec<Program> {
    let mut programs = programs();
    programs.retain(|program| !matches!(emit(&[program], target), Err(Unsupported::Overlap { .. })));
    if target == Target::Mpi3Accumulate {
        // With MPI there, and only there, is an owner's store atomic to what others do.
        programs.push(farside_litmus::parse(STORE_BESIDE_SWAP).unwrap());
    }
    // Figure 7 compares, swaps and adds in place.
    let number = match target {
        Target::Mpi3 => 6,
        Target::Mpi3Accumulate => 7,
        _ => 8,
    };
    assert_eq!(programs.len(), number);
    let text = emit(&programs.iter().collect::<Vec<_>>(), target).unwrap();
    build(&text, compiler, libraries, folder);
    programs
}

/// Compiles the text of a program, with all warnings as errors.
fn build(text: &str, compiler: &str, libraries: &[&str], folder: &Path) {
    let source = folder.join("tests.c");
    std::fs::write(&source, text).unwrap();
    let compiled = Command::new(compiler)
        .args(["-O1", "-Wall", "-Wextra", "-Werror", "-std=gnu11", "-o"])
        .args([&folder.join("tests"), &source])
        .args(libraries)
        .output()
        .unwrap();
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
}

/// Whether what a program printed is what the model allows of all tests.
fn judge(output: &Output, programs: &[Program], target: &str, times: u64) {
    assert!(
        output.status.success(),
        "{target}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let log = log::read(std::str::from_utf8(&output.stdout).unwrap()).unwrap();
    assert_eq!(log.tests.len(), programs.len());
    for (entry, program) in log.tests.iter().zip(programs) {
        assert_eq!(entry.hash, program.hash());
        let runs: u64 = entry.states.values().map(|count| count.unwrap()).sum();
        assert_eq!(runs, times);
        let allowed = allowed(program);
        for state in entry.states.keys() {
            let values = allowed.values(state).unwrap();
            assert!(
                allowed.admits(&values),
                "{target}: {} shows {state}",
                program.name
            );
        }
    }
}

fn run(target: Target, compiler: &str, launcher: &[&str]) {
    if !is_there(compiler) || !is_there(launcher[0]) {
        eprintln!("not run: {compiler} or {} is not installed", launcher[0]);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let programs = compile(target, compiler, &[], folder.path());
    let output = Command::new("timeout")
        .arg("120")
        .args(launcher)
        .arg(folder.path().join("tests"))
        .args([&RUNS.to_string(), "7", "2000"])
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .output()
        .unwrap();
    judge(&output, &programs, compiler, RUNS);
}

/// Two ranks that find one another by files in a folder.
#[test]
fn libfabric_stays_within_the_model() {
    if !is_there("cc") || !Path::new("/usr/include/rdma/fabric.h").is_file() {
        eprintln!("not run: libfabric-dev is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let programs = compile(Target::Libfabric, "cc", &["-lfabric"], folder.path());
    let start = |rank: &str| {
        Command::new("timeout")
            .arg("120")
            .arg(folder.path().join("tests"))
            .args([&SLOW_RUNS.to_string(), "7", "2000"])
            .env("FARSIDE_RANK", rank)
            .env("FARSIDE_SIZE", "2")
            .env("FARSIDE_MEETING", folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let [first, second] = [start("0"), start("1")];
    judge(
        &first.wait_with_output().unwrap(),
        &programs,
        "libfabric",
        SLOW_RUNS,
    );
    let second = second.wait_with_output().unwrap();
    assert!(
        second.status.success(),
        "{}",
        String::from_utf8_lossy(&second.stderr)
    );
}

/// It runs where there is a device: `farside conform --target ibverbs`.
#[test]
fn ibverbs_compiles_without_a_warning() {
    if !is_there("cc") || !Path::new("/usr/include/infiniband/verbs.h").is_file() {
        eprintln!("not compiled: libibverbs-dev is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    compile(Target::Ibverbs, "cc", &["-libverbs"], folder.path());
}

/// No package has their headers: they are declared here as their manuals have them, which a link cannot be made of.
#[test]
fn portals_and_dmapp_compile_against_our_declarations() {
    if !is_there("cc") {
        eprintln!("not compiled: no C compiler");
        return;
    }
    let declared = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/c/declared");
    for target in [Target::Portals4, Target::Dmapp] {
        let folder = tempfile::tempdir().unwrap();
        compile(target, "cc", &["-c", declared], folder.path());
    }
}

/// They run by `farside conform`, whose tests do it.
#[test]
fn our_libraries_headers_take_the_programs_without_a_warning() {
    if !is_there("cc") {
        eprintln!("not compiled: no C compiler");
        return;
    }
    for (target, header) in [(Target::OpenShmem, "shmem"), (Target::Gaspi, "gaspi")] {
        let folder = tempfile::tempdir().unwrap();
        let include = format!("-I{}/../{header}/include", env!("CARGO_MANIFEST_DIR"));
        let mut programs = programs();
        if target == Target::Gaspi {
            programs = gaspi();
        }
        let text = emit(&programs.iter().collect::<Vec<_>>(), target).unwrap();
        build(&text, "cc", &["-c", &include], folder.path());
    }
}

/// Every statement that GASPI has.
fn gaspi() -> Vec<Program> {
    let texts = [
        "RMA Queues\n{ 0: S = 1; 0: Z = 0; 0: M = 0; 1: X = 0; 1: N = 0; 1: O = 3; }\n P0 | P1 ;\n put(X@1, S) on 1 | \
         await(N) ;\n notify(N@1, 5) on 1 | a = take(N) ;\n wait_queue(1) | if (a == 5) { ;\n put_notify(X@1, S, \
         O@1, 2) on 2 | b = X ;\n Z = get_notify(X@1, M) | } else { ;\n await(M) | b = 7 ;\n c = Z | } ;\n barrier | \
         barrier ;\nlocations [O;]\n",
        "RMA Atomics\n{ 0: X = 1; 1: Y = 1; 1: Z = 0; 1: U = 3; }\n P0 | P1 ;\n a = 1 | Z = cas(X@0, Y, U) ;\n | Z = \
         rga(X@0, Y) ;\n | Z = get(X@0) ;\n",
    ];
    let parsed = texts.map(|text| farside_litmus::parse(text).unwrap_or_else(|errors| panic!("{errors:?}")));
    parsed.into()
}

/// What GASPI has no call for, and a barrier that not all come to.
#[test]
fn what_gaspi_has_no_call_for_is_refused() {
    for (body, statement) in [
        ("put(X@0, Y) ; flush(0)", "flush(0)"),
        ("notify(N@0, 5000000000)", "notify(N@0, 5000000000)"),
        ("put(X@0, Y) on 9", "put(X@0, Y) on 9"),
        ("if (1 == 1) { barrier }", "barrier"),
    ] {
        let text = format!("RMA r\n{{ 0: X = 0; 0: Y = 0; 0: N = 0; }}\nP0 {{ {body} }}\n");
        let program = farside_litmus::parse(&text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        match emit(&[&program], Target::Gaspi) {
            Err(Unsupported::Statement { statement: found, .. }) => assert_eq!(found, statement),
            other => panic!("{body}: {other:?}"),
        }
    }
}

#[test]
fn mpich_stays_within_the_model() {
    run(Target::Mpi3, "mpicc.mpich", &["mpirun.mpich", "-n", "2"]);
}

/// Not osc/rdma: that of 4.1.4 ends in a segmentation fault in compare and swap.
const OPEN_MPI: [&str; 7] = [
    "mpirun.openmpi",
    "--oversubscribe",
    "--mca",
    "osc",
    "^rdma",
    "-n",
    "2",
];

#[test]
fn open_mpi_stays_within_the_model() {
    run(Target::Mpi3, "mpicc.openmpi", &OPEN_MPI);
}

#[test]
fn accumulates_alone_stay_within_the_model() {
    run(
        Target::Mpi3Accumulate,
        "mpicc.mpich",
        &["mpirun.mpich", "-n", "2"],
    );
    run(Target::Mpi3Accumulate, "mpicc.openmpi", &OPEN_MPI);
}

#[test]
fn openshmem_stays_within_the_model() {
    run(
        Target::OpenShmem,
        "oshcc",
        &["oshrun", "--oversubscribe", "-n", "2"],
    );
}

#[test]
fn what_cannot_be_emitted_is_named() {
    let fence = farside_litmus::parse("RMA f\n{ 0: X = 1; }\n P0    ;\n fence ;\n a = X ;\n").unwrap();
    let error = emit(&[&fence], Target::Mpi3).unwrap_err();
    assert!(error.to_string().contains("`fence`"), "{error}");
}
