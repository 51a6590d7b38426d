//! Compiles and runs a program one of the ways.

use super::ways::{Build, Way};
use crate::programs::{Interface, Language, Program};
use farside_findings::Report;
use farside_measure::job::{self, Ended};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The thread sanitizer without reports: MPI libraries are not instrumented, so what it reports there is noise.
const SANITIZER: (&str, &str) = ("TSAN_OPTIONS", "report_bugs=0 exitcode=0");

/// The compiler of Fortran that has the plugin.
const FLANG: &str = "flang-new-19";

/// What is needed to run programs.
#[derive(Debug)]
pub(crate) struct Launcher {
    /// The checker.
    pub(crate) farside: PathBuf,
    /// Folder for binaries and reports.
    pub(crate) work: PathBuf,
    /// Folder of the sources.
    pub(crate) sources: PathBuf,
    /// `openmpi` or `mpich`.
    pub(crate) library: String,
    /// The compiler that `mpicc` calls, if not the usual one.
    pub(crate) compiler: Option<String>,
    /// Compiler options.
    pub(crate) optimise: Vec<String>,
    /// Time limit of a run.
    pub(crate) limit: Duration,
    /// Whether the compiler's own thread sanitizer can be linked.
    pub(crate) sanitizer: bool,
}

/// One run of one program in one way.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Run {
    /// The program.
    pub(crate) program: String,
    /// The way.
    pub(crate) way: Option<Way>,
    /// Processes.
    pub(crate) ranks: u32,
    /// Which repetition this is, from 1.
    repetition: u32,
    /// The command line.
    command: String,
    /// Time of the main loop on the slowest rank, as the program measured it.
    pub(crate) loop_seconds: f64,
    /// Time of the whole command, the launcher and the checker included.
    pub(crate) command_seconds: f64,
    /// Processor time of all ranks together, from their start to the end of the loop.
    pub(crate) cpu_seconds: f64,
    /// Processor time of the `farside` process; 0 without one.
    pub(crate) checker_cpu_seconds: f64,
    /// Largest resident set of a rank.
    pub(crate) peak_kib: f64,
    /// Largest resident set of the `farside` process; 0 without one.
    pub(crate) checker_peak_kib: u64,
    /// Bytes of window memory of a rank.
    pub(crate) window_bytes: f64,
    /// What the checker says that it did.
    pub(crate) counts: BTreeMap<String, u64>,
    /// Why the figures must not be used: the program failed, gave a wrong result, or was not found clean.
    pub(crate) fault: Option<String>,
}

impl Launcher {
    /// The ways that differ for a program with this compiler: only clang gets the plugin that one of them leaves out,
    /// and flang shows no accesses without it.
    pub(crate) fn ways(&self, program: &Program) -> Vec<Way> {
        let clang = self.compiler.as_ref().is_some_and(|name| name.contains("clang"));
        let mut ways = Way::ALL.to_vec();
        ways.retain(|&way| match way {
            Way::EveryAccess => clang && program.language != Language::Fortran,
            Way::Sanitizer => self.sanitizer,
            _ => true,
        });
        ways
    }

    /// Whether the compiler links a program with its own thread sanitizer: Debian has clang's in a package of its own.
    ///
    /// # Errors
    /// The compiler cannot be started.
    pub(crate) fn links_sanitizer(&self) -> Result<bool, String> {
        let source = self.sanitizer_check();
        fs::write(&source, "int main(void) { return 0; }\n")
            .map_err(|error| format!("{}: {error}", source.display()))?;
        let mut words = vec![format!("mpicc.{}", self.library), "-fsanitize=thread".to_owned()];
        words.extend([source.display().to_string(), "-o".to_owned()]);
        words.push(source.with_extension("").display().to_string());
        Ok(self.compiles(&words, &self.compilers()).is_ok())
    }

    /// Whether [`Self::links_sanitizer`] succeeded when the programs in the folder were compiled.
    pub(crate) fn built_with_sanitizer(&self) -> bool {
        self.sanitizer_check().with_extension("").exists()
    }

    /// A program to try the thread sanitizer on.
    fn sanitizer_check(&self) -> PathBuf {
        self.work.join("sanitizer.c")
    }

    /// Environment by which the MPI wrappers call the chosen compiler.
    fn compilers(&self) -> Vec<(&'static str, String)> {
        let Some(compiler) = &self.compiler else {
            return Vec::new();
        };
        let cxx = compiler.replace("clang", "clang++").replace("gcc", "g++");
        vec![
            ("OMPI_CC", compiler.clone()),
            ("MPICH_CC", compiler.clone()),
            ("OMPI_CXX", cxx.clone()),
            ("MPICH_CXX", cxx),
        ]
    }

    /// Compiles a program for these ways, as far as they differ for it.
    ///
    /// # Errors
    /// A build fails; the message is the compiler's.
    pub(crate) fn compile(&self, program: &Program, wanted: &[Way]) -> Result<(), String> {
        let ways = self.ways(program).into_iter();
        let wanted = ways.filter(|way| wanted.contains(way));
        let builds: BTreeSet<Build> = wanted.map(Way::build).collect();
        for build in builds {
            self.compile_one(program, build)?;
        }
        Ok(())
    }

