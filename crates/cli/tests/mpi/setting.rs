//! The MPIs of this machine, the compiled program, and runs of `farside check`.

use farside_processes::{descendants, signals, start_time};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

/// An MPI library by its Debian suffix.
#[derive(Clone, Copy)]
pub(crate) struct Mpi {
    pub(crate) name: &'static str,
    pub(crate) launcher: &'static [&'static str],
}

pub(crate) const OPEN_MPI: Mpi = Mpi {
    name: "openmpi",
    launcher: &["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"],
};
pub(crate) const MPICH: Mpi = Mpi {
    name: "mpich",
    launcher: &["mpirun.mpich"],
};

/// The folder with farside's libraries.
pub(crate) fn libraries() -> &'static Path {
    farside_built::libraries(&["farside-interpose", "farside-callbacks"])
}

/// The folder of the compiled programs, and the MPIs that are there.
pub(crate) fn programs() -> &'static (tempfile::TempDir, Vec<Mpi>) {
    static PROGRAMS: OnceLock<(tempfile::TempDir, Vec<Mpi>)> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mpi/conduct.c");
        libraries();
        let mut there = Vec::new();
        for mpi in [OPEN_MPI, MPICH] {
            let compiler = format!("mpicc.{}", mpi.name);
            if Command::new(&compiler).arg("--version").output().is_err() {
                eprintln!("left out: there is no {compiler}");
                continue;
            }
            let build = |command: &mut Command, output: &str| {
                let output = folder.path().join(format!("{output}.{}", mpi.name));
                let status = command
                    .arg("-g")
                    .arg(&source)
                    .arg("-o")
                    .arg(output)
                    .status()
                    .unwrap();
                assert!(status.success());
            };
            build(
                Command::new(env!("CARGO_BIN_EXE_farside")).args(["cc", &compiler]),
                "conduct",
            );
            build(&mut Command::new(&compiler), "plain");
            let status = Command::new(&compiler)
                .args(["-g", "-O2", "-o"])
                .arg(folder.path().join(format!("guard.{}", mpi.name)))
                .arg(source.with_file_name("guard.c"))
                .status()
                .unwrap();
            assert!(status.success());
            let gather = source.with_file_name("gather.c");
            let status = Command::new(env!("CARGO_BIN_EXE_farside"))
                .args(["cc", &compiler, "-g", "-o"])
                .arg(folder.path().join(format!("gather.{}", mpi.name)))
                .arg(gather)
                .status()
                .unwrap();
            assert!(status.success());
            let more = [
                ("windows", &[][..]),
                ("orders", &[]),
                ("steal", &["-DEARLY"]),
                ("turns", &["-pthread"]),
            ];
            for (name, options) in more {
                let status = Command::new(env!("CARGO_BIN_EXE_farside"))
                    .args(["cc", &compiler, "-g", "-O1", "-o"])
                    .arg(folder.path().join(format!("{name}.{}", mpi.name)))
                    .arg(source.with_file_name(format!("{name}.c")))
                    .args(options)
                    .status()
                    .unwrap();
                assert!(status.success());
            }
            build_layers(folder.path(), mpi);
            there.push(mpi);
        }
        (folder, there)
    })
}

/// `over`: over a library without debug information; `over-g`: with it; `over-header`: with the library's header alone.
fn build_layers(folder: &Path, mpi: Mpi) {
    let source = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mpi").join(name);
    let compiler = format!("mpicc.{}", mpi.name);
    let run = |command: &mut Command| assert!(command.status().unwrap().success());
    for (program, debug) in [("over", "-g0"), ("over-g", "-g")] {
        let library = folder.join(format!("libfor-{program}.{}.so", mpi.name));
        run(Command::new(&compiler)
            .args(["-O1", debug, "-shared", "-fPIC", "-o"])
            .args([&library, &source("layer.c")]));
        run(Command::new(env!("CARGO_BIN_EXE_farside"))
            .args(["cc", &compiler, "-O1", "-g", "-o"])
            .arg(folder.join(format!("{program}.{}", mpi.name)))
            .args([&source("over.c"), &library]));
    }
    run(Command::new(env!("CARGO_BIN_EXE_farside"))
        .args(["cc", &compiler, "-O1", "-g", "-DHEADER_ONLY", "-o"])
        .arg(folder.join(format!("over-header.{}", mpi.name)))
        .arg(source("over.c")));
}

