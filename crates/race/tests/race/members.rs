//! What members of a collective call of OpenSHMEM hand in (§9.9), and calls that are wrong by themselves.

use crate::script::{Script, at};
use farside_events::{
    Buffer, Call, CommId, Direction, EventKind, Exchange, Interface, Mistake, Rank, StackId, TypeId,
};

/// All processes of a script, and its integers of 4 bytes.
const WORLD: CommId = CommId(1);
const INT: TypeId = TypeId(1);

fn openshmem(size: u32) -> Script {
    let mut script = Script::without_window(size).of(Interface::Shmem);
    script.window_of_all();
    script.everyone_locks_all();
    script
}

/// A member enters a call of all.
fn enter(script: &mut Script, rank: u32, (line, name, sequence): (u64, &str, u64)) {
    let call = Call::Collective {
        comm: WORLD,
        sequence,
        direction: Direction::All,
        name: name.into(),
        request: None,
    };
    script.enter(rank, line, call);
}

/// Two threads of a process, of which the second enters a call on the same communicator, or on another one, while the
/// first is in one or after it (MPI-4.1 §6.14).
#[test]
fn threads_make_collective_calls_of_a_communicator_one_after_the_other() {
    let of = |comm: CommId, is_over: bool, names: [&str; 2]| {
        let mut script = Script::without_window(2);
        for (thread, (comm, name)) in (0..).zip([WORLD, comm].into_iter().zip(names)) {
            let call = Call::Collective {
                comm,
                sequence: u64::from(thread),
                direction: Direction::All,
                name: name.into(),
                request: None,
            };
            let stack = StackId(5 + u64::from(thread));
            script.kind(0, thread, EventKind::Enter { call, stack });
            if is_over {
                script.kind(0, thread, EventKind::Leave(farside_events::Outcome::Done));
            }
        }
        let found = script.finish();
        let concurrent =
            |finding: &&farside_race::RawFinding| finding.rule == farside_findings::Rule::CollectiveMismatch;
        found.iter().filter(concurrent).count()
    };
    let names = ["MPI_Barrier", "MPI_Allreduce"];
    assert_eq!(of(WORLD, false, names), 1);
    assert_eq!(of(WORLD, true, names), 0);
    assert_eq!(of(CommId(2), false, names), 0);
    assert_eq!(of(WORLD, false, ["MPI_Barrier", "MPI_Comm_create_group"]), 0);
}

/// A member enters a reduction, and lets the others write four integers at the beginning of its window.
fn reduce(script: &mut Script, rank: u32, line: u64, sequence: u64) {
    enter(script, rank, (line, "shmem_reduce", sequence));
    script.kind(
        rank,
        0,
        EventKind::Exchange(Exchange {
            comm: WORLD,
            sequence,
            writer: None,
            destination: Some(Buffer {
                address: at(rank, 0),
                datatype: INT,
                count: 4,
            }),
            contributes: 4,
            collects: false,
            name: "shmem_reduce".into(),
            place: (0, StackId(line)),
        }),
    );
}

fn agree(script: &mut Script, rank: u32, sequence: u64, value: u64) {
    let argument = "the size".into();
    script.kind(
        rank,
        0,
        EventKind::Agreed {
            comm: WORLD,
            sequence,
            argument,
            value,
        },
    );
}

#[test]
fn a_destination_is_written_when_another_member_has_entered() {
    for meets in [false, true] {
        let mut script = openshmem(2);
        // The other one may come first, or last.
        script.load(1, 20, at(1, 4));
        if meets {
            enter(&mut script, 0, (5, "shmem_sync_all", 0));
            enter(&mut script, 1, (5, "shmem_sync_all", 0));
            script.leave(0);
            script.leave(1);
        }
        reduce(&mut script, 0, 10, 1);
        reduce(&mut script, 1, 21, 1);
        script.leave(0);
        script.leave(1);
        match meets {
            true => script.expect(&[]),
            false => script.expect(&[("remote-race", &[10, 20])]),
        }
    }
}

