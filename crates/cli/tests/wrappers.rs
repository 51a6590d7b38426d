//! `farside cc`, `cxx` and `fc` with each installed compiler: what is built shows its loads and stores, is linked with
//! the callbacks and not with the thread sanitizer, and runs.

use object::{Object, ObjectSymbol};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const CALLBACKS: &[u8] = b"libfarside_callbacks.so";

/// Subcommand, compiler, name of a source file and its text: a program that prints 7 from an OpenMP loop.
const PROGRAMS: &[(&str, &str, &str, &str)] = &[
    ("cc", "gcc", "p.c", C),
    ("cc", "clang", "p.c", C),
    ("cc", "clang-19", "p.c", C),
    ("cc", "mpicc.mpich", "p.c", C),
    ("cc", "mpicc.openmpi", "p.c", C),
    ("cxx", "g++", "p.cpp", C),
    ("cxx", "clang++", "p.cpp", C),
    ("cxx", "clang++-19", "p.cpp", C),
    ("cxx", "mpicxx.mpich", "p.cpp", C),
    ("cxx", "mpicxx.openmpi", "p.cpp", C),
    ("fc", "gfortran", "p.f90", FORTRAN),
    ("fc", "mpif90.mpich", "p.f90", FORTRAN),
    ("fc", "mpif90.openmpi", "p.f90", FORTRAN),
    ("fc", "flang-new-19", "p.f90", FORTRAN),
];

const C: &str = "#include <stdio.h>
int all[8];
int main(void) {
#pragma omp parallel for
    for (int i = 0; i < 8; i++) all[i] = i;
    printf(\"%d\\n\", all[7]);
    return 0;
}
";

const FORTRAN: &str = "program p
  integer, allocatable :: all(:)
  integer :: i
  allocate(all(8))
  !$omp parallel do
  do i = 1, 8
    all(i) = i - 1
  end do
  print '(i0)', all(8)
end program
";

/// A folder for one test, with the wrappers to run in it.
struct Workshop(TempDir);

impl Workshop {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Self(folder)
    }

    fn wrap(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_farside"));
        command
            .args(arguments)
            .current_dir(&self.0)
            .env("FARSIDE_LIBRARIES", libraries())
            .env_remove("FARSIDE_FILTER");
        command
    }

    /// A command line that must succeed.
    fn build(&self, arguments: &[&str]) {
        let output = self.wrap(arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }

    /// A command line that the wrapper must refuse, with these words.
    fn refused(&self, arguments: &[&str], words: &str) {
        let output = self.wrap(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(words), "{message}");
    }

    /// Whether an object or program calls the callbacks for loads and stores.
    fn instrumented(&self, file: &str) -> bool {
        self.needs(file, "__tsan_")
    }

    /// Whether an object or program needs a symbol whose name begins so.
    fn needs(&self, file: &str, prefix: &str) -> bool {
        let bytes = fs::read(self.0.path().join(file)).unwrap();
        let elf = object::File::parse(&*bytes).unwrap();
        let wanted = |symbol: object::Symbol| {
            symbol.is_undefined() && symbol.name().is_ok_and(|name| name.starts_with(prefix))
        };
        elf.symbols().any(wanted) || elf.dynamic_symbols().any(wanted)
    }

    /// Whether a program is linked with the callbacks; never with the thread sanitizer.
    fn linked(&self, file: &str) -> bool {
        let bytes = fs::read(self.0.path().join(file)).unwrap();
        let has = |name: &[u8]| bytes.windows(name.len()).any(|window| window == name);
        assert!(!has(b"libtsan"), "{file}");
        has(CALLBACKS)
    }

    /// What a program prints.
    fn run(&self, program: &str) -> String {
        let output = Command::new(self.0.path().join(program)).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

/// The folder of the callbacks library and of the plugins.
fn libraries() -> &'static Path {
    farside_built::libraries(&["farside-callbacks", "farside-llvm-filter", "farside-gcc-filter"])
}

/// The programs whose compiler is installed.
fn programs() -> impl Iterator<Item = &'static (&'static str, &'static str, &'static str, &'static str)> {
    PROGRAMS
        .iter()
        .filter(|(_, compiler, ..)| Command::new(compiler).arg("--version").output().is_ok())
}

/// Debian has one version of LLVM's OpenMP installed at a time, that of `clang`: for `clang-19` the loop is an ordinary
/// one.
fn openmp(compiler: &str) -> Option<&'static str> {
    (!compiler.ends_with("-19")).then_some("-fopenmp")
}

