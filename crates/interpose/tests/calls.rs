//! Every hooked call, in C and Fortran, on both libraries, gives the expected events.
//!
//! The expected lines lie in `tests/expected`, one file a program; they are the same for both libraries. After a wanted
//! change, `FARSIDE_BLESS=1 cargo test` writes them anew; read the difference.

mod harness;

use farside_events::{Call, Direction, EventKind};
use harness::brief::brief;
use harness::{Library, Run, observe};
use std::collections::BTreeMap;
use std::path::Path;

#[test]
fn windows_and_their_operations() {
    check("rma.c");
}

#[test]
fn messages_in_all_forms() {
    check("messages.c");
}

#[test]
fn collectives_in_their_directions() {
    check("collectives.c");
}

#[test]
fn communicators_have_equal_identities() {
    check("communicators.c");
}

#[test]
fn datatypes_by_their_type_map() {
    check("datatypes.c");
}

#[test]
fn window_memory_as_message_buffer() {
    check("buffers.c");
}

#[test]
fn failing_calls() {
    check("errors.c");
}

#[test]
fn exceptions_pass_through() {
    check("exception.cpp");
}

/// On three processes order still goes forward, and the program notices nothing. MPICH is left out: with more processes
/// than cores it spins, and now and then takes longer than the time limit.
#[test]
fn three_processes() {
    for program in ["rma.c", "messages.c", "collectives.c", "communicators.c"] {
        let run = observe(Library::OpenMpi, program, 3);
        assert_eq!(run.processes.len(), 3);
        order_goes_forward(&run);
        communicators_agree(&run);
    }
}

#[test]
fn calls_of_mpi_4() {
    check_on(&[Library::Mpich], "mpi4.c");
}

#[test]
fn fortran_module_mpi() {
    check("use_mpi.f90");
}

#[test]
fn fortran_module_mpi_f08() {
    check("use_mpi_f08.f90");
}

#[test]
fn fortran_include_file() {
    check("mpif_h.f90");
}

#[test]
fn fortran_bindings_agree() {
    let expected = |name: &str| std::fs::read_to_string(expected_file(name)).expect("expected events");
    assert_eq!(expected("use_mpi.f90"), expected("use_mpi_f08.f90"));
    assert_eq!(expected("use_mpi.f90"), expected("mpif_h.f90"));
}

#[test]
fn fortran_array_sections_become_datatypes() {
    let put = |library| {
        let run = observe(library, "f08_section.f90", 2);
        let lines = brief(&run.processes[&1].events);
        lines.into_iter().find(|line| line.starts_with("MPI_Put"))
    };
    let gaps =
        "MPI_Put W1 at 1 disp 0: 4 x MPI_INTEGER, origin 1 x [0+4 MPI_INTEGER 4 times by 12; extent 40]";
    assert_eq!(put(Library::Mpich).as_deref(), Some(gaps));
    // Open MPI 4.1 has MPI_SUBARRAYS_SUPPORTED = .false.
    assert_eq!(put(Library::OpenMpi), None);
}

/// Compares with the expected events, and checks what must hold of every run.
fn check(program: &str) {
    check_on(&Library::ALL, program);
}

fn check_on(libraries: &[Library], program: &str) {
    for &library in libraries {
        let run = observe(library, program, 2);
        let mut text = String::new();
        for (rank, process) in &run.processes {
            assert!(
                process.ended,
                "{program} on {library:?}: rank {rank} ended properly; {}, last events {:#?}, stderr {}",
                run.output.status,
                process.events.iter().rev().take(3).collect::<Vec<_>>(),
                String::from_utf8_lossy(&run.output.stderr)
            );
            text += &format!("== rank {rank}\n");
            for line in brief(&process.events) {
                text += &line;
                text.push('\n');
            }
        }
        order_goes_forward(&run);
        let file = expected_file(program);
        if std::env::var_os("FARSIDE_BLESS").is_some() && library == libraries[0] {
            std::fs::write(&file, &text).expect("expected events can be written");
        }
        let expected = std::fs::read_to_string(&file).unwrap_or_default();
        let differences: Vec<String> = expected
            .lines()
            .zip(text.lines())
            .filter(|(a, b)| a != b)
            .take(5)
            .map(|(a, b)| format!("expected {a}\n   found {b}"))
            .collect();
        assert!(
            expected == text,
            "{program} on {library:?}:\n{}\n{text}",
            differences.join("\n")
        );
    }
}

fn expected_file(program: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/expected")
        .join(format!("{program}.txt"))
}

/// Processes that know a communicator know the same members (an inter-communicator's in their own order).
fn communicators_agree(run: &Run) {
    let mut members: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    for (rank, process) in &run.processes {
        for event in &process.events {
            if let EventKind::Comm { id, members: found } = &event.kind {
                let mut found: Vec<u32> = found.iter().map(|rank| rank.0).collect();
                assert!(found.contains(rank), "a process is a member of its communicators");
                found.sort_unstable();
                assert_eq!(members.entry(id.0).or_insert_with(|| found.clone()), &found);
            }
        }
    }
}

/// In a collective that orders all, no one leaves before everyone entered; and windows are announced by all before
/// anyone goes on.
fn order_goes_forward(run: &Run) {
    let mut entered: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    let mut left: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    for process in run.processes.values() {
        let mut inside = None;
        for event in &process.events {
            match &event.kind {
                EventKind::Enter { call, .. } => {
                    inside = match call {
                        Call::Collective {
                            comm,
                            sequence,
                            direction: Direction::All,
                            request: None,
                            ..
                        } => Some((comm.0, *sequence)),
                        _ => None,
                    };
                    if let Some(key) = inside {
                        let latest = entered.entry(key).or_insert(0);
                        *latest = event.time.max(*latest);
                    }
                }
                EventKind::Leave(_) => {
                    if let Some(key) = inside.take() {
                        let earliest = left.entry(key).or_insert(u64::MAX);
                        *earliest = event.time.min(*earliest);
                    }
                }
                EventKind::Window(_) => {
                    if let Some(key) = inside {
                        let latest = entered.entry(key).or_insert(0);
                        *latest = event.time.max(*latest);
                    }
                }
                _ => {}
            }
        }
    }
    for (key, last_entry) in entered {
        assert!(
            last_entry <= left[&key],
            "collective {key:?} is left before all entered it"
        );
    }
}