#[test]
fn a_destination_is_written_until_its_member_returns() {
    let mut script = openshmem(2);
    reduce(&mut script, 0, 10, 0);
    reduce(&mut script, 1, 20, 0);
    script.leave(0);
    script.put(0, 11, crate::script::private(0), 1, 4);
    script.leave(1);
    script.load(1, 21, at(1, 12));
    // Both sides of the call, as another member enters it and as its own returns, are against the put.
    let found = script.finish();
    assert!(!found.is_empty());
    let put =
        |finding: &farside_race::RawFinding| finding.parties.iter().any(|party| party.site.stack.0 == 11);
    assert!(found.iter().all(put), "{found:#?}");
}

#[test]
fn reductions_in_a_row_are_made_one_after_the_other() {
    let mut script = openshmem(2);
    for (sequence, line) in [(0, 10), (1, 30)] {
        reduce(&mut script, 0, line, sequence);
        reduce(&mut script, 1, line + 1, sequence);
        script.leave(0);
        script.leave(1);
    }
    script.expect(&[]);
}

#[test]
fn members_that_differ_are_told_once() {
    let mut script = openshmem(2);
    for sequence in 0..2 {
        enter(&mut script, 0, (10 + sequence, "shmem_malloc", sequence));
        agree(&mut script, 0, sequence, 8);
        enter(&mut script, 1, (20 + sequence, "shmem_malloc", sequence));
        agree(&mut script, 1, sequence, 16);
        script.leave(0);
        script.leave(1);
    }
    script.expect(&[("collective-mismatch", &[10, 20])]);
    let mut script = openshmem(2);
    enter(&mut script, 0, (10, "shmem_barrier_all", 0));
    enter(&mut script, 1, (20, "shmem_sync_all", 0));
    script.expect(&[("collective-mismatch", &[10, 20])]);
}

#[test]
fn a_wrong_call_is_told_with_the_call_that_made_it_wrong() {
    let mut script = openshmem(2);
    let freed = EventKind::Mistaken {
        mistake: Mistake::Freed {
            argument: "dest".into(),
        },
        name: "put".into(),
        stack: StackId(11),
        earlier: Some(("free".into(), StackId(10))),
    };
    script.kind(0, 0, freed);
    let target = EventKind::Mistaken {
        mistake: Mistake::Target {
            number: 2,
            processes: 2,
        },
        name: "put".into(),
        stack: StackId(12),
        earlier: None,
    };
    script.kind(1, 0, target);
    let found = script.finish();
    assert!(
        found
            .iter()
            .any(|finding| finding.parties[0].site.rank == Rank(1))
    );
    let rules: Vec<&str> = found.iter().map(|finding| finding.rule.id()).collect();
    assert_eq!(rules, ["use-after-free", "invalid-target"]);
}

/// A barrier that was begun and a reduction may be under way at once (GASPI 17.1 §11): their order is not the same at
/// all then. A sync of all is one of the team of all (OpenSHMEM 1.5 §9.9.3).
#[test]
fn calls_that_may_meet_are_not_told() {
    for (names, waits, told) in [
        (["gaspi_barrier", "gaspi_allreduce"], true, 1),
        (["gaspi_barrier", "gaspi_allreduce"], false, 0),
        (["shmem_sync_all", "shmem_team_sync"], true, 0),
        (["MPI_Barrier", "MPI_Allreduce"], true, 0),
    ] {
        let mut script = Script::without_window(2);
        for (rank, name) in (0..2).zip(names) {
            let call = Call::Collective {
                comm: WORLD,
                sequence: 0,
                direction: Direction::All,
                name: name.into(),
                request: (!waits && rank == 0).then_some(farside_events::RequestId(1)),
            };
            script.enter(rank, 5, call);
        }
        assert_eq!(script.finish().len(), told, "{names:?}");
    }
}
