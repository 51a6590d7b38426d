//! Who runs the rows, and how.

use farside_measure::mpi::{Library, Missing, Wire};
use std::path::Path;

/// A program and the way it is started.
#[derive(Debug)]
pub(crate) struct Contestant {
    /// Such as `Open MPI, shm`.
    pub(crate) name: String,
    /// What stands in front of the number of samples.
    words: Vec<String>,
    /// What follows it.
    behind: Vec<String>,
    /// Its environment.
    pub(crate) environment: Vec<(&'static str, String)>,
    /// It takes this part of the samples: ranks that share processors take turns of milliseconds.
    part: u32,
}

/// Numbers of ranks that are more than this machine's processors may be: see [`super::table`].
pub(super) const CROWDS: [u32; 3] = [4, 8, 16];

/// Part of the samples that crowds take.
const PART: u32 = 4;

impl Contestant {
    /// The command line.
    pub(crate) fn command(&self, samples: u32) -> Vec<String> {
        let mut words = self.words.clone();
        words.push((samples / self.part).max(1).to_string());
        words.extend(self.behind.iter().cloned());
        words
    }
}

/// The contestants that this machine has and whose names contain this. Compiles their programs; says which are left
/// out.
///
/// # Errors
/// A program does not compile, or farside's is not built.
pub(crate) fn all(sources: &Path, work: &Path, only: &str) -> Result<Vec<Contestant>, String> {
    std::fs::create_dir_all(work).map_err(|error| format!("{}: {error}", work.display()))?;
    let mut found = Vec::new();
    farside(&mut found, only)?;
    for library in Library::ALL {
        let program = work.join(format!("mpi-{library:?}").to_lowercase());
        match library.compile(&sources.join("mpi.c"), &program) {
            Ok(()) => mpi(&mut found, library, &program),
            Err(missing @ Missing::Compiler { .. }) => eprintln!("farside-bench: {missing}: left out"),
            Err(refused) => return Err(refused.to_string()),
        }
    }
    found.retain(|contestant| contestant.name.contains(only));
    Ok(found)
}

/// The crate `farside` over its transports.
fn farside(found: &mut Vec<Contestant>, only: &str) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = own.parent().unwrap_or(Path::new("."));
    let (launcher, rows) = (folder.join("farside"), folder.join("examples/rows"));
    let pairs = [
        ("farside, shm", "shm"),
        ("farside, tcp (ofi:net)", "ofi:net"),
        ("farside, tcp (ofi:tcp;ofi_rxm)", "ofi:tcp;ofi_rxm"),
    ];
    let pairs = pairs.map(|(name, transport)| (name.to_owned(), transport, 2, 1));
    let crowds = CROWDS.map(|ranks| (format!("farside, {ranks} ranks"), "shm", ranks, PART));
    let all: Vec<_> = pairs
        .into_iter()
        .chain(crowds)
        .filter(|(name, ..)| name.contains(only))
        .collect();
    for needed in [&launcher, &rows].into_iter().filter(|_| !all.is_empty()) {
        if !needed.exists() {
            return Err(format!(
                "{} is not there: cargo build --release --workspace && cargo build --release -p farside --example rows",
                needed.display()
            ));
        }
    }
    for (name, transport, ranks, part) in all {
        found.push(Contestant {
            name,
            words: vec![
                launcher.display().to_string(),
                "run".into(),
                "-n".into(),
                ranks.to_string(),
                "--transport".into(),
                transport.into(),
                "--".into(),
                rows.display().to_string(),
            ],
            behind: Vec::new(),
            environment: Vec::new(),
            part,
        });
    }
    Ok(())
}

/// An MPI on shared memory, and on TCP over loopback.
fn mpi(found: &mut Vec<Contestant>, library: Library, program: &Path) {
    let name = library.name();
    let mut add = |name: String, wire: Wire, ranks: u32, part: u32| {
        let launch = library.launch(wire, ranks);
        let mut words = launch.words;
        words.push(program.display().to_string());
        let environment = launch.environment.iter();
        found.push(Contestant {
            name,
            words,
            behind: vec![launch.windows.to_owned()],
            environment: environment
                .map(|(key, value)| (*key, (*value).to_owned()))
                .collect(),
            part,
        });
    };
    add(format!("{name}, shm"), Wire::SharedMemory, 2, 1);
    add(format!("{name}, tcp"), Wire::Tcp, 2, 1);
    // The only one of the two that yields its processor: MPICH's ranks spin, and a barrier takes a turn of the system's
    // clock for each (facts, finding 6).
    if library == Library::OpenMpi {
        for ranks in CROWDS {
            add(format!("{name}, {ranks} ranks"), Wire::SharedMemory, ranks, PART);
            add(format!("{name} over TCP, {ranks} ranks"), Wire::Tcp, ranks, PART);
        }
    }
}