#[test]
fn compile_and_link_at_once() {
    for &(wrapper, compiler, name, text) in programs() {
        let workshop = Workshop::new(&[(name, text)]);
        let mut line = vec![wrapper, compiler, "-O2", name, "-o", "p"];
        line.extend(openmp(compiler));
        workshop.build(&line);
        assert!(workshop.linked("p") && workshop.instrumented("p"), "{compiler}");
        assert_eq!(workshop.run("p"), "7\n", "{compiler}");
    }
}

#[test]
fn compile_then_link() {
    for &(wrapper, compiler, name, text) in programs() {
        let workshop = Workshop::new(&[(name, text)]);
        let mut line = vec![wrapper, compiler, "-Werror", "-c", name, "-o", "p.o"];
        line.extend(openmp(compiler));
        workshop.build(&line);
        assert!(workshop.instrumented("p.o"), "{compiler}");
        let mut line = vec![wrapper, compiler, "-Werror", "p.o", "-o", "p"];
        line.extend(openmp(compiler));
        workshop.build(&line);
        assert!(workshop.linked("p"), "{compiler}");
        assert_eq!(workshop.run("p"), "7\n", "{compiler}");
    }
}

#[test]
fn link_time_optimisation() {
    let workshop = Workshop::new(&[("p.c", C)]);
    workshop.build(&["cc", "gcc", "-flto", "-O2", "p.c", "-o", "p"]);
    assert!(workshop.instrumented("p"));
    assert_eq!(workshop.run("p"), "7\n");
}

/// Loops, as the plugin for clang 19 announces them.
const LOOPS: &str = "void f(double *to, const double *from, int n) {
    for (int i = 0; i < n; i++) to[i] += from[i];
}
double at(const double *from, const int *place) { return from[*place]; }
";

#[test]
fn clang_19_announces_whole_loops_and_looks_at_pages() {
    let workshop = Workshop::new(&[("f.c", LOOPS)]);
    for level in ["-O1", "-O2", "-O3"] {
        workshop.build(&["cc", "clang-19", "-Werror", level, "-c", "f.c"]);
        for symbol in ["__farside_write_run", "__farside_page_mask", "__tsan_read8"] {
            assert!(workshop.needs("f.o", symbol), "{level} {symbol}");
        }
        let mut off = workshop.command(&["cc", "clang-19", level, "-c", "f.c"]);
        assert!(off.env("FARSIDE_FILTER", "off").status().unwrap().success());
        assert!(
            !workshop.needs("f.o", "__farside") && workshop.instrumented("f.o"),
            "{level}"
        );
    }
    workshop.build(&["cc", "clang-19", "-O2", "-fno-sanitize=thread", "-c", "f.c"]);
    assert!(!workshop.needs("f.o", "__farside") && !workshop.instrumented("f.o"));
}

#[test]
fn clang_19_does_all_that_it_does_without_the_plugin() {
    let workshop = Workshop::new(&[("f.c", LOOPS), ("p.c", C)]);
    for task in ["-E", "-MM", "-fsyntax-only"] {
        workshop.build(&["cc", "clang-19", "-Werror", "-O2", task, "f.c"]);
    }
    workshop.build(&["cc", "clang-19", "-Werror", "-O2", "-S", "-MD", "f.c"]);
    workshop.build(&["cc", "clang-19", "-Werror", "-O2", "-fno-pie", "-c", "f.c"]);
    workshop.build(&["cc", "clang-19", "-Werror", "-O2", "f.c", "p.c", "-o", "both"]);
    workshop.build(&[
        "cc", "clang-19", "-Werror", "-O2", "-fno-pie", "-no-pie", "f.o", "p.c", "-o", "fixed",
    ]);
    for program in ["both", "fixed"] {
        assert_eq!(workshop.run(program), "7\n", "{program}");
    }
}

