//! What the library does with programs that break the rules: it says which rule, and the program ends. And how programs
//! end together.

mod support;

use support::{End, Job, build};

fn run(what: &str, size: u32) -> Vec<End> {
    Job::start(&build("misuse"), &[what], size, "shm").wait()
}

/// The program fails at all PEs, and the first one says why.
#[test]
fn misuse_ends_the_program_with_the_reason() {
    let cases = [
        ("before", "shmem_long_p: shmem_init has not been called"),
        ("after", "PE 0: shmem_my_pe: shmem_finalize has been called"),
        ("twice", "shmem_init: the library runs already"),
        ("pe", "shmem_long_p: PE 1 is out of range: there are 1 PEs"),
        ("negative", "shmem_long_atomic_inc: PE -1 is out of range"),
        ("stack", "shmem_long_put: dest (0x"),
        (
            "constant",
            "is not symmetric: it is neither in the symmetric heap nor static data",
        ),
        ("null", "dest (0x0, 8 bytes) is not symmetric"),
        ("source", "shmem_long_put: source is null"),
        ("long", "shmem_putmem: dest (0x"),
        ("stride", "dst is 0: a stride is at least 1"),
        ("aligned", "is not aligned to its type"),
        ("compare", "cmp is 77"),
        ("signal", "sig_op is 9"),
        ("context", "the context 0x4d is invalid, or was destroyed"),
        ("destroyed", "is invalid, or was destroyed"),
        ("team", "the team 0x63 is invalid, or was destroyed"),
        ("predefined", "a predefined team cannot be destroyed"),
        ("root", "PE_root 1 is out of range"),
        ("set", "is not within the 1 PEs"),
        ("clear", "shmem_clear_lock: this PE does not have the lock"),
        ("again", "shmem_set_lock: this PE has the lock already"),
        ("free", "is not the beginning of an allocation"),
        ("inner", "is not the beginning of an allocation"),
        ("alignment", "alignment 24 is no power of two"),
    ];
    for (what, reason) in cases {
        let end = &run(what, 1)[0];
        assert_ne!(end.status, Some(0), "{what}");
        assert!(
            end.output.contains("farside: ") && end.output.contains(reason),
            "{what}: {}",
            end.output
        );
    }
}

/// What the PEs must agree on, and do not.
#[test]
fn calls_of_the_heap_with_unequal_arguments_end_the_program() {
    for (what, reason) in [
        ("sizes", "shmem_malloc: size is"),
        ("frees", "shmem_free: the offset in the heap is"),
    ] {
        for end in run(what, 2) {
            assert_ne!(end.status, Some(0), "{what}");
            assert!(end.output.contains(reason), "{what}: {}", end.output);
        }
    }
}

/// One silent case: the same program without a mistake.
#[test]
fn a_right_program_says_nothing() {
    let end = &run("", 1)[0];
    assert_eq!((end.status, &*end.output), (Some(0), ""));
}

#[test]
fn global_exit_ends_all_with_its_status() {
    for end in run("exit", 3) {
        assert_eq!((end.status, &*end.output), (Some(7), ""));
    }
    for end in run("exit0", 3) {
        assert_eq!((end.status, &*end.output), (Some(0), ""));
    }
}

#[test]
fn a_pe_that_is_lost_ends_the_others() {
    let ends = run("die", 3);
    assert_eq!(ends[2].status, Some(3));
    for end in &ends[..2] {
        assert_eq!(end.status, Some(1), "{}", end.output);
        assert!(
            end.output.contains("shmem_barrier_all: rank 2 is lost"),
            "{}",
            end.output
        );
    }
}
