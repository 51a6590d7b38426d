//! Threads and OpenMP, as compilers and runtimes really do them: programs are built with what is installed, run under
//! the preloaded library, and their recorded order is compared with what each program says about itself.
//!
//! A program marks moments by `mark(NUMBER)`, a message to itself with that tag. A comment `EXPECT:` lists pairs: `1<2`
//! says that each moment 1 is ordered before each moment 2, `1|2` that on different threads none is ordered either way,
//! `1||2` that also one thread does them as different strands. `EXPECT gcc:` is for one compiler only.
//!
//! What is ordered is found here by replaying the releases and acquires with vector clocks of this file's own, which
//! share nothing with the detector.

use farside_events::{Call, Event, EventKind, ObjectId, ThreadId};
use farside_spool::format::{CHUNK_HEADER, COMMITTED_OFFSET, Recording, Records, check_header};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn posix_and_c11_threads() {
    check("posix.c", &["gcc", "clang"], &["-pthread"]);
}

#[test]
fn blocks_that_go_from_thread_to_thread() {
    check("blocks.c", &["gcc", "clang"], &["-pthread", "-O0"]);
}

#[test]
fn ends_of_threads() {
    check("ends.c", &["gcc"], &["-pthread"]);
}

#[test]
fn standard_threads_of_cpp() {
    check("standard.cpp", &["g++", "clang++"], &["-pthread", "-std=c++17"]);
}

#[test]
fn openmp_constructs() {
    check("constructs.c", &["gcc", "clang"], &["-fopenmp", "-O2"]);
}

#[test]
fn openmp_order_and_its_absence() {
    check("precision.c", &["gcc", "clang"], &["-fopenmp"]);
}

#[test]
fn openmp_order_in_teams_of_any_size() {
    let options = ["-fopenmp", "-O1"];
    check_in("strands.c", &["gcc", "clang"], &options, &TEAMS);
    check_in("chunks.c", &["gcc", "clang"], &options, &TEAMS);
}

/// Environments for teams of several sizes.
const TEAMS: [Environment; 3] = [
    &[("OMP_NUM_THREADS", "1")],
    &[("OMP_NUM_THREADS", "2")],
    &[("OMP_NUM_THREADS", "4")],
];

#[test]
fn openmp_static_loops_in_teams_of_any_size() {
    let libraries = farside_built::libraries(&["farside-gcc-filter", "farside-callbacks"]);
    let plugin = libraries.join("libfarside_gcc_filter.so");
    // Without GCC's headers there is no plugin in the library.
    let entry = b"\0plugin_init\0";
    let bytes = fs::read(&plugin).unwrap();
    if !bytes.windows(entry.len()).any(|part| part == entry) {
        return;
    }
    let plugin = format!("-fplugin={}", plugin.display());
    let folder = libraries.display().to_string();
    for level in ["-O0", "-O2"] {
        let options = [
            "-fopenmp",
            level,
            INSTRUMENTED,
            &plugin,
            &format!("-L{folder}"),
            "-lfarside_callbacks",
            &format!("-Wl,-rpath,{folder}"),
        ];
        check_in("static.c", &["gcc"], &options, &TEAMS);
    }
}

#[test]
fn openmp_in_cpp() {
    check("openmp.cpp", &["g++", "clang++"], &["-fopenmp"]);
}

#[test]
fn openmp_in_fortran() {
    check("openmp.f90", &["gfortran"], &["-fopenmp"]);
}

/// Both MPIs whose compiler wrappers Debian installs side by side.
const MPIS: [&str; 2] = ["mpich", "openmpi"];

/// Callbacks for loads and stores, for which a program is not to be linked with GCC's own library.
const INSTRUMENTED: &str = "-fsanitize=thread";

/// Builds and runs a program with each installed compiler and MPI, and checks what it says.
fn check(source: &str, compilers: &[&str], options: &[&str]) {
    check_in(source, compilers, options, &[&[]]);
}

/// Variables in the environment of a run.
type Environment = &'static [(&'static str, &'static str)];