    fn compile_one(&self, program: &Program, build: Build) -> Result<(), String> {
        let (compiler, subcommand) = program.language.compiler();
        let mut words = Vec::new();
        let visible = matches!(build, Build::Instrumented | Build::Unfiltered);
        if visible {
            words.extend([self.farside.display().to_string(), subcommand.to_owned()]);
        }
        match program.interface() {
            Interface::Mpi => words.push(format!("{compiler}.{}", self.library)),
            Interface::OpenShmem | Interface::Gaspi => {
                words.push(self.compiler.clone().unwrap_or_else(|| "gcc".to_owned()));
            }
        }
        words.push("-g".to_owned());
        words.extend(self.optimise.iter().cloned());
        if build == Build::Sanitizer {
            words.push("-fsanitize=thread".to_owned());
        }
        let source = self.sources.join(program.name);
        let source = source.with_extension(program.language.ending());
        words.push(source.display().to_string());
        let mut environment = self.compilers();
        if program.language == Language::Fortran {
            words.push(self.measuring_object()?);
            let modules = self.work.join(format!("{}-{}", program.name, build.suffix()));
            fs::create_dir_all(&modules).map_err(|error| format!("{}: {error}", modules.display()))?;
            words.push(format!("-J{}", modules.display()));
            // Flang reads the modules of Open MPI by `farside fc` only: what is not instrumented is gfortran's.
            let clang = self.compiler.as_ref().is_some_and(|name| name.contains("clang"));
            if clang && visible && self.library == "openmpi" {
                environment.push(("OMPI_FC", FLANG.to_owned()));
            }
        }
        let binary = self.binary(program, build).display().to_string();
        words.extend(["-o".to_owned(), binary, "-lm".to_owned()]);
        if let Some((library, headers)) = program.interface().library() {
            let folder = self.library_folder(library)?.display().to_string();
            words.extend([format!("-I{headers}"), format!("-L{folder}")]);
            words.extend([format!("-l{library}"), format!("-Wl,-rpath,{folder}")]);
        }
        if build == Build::Unfiltered {
            environment.push(("FARSIDE_FILTER", "off".to_owned()));
        }
        self.compiles(&words, &environment)
    }

    /// Where our own library lies: beside `farside`.
    fn library_folder(&self, library: &str) -> Result<PathBuf, String> {
        let farside = fs::canonicalize(&self.farside).map_err(|error| error.to_string())?;
        let folder = farside.parent().unwrap_or(Path::new("/")).to_path_buf();
        let file = folder.join(format!("lib{library}.so"));
        match file.exists() {
            true => Ok(folder),
            false => Err(format!("{} is missing (make build)", file.display())),
        }
    }

    /// `measure.h` for programs in Fortran, as an object file.
    fn measuring_object(&self) -> Result<String, String> {
        let object = self
            .work
            .join(format!("measure.{}.o", self.library))
            .display()
            .to_string();
        let source = self.sources.join("measure.c").display().to_string();
        let words = [
            format!("mpicc.{}", self.library),
            "-c".into(),
            source,
            "-o".into(),
            object.clone(),
        ];
        self.compiles(&words, &self.compilers())?;
        Ok(object)
    }

    fn compiles(&self, words: &[String], environment: &[(&str, String)]) -> Result<(), String> {
        let environment: Vec<(&str, &str)> = environment
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let ended = job::run(words, &environment, self.limit)?;
        if ended.status != Some(0) {
            return Err(format!("{} failed:\n{}", words.join(" "), ended.errors));
        }
        Ok(())
    }

    /// Runs a program. A failing program is a [`Run`] with a fault.
    ///
    /// # Errors
    /// The command cannot be started.
    pub(crate) fn run(
        &self,
        program: &Program,
        arguments: &[&str],
        way: Way,
        ranks: u32,
        repetition: u32,
    ) -> Result<Run, String> {
        let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        let mut run = self.run_with(program, &arguments, way, ranks, &[])?;
        run.repetition = repetition;
        Ok(run)
    }

    /// Runs a program with further words for the MPI launcher.
    ///
    /// # Errors
    /// The command cannot be started.
    pub(crate) fn run_with(
        &self,
        program: &Program,
        arguments: &[String],
        way: Way,
        ranks: u32,
        further: &[String],
    ) -> Result<Run, String> {
        let report = self.work.join("report.json");
        // A report of an earlier run must not be taken for this one's.
        let _ = fs::remove_file(&report);
        let words = self.command(program, arguments, way, ranks, further, &report);
        let ended = job::run(
            &words,
            if way == Way::Sanitizer { &[SANITIZER] } else { &[] },
            self.limit,
        )?;
        let mut run = Run {
            program: program.name.to_owned(),
            way: Some(way),
            ranks,
            repetition: 1,
            command: words.join(" "),
            command_seconds: ended.seconds,
            checker_cpu_seconds: if way.checked() { ended.cpu_seconds } else { 0.0 },
            checker_peak_kib: if way.checked() { ended.peak_kib } else { 0 },
            ..Run::default()
        };
        let fault = read_program(&mut run, &ended).and_then(|()| {
            if way.checked() {
                read_report(&mut run, &report, &ended)
            } else {
                Ok(())
            }
        });
        run.fault = fault.err();
        if let Some(fault) = &run.fault {
            eprintln!("farside-bench: {} {}: {fault}", program.name, way.name());
        }
        Ok(run)
    }

