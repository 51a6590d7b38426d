//! Who runs the rows, and how.

use crate::job;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A program and the way it is started.
#[derive(Debug)]
pub(crate) struct Contestant {
    /// Such as `Open MPI, shm`.
    pub(crate) name: String,
    /// What stands in front of the number of samples.
    words: Vec<String>,
    /// What stands behind it.
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

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// All contestants that this machine has. Compiles their programs; says which are left out.
///
/// # Errors
/// A program does not compile, or farside's is not built.
pub(crate) fn all(sources: &Path, work: &Path) -> Result<Vec<Contestant>, String> {
    std::fs::create_dir_all(work).map_err(|error| format!("{}: {error}", work.display()))?;
    let mut found = Vec::new();
    farside(&mut found)?;
    for library in ["openmpi", "mpich"] {
        match compile(sources, work, library)? {
            Some(program) => mpi(&mut found, library, &program),
            None => eprintln!("farside-bench: mpicc.{library} is not there: left out"),
        }
    }
    Ok(found)
}

/// The crate `farside` over its transports.
fn farside(found: &mut Vec<Contestant>) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = own.parent().unwrap_or(Path::new("."));
    let (launcher, rows) = (folder.join("farside"), folder.join("examples/rows"));
    for needed in [&launcher, &rows] {
        if !needed.exists() {
            return Err(format!(
                "{} is not there: cargo build --release --workspace && cargo build --release -p farside --example rows",
                needed.display()
            ));
        }
    }
    let pairs = [
        ("farside, shm", "shm"),
        ("farside, tcp (ofi:net)", "ofi:net"),
        ("farside, tcp (ofi:tcp;ofi_rxm)", "ofi:tcp;ofi_rxm"),
    ];
    let pairs = pairs.map(|(name, transport)| (name.to_owned(), transport, 2, 1));
    let crowds = CROWDS.map(|ranks| (format!("farside, {ranks} ranks"), "shm", ranks, PART));
    for (name, transport, ranks, part) in pairs.into_iter().chain(crowds) {
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
fn mpi(found: &mut Vec<Contestant>, library: &str, program: &Path) {
    let program = program.display();
    let mut add = |name: &str, launch: String, behind: &str, environment: Vec<(&'static str, String)>| {
        found.push(Contestant {
            name: name.into(),
            words: words(&launch),
            behind: words(behind),
            environment,
            part: if name.ends_with("ranks") { PART } else { 1 },
        });
    };
    if library == "openmpi" {
        let launch = "mpirun.openmpi --oversubscribe --bind-to core -n 2";
        // The default component of this version, osc/rdma, does not survive a compare-and-swap (facts, finding 3).
        add(
            "Open MPI, shm",
            format!("{launch} --mca osc sm {program}"),
            "allocate",
            Vec::new(),
        );
        add(
            "Open MPI, tcp",
            format!("{launch} --mca pml ob1 --mca btl self,tcp --mca osc pt2pt {program}"),
            "create",
            Vec::new(),
        );
        // The only one of the two that yields its processor: MPICH's ranks spin, and a barrier takes a turn of the system's clock
        // for each (facts, finding 6).
        for ranks in CROWDS {
            add(
                &format!("Open MPI, {ranks} ranks"),
                format!("mpirun.openmpi --oversubscribe --bind-to none -n {ranks} --mca osc sm {program}"),
                "allocate",
                Vec::new(),
            );
        }
    } else {
        let launch = "mpirun.mpich -bind-to core -n 2";
        add(
            "MPICH, shm",
            format!("{launch} {program}"),
            "allocate",
            Vec::new(),
        );
        // The second is for UCX, which finds shared memory by itself.
        let far = vec![
            ("MPIR_CVAR_NOLOCAL", "1".to_owned()),
            ("UCX_TLS", "tcp,self".to_owned()),
        ];
        add("MPICH, tcp", format!("{launch} {program}"), "create", far);
    }
}

fn compile(sources: &Path, work: &Path, library: &str) -> Result<Option<PathBuf>, String> {
    let program = work.join(format!("mpi-{library}"));
    let command = vec![
        format!("mpicc.{library}"),
        "-O2".into(),
        "-o".into(),
        program.display().to_string(),
        sources.join("mpi.c").display().to_string(),
    ];
    match job::run(&command, &[], Duration::from_secs(120)) {
        Ok(ended) if ended.status == Some(0) => Ok(Some(program)),
        Ok(ended) => Err(format!("{}: {}", command.join(" "), ended.errors.trim())),
        Err(_) => Ok(None),
    }
}