#[test]
fn a_plugin_that_does_not_load_is_done_without() {
    let workshop = Workshop::new(&[
        ("f.c", LOOPS),
        ("bad.c", "#error no\n"),
        ("libfarside_filter.so", "no library"),
    ]);
    let callbacks = "libfarside_callbacks.so";
    std::os::unix::fs::symlink(libraries().join(callbacks), workshop.0.path().join(callbacks)).unwrap();
    let compile = |source: &str| {
        let mut command = workshop.command(&["cc", "clang-19", "-O2", "-c", source]);
        command
            .env("FARSIDE_LIBRARIES", workshop.0.path())
            .output()
            .unwrap()
    };
    let output = compile("f.c");
    assert!(output.status.success(), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("without the plugin"),
        "{output:?}"
    );
    assert!(workshop.instrumented("f.o"));
    assert_eq!(compile("bad.c").status.code(), Some(1));
}

/// Whether the plugin for GCC was built: its headers are there, and are of a version that it knows.
fn gcc_has_plugin() -> bool {
    let bytes = fs::read(libraries().join("libfarside_gcc_filter.so")).unwrap();
    let library = object::File::parse(&*bytes).unwrap();
    library
        .dynamic_symbols()
        .any(|symbol| symbol.name() == Ok("plugin_init"))
}

const LOOPS_IN_FORTRAN: &str = "subroutine f(to, from, n)
  integer, intent(in) :: n
  real, intent(inout) :: to(n)
  real, intent(in) :: from(n)
  integer :: i
  do i = 1, n
    to(i) = to(i) + from(i)
  end do
end subroutine
real function at(from, place)
  real, intent(in) :: from(*)
  integer, intent(in) :: place(*)
  at = from(place(1))
end function
";

#[test]
fn gcc_announces_whole_loops_and_looks_at_pages() {
    if !gcc_has_plugin() {
        return;
    }
    let workshop = Workshop::new(&[("f.c", LOOPS), ("f.cpp", LOOPS), ("f.f90", LOOPS_IN_FORTRAN)]);
    let compilers = [
        ("cc", "gcc", "f.c"),
        ("cxx", "g++", "f.cpp"),
        ("fc", "gfortran", "f.f90"),
    ];
    for (wrapper, compiler, source) in compilers {
        for level in ["-O1", "-O2", "-O3"] {
            workshop.build(&[wrapper, compiler, "-Werror", level, "-c", source, "-o", "f.o"]);
            for symbol in ["__farside_write_run", "__farside_page_mask", "__tsan_read4"] {
                assert!(workshop.needs("f.o", symbol), "{compiler} {level} {symbol}");
            }
            let mut off = workshop.command(&[wrapper, compiler, level, "-c", source, "-o", "f.o"]);
            assert!(off.env("FARSIDE_FILTER", "off").status().unwrap().success());
            assert!(
                !workshop.needs("f.o", "__farside") && workshop.instrumented("f.o"),
                "{compiler} {level}"
            );
        }
    }
    workshop.build(&["cc", "gcc", "-O2", "-fno-sanitize=thread", "-c", "f.c"]);
    assert!(!workshop.needs("f.o", "__farside") && !workshop.instrumented("f.o"));
}

