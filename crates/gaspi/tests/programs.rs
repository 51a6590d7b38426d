//! Conformance to GASPI 17.1, function by function: C programs of `tests/programs`, compiled against the header, linked
//! with the library, and run as jobs of several processes, over memory and over libfabric where that is installed.

mod job;

use job::{Job, has_libfabric};

/// A provider that every libfabric has.
const NETWORK: &str = "ofi:tcp;ofi_rxm";

/// Ends well, at every rank, over memory with 1, 2 and 4 ranks, and over libfabric with 2.
fn conforms(program: &str) {
    for ranks in [1, 2, 4] {
        Job::new(program, ranks, "shm").succeeds();
    }
    if has_libfabric() {
        Job::new(program, 2, NETWORK).succeeds();
    }
}

/// As [`conforms`], and with 4 ranks over libfabric.
fn conforms_widely(program: &str) {
    conforms(program);
    if has_libfabric() {
        Job::new(program, 4, NETWORK).succeeds();
    }
}

#[test]
fn header() {
    Job::new("header", 1, "shm").succeeds();
}

#[test]
fn setup() {
    conforms("setup");
}

#[test]
fn segments() {
    conforms("segments");
}

/// The program's memory, from other nodes and from the same one.
#[test]
fn segments_between_nodes() {
    if has_libfabric() {
        for program in ["segments", "atomics"] {
            let job = Job::new(program, 4, "hybrid:tcp;ofi_rxm");
            job.on_nodes(2).succeeds();
        }
    }
}

#[test]
fn requests() {
    conforms_widely("requests");
}

#[test]
fn atomics() {
    conforms("atomics");
}

#[test]
fn passive() {
    conforms_widely("passive");
}

#[test]
fn collectives() {
    conforms_widely("collectives");
    // Not a power of two.
    Job::new("collectives", 3, "shm").succeeds();
}

#[test]
fn wrong_arguments() {
    conforms("wrong");
}

#[test]
fn threads() {
    conforms("threads");
}

#[test]
fn eight_ranks_on_few_processors() {
    Job::new("crowd", 8, "shm").succeeds();
}

#[test]
fn examples_run() {
    Job::example("gaspi-pipeline", 3).argument("300").succeeds();
    Job::example("gaspi-times", 2).argument("100").succeeds();
}

/// Whatever the others wait in, they are told.
fn tells(way: &str) {
    Job::new("lost", 3, "shm").argument(way).loses_the_last();
    if has_libfabric() {
        Job::new("lost", 3, NETWORK).argument(way).loses_the_last();
    }
}

#[test]
fn a_barrier_tells_of_a_lost_rank() {
    tells("barrier");
    tells("test");
}

#[test]
fn waits_for_nobody_tell_of_a_lost_rank() {
    tells("waitsome");
    tells("receive");
}

#[test]
fn waits_for_a_lost_rank_tell_of_it() {
    tells("send");
    tells("create");
}

#[test]
fn requests_tell_of_a_lost_rank() {
    tells("requests");
    tells("atomics");
}

#[test]
fn a_rank_that_was_killed_is_lost() {
    tells("kill");
}

/// The launchers of both MPIs start the same programs.
#[test]
fn mpirun_starts_it() {
    for (launcher, options) in [
        ("mpirun.mpich", &[][..]),
        ("mpirun.openmpi", &["--oversubscribe", "--allow-run-as-root"][..]),
    ] {
        Job::new("passive", 3, "shm").succeeds_under(launcher, options);
    }
}

/// A tool takes the place of a function, and calls the one of the library by its other name.
#[test]
fn a_tool_can_be_preloaded() {
    Job::new("observed", 2, "shm").preloaded("tool").succeeds();
}

/// C++ takes the header, and links.
#[test]
fn the_header_is_cpp() {
    Job::new("plain.cpp", 2, "shm").succeeds();
}

#[test]
fn the_profiling_header_is_what_its_generator_writes() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a header");
    let is_function = |line: &&str| line.starts_with("gaspi_") && line.contains('(');
    let header = read("GASPI.h");
    let declared: Vec<_> = header.lines().filter(is_function).collect();
    assert!(declared.len() > 80, "{}", declared.len());
    let profiling = read("PGASPI.h");
    for line in declared {
        let (kind, rest) = line.split_once(' ').expect("a type and a name");
        assert!(
            profiling.contains(&format!("{kind} p{rest}")),
            "include/make-pgaspi was not run: {line}"
        );
    }
}
