//! `farside lint` from the outside: sources of three languages, projects, functions without `main`, and bad input.
//!
//! The sources declare the little of MPI that they call, as MPICH's header has it, so that no MPI is needed here.

mod asked;
mod computed;
mod cxx;
mod editor;
mod epochs;
mod features;
mod foreign;
mod fortran;
mod gaspi;
mod inputs;
mod kept;
mod litmus;
mod orders;
mod polling;
mod prove;
mod shared;
mod shmem;
mod suggestions;
mod windows;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const MPI: &str = "
typedef int MPI_Comm, MPI_Win, MPI_Info, MPI_Datatype;
#define MPI_COMM_WORLD 0x44000000
#define MPI_INT 0x4c000405
#define MPI_INFO_NULL 0x1c000000
int MPI_Init(int *, char ***); int MPI_Finalize(void); int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Win_allocate(long, int, MPI_Info, MPI_Comm, void *, MPI_Win *); int MPI_Win_free(MPI_Win *);
int MPI_Win_lock_all(int, MPI_Win); int MPI_Win_unlock_all(MPI_Win); int MPI_Win_flush_local(int, MPI_Win);
int MPI_Put(const void *, int, MPI_Datatype, int, long, int, MPI_Datatype, MPI_Win);
";

/// Rank 0 puts a buffer and stores to it; `between` stands between the two.
fn body(between: &str) -> String {
    format!(
        "int rank, buffer[4] = {{0}}; int *base; MPI_Win win; MPI_Comm_rank(MPI_COMM_WORLD, &rank);
MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
MPI_Win_lock_all(0, win);
if (rank == 0) {{
MPI_Put(buffer, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
{between}
buffer[0] = 1;
}}
MPI_Win_unlock_all(win);
MPI_Win_free(&win);"
    )
}

fn program(between: &str) -> String {
    format!(
        "{MPI}int main(int argc, char **argv) {{ MPI_Init(&argc, &argv);
{}
MPI_Finalize(); return 0; }}",
        body(between)
    )
}

const FLUSH: &str = "MPI_Win_flush_local(1, win);";

/// A program that works out from its inputs whether it is `late`, which alone races.
fn late_program(parser: &str) -> TempDir {
    let source = format!(
        "{MPI}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {{
int late = 0;
{parser}
MPI_Init(&argc, &argv);
{}
MPI_Finalize(); return 0; }}",
        body(&format!("if (!late) {FLUSH}"))
    );
    folder(&[("late.c", &source)])
}