#[test]
fn gcc_does_all_that_it_does_without_the_plugin() {
    let workshop = Workshop::new(&[("f.c", LOOPS), ("p.c", C)]);
    for task in ["-E", "-MM", "-fsyntax-only"] {
        workshop.build(&["cc", "gcc", "-Werror", "-O2", task, "f.c"]);
    }
    workshop.build(&["cc", "gcc", "-Werror", "-O2", "-S", "-MD", "f.c"]);
    workshop.build(&["cc", "gcc", "-Werror", "-O2", "-fno-pie", "-c", "f.c"]);
    workshop.build(&["cc", "gcc", "-Werror", "-O2", "f.c", "p.c", "-o", "both"]);
    workshop.build(&[
        "cc", "gcc", "-Werror", "-O2", "-no-pie", "f.o", "p.c", "-o", "fixed",
    ]);
    let whole = [
        "-Werror", "-O2", "-flto", "-fPIC", "-shared", "f.c", "-o", "libf.so",
    ];
    workshop.build(&[&["cc", "gcc"], &whole[..]].concat());
    assert_eq!(workshop.needs("libf.so", "__farside_write_run"), gcc_has_plugin());
    for program in ["both", "fixed"] {
        assert_eq!(workshop.run(program), "7\n", "{program}");
        let bytes = fs::read(workshop.0.path().join(program)).unwrap();
        let looks = bytes.windows(20).any(|window| window == b"\0__farside_page_mask");
        assert_eq!(looks, gcc_has_plugin(), "{program}");
    }
}

#[test]
fn a_plugin_that_gcc_does_not_load_is_done_without() {
    let version = Command::new("gcc").arg("-dumpfullversion").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let fake = format!("const char FARSIDE_GCC[16] = \"{}\";\n", version.trim());
    let workshop = Workshop::new(&[("f.c", LOOPS), ("bad.c", "#error no\n"), ("fake.c", &fake)]);
    let built = Command::new("gcc")
        .args(["-shared", "-fPIC", "fake.c", "-o", "libfarside_gcc_filter.so"])
        .current_dir(&workshop.0)
        .status();
    assert!(built.unwrap().success());
    let callbacks = "libfarside_callbacks.so";
    std::os::unix::fs::symlink(libraries().join(callbacks), workshop.0.path().join(callbacks)).unwrap();
    let compile = |source: &str| {
        let mut command = workshop.command(&["cc", "gcc", "-O2", "-c", source]);
        command
            .env("FARSIDE_LIBRARIES", workshop.0.path())
            .output()
            .unwrap()
    };
    let output = compile("f.c");
    assert!(output.status.success(), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("without the plugin"),
        "{output:?}"
    );
    assert!(workshop.instrumented("f.o"));
    assert_eq!(compile("bad.c").status.code(), Some(1));
}

#[test]
fn shared_library_without_undefined_symbols() {
    for compiler in ["gcc", "clang"] {
        let workshop = Workshop::new(&[("f.c", "int f(int *p) { return *p; }\n")]);
        workshop.build(&[
            "cc",
            compiler,
            "-shared",
            "-fPIC",
            "-Wl,-z,defs",
            "f.c",
            "-o",
            "libf.so",
        ]);
        assert!(workshop.linked("libf.so"), "{compiler}");
    }
}

#[test]
fn partly_instrumented() {
    let workshop = Workshop::new(&[
        ("f.c", "int f(int *p) { return *p; }\n"),
        ("p.c", "int f(int *); int x; int main(void) { return f(&x); }\n"),
    ]);
    for source in ["f.c", "p.c"] {
        let plain = Command::new("gcc")
            .args(["-c", source])
            .current_dir(&workshop.0)
            .status();
        assert!(plain.unwrap().success());
    }
    workshop.build(&["cc", "gcc", "f.c", "p.o", "-o", "some"]);
    assert!(workshop.linked("some"));
    workshop.run("some");
    // Nothing to see, so nothing is needed.
    workshop.build(&["cc", "gcc", "f.o", "p.o", "-o", "none"]);
    assert!(!workshop.linked("none"));
    workshop.run("none");
    workshop.build(&["cc", "gcc", "-fno-sanitize=thread", "f.c", "p.c", "-o", "exempt"]);
    assert!(!workshop.linked("exempt"));
}

