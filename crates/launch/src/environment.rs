//! What the environment says of a launcher. Nothing is contacted here.
//!
//! | order | launcher | what shows it |
//! |---|---|---|
//! | 1 | `farside` | `FARSIDE_BOOT`, with `FARSIDE_RANK`, `FARSIDE_SIZE`, `FARSIDE_JOB` |
//! | 2 | `folder` | `FARSIDE_RENDEZVOUS`, a folder that all ranks see |
//! | 3 | `pmix` | `PMIX_RANK` and `PMIX_NAMESPACE`: Open MPI's mpirun, prterun, srun --mpi=pmix |
//! | 4 | `pmi1` | `PMI_FD`, with `PMI_RANK`, `PMI_SIZE`: mpirun of MPICH and Intel MPI; srun --mpi=pmi2, untried |
//! | 5 | `slurm` | `SLURM_STEP_NODELIST`, with `SLURM_PROCID` and a number of tasks: srun without any PMI |
//! | 6 | `singleton` | nothing: rank 0 of 1 |
//!
//! The first one wins, and `FARSIDE_LAUNCHER=NAME` overrides. If nothing of this is there, but some launcher has said
//! that there are several processes, the answer is an error: as many jobs of one rank each are what nobody wants.

use crate::client::Identity;
use crate::error::Error;
use crate::name::plain;
use crate::slurm;
use crate::socket::Address;
use std::path::PathBuf;

/// How to join a job.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Through the rendezvous of `farside run`.
    Farside { identity: Identity, address: Address },
    /// Through files.
    Folder { identity: Identity, folder: PathBuf },
    /// Through libpmix.
    Pmix { namespace: String, rank: u32 },
    /// Through a file descriptor.
    Pmi1 { fd: i32, rank: u32, size: u32 },
    /// Through a rendezvous of rank 0 at this host.
    Slurm { identity: Identity, host: String },
    /// Alone.
    Singleton,
}

/// Launchers by the names that `FARSIDE_LAUNCHER` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launcher {
    /// `farside run`.
    Farside,
    /// A shared folder.
    Folder,
    /// PMIx.
    Pmix,
    /// PMI-1.
    Pmi1,
    /// Slurm without any PMI.
    Slurm,
    /// None.
    Singleton,
}

impl Launcher {
    /// All, in the order in which they are looked for.
    pub const ALL: [Self; 6] = [
        Self::Farside,
        Self::Folder,
        Self::Pmix,
        Self::Pmi1,
        Self::Slurm,
        Self::Singleton,
    ];

    /// As in `FARSIDE_LAUNCHER`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Farside => "farside",
            Self::Folder => "folder",
            Self::Pmix => "pmix",
            Self::Pmi1 => "pmi1",
            Self::Slurm => "slurm",
            Self::Singleton => "singleton",
        }
    }

    fn shows(self, environment: &Environment<'_>) -> bool {
        let any = |name| environment.get(name).is_some();
        match self {
            Self::Farside => any("FARSIDE_BOOT"),
            Self::Folder => any("FARSIDE_RENDEZVOUS"),
            Self::Pmix => any("PMIX_RANK") && any("PMIX_NAMESPACE"),
            Self::Pmi1 => any("PMI_FD"),
            Self::Slurm => any("SLURM_PROCID") && any("SLURM_STEP_NODELIST"),
            Self::Singleton => true,
        }
    }
}

/// The variables of a process; empty ones count as not set.
pub(crate) struct Environment<'a>(pub(crate) &'a dyn Fn(&str) -> Option<String>);