/// As [`check`], with a run in each of these environments.
fn check_in(source: &str, compilers: &[&str], options: &[&str], environments: &[Environment]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/threads")
        .join(source);
    let text = fs::read_to_string(&source).unwrap();
    let mut checked = 0;
    for mpi in MPIS {
        for compiler in compilers.iter().filter(|compiler| installed(compiler)) {
            let wrapper = match *compiler {
                "gfortran" => format!("mpif90.{mpi}"),
                "g++" | "clang++" => format!("mpicxx.{mpi}"),
                _ => format!("mpicc.{mpi}"),
            };
            if installed(&wrapper) {
                let folder = fresh_folder();
                build(&wrapper, compiler, &source, options, &folder);
                let expectations = expectations(&text, compiler);
                for variables in environments {
                    let recording = folder.join("recording");
                    fs::DirBuilder::new().mode(0o700).create(&recording).unwrap();
                    let (output, events) = run(&folder, &recording, variables);
                    let context = format!("{} with {compiler} and {mpi}, {variables:?}", source.display());
                    assert_eq!(output, "", "{context}");
                    let broken = broken(&expectations, &marks(&events));
                    assert_eq!(broken, Vec::<String>::new(), "{context}");
                    fs::remove_dir_all(&recording).unwrap();
                }
                fs::remove_dir_all(&folder).unwrap();
                checked += 1;
            }
        }
    }
    assert_ne!(
        checked, 0,
        "no MPI with one of {compilers:?} is installed; `make test` installs them"
    );
}

fn installed(command: &str) -> bool {
    Command::new(command).arg("--version").output().is_ok()
}

fn fresh_folder() -> PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("threads-{}-{number}", std::process::id()));
    fs::DirBuilder::new().mode(0o700).create(&folder).unwrap();
    folder
}

fn build(wrapper: &str, compiler: &str, source: &Path, options: &[&str], folder: &Path) {
    let marks = source.with_file_name("mark.c");
    let objects = [folder.join("mark.o"), folder.join("program.o")];
    let c_wrapper = wrapper.replace("mpif90", "mpicc").replace("mpicxx", "mpicc");
    let mut compile = Command::new(wrapper);
    compile
        .arg("-c")
        .arg(source)
        .args(["-g", "-o"])
        .arg(&objects[1])
        .args(options);
    let mut link = Command::new(wrapper);
    link.args(&objects).arg("-o").arg(folder.join("program"));
    link.args(options.iter().filter(|&&option| option != INSTRUMENTED));
    let chosen = ["MPICH_CC", "OMPI_CC", "MPICH_CXX", "OMPI_CXX"].map(|variable| (variable, compiler));
    let steps = [
        Command::new(c_wrapper)
            .arg("-c")
            .arg(marks)
            .arg("-o")
            .arg(&objects[0])
            .output(),
        compile.envs(chosen).output(),
        link.envs(chosen).output(),
    ];
    for output in steps {
        let output = output.unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// The preloaded library.
fn library() -> PathBuf {
    farside_built::libraries(&[env!("CARGO_PKG_NAME")]).join("libfarside_interpose.so")
}

/// Runs the program of a folder; what it printed, and its events.
fn run(folder: &Path, recording: &Path, variables: &[(&str, &str)]) -> (String, Vec<Event>) {
    let output = Command::new("timeout")
        .arg("60")
        .arg(folder.join("program"))
        .env("LD_PRELOAD", library())
        .env("FARSIDE_SPOOL", recording)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8_lossy(&text).into_owned(), events(recording))
}

fn events(folder: &Path) -> Vec<Event> {
    let mut chunks: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| {
            let path = entry.unwrap().path();
            let number = Recording::parse_chunk_name(path.file_name()?.to_str()?)?.1;
            Some((number, path))
        })
        .collect();
    chunks.sort();
    let mut events = Vec::new();
    for (_, path) in chunks {
        let bytes = fs::read(path).unwrap();
        check_header(&bytes).unwrap();
        let committed = bytes[COMMITTED_OFFSET..COMMITTED_OFFSET + 8].try_into().unwrap();
        let end = CHUNK_HEADER + usize::try_from(u64::from_le_bytes(committed)).unwrap();
        events.extend(Records::new(&bytes[CHUNK_HEADER..end]).map(Result::unwrap));
    }
    events
}