/// The buffer of a pending operation is an argument of a call that has returned.
#[test]
fn optimised_fortran_shows_arguments_of_calls() {
    let text = "program p
  implicit none
  interface
    subroutine start(buffer)
      integer :: buffer(4)
    end subroutine
  end interface
  integer, asynchronous :: buffer(4)
  buffer = 0
  call start(buffer)
  print *, sum(buffer)
end program
";
    let workshop = Workshop::new(&[("p.f90", text)]);
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        workshop.build(&["fc", "gfortran", level, "-c", "p.f90"]);
        let bytes = fs::read(workshop.0.path().join("p.o")).unwrap();
        let object = object::File::parse(&*bytes).unwrap();
        let seen = object
            .symbols()
            .any(|symbol| symbol.name().is_ok_and(|name| name.starts_with("__tsan_read")));
        assert!(seen, "{level}");
    }
}

#[test]
fn response_file() {
    let workshop = Workshop::new(&[("p.c", C), ("all", "-c p.c -o 'p q.o'\n")]);
    workshop.build(&["cc", "gcc", "@all"]);
    assert!(workshop.instrumented("p q.o"));
}

#[test]
fn ccache_starts_the_compiler_and_finds_again_what_it_made() {
    for (compiler, options) in [
        ("gcc", "-O0"),
        ("gcc", "-O2"),
        ("clang-19", "-O2"),
        ("mpicc.openmpi", "-O2"),
    ] {
        let workshop = Workshop::new(&[("p.c", C)]);
        let cached = |arguments: &[&str]| {
            let mut command = workshop.command(&["cc", "ccache", compiler, options]);
            let output = command
                .args(arguments)
                .env("CCACHE_DIR", workshop.0.path().join("cache"))
                .output();
            assert!(output.unwrap().status.success(), "{compiler}");
        };
        for object in ["first.o", "second.o"] {
            cached(&["-c", "p.c", "-o", object]);
            assert!(workshop.instrumented(object), "{compiler}");
        }
        cached(&["second.o", "-o", "p"]);
        assert!(workshop.linked("p") && workshop.instrumented("p"), "{compiler}");
        assert_eq!(workshop.run("p"), "7\n");
        let mut counts = Command::new("ccache");
        let counts = counts
            .arg("--print-stats")
            .env("CCACHE_DIR", workshop.0.path().join("cache"));
        let counts = String::from_utf8(counts.output().unwrap().stdout).unwrap();
        assert!(counts.contains("direct_cache_hit\t1\n"), "{compiler}: {counts}");
    }
}

#[test]
fn cmake_with_both_launchers_builds_and_with_one_says_what_is_missing() {
    let project = "cmake_minimum_required(VERSION 3.21)\nproject(p C)\nadd_executable(p p.c)\n";
    let launcher = format!("{};cc", env!("CARGO_BIN_EXE_farside"));
    let cmake = |launchers: &[&str]| {
        let workshop = Workshop::new(&[("p.c", C), ("CMakeLists.txt", project)]);
        let run = |arguments: &[&str]| {
            let mut command = Command::new("cmake");
            command
                .args(arguments)
                .current_dir(&workshop.0)
                .env("FARSIDE_LIBRARIES", libraries());
            command.output().unwrap()
        };
        let settings: Vec<String> = launchers
            .iter()
            .map(|name| format!("-D{name}={launcher}"))
            .collect();
        let mut configure = vec!["-S", ".", "-B", "build"];
        configure.extend(settings.iter().map(String::as_str));
        assert!(run(&configure).status.success());
        let built = run(&["--build", "build"]);
        (workshop, built)
    };
    let (workshop, built) = cmake(&["CMAKE_C_COMPILER_LAUNCHER", "CMAKE_C_LINKER_LAUNCHER"]);
    assert!(built.status.success(), "{built:?}");
    assert!(workshop.instrumented("build/p") && workshop.linked("build/p"));
    assert_eq!(workshop.run("build/p"), "7\n");
    let (_, built) = cmake(&["CMAKE_C_COMPILER_LAUNCHER"]);
    let said = String::from_utf8_lossy(&built.stderr).into_owned();
    assert!(
        said.contains(&format!("add `-DCMAKE_C_LINKER_LAUNCHER=\"{launcher}\"`")),
        "{said}"
    );
}