/// Runs `test` for each MPI that is there.
pub(crate) fn on_each(test: impl Fn(Mpi)) {
    programs().1.iter().copied().for_each(test);
}

impl Mpi {
    pub(crate) fn program(self, name: &str) -> PathBuf {
        programs().0.path().join(format!("{name}.{}", self.name))
    }

    /// The launcher's command line for two processes of `program`.
    pub(crate) fn command(self, program: &str, mode: &str) -> Vec<String> {
        let mut words: Vec<String> = self.launcher.iter().map(|word| word.to_string()).collect();
        words.extend([
            "-n".into(),
            "2".into(),
            self.program(program).to_str().unwrap().into(),
            mode.into(),
        ]);
        words
    }
}

/// A spool place of its own for each test, so that what is left in it is seen.
pub(crate) struct Check {
    pub(crate) spool: tempfile::TempDir,
    options: Vec<String>,
}

impl Check {
    pub(crate) fn new(options: &[&str]) -> Self {
        Self {
            spool: tempfile::tempdir().unwrap(),
            options: options.iter().map(|option| option.to_string()).collect(),
        }
    }

    pub(crate) fn start(&self, command: &[String]) -> Running {
        let child = Command::new(env!("CARGO_BIN_EXE_farside"))
            .arg("check")
            .args(&self.options)
            .arg("--spool")
            .arg(self.spool.path())
            .arg("--")
            .args(command)
            .env("FARSIDE_LIBRARIES", libraries())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Running(Some(child))
    }

    /// Runs to the end, and expects an exit status and an empty spool place.
    #[track_caller]
    pub(crate) fn expect(&self, command: &[String], status: i32) -> Output {
        self.finish(self.start(command), status)
    }

    #[track_caller]
    pub(crate) fn finish(&self, running: Running, status: i32) -> Output {
        let output = running.output();
        assert_eq!(
            output.status.code(),
            Some(status),
            "stdout:\n{}\nstderr:\n{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!(
            std::fs::read_dir(self.spool.path()).unwrap().count(),
            0,
            "the spool was not removed"
        );
        output
    }
}

/// A check that runs. It ends with this value, and its program too, in whatever way the test ends.
pub(crate) struct Running(Option<Child>);

impl Running {
    fn id(&self) -> u32 {
        self.0.as_ref().unwrap().id()
    }

    /// Sends a signal to the check, not to its program: `-INT`.
    #[track_caller]
    pub(crate) fn send(&self, signal: &str) {
        let sent = Command::new("kill")
            .args([signal, &self.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
    }

    /// After `-STOP`.
    #[track_caller]
    pub(crate) fn go_on(&self) {
        self.send("-CONT");
    }

    /// Waits for the end.
    fn output(mut self) -> Output {
        self.0.take().unwrap().wait_with_output().unwrap()
    }
}

impl Drop for Running {
    /// Ranks that spin would take the processors from all tests that follow.
    fn drop(&mut self) {
        let Some(mut child) = self.0.take() else { return };
        // Stopped, it starts nothing and waits for nobody; what leaves its parent becomes its child.
        signals::send(child.id(), libc::SIGSTOP);
        for _ in 0..100 {
            let mut living = descendants(child.id());
            living.retain(|&pid| start_time(pid).is_some());
            if living.is_empty() {
                break;
            }
            living.iter().for_each(|&pid| signals::send(pid, libc::SIGKILL));
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}