/// C of before C99, which gcc 12 still compiles: it has no type, and `main` no declaration of it.
const OLD: &str = "touch(b) int *b; { b[0] = 1; }";

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn lint_in(folder: &Path, arguments: &[&str]) -> Output {
    let farside = Path::new(env!("CARGO_BIN_EXE_farside"));
    assert!(
        farside.with_file_name("farside-llvm-front").is_file(),
        "build the whole workspace: the reader of LLVM IR lies beside farside"
    );
    Command::new(farside)
        .arg("lint")
        .args(["--mpicc", "/nowhere/mpicc"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

#[track_caller]
fn expect(output: &Output, status: i32, words: &[&str]) {
    let said = said(output);
    assert_eq!(output.status.code(), Some(status), "{said}");
    for word in words {
        assert!(said.contains(word), "`{word}` is missing:\n{said}");
    }
}

#[test]
fn the_status_tells_findings_from_none() {
    let folder = folder(&[("yes.c", &program("")), ("no.c", &program(FLUSH))]);
    expect(
        &lint_in(folder.path(), &["yes.c"]),
        1,
        &["local-race", "yes.c:15", "yes.c:17"],
    );
    expect(&lint_in(folder.path(), &["no.c"]), 0, &["no findings"]);
}

#[test]
fn sources_are_named_from_the_folder_that_lint_was_started_in() {
    let folder = folder(&[("yes.c", &program(""))]);
    fs::create_dir(folder.path().join("below")).unwrap();
    let here = folder.path().to_str().unwrap();
    let below = lint_in(folder.path(), &[&format!("{here}/yes.c")]);
    expect(&below, 1, &["--> yes.c:15:", "after yes.c:15"]);
    assert!(!said(&below).contains(here), "{}", said(&below));
    let elsewhere = lint_in(&folder.path().join("below"), &["../yes.c"]);
    expect(&elsewhere, 1, &[&format!("--> {here}/yes.c:15:")]);
}

/// With three processes, the third spins for a word that nobody writes: the program is meant for two.
#[test]
fn who_spins_with_a_further_process_leaves_nothing_out_of_the_others() {
    let program = format!(
        "{MPI}int MPI_Barrier(MPI_Comm); int MPI_Win_flush(int, MPI_Win);
int MPI_Iprobe(int, int, MPI_Comm, int *, void *);
int main(int argc, char **argv) {{
int rank, there, one = 1, *base; MPI_Win win;
MPI_Init(&argc, &argv);
MPI_Comm_rank(MPI_COMM_WORLD, &rank);
MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
base[0] = 0;
MPI_Win_lock_all(0, win);
MPI_Barrier(MPI_COMM_WORLD);
if (rank == 0) {{
MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
MPI_Win_flush(1, win);
MPI_Barrier(MPI_COMM_WORLD);
}} else {{
MPI_Barrier(MPI_COMM_WORLD);
while (base[0] == 0)
MPI_Iprobe(-2, -1, MPI_COMM_WORLD, &there, (void *)1);
}}
MPI_Win_unlock_all(win);
MPI_Win_free(&win);
MPI_Finalize(); return 0; }}"
    );
    let folder = folder(&[("spin.c", &program)]);
    expect(
        &lint_in(folder.path(), &["spin.c"]),
        0,
        &["no findings in 2 processes", "nothing is known to be left out"],
    );
}

/// The origin buffer is a local variable of a function that returns; `between` stands before its end.
fn put_of_a_local_variable(between: &str) -> String {
    format!(
        "{MPI}static void give(int value, MPI_Win win) {{
int local[4] = {{value, value, value, value}};
MPI_Put(local, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
{between}
}}
int main(int argc, char **argv) {{ int rank; int *base; MPI_Win win; MPI_Init(&argc, &argv);
MPI_Comm_rank(MPI_COMM_WORLD, &rank);
MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
MPI_Win_lock_all(0, win);
if (rank == 0) give(7, win);
MPI_Win_unlock_all(win);
MPI_Win_free(&win); MPI_Finalize(); return 0; }}"
    )
}

#[test]
fn a_local_variable_ends_with_its_function() {
    let open = folder(&[("app.c", &put_of_a_local_variable(""))]);
    let words = ["local-race", "return by rank 0"];
    expect(&lint_in(open.path(), &["app.c"]), 1, &words);
    let completed = folder(&[("app.c", &put_of_a_local_variable(FLUSH))]);
    expect(&lint_in(completed.path(), &["app.c"]), 0, &["no findings"]);
}

/// A program that checks its arguments, its size and a file before it communicates, and that has a function too many.
const CHECKED: &str = "
int MPI_Comm_size(MPI_Comm, int *); int MPI_Abort(MPI_Comm, int);
int MPI_Win_fence(int, MPI_Win);
int atoi(const char *); void exit(int) __attribute__((noreturn)); int printf(const char *, ...);
struct config { int cells; int steps; };
static void usage(const char *name) { printf(\"%s CELLS STEPS\", name); exit(1); }
static void parse(int argc, char **argv, struct config *config) {
  if (argc < 3) usage(argv[0]);
  config->cells = atoi(argv[1]);
  config->steps = atoi(argv[2]);
}
void restore(MPI_Win win) { MPI_Win_fence(0, win); }
int main(int argc, char **argv) {
  struct config config; int rank, size, buffer[4] = {0}; int *base; MPI_Win win;
  MPI_Init(&argc, &argv);
  parse(argc, argv, &config);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (EXTRA % size != 0) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  MPI_Win_fence(0, win);
  for (int step = 0; step < config.steps; step++) {
    MPI_Put(buffer, 4, MPI_INT, (rank + 1) % size, 0, 4, MPI_INT, win);
    STORE
    MPI_Win_fence(0, win);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}";

/// The same with these definitions.
fn checked(cells: &str, store: &str) -> String {
    format!("{MPI}{}", CHECKED.replace("EXTRA", cells).replace("STORE", store))
}

#[test]
fn calls_that_no_simulation_reached_are_listed_with_what_came_first() {
    // No number of processes up to 8 divides 1327, a prime.
    let folder = folder(&[("app.c", &checked("1327", ""))]);
    let output = lint_in(folder.path(), &["app.c"]);
    expect(
        &output,
        4,
        &[
            "MPI_Put at",
            "app.c:32:5 in main",
            "MPI_Abort at",
            "app.c:28",
            "exit(1) at",
            "the condition on input at",
            "app.c:17",
            "nothing calls restore",
            "farside: no findings",
        ],
    );
    let said = said(&output);
    assert!(
        said.starts_with("not seen: 6 of 6 one-sided and synchronising call sites were not reached"),
        "{said}"
    );
    assert!(!said.contains("nothing is known to be left out"), "{said}");
}

#[test]
fn checks_of_the_input_are_passed_and_dead_code_is_named() {
    let folder = folder(&[
        ("no.c", &checked("12", "")),
        ("yes.c", &checked("12", "buffer[0] = step;")),
    ]);
    let first = "not seen: 1 of 6 one-sided and synchronising call sites was not reached";
    for (file, status, words) in [("no.c", 4, "no findings"), ("yes.c", 1, "local-race")] {
        let output = lint_in(folder.path(), &[file]);
        expect(&output, status, &[words, "nothing calls restore"]);
        assert!(said(&output).starts_with(first), "{}", said(&output));
    }
}

/// Fields and functions that pointers to members lead to, virtual functions, and a check that the
/// library of C++ makes.
#[test]
fn loops_over_members_of_classes_are_followed() {
    let source = format!(
        "extern \"C\" {{{MPI}}}
extern \"C\" int MPI_Win_fence(int, MPI_Win);
extern \"C\" void give_up(const char *) __attribute__((noreturn));
struct Field {{ int cells[4]; int length; }};
struct State {{ Field density, speed; }};
struct Exchange {{ virtual void send(Field &field, MPI_Win win) = 0; }};
struct Puts : Exchange {{
  void send(Field &field, MPI_Win win) override {{
    MPI_Put(field.cells, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
  }}
}};
class Solver {{
  State state; MPI_Win win; int *base; Exchange *exchange;
public:
  Solver(Exchange *how) : exchange(how) {{
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    for (Field State::*member : {{&State::density, &State::speed}}) (state.*member).length = LENGTH;
  }}
  void open() {{ MPI_Win_fence(0, win); }}
  void send() {{
    for (Field State::*member : {{&State::density, &State::speed}}) {{
      if ((state.*member).length != 4) give_up(\"length\");
      exchange->send(state.*member, win);
      MPI_Win_fence(0, win);
    }}
  }}
  void run() {{
    void (Solver::*phases[])() = {{&Solver::open, &Solver::send}};
    for (auto phase : phases) (this->*phase)();
    MPI_Win_free(&win);
  }}
}};
int main(int argc, char **argv) {{
  MPI_Init(&argc, &argv);
  Puts puts; Solver solver(&puts);
  solver.run();
  MPI_Finalize();
}}"
    );
    let list =
        "namespace std { typedef decltype(sizeof(0)) size_t; template <class T> class initializer_list {
  const T *first; size_t length; initializer_list(const T *a, size_t n) : first(a), length(n) {}
public: const T *begin() const { return first; } const T *end() const { return first + length; } }; }";
    let folder = folder(&[
        ("whole.cpp", &format!("{list}\n{}", source.replace("LENGTH", "4"))),
        ("short.cpp", &format!("{list}\n{}", source.replace("LENGTH", "3"))),
    ]);
    expect(
        &lint_in(folder.path(), &["whole.cpp", "-n", "2"]),
        1,
        // Names as the sources have them.
        &["remote-race", " in Puts::send(Field&, int)"],
    );
    let short = lint_in(folder.path(), &["short.cpp", "-n", "2"]);
    expect(
        &short,
        4,
        &["give_up, which does not return at", "not reached", "MPI_Put at"],
    );
    assert!(
        said(&short).starts_with("not seen: 3 of 5 one-sided"),
        "{}",
        said(&short)
    );
}

#[test]
fn two_sources_are_one_program() {
    let caller =
        format!("{MPI}void share(void); int main(void) {{ MPI_Init(0, 0); share(); MPI_Finalize(); }}");
    let callee = format!("{MPI}void share(void) {{ {} }}", body(""));
    let folder = folder(&[("main.c", &caller), ("share.c", &callee)]);
    expect(
        &lint_in(folder.path(), &["main.c", "share.c"]),
        1,
        &["local-race", "share.c:14", "share.c:16", "main.c:10"],
    );
}

#[test]
fn sources_of_before_c99_are_read() {
    let folder = folder(&[("main.c", &program("touch(buffer);")), ("old.c", OLD)]);
    expect(
        &lint_in(folder.path(), &["main.c", "old.c"]),
        1,
        &["local-race", "old.c:1"],
    );
}

#[test]
fn a_project_is_compiled_with_the_options_of_its_build() {
    let source = format!("#ifdef RACY\n{}\n#else\n{}\n#endif", program(""), program(FLUSH));
    let folder = folder(&[("app.c", &source)]);
    for (options, status) in [("-O2 -DRACY -o app.o", 1), ("-O2 -o app.o", 0)] {
        let entry = serde_json::json!([{
            "directory": folder.path(), "file": "app.c", "command": format!("cc {options} -c app.c"),
        }]);
        fs::write(folder.path().join("compile_commands.json"), entry.to_string()).unwrap();
        expect(&lint_in(folder.path(), &["compile_commands.json"]), status, &[]);
    }
}

#[test]
fn a_function_without_main_is_analysed_for_itself() {
    let racy = format!(
        "{MPI}static void inner(int n) {{ if (n > 2) {{ {} }} }}
void entry(int n) {{ inner(n); }}
void other(void) {{ }}",
        body("")
    );
    let folder = folder(&[
        ("part.c", &racy),
        ("clean.c", &racy.replace("buffer[0] = 1;", "")),
    ]);
    expect(
        &lint_in(folder.path(), &["part.c"]),
        1,
        &["local-race", "no function main", "entry, other"],
    );
    expect(&lint_in(folder.path(), &["clean.c"]), 0, &["no function main"]);
    fs::write(folder.path().join("data.c"), "int data = 3;").unwrap();
    expect(
        &lint_in(folder.path(), &["data.c"]),
        4,
        &["no function that could be called"],
    );
}

#[test]
fn fortran_modules_are_compiled_in_the_order_of_their_use() {
    let main = "program p\n use share\n use mpi_f08\n implicit none\n call MPI_Init()\n call halo()\n call \
        MPI_Finalize()\nend program\n";
    let module = "module share\n use mpi_f08\n implicit none\ncontains\n subroutine halo()\n  integer :: buffer(4), rank
  type(MPI_Win) :: win\n  integer, pointer :: base\n  integer, asynchronous :: cells(4)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Win_create(cells, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call MPI_Win_fence(0, win)
  if (rank == 0) call MPI_Put(buffer, 4, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win)
  if (rank == 0) buffer(2) = 5
  call MPI_Win_fence(0, win)\n  call MPI_Win_free(win)\n end subroutine\nend module\n";
    let folder = folder(&[("main.f90", main), ("share.f90", module)]);
    expect(
        &lint_in(folder.path(), &["main.f90", "share.f90"]),
        1,
        &["local-race", " in share::halo", "share.f90:13", "share.f90:14"],
    );
}

/// A Fortran program: rank 0 puts a buffer and, without `calm`, stores to it before the end of the epoch. `input` sets
/// `calm`, with `declarations` of its own; the store is in line 9 and those of both.
fn fortran_program(declarations: &str, input: &str) -> String {
    format!(
        "program p\n use mpi_f08\n implicit none\n integer :: buffer(4) = 0, rank\n logical :: calm = .true.
 type(MPI_Win) :: win\n integer, asynchronous :: cells(4)\n{declarations} call MPI_Init()\n{input}
 call MPI_Comm_rank(MPI_COMM_WORLD, rank)
 call MPI_Win_create(cells, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
 call MPI_Win_fence(0, win)
 if (rank == 0) call MPI_Put(buffer, 4, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win)
 if (rank == 0 .and. .not. calm) buffer(2) = 5
 call MPI_Win_fence(0, win)\n call MPI_Win_free(win)\n call MPI_Finalize()\nend program\n"
    )
}

/// Statuses of one simulation of a Fortran program, with further arguments for each.
#[track_caller]
fn expect_fortran(program: &str, files: &[(&str, &str)], runs: &[(&[&str], i32)]) {
    let folder = folder(&[&[("main.f90", program)], files].concat());
    for (arguments, status) in runs {
        let arguments = [&["main.f90", "--paths", "1"], *arguments].concat();
        let words: &[&str] = if *status == 1 { &["local-race"] } else { &[] };
        expect(&lint_in(folder.path(), &arguments), *status, words);
    }
}

#[test]
fn the_arguments_of_a_fortran_program_can_be_said() {
    let declarations =
        " integer :: i, n = 0, status, length\n character(len=20) :: option, text, mode = 'fence'\n";
    let input = "
 i = 1
 do while (i <= command_argument_count())
  call get_command_argument(i, option)
  call get_command_argument(i + 1, text, length, status)
  if (status /= 0) stop 2
  select case (option)
  case ('-n')
   if (verify(trim(text), '0123456789') /= 0 .or. length > 2) stop 3
   read (text, *) n
  case ('-c')
   mode = adjustl(text)
  case default
   write (*, *) 'no such option: ', trim(option)
   call MPI_Abort(MPI_COMM_WORLD, 4)
  end select
  i = i + 2
 end do
 calm = .not. (n == 4 .and. mode == 'lo' // 'cks')\n";
    expect_fortran(
        &fortran_program(declarations, input),
        &[],
        &[
            (&["--args", "-n 4 -c locks"], 1),
            (&["--args", "-c ' locks' -n 04"], 1),
            (&["--args", "-n 4"], 0),
            (&["--args", "-n 5 -c locks"], 0),
            (&["--args", "-n 4 -c lock"], 0),
            (&["--args", "-n 4x -c locks"], 4),
            (&["--args", "-n 004 -c locks"], 4),
            (&["--args", "-n 4 -c"], 4),
            (&["--args", "-z 4"], 4),
        ],
    );
}

#[test]
fn a_fortran_program_reads_namelists_from_files() {
    let declarations = " integer :: n = 1, u, status\n real(8) :: x(4) = 0, dt = 1
 character(len=8) :: sync = 'fence'\n logical :: on = .false.\n namelist /run/ n, x, dt, sync, on\n";
    let input = "
 open (newunit=u, file='decks/run.nml', status='old', action='read', iostat=status)
 if (status /= 0) stop 2
 read (u, nml=run, iostat=status)
 if (status > 0) stop 3
 close (u)
 calm = .not. (n == 4 .and. all(x == [0.5d0, 0.5d0, 0d0, 2d0]) .and. dt < 0.3d0 .and. on .and. sync == 'locks')\n";
    let race = "a title\n&other n = 7 /\n&RUN n = 4, x = 2*.5, , 2d0 ! comment\n dt = 2.5E-1 sync = 'locks'\n on = t\n/\n";
    expect_fortran(
        &fortran_program(declarations, input),
        &[
            ("race.nml", race),
            ("calm.nml", "&run n = 4, on = t, sync = 'fence' /"),
            ("other.nml", "&other n = 4 /"),
            ("bad.nml", "&run n = four /"),
        ],
        &[
            (&["--file", "run.nml=race.nml"], 1),
            (&["--file", "run.nml=calm.nml"], 0),
            (&["--file", "run.nml=other.nml"], 0),
            (&["--file", "run.nml=bad.nml"], 4),
        ],
    );
}

#[test]
fn a_fortran_program_reads_its_standard_input_and_files_line_by_line() {
    let declarations = " integer :: n, k, many = 0, status\n real :: dt\n character(len=80) :: line, key\n";
    let input = "
 read (*, *) n
 read (5, '(a)') line
 if (line /= 'a line, as it is') stop 2
 open (unit=12, file='deck')
 do
  read (12, '(A)', iostat=status) line
  if (status /= 0) exit
  k = index(line, '=')
  if (k == 0) cycle
  key = line(:k - 1)
  if (key == 'dt') read (line(k + 1:), *, err=10, end=10) dt
  many = many + 1
 end do
 rewind (12)
 read (12, *) key, line
 calm = .not. (n == 3 .and. dt > 0.2 .and. many == 2 .and. key == '#' .and. line == 'deck')
 10 continue\n";
    expect_fortran(
        &fortran_program(declarations, input),
        &[
            ("three", "3 is the number\na line, as it is\n"),
            ("four", "4\na line, as it is\n"),
            ("ended", "3\n"),
            ("race.in", "# deck\nn = 12\ndt = 5e-1"),
            ("calm.in", "# deck\ndt = x\n"),
        ],
        &[
            (&["--stdin", "three", "--file", "deck=race.in"], 1),
            (&["--stdin", "four", "--file", "deck=race.in"], 0),
            (&["--stdin", "three", "--file", "deck=calm.in"], 0),
            (&["--stdin", "ended", "--file", "deck=race.in"], 4),
        ],
    );
}

/// What `iostat=` is given for a read of something unknown is unknown: it is tried as success and as failure.
#[test]
fn the_status_of_an_unknown_read_is_unknown() {
    for condition in ["status == 0", "status /= 0"] {
        let read = format!(
            " open (10, file='deck', status='old')\n read (10, *, iostat=status) n\n calm = .not. ({condition})"
        );
        let program = fortran_program(" integer :: n, status\n", &read);
        let folder = folder(&[("main.f90", &program)]);
        let output = lint_in(folder.path(), &["main.f90", "-n", "2"]);
        expect(&output, 1, &["local-race"]);
    }
}

#[test]
fn numbers_of_fortran_programs_have_their_values() {
    let declarations = " integer :: ranks\n real(8) :: mine = 1.5d0, total, x(3) = [1d0, -3d0, 2d0]
 complex(8) :: z = (3d0, 4d0)\n";
    let input = "
 call MPI_Comm_size(MPI_COMM_WORLD, ranks)
 call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
 calm = .not. (total == 1.5d0 * ranks .and. maxval(x) == 2d0 .and. abs(z) == 5d0 .and. real(exp(z - z)) == 1d0 &
  .and. real(z / (1d0, 2d0)) > 2.1d0 .and. x(2)**ranks /= 0d0 .and. nint(x(3)) == 2 .and. count(x > 0d0) == 2)\n";
    expect_fortran(&fortran_program(declarations, input), &[], &[(&[], 1)]);
}

#[test]
fn broken_sources_are_named_and_the_rest_is_analysed() {
    let folder = folder(&[("yes.c", &program("")), ("broken.c", "int f( {")]);
    expect(
        &lint_in(folder.path(), &["broken.c"]),
        2,
        &["broken.c", "found errors", "expected"],
    );
    expect(
        &lint_in(folder.path(), &["yes.c", "broken.c"]),
        2,
        &["local-race", "broken.c could not be read"],
    );
    expect(&lint_in(folder.path(), &["absent.c"]), 2, &["absent.c"]);
    expect(&lint_in(folder.path(), &["notes.txt"]), 2, &["notes.txt", ".f90"]);
}

#[test]
fn what_is_no_ir_is_refused() {
    let folder = folder(&[
        ("text.bc", "not bitcode"),
        ("empty.bc", ""),
        // The magic number, and then a record that no version has.
        ("future.bc", "BC\u{0}\u{1}\u{2}\u{3}"),
        ("broken.ll", "define i32 @f( {"),
        ("database.json", "{}"),
    ]);
    for name in ["text.bc", "empty.bc", "future.bc", "broken.ll"] {
        expect(&lint_in(folder.path(), &[name]), 2, &[name, "LLVM 19"]);
    }
    expect(
        &lint_in(folder.path(), &["database.json"]),
        2,
        &["not a compilation database"],
    );
}

#[test]
fn without_debug_information_the_report_says_so() {
    let folder = folder(&[("yes.c", &program(""))]);
    let status = Command::new("clang-19")
        .args(["-O0", "-emit-llvm", "-c", "-w", "yes.c", "-o", "yes.bc"])
        .current_dir(folder.path())
        .status();
    assert!(status.unwrap().success());
    expect(
        &lint_in(folder.path(), &["yes.bc"]),
        1,
        &["local-race", "no debug information", "-g"],
    );
}

/// A program in the place of clang, first in the search path.
fn with_compiler(folder: &Path, script: &str, arguments: &[&str]) -> Output {
    let path = folder.join("clang-19");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    Command::new(env!("CARGO_BIN_EXE_farside"))
        .arg("lint")
        .args(arguments)
        .arg("yes.c")
        .current_dir(folder)
        .env("PATH", format!("{}:/usr/bin:/bin", folder.display()))
        .output()
        .unwrap()
}

#[test]
fn no_compiler_a_slow_one_and_too_little_memory() {
    let folder = folder(&[("yes.c", &program(""))]);
    let nothing = Command::new(env!("CARGO_BIN_EXE_farside"))
        .args(["lint", "yes.c"])
        .current_dir(folder.path())
        .env("PATH", "/nowhere")
        .output()
        .unwrap();
    expect(&nothing, 2, &["clang-19 was not found", "Debian: clang-19"]);
    let slow = with_compiler(folder.path(), "#!/bin/sh\nexec sleep 60\n", &["--seconds", "1"]);
    expect(&slow, 2, &["yes.c", "took longer than 1 s", "--seconds"]);
    fs::remove_file(folder.path().join("clang-19")).unwrap();
    expect(
        &lint_in(folder.path(), &["--memory", "16", "yes.c"]),
        2,
        &["yes.c", "--memory"],
    );
}

/// A job of two, in rounds; `prologue` comes before them.
fn rounds(prologue: &str, body: &str, epilogue: &str) -> String {
    format!(
        "{MPI}
#define MPI_MODE_NOPUT 4096
#define MPI_MODE_NOSTORE 2048
int MPI_Barrier(MPI_Comm); int MPI_Win_flush(int, MPI_Win); int MPI_Win_fence(int, MPI_Win); int printf(const char *, \
    ...);
int main(int argc, char **argv) {{ MPI_Init(&argc, &argv);
int rank, seen = 0; int *base; MPI_Win win; MPI_Comm_rank(MPI_COMM_WORLD, &rank);
MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
{prologue}
for (int round = 0; round < 4; round++) {{
{body}
}}
{epilogue}
MPI_Win_free(&win); printf(\"%d\", seen);
MPI_Finalize(); return 0; }}"
    )
}

/// The help of each finding, with lines counted from the first of the loop's body.
fn help(source: &str) -> Vec<String> {
    let folder = folder(&[("x.c", source)]);
    let output = lint_in(folder.path(), &["--format", "json", "--processes", "2", "x.c"]);
    let report: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", said(&output)));
    let first = source.lines().position(|line| line.starts_with("for (")).unwrap() as u64 + 1;
    let suggestions = report["findings"].as_array().unwrap().iter();
    let sentence = |finding: &serde_json::Value| {
        let suggestion = &finding["suggestion"];
        let text = |name: &str| suggestion[name].as_str().unwrap_or_default().to_owned();
        let line = |name: &str| suggestion[name]["line"].as_u64().map(|line| line - first);
        format!(
            "{} {} {} at {:?} after {:?} before {:?}",
            text("action"),
            text("instead_of"),
            text("call"),
            line("at"),
            line("after"),
            line("before")
        )
    };
    suggestions.map(sentence).collect()
}

#[test]
fn advice_leads_the_way_that_is_missing() {
    let (lock, unlock) = ("MPI_Win_lock_all(0, win);", "MPI_Win_unlock_all(win);");
    let put = "if (rank == 0) MPI_Put(&round, 1, MPI_INT, 1, 0, 1, MPI_INT, win);";
    let load = "if (rank == 1) seen += base[0];";
    let fence = "MPI_Win_fence(0, win);";
    // Flush and barrier are there; the next put must wait for the load.
    let body = format!("{put}\nif (rank == 0) MPI_Win_flush(1, win);\nMPI_Barrier(MPI_COMM_WORLD);\n{load}");
    assert_eq!(
        help(&rounds(lock, &body, unlock)),
        ["insert  MPI_Barrier(comm) at None after Some(4) before Some(1)"]
    );
    // The fence between put and load is missing, the one after the load is there.
    assert_eq!(
        help(&rounds(fence, &format!("{put}\n{load}\n{fence}"), "")),
        ["insert  MPI_Win_fence(0, win) at None after Some(1) before Some(2)"]
    );
    // Only the assertion that does not hold goes.
    let body =
        "if (rank == 1) base[4] = round;\nMPI_Win_fence(MPI_MODE_NOPUT | MPI_MODE_NOSTORE, win);".to_owned();
    let said = help(&rounds(fence, &body, ""));
    assert_eq!(
        said,
        ["replace MPI_MODE_NOSTORE | MPI_MODE_NOPUT MPI_MODE_NOPUT at Some(2) after None before None"]
    );
}

/// The barrier stands where it does for the counter; for what is detached, another one is missing.
#[test]
fn a_barrier_is_not_moved_from_where_a_value_needs_it() {
    let source = "#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
int rank, size, one = 1, n = 0, got = 0, *c;
MPI_Win counter, w;
MPI_Init(&argc, &argv);
MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size);
int *mem = calloc(1, sizeof(int));
MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &c, &counter);
MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &w);
MPI_Win_attach(w, mem, sizeof(int));
MPI_Aint addr, *all = malloc(size * sizeof *all);
MPI_Get_address(mem, &addr);
*c = 0;
MPI_Allgather(&addr, 1, MPI_AINT, all, 1, MPI_AINT, MPI_COMM_WORLD);
MPI_Win_lock_all(0, w); MPI_Win_lock_all(0, counter);
MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, counter);
MPI_Win_flush(0, counter);
MPI_Barrier(MPI_COMM_WORLD);
MPI_Fetch_and_op(NULL, &n, MPI_INT, 0, 0, MPI_NO_OP, counter);
MPI_Win_flush(0, counter);
MPI_Get(&got, 1, MPI_INT, (rank + 1) % size, all[(rank + 1) % size], 1, MPI_INT, w);
MPI_Win_flush_all(w);
MPI_Win_detach(w, mem);
free(mem);
printf(\"%d of %d\", n, size);
MPI_Win_unlock_all(counter); MPI_Win_unlock_all(w);
MPI_Win_free(&w); MPI_Win_free(&counter);
MPI_Finalize(); return 0; }";
    let folder = folder(&[("x.c", source)]);
    let output = lint_in(folder.path(), &["--processes", "2", "x.c"]);
    expect(&output, 1, &["help: insert `MPI_Barrier(comm)`"]);
    let said = said(&output);
    assert!(!said.contains("move `MPI_Barrier`"), "{said}");
}

#[test]
fn headers_of_atomics_are_found_with_openmp() {
    let source = format!(
        "{MPI}\n#include <omp.h>\n#include <stdatomic.h>\nstatic atomic_int seen;
int main(int argc, char **argv) {{ MPI_Init(&argc, &argv);\n{}\natomic_store(&seen, 1); MPI_Finalize(); return 0; }}",
        body("")
    );
    let folder = folder(&[("program.c", &source)]);
    let output = lint_in(folder.path(), &["program.c", "--", "-fopenmp"]);
    expect(&output, 1, &["local-race"]);
}

#[test]
fn qsort_calls_the_comparison_of_the_program() {
    // Sorted, the numbers are displacements within the window; the other way round, they begin outside of it.
    for (by, status, rule) in [
        ("x->key - y->key", 0, "no findings"),
        ("y->key - x->key", 1, "out-of-range"),
    ] {
        let program = format!(
            "
#include <stdlib.h>
struct item {{ int key; char pad[5]; short place; }};
static int by(const void *a, const void *b) {{ const struct item *x = a, *y = b; return {by}; }}
int main(int argc, char **argv) {{
  MPI_Init(&argc, &argv);
  struct item items[7]; int rank, *base; MPI_Win win; MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 7; i++) {{ items[i].key = (5 * i + 3) % 7 / 2; items[i].place = i; }}
  qsort(items, 7, sizeof items[0], by);
  for (int i = 1; i < 7; i++) {{
    if (by(&items[i - 1], &items[i]) > 0) exit(2);
    /* Equal elements stay as they were. */
    if (items[i - 1].key == items[i].key && items[i - 1].place > items[i].place) exit(3);
  }}
  MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  MPI_Win_lock_all(0, win);
  MPI_Put(&rank, 1, MPI_INT, 0, 9 * items[0].key + rank, 1, MPI_INT, win);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win); MPI_Finalize(); return 0;
}}"
        );
        let folder = folder(&[("main.c", &format!("{MPI}{program}"))]);
        expect(&lint_in(folder.path(), &["main.c"]), status, &[rule]);
    }
}

#[test]
fn a_class_whose_code_was_not_given_is_named() {
    let program = "
struct Halo { Halo(int width); void exchange(MPI_Win win); };
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  Halo halo(3); int *base; MPI_Win win;
  MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  halo.exchange(win);
  MPI_Win_free(&win); MPI_Finalize(); return 0;
}";
    let folder = folder(&[("main.cpp", &format!("extern \"C\" {{ {MPI} }}{program}"))]);
    expect(&lint_in(folder.path(), &["main.cpp"]), 0, &["Halo::exchange"]);
}

/// A program that reads a deck of keys and a number of steps.
const WITH_INPUT: &str = "
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  int mode = 0, n = 0, steps = 0; double dt = 0; char line[128], key[32], word[32];
  if (argc != 2) return 2;
  FILE *deck = fopen(argv[1], \"r\");
  if (!deck) return 3;
  while (fgets(line, sizeof line, deck)) {
    if (line[0] == '#' || sscanf(line, \"n = %d\", &n) == 1 || sscanf(line, \"dt = %lf\", &dt) == 1) continue;
    if (sscanf(line, \"%31s %31s\", key, word) != 2 || strcmp(key, \"mode\")) return 4;
    mode = strcmp(word, \"race\") == 0;
  }
  fclose(deck);
  if (scanf(\"%d\", &steps) != 1 || steps != 3 || getchar() != '\\n' || getchar() != EOF) return 5;
  if (n != 12 || dt != 0.5) return 6;
  MPI_Init(&argc, &argv);
";

#[test]
fn what_the_program_reads_can_be_said() {
    let body = format!(
        "{} MPI_Finalize(); return 0; }}",
        body(&format!("if (!mode) {{ {FLUSH} }}"))
    );
    let folder = folder(&[
        ("main.c", &format!("{MPI}{WITH_INPUT}{body}")),
        ("race.in", "# a deck\nn = 12\nmode race\ndt = 5e-1"),
        ("calm.in", "n = 12\ndt = .5\nmode calm\n"),
        ("wrong.in", "n = 12\nno\n"),
        ("three", "3\n"),
        ("four", "4\n"),
    ]);
    for (file, standard, status) in [
        ("deck=race.in", "three", 1),
        ("deck=calm.in", "three", 0),
        ("deck=race.in", "four", 4),
        ("deck=wrong.in", "three", 4),
    ] {
        let arguments = [
            "main.c",
            "--paths",
            "1",
            "--args",
            "decks/deck",
            "--file",
            file,
            "--stdin",
            standard,
        ];
        expect(&lint_in(folder.path(), &arguments), status, &[]);
    }
    expect(
        &lint_in(folder.path(), &["main.c", "--file", "deck=none"]),
        2,
        &["cannot read none"],
    );
    expect(
        &lint_in(folder.path(), &["main.c", "--file", "=none"]),
        2,
        &["NAME=PATH"],
    );
}

/// A program with a usage check and options, of which `-w 6x7 --mode=race` alone leads to the race.
const WITH_OPTIONS: &str = "
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  int mode = 0, letter, width = 0, height = 0; char *end;
  struct option longs[] = {{\"mode\", required_argument, 0, 'm'}, {\"flush\", no_argument, 0, 'f'}, {0, 0, 0, 0}};
  while ((letter = getopt_long(argc, argv, \"qw:\", longs, 0)) != -1) {
    if (letter == 'w') { width = strtol(optarg, &end, 10); if (*end == 'x') height = atoi(end + 1); }
    else if (letter == 'm') mode = strcmp(optarg, \"race\") == 0;
    else if (letter != 'q') exit(2);
  }
  if (argc - optind != 1 || atof(argv[optind]) != 2.5) exit(3);
  MPI_Init(&argc, &argv);
";

#[test]
fn the_arguments_of_the_program_can_be_said() {
    let body = format!(
        "{} MPI_Finalize(); return 0; }}",
        body(&format!(
            "if (!(mode && width == 6 && height == 7)) {{ {FLUSH} }}"
        ))
    );
    let folder = folder(&[("main.c", &format!("{MPI}{WITH_OPTIONS}{body}"))]);
    for (arguments, status) in [
        ("-q -w 6x7 --mode=race 2.5", 1),
        ("-qw6x7 --mo race -- 2.5", 1),
        ("-w 6x8 --mode=race 2.5", 0),
        ("-w 6x7 --mode 'no race' 2.5", 0),
        ("-z 2.5", 4),
        ("-w 6x7 --mode=race 3.5", 4),
    ] {
        let arguments = ["main.c", "--paths", "1", "--args", arguments];
        expect(&lint_in(folder.path(), &arguments), status, &[]);
    }
    let partial = ["main.c", "--paths", "1", "--partial", "--args", "-z 2.5"];
    expect(&lint_in(folder.path(), &partial), 0, &["not reached"]);
    expect(&lint_in(folder.path(), &["main.c", "--args", "'"]), 2, &["quote"]);
}

/// Ways of reading `-n NUMBER` and `-w early|late`; the program wants the first, and races with `-w late` alone.
const PARSERS: [(&str, &str); 3] = [
    (
        "getopt",
        "while ((letter = getopt(argc, argv, \"n:o:w:h\")) != -1)
           switch (letter) {
           case 'n': n = atoi(optarg); break;
           case 'o': output = optarg; break;
           case 'w': late = choose(optarg); break;
           default: exit(2);
           }",
    ),
    (
        "comparisons",
        "for (int i = 1; i < argc; i++)
           if (strcmp(argv[i], \"-h\") == 0) exit(2);
           else if (i + 1 == argc) exit(2);
           else if (strcmp(argv[i], \"-n\") == 0) n = strtol(argv[++i], 0, 10);
           else if (strcmp(argv[i], \"-w\") == 0) late = choose(argv[++i]);
           else exit(2);",
    ),
    (
        "letters, which a text names",
        "for (int i = 1; i + 1 < argc; i += 2)
           switch (argv[i][0] == '-' ? argv[i][1] : 0) {
           case 'n': sscanf(argv[i + 1], \"%d\", &n); break;
           case 'w': late = choose(argv[i + 1]); break;
           default: fprintf(stderr, \"usage: rounds -n ROUNDS [-w early|late]\\n\"); exit(2);
           }",
    ),
];

#[test]
fn options_are_found_where_nobody_says_any() {
    for (name, parser) in PARSERS {
        let body = body(&format!("if (!late) {{ {FLUSH} }}"));
        let source = format!(
            "{MPI}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int choose(const char *word) {{
  if (strcmp(word, \"early\") == 0) return 0;
  if (strcmp(word, \"late\") == 0) return 1;
  exit(2);
}}
int main(int argc, char **argv) {{
int n = 0, late = 0, letter = 0; const char *output = 0; (void)letter; (void)output;
{parser}
if (n < 1) exit(2);
MPI_Init(&argc, &argv);
for (int round = 0; round < n; round++) {{ {body} }}
MPI_Finalize(); return 0; }}"
        );
        let folder = folder(&[("rounds.c", &source)]);
        let output = lint_in(folder.path(), &["rounds.c"]);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", said(&output));
        expect(
            &output,
            1,
            &["with the arguments \"-n 4\"", "\"-w late\"", "MPI_Put"],
        );
        let quiet = lint_in(folder.path(), &["rounds.c", "--args", "-n 4 -w early"]);
        assert!(!said(&quiet).contains("-w late"), "{name}: {}", said(&quiet));
    }
}