#[test]
fn questions_are_passed_on() {
    let workshop = Workshop::new(&[("p.c", C)]);
    for question in ["--version", "-dumpversion", "-print-search-dirs"] {
        let own = Command::new("gcc").arg(question).output().unwrap();
        assert_eq!(
            workshop.wrap(&["cc", "gcc", question]).stdout,
            own.stdout,
            "{question}"
        );
    }
    let preprocessed = workshop.wrap(&["cc", "gcc", "-E", "p.c"]);
    assert!(String::from_utf8_lossy(&preprocessed.stdout).contains("int main"));
}

#[test]
fn status_of_the_compiler() {
    let workshop = Workshop::new(&[("bad.c", "#error no\n")]);
    assert_eq!(
        workshop.wrap(&["cc", "gcc", "-c", "bad.c"]).status.code(),
        Some(1)
    );
}

#[test]
fn what_cannot_be_checked_is_refused() {
    let workshop = Workshop::new(&[("p.c", C)]);
    workshop.refused(&["cc", "gcc", "-static", "p.c"], "link it dynamically");
    workshop.refused(&["cc", "gcc", "-fsanitize=address", "p.c"], "-fsanitize=address");
    workshop.refused(&["cc", "no-such-compiler", "p.c"], "no-such-compiler");
    workshop.refused(&["cc", "make", "p.c"], "neither GCC nor Clang");
    // The user's own request is what the wrapper does anyway.
    workshop.build(&["cc", "gcc", "-fsanitize=thread", "p.c", "-o", "p"]);
    assert!(workshop.linked("p") && workshop.instrumented("p"));
}

#[test]
fn a_build_finds_the_wrappers_by_the_names_of_compilers() {
    let cmake = "cmake_minimum_required(VERSION 3.18)\nproject(p C)\nadd_executable(p p.c)\n";
    let make = "made: p.c\n\tcc -O1 p.c -o made\n";
    let shop = Workshop::new(&[("p.c", C), ("Makefile", make), ("CMakeLists.txt", cmake)]);
    let build = |command: &[&str]| {
        let mut arguments = vec!["build", "--"];
        arguments.extend(command);
        let output = shop
            .command(&arguments)
            .env("XDG_CACHE_HOME", shop.0.path().join("cache"))
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let unseen = "no compiler was called by its name";
    let (status, said) = build(&["make"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(
        !said.contains(unseen) && shop.instrumented("made") && shop.linked("made"),
        "{said}"
    );
    assert_eq!(shop.run("made"), "7\n");
    assert!(build(&["true"]).1.contains(unseen));
    assert_eq!(build(&["false"]), (Some(1), String::new()));
    let (status, said) = build(&["/nowhere/builder"]);
    assert!(status == Some(2) && said.contains("no such program"), "{said}");
    if Command::new("cmake").arg("--version").output().is_err() {
        return eprintln!("left out: there is no cmake");
    }
    // What was configured with it goes on to be built with it.
    let (status, said) = build(&["cmake", "-S", ".", "-B", "checked"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(
        Command::new("cmake")
            .args(["--build", "checked"])
            .current_dir(&shop.0)
            .env("FARSIDE_LIBRARIES", libraries())
            .output()
            .unwrap()
            .status
            .success()
    );
    assert!(shop.instrumented("checked/p"));
    // What was configured without it is told.
    let plain = Command::new("cmake")
        .args(["-S", ".", "-B", "plain"])
        .current_dir(&shop.0)
        .output()
        .unwrap();
    assert!(plain.status.success());
    assert!(build(&["cmake", "--build", "plain"]).1.contains(unseen));
}