type Clock = BTreeMap<ThreadId, u64>;

fn join(into: &mut Clock, from: &Clock) {
    for (&thread, &time) in from {
        let entry = into.entry(thread).or_default();
        *entry = time.max(*entry);
    }
}

/// A marked moment.
struct Mark {
    thread: ThreadId,
    clock: Clock,
}

impl Mark {
    fn is_before(&self, other: &Self) -> bool {
        other
            .clock
            .get(&self.thread)
            .is_some_and(|seen| *seen >= self.clock[&self.thread])
    }
}

/// Replays the events; the marked moments by number.
fn marks(events: &[Event]) -> BTreeMap<i32, Vec<Mark>> {
    let mut clocks: BTreeMap<ThreadId, Clock> = BTreeMap::new();
    let mut objects: BTreeMap<ObjectId, Clock> = BTreeMap::new();
    let mut marks: BTreeMap<i32, Vec<Mark>> = BTreeMap::new();
    for event in events {
        let thread = event.thread;
        let clock = clocks.entry(thread).or_default();
        *clock.entry(thread).or_default() += 1;
        match &event.kind {
            EventKind::Release { object } => join(objects.entry(*object).or_default(), clock),
            EventKind::Acquire { object } => join(clock, objects.entry(*object).or_default()),
            EventKind::Enter {
                call: Call::Send { tag, .. },
                ..
            } => {
                marks.entry(*tag).or_default().push(Mark {
                    thread,
                    clock: clock.clone(),
                });
            }
            EventKind::Shortfall(farside_events::Shortfall::Internal(reason)) => panic!("{reason}"),
            _ => {}
        }
    }
    marks
}

/// One pair of a program's comment.
struct Expectation {
    first: i32,
    sign: Sign,
    second: i32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// `<`
    Ordered,
    /// `|`
    ThreadsApart,
    /// `||`
    StrandsApart,
}

impl std::fmt::Display for Sign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Ordered => "<",
            Self::ThreadsApart => "|",
            Self::StrandsApart => "||",
        })
    }
}

fn expectations(source: &str, compiler: &str) -> Vec<Expectation> {
    let for_this = format!("EXPECT {compiler}:");
    let words = source
        .lines()
        .filter_map(|line| line.split_once("EXPECT:").or_else(|| line.split_once(&for_this)))
        .flat_map(|(_, rest)| rest.split_whitespace());
    let found: Vec<_> = words
        .map(|word| {
            let signs = [
                ("||", Sign::StrandsApart),
                ("|", Sign::ThreadsApart),
                ("<", Sign::Ordered),
            ];
            let found = signs
                .iter()
                .find_map(|&(text, sign)| Some((word.split_once(text)?, sign)));
            let ((first, second), sign) = found.unwrap_or_else(|| panic!("`{word}` is not an expectation"));
            Expectation {
                first: first.parse().unwrap(),
                sign,
                second: second.parse().unwrap(),
            }
        })
        .collect();
    assert!(!found.is_empty());
    found
}

/// What does not hold.
fn broken(expectations: &[Expectation], marks: &BTreeMap<i32, Vec<Mark>>) -> Vec<String> {
    let mut broken = Vec::new();
    for &Expectation { first, sign, second } in expectations {
        let (Some(firsts), Some(seconds)) = (marks.get(&first), marks.get(&second)) else {
            broken.push(format!("{first} or {second} was not reached"));
            continue;
        };
        for a in firsts {
            for b in seconds {
                let before = a.is_before(b);
                let apart = !before && !b.is_before(a);
                let holds = match sign {
                    Sign::Ordered => before,
                    Sign::ThreadsApart => apart || a.thread == b.thread,
                    Sign::StrandsApart => apart || std::ptr::eq(a, b),
                };
                if !holds {
                    broken.push(format!(
                        "{first}{sign}{second} on threads {} and {}",
                        a.thread.0, b.thread.0
                    ));
                }
            }
        }
    }
    broken
}