    fn binary(&self, program: &Program, build: Build) -> PathBuf {
        self.work
            .join(format!("{}.{}.{}", program.name, self.library, build.suffix()))
    }

    fn command(
        &self,
        program: &Program,
        arguments: &[String],
        way: Way,
        ranks: u32,
        further: &[String],
        report: &Path,
    ) -> Vec<String> {
        let mut words = Vec::new();
        if way.checked() {
            words.push(self.farside.display().to_string());
            words.extend(["check", "--quiet", "--format", "json", "--output"].map(str::to_owned));
            words.push(report.display().to_string());
            if way == Way::Guarded {
                words.push("--guard".to_owned());
            }
            words.push("--".to_owned());
        }
        if way == Way::Sanitizer {
            // Its shadow memory does not fit every random layout of the address space.
            words.extend(["setarch", "-R"].map(str::to_owned));
        }
        match program.interface() {
            Interface::Mpi => {
                words.push(format!("mpirun.{}", self.library));
                if self.library == "openmpi" && ranks > 2 {
                    words.push("--oversubscribe".to_owned());
                }
            }
            Interface::OpenShmem | Interface::Gaspi => {
                words.extend([self.farside.display().to_string(), "run".to_owned()]);
                words.extend(["--transport", "shm"].map(str::to_owned));
            }
        }
        words.extend(further.iter().cloned());
        words.extend([
            "-n".to_owned(),
            ranks.to_string(),
            self.binary(program, way.build()).display().to_string(),
        ]);
        words.extend(arguments.iter().cloned());
        words
    }
}

/// Takes the figures from the line that the program prints.
fn read_program(run: &mut Run, ended: &Ended) -> Result<(), String> {
    let Some(line) = ended.output.lines().find_map(|line| line.strip_prefix("bench ")) else {
        let status = ended
            .status
            .map_or("a signal or the time limit".to_owned(), |status| {
                format!("status {status}")
            });
        return Err(format!("no result, ended by {status}: {}", ended.errors.trim()));
    };
    let fields: BTreeMap<&str, &str> = line.split(' ').filter_map(|word| word.split_once('=')).collect();
    let number = |name: &str| -> Result<f64, String> {
        let text = fields.get(name).ok_or_else(|| format!("no {name} in `{line}`"))?;
        text.parse()
            .map_err(|_| format!("{name} is not a number in `{line}`"))
    };
    run.loop_seconds = number("seconds")?;
    run.cpu_seconds = number("cpu_seconds")?;
    run.peak_kib = number("peak_kib")?;
    run.window_bytes = number("window_bytes")?;
    match fields.get("verified") {
        Some(&"yes") => Ok(()),
        _ => Err("the result is wrong".to_owned()),
    }
}

/// Takes the checker's counts from its report; all programs are clean, so a finding is a fault.
fn read_report(run: &mut Run, path: &Path, ended: &Ended) -> Result<(), String> {
    let text =
        fs::read_to_string(path).map_err(|error| format!("no report: {error}; {}", ended.errors.trim()))?;
    let report: Report = serde_json::from_str(&text).map_err(|error| format!("report: {error}"))?;
    run.counts = report
        .counts
        .iter()
        .map(|count| (count.name.clone(), count.value))
        .collect();
    if let Some(finding) = report.findings.first() {
        return Err(format!(
            "{} findings in a correct program; the first: {}",
            report.findings.len(),
            finding.message
        ));
    }
    match ended.status {
        Some(0) => Ok(()),
        status => Err(format!(
            "farside ended with status {status:?}: {}",
            ended.errors.trim()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(output: &str) -> Ended {
        Ended {
            status: Some(0),
            output: output.to_owned(),
            ..Ended::default()
        }
    }

    #[test]
    fn figures_are_read_from_the_line_of_the_program() {
        let mut run = Run::default();
        let line = "noise\nbench program=x ranks=2 iterations=3 seconds=0.5 cpu_seconds=0.9 peak_kib=100 \
            window_bytes=64 verified=yes\n";
        read_program(&mut run, &ended(line)).unwrap();
        assert_eq!(
            (run.loop_seconds, run.peak_kib, run.window_bytes),
            (0.5, 100.0, 64.0)
        );
    }

    #[test]
    fn a_wrong_result_is_a_fault() {
        let line = "bench seconds=1 cpu_seconds=1 peak_kib=1 window_bytes=1 verified=no\n";
        assert_eq!(
            read_program(&mut Run::default(), &ended(line)).unwrap_err(),
            "the result is wrong"
        );
        assert!(read_program(&mut Run::default(), &ended("killed\n")).is_err());
    }
}
