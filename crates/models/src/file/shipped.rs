//! The models that come with Farside: the files in `models/`.

/// A shipped model file.
struct Shipped {
    name: &'static str,
    text: &'static str,
}

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        [$(Shipped {
            name: $name,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/models/", $name, ".model")),
        }),*]
    };
}

const FILES: [Shipped; 20] = shipped![
    "coreRMA",
    "coreRMA-no-IR",
    "coreRMA+nonatomic",
    "verbs-paper",
    "verbs-rc",
    "dmapp",
    "portals4",
    "coreRMA-GA-atomic",
    "coreRMA-IR-self",
    "rmw-remote-only",
    "rdma-tso",
    "mpi",
    "mpi-accumulate",
    "openshmem",
    "openshmem-calls",
    "gaspi",
    "gaspi-relaxed",
    "mpi3-unified",
    "mpi3-separate",
    "mpi3-same-op",
];

/// Every shipped model with what it is, in one line: the line of its file.
const NAMES: [(&str, &str); 20] = [
    (
        "coreRMA",
        "all rules of Figure 4 of Dan et al. 2016; atomic accesses unless marked",
    ),
    (
        "coreRMA-no-IR",
        "coreRMA without in-order routing: adaptive networks",
    ),
    (
        "coreRMA+nonatomic",
        "coreRMA with accesses that are not atomic unless marked",
    ),
    (
        "verbs-paper",
        "InfiniBand verbs as customised in the paper: put-put and get-get ordered only",
    ),
    (
        "verbs-rc",
        "InfiniBand verbs on reliable connections: all remote actions ordered but get before put",
    ),
    (
        "dmapp",
        "Cray DMAPP, deterministic routing: the processor reads the source of a small put at once",
    ),
    ("portals4", "Portals 4 as documented: coreRMA"),
    (
        "coreRMA-GA-atomic",
        "coreRMA in which the actions of an rga happen as one",
    ),
    (
        "coreRMA-IR-self",
        "coreRMA with in-order routing also of a process to itself",
    ),
    (
        "rmw-remote-only",
        "coreRMA in which rga and cas are atomic against rga and cas only",
    ),
    ("rdma-tso", "experimental: RDMA on x86-TSO processors"),
    (
        "mpi",
        "MPI-3 RMA on words that hardware accesses at once: accumulates keep order and are atomic among themselves \
         only",
    ),
    (
        "mpi-accumulate",
        "MPI-3 RMA where every access of a window is an accumulate: atomic, and in order at each place",
    ),
    (
        "openshmem",
        "OpenSHMEM on words that hardware accesses at once: no order but by quiet, atomics atomic among themselves \
         only",
    ),
    (
        "openshmem-calls",
        "OpenSHMEM 1.5 with contexts, signals, waits and barriers: which accesses race",
    ),
    (
        "gaspi",
        "GASPI 17.1 by its letter: a write has arrived when a notification that covers it is seen; wait is local",
    ),
    (
        "gaspi-relaxed",
        "GASPI as common networks do it: a wait completes writes at the target, and writes of a queue keep their \
         order",
    ),
    (
        "mpi3-unified",
        "MPI-3 one-sided communication, unified memory model",
    ),
    (
        "mpi3-separate",
        "MPI-3 one-sided communication, separate memory model",
    ),
    (
        "mpi3-same-op",
        "MPI-3 unified with the default of accumulate_ops: concurrent accumulates do the same",
    ),
];

/// Names of all shipped models, each with what it is in one line.
#[must_use]
pub fn names() -> &'static [(&'static str, &'static str)] {
    &NAMES
}

/// The file of a shipped model.
#[must_use]
pub fn text(name: &str) -> Option<&'static str> {
    FILES.iter().find(|file| file.name == name).map(|file| file.text)
}

/// Names of the models that can be included.
pub(super) fn file_names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|file| file.name)
}