/// Variables by which launchers say how many processes there are.
const SIZES: [&str; 6] = [
    "OMPI_COMM_WORLD_SIZE",
    "PMI_SIZE",
    "SLURM_STEP_NUM_TASKS",
    "MPI_LOCALNRANKS",
    "MV2_COMM_WORLD_SIZE",
    "FARSIDE_SIZE",
];
/// Variables that together name a rank and a number of ranks.
const RANKS: [(&str, &str); 4] = [
    ("FARSIDE_RANK", "FARSIDE_SIZE"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
];

impl Environment<'_> {
    fn get(&self, name: &str) -> Option<String> {
        (self.0)(name).filter(|value| !value.is_empty())
    }

    fn need(&self, variable: &'static str, found: &str, advice: &'static str) -> Result<String, Error> {
        self.get(variable).ok_or_else(|| Error::Missing {
            variable,
            found: found.to_owned(),
            advice,
        })
    }

    fn number(&self, variable: &'static str, found: &str, advice: &'static str) -> Result<u32, Error> {
        let value = self.need(variable, found, advice)?;
        value
            .trim()
            .parse()
            .map_err(|_| wrong(variable, &value, "this is no number of a rank or of ranks"))
    }

    /// Rank and size by two variables, if they make sense.
    fn place(
        &self,
        rank: &'static str,
        size: &'static str,
        found: &str,
        advice: &'static str,
    ) -> Result<(u32, u32), Error> {
        let (number, of) = (
            self.number(rank, found, advice)?,
            self.number(size, found, advice)?,
        );
        if of == 0 {
            return Err(wrong(size, "0", "a job has at least one rank"));
        }
        if number >= of {
            let problem = format!("{size}={of}, so ranks are 0 to {}", of - 1);
            return Err(wrong(rank, &number.to_string(), &problem));
        }
        Ok((number, of))
    }
}

fn wrong(variable: &'static str, value: &str, problem: &str) -> Error {
    Error::Variable {
        variable,
        value: value.to_owned(),
        problem: problem.to_owned(),
    }
}

/// What to do, by the variables alone.
pub(crate) fn plan(environment: &Environment<'_>) -> Result<Plan, Error> {
    let launcher = match environment.get("FARSIDE_LAUNCHER") {
        Some(name) => Launcher::ALL
            .into_iter()
            .find(|launcher| launcher.name() == name)
            .ok_or_else(|| {
                let names = Launcher::ALL.map(Launcher::name).join(", ");
                wrong(
                    "FARSIDE_LAUNCHER",
                    &name,
                    &format!("no launcher; there are {names}"),
                )
            })?,
        None => {
            let shown = Launcher::ALL
                .into_iter()
                .find(|launcher| launcher.shows(environment));
            let launcher = shown.unwrap_or(Launcher::Singleton);
            if launcher == Launcher::Singleton {
                not_alone(environment)?;
            }
            launcher
        }
    };
    let chosen = format!("the launcher is `{}`", launcher.name());
    match launcher {
        Launcher::Farside => farside(environment, &chosen),
        Launcher::Folder => folder(environment, &chosen),
        Launcher::Pmix => pmix(environment, &chosen),
        Launcher::Pmi1 => pmi1(environment, &chosen),
        Launcher::Slurm => slurm(environment, &chosen),
        Launcher::Singleton => Ok(Plan::Singleton),
    }
}

fn farside(environment: &Environment<'_>, chosen: &str) -> Result<Plan, Error> {
    let advice = "start the program with `farside run -n N PROGRAM`, which sets all FARSIDE_ variables";
    let (rank, size) = environment.place("FARSIDE_RANK", "FARSIDE_SIZE", chosen, advice)?;
    let job = environment.need("FARSIDE_JOB", chosen, advice)?;
    let boot = environment.need("FARSIDE_BOOT", chosen, advice)?;
    let address = boot
        .parse()
        .map_err(|problem: String| wrong("FARSIDE_BOOT", &boot, &problem))?;
    let identity = Identity { rank, size, job };
    Ok(Plan::Farside { identity, address })
}

