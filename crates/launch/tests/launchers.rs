//! `connect` under real launchers: mpirun of MPICH and Open MPI, environments as Slurm makes them, a folder, nothing.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

/// The example program.
fn hello() -> PathBuf {
    farside_built::example("farside-launch", "hello")
}

/// A command without what the launcher of the tests may have left in the environment.
fn clean(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if ["FARSIDE_", "PMI", "OMPI_", "SLURM_", "MPI_"]
            .iter()
            .any(|start| text.starts_with(start))
        {
            command.env_remove(&name);
        }
    }
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Every rank has said that it has all values, and all call the job by one name, which is returned.
fn expect_all(outputs: &[Output], size: u32, bytes: usize) -> String {
    let all: String = outputs.iter().map(|output| text(&output.stdout)).collect();
    let errors: String = outputs.iter().map(|output| text(&output.stderr)).collect();
    let mut names = BTreeSet::new();
    for rank in 0..size {
        let start = format!("rank {rank} of {size} has {size} values of {bytes} bytes, job ");
        let line = all.lines().find_map(|line| line.strip_prefix(&start));
        names.insert(
            line.unwrap_or_else(|| panic!("rank {rank} is missing:\n{all}{errors}"))
                .to_owned(),
        );
    }
    assert!(
        outputs.iter().all(|output| output.status.success()),
        "{all}{errors}"
    );
    assert_eq!(names.len(), 1, "{names:?}");
    let name = names.pop_first().expect("one");
    assert!(
        name.chars()
            .all(|c| c.is_ascii_alphanumeric() || "-.".contains(c)),
        "{name}"
    );
    name
}

/// Runs the program under an mpirun, if that is installed.
fn under(mpirun: &str, options: &[&str], package: &str) {
    let mut names = BTreeSet::new();
    for (size, bytes) in [("1", 0), ("3", 4096), ("4", 100_000)] {
        let mut command = clean(mpirun);
        command
            .args(options)
            .args(["-n", size])
            .arg(hello())
            .arg(bytes.to_string());
        let output = match command.output() {
            Ok(output) => output,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                println!("skipped: {mpirun} is not installed (Debian: {package})");
                return;
            }
            Err(error) => panic!("{mpirun}: {error}"),
        };
        names.insert(expect_all(&[output], size.parse().expect("a number"), bytes));
    }
    assert_eq!(names.len(), 3, "each job has a name of its own");
}

#[test]
fn under_mpich_by_pmi_1() {
    under("mpirun.mpich", &[], "mpich");
}

#[test]
fn under_open_mpi_by_pmix() {
    under(
        "mpirun.openmpi",
        &["--allow-run-as-root", "--oversubscribe"],
        "openmpi-bin",
    );
}

/// Starts `size` processes with variables of their own, and waits for all.
fn started(size: u32, variables: impl Fn(u32) -> Vec<(&'static str, String)>) -> Vec<Output> {
    let start = |rank| {
        let mut command = clean(hello());
        command
            .envs(variables(rank))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().expect("it starts")
    };
    let children: Vec<Child> = (0..size).map(start).collect();
    children
        .into_iter()
        .map(|child| child.wait_with_output().expect("it ends"))
        .collect()
}

#[test]
fn in_a_step_of_slurm() {
    let job = std::process::id().to_string();
    let outputs = started(4, |rank| {
        vec![
            ("SLURM_PROCID", rank.to_string()),
            ("SLURM_STEP_NUM_TASKS", "4".into()),
            ("SLURM_STEP_NODELIST", "localhost".into()),
            ("SLURM_JOB_ID", job.clone()),
            ("SLURM_STEP_ID", "3".into()),
        ]
    });
    assert_eq!(expect_all(&outputs, 4, 4096), format!("slurm-{job}-3"));
}

#[test]
fn through_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let outputs = started(3, |rank| {
        vec![
            ("FARSIDE_RENDEZVOUS", folder.path().display().to_string()),
            ("FARSIDE_RANK", rank.to_string()),
            ("FARSIDE_SIZE", "3".into()),
            ("FARSIDE_JOB", "by-hand".into()),
        ]
    });
    assert_eq!(expect_all(&outputs, 3, 4096), "by-hand");
    assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 0);
}

#[test]
fn alone() {
    let names: BTreeSet<String> = (0..2)
        .map(|_| expect_all(&started(1, |_| Vec::new()), 1, 4096))
        .collect();
    assert_eq!(names.len(), 2, "each job has a name of its own");
}

#[test]
fn what_is_wrong_is_said() {
    for (variables, words) in [
        (
            vec![
                ("FARSIDE_BOOT", "unix:@x"),
                ("FARSIDE_RANK", "9"),
                ("FARSIDE_SIZE", "4"),
            ],
            "FARSIDE_RANK=9: FARSIDE_SIZE=4",
        ),
        (
            vec![
                ("FARSIDE_BOOT", "nonsense"),
                ("FARSIDE_RANK", "0"),
                ("FARSIDE_SIZE", "4"),
                ("FARSIDE_JOB", "j"),
            ],
            "FARSIDE_BOOT=nonsense: not unix:PATH, unix:@NAME or tcp:HOST:PORT",
        ),
        (
            vec![
                ("FARSIDE_BOOT", "unix:@gone"),
                ("FARSIDE_RANK", "0"),
                ("FARSIDE_SIZE", "4"),
                ("FARSIDE_JOB", "j"),
            ],
            "nobody answers there: Connection refused",
        ),
        (
            vec![
                ("FARSIDE_BOOT", "tcp:127.0.0.1:1"),
                ("FARSIDE_RANK", "0"),
                ("FARSIDE_SIZE", "4"),
                ("FARSIDE_JOB", "j"),
            ],
            "nobody answers there: Connection refused",
        ),
        (
            vec![("PMI_FD", "987"), ("PMI_RANK", "0"), ("PMI_SIZE", "2")],
            "descriptor 987 is not open",
        ),
        (
            vec![("PMIX_NAMESPACE", "1"), ("PMIX_RANK", "0")],
            "PMIX_NAMESPACE",
        ),
        (vec![("OMPI_COMM_WORLD_SIZE", "2")], "FARSIDE_LAUNCHER=singleton"),
        (
            vec![("FARSIDE_LAUNCHER", "ssh")],
            "FARSIDE_LAUNCHER=ssh: no launcher",
        ),
        (vec![("FARSIDE_BOOT_LIMIT", "soon")], "FARSIDE_BOOT_LIMIT=soon"),
    ] {
        let output = clean(hello()).envs(variables.clone()).output().expect("it runs");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{variables:?}: {said}");
        assert!(said.contains(words), "{variables:?}: {said}");
    }
}