fn folder(environment: &Environment<'_>, chosen: &str) -> Result<Plan, Error> {
    let advice = "set FARSIDE_RENDEZVOUS to a folder that all ranks see, and FARSIDE_RANK, FARSIDE_SIZE and \
        FARSIDE_JOB \
                  where the launcher does not say the rank; each job needs a FARSIDE_JOB of its own";
    let folder = environment.need("FARSIDE_RENDEZVOUS", chosen, advice)?;
    let said = RANKS
        .iter()
        .find(|(rank, size)| environment.get(rank).is_some() && environment.get(size).is_some());
    let &(rank, size) = said.unwrap_or(&RANKS[0]);
    let (rank, size) = environment.place(rank, size, chosen, advice)?;
    let job = ["FARSIDE_JOB", "PMIX_NAMESPACE"]
        .iter()
        .find_map(|name| environment.get(name));
    let job = match job.or_else(|| slurm_job(environment)) {
        Some(job) => plain(&job),
        None => environment.need("FARSIDE_JOB", chosen, advice)?,
    };
    let identity = Identity { rank, size, job };
    Ok(Plan::Folder {
        identity,
        folder: folder.into(),
    })
}

fn pmix(environment: &Environment<'_>, chosen: &str) -> Result<Plan, Error> {
    let advice = "start the program with a launcher that speaks PMIx";
    Ok(Plan::Pmix {
        namespace: environment.need("PMIX_NAMESPACE", chosen, advice)?,
        rank: environment.number("PMIX_RANK", chosen, advice)?,
    })
}

fn pmi1(environment: &Environment<'_>, chosen: &str) -> Result<Plan, Error> {
    let advice =
        "start the program with mpirun of MPICH or Intel MPI, which sets PMI_FD, PMI_RANK and PMI_SIZE";
    let fd = environment.need("PMI_FD", chosen, advice)?;
    let (rank, size) = environment.place("PMI_RANK", "PMI_SIZE", chosen, advice)?;
    match fd.trim().parse() {
        Ok(fd) if fd > 2 => Ok(Plan::Pmi1 { fd, rank, size }),
        _ => Err(wrong("PMI_FD", &fd, "this is no file descriptor of a launcher")),
    }
}

fn slurm(environment: &Environment<'_>, chosen: &str) -> Result<Plan, Error> {
    let advice = "start the program with srun";
    let list = environment.need("SLURM_STEP_NODELIST", chosen, advice)?;
    let host = slurm::first_host(&list)
        .ok_or_else(|| wrong("SLURM_STEP_NODELIST", &list, "this is no list of hosts"))?;
    let size = match environment.get("SLURM_STEP_NUM_TASKS") {
        Some(_) => "SLURM_STEP_NUM_TASKS",
        None => "SLURM_NTASKS",
    };
    let (rank, size) = environment.place("SLURM_PROCID", size, chosen, advice)?;
    let Some(job) = slurm_job(environment) else {
        return Err(Error::Missing {
            variable: "SLURM_JOB_ID or SLURM_STEP_ID",
            found: chosen.to_owned(),
            advice,
        });
    };
    let identity = Identity { rank, size, job };
    Ok(Plan::Slurm { identity, host })
}

/// Job and step, where both are known.
fn slurm_job(environment: &Environment<'_>) -> Option<String> {
    let job = environment
        .get("SLURM_JOB_ID")
        .or_else(|| environment.get("SLURM_JOBID"))?;
    let step = environment
        .get("SLURM_STEP_ID")
        .or_else(|| environment.get("SLURM_STEPID"))?;
    Some(plain(&format!("slurm-{job}-{step}")))
}

/// An error if a launcher that we cannot speak with has started several processes.
fn not_alone(environment: &Environment<'_>) -> Result<(), Error> {
    for variable in SIZES {
        let Some(value) = environment.get(variable) else {
            continue;
        };
        if value.trim().parse::<u32>().is_ok_and(|size| size > 1) {
            return Err(Error::NoWay {
                found: format!("the environment says {variable}={value}, so a launcher has started several processes"),
                problem: "it shows no way to connect them (FARSIDE_BOOT, PMIX_NAMESPACE, PMI_FD, SLURM_STEP_NODELIST)"
                    .to_owned(),
                advice: "start the program with `farside run`, or set FARSIDE_RENDEZVOUS to a folder that all ranks \
                         see, or FARSIDE_LAUNCHER=singleton if each process is to be a job of its own",
            });
        }
    }
    Ok(())
}
