//! From LLVM IR to findings: small modules, each with its clean twin.

use farside_findings::Rule;
use farside_lint::{Options, analyse, link};

const DECLARATIONS: &str = r#"
%opaque = type opaque
@ompi_mpi_comm_world = external global %opaque
@ompi_mpi_info_null = external global %opaque
@ompi_mpi_int = external global %opaque
@operation = global ptr @MPI_Put
@cells = global [8 x i32] zeroinitializer
declare i32 @MPI_Init(ptr, ptr)
declare i32 @MPI_Finalize()
declare i32 @MPI_Comm_rank(ptr, ptr)
declare i32 @MPI_Barrier(ptr)
declare i32 @MPI_Win_allocate(i64, i32, ptr, ptr, ptr, ptr)
declare i32 @MPI_Win_free(ptr)
declare i32 @MPI_Win_lock_all(i32, ptr)
declare i32 @MPI_Win_unlock_all(ptr)
declare i32 @MPI_Win_flush_local(i32, ptr)
declare i32 @MPI_Win_flush(i32, ptr)
declare i32 @MPI_Put(ptr, i32, ptr, i32, i64, i32, ptr, ptr)
declare i32 @rand()
declare ptr @malloc(i64)
"#;

/// A program of two ranks with an epoch in which rank 0 does `first` and rank 1 does `second`.
fn rules(first: &str, second: &str) -> Vec<Rule> {
    let text = format!(
        r#"{DECLARATIONS}
define i32 @main(i32 %argc, ptr %argv) {{
  %rank.at = alloca i32
  %base.at = alloca ptr
  %win.at = alloca ptr
  %buffer = alloca [8 x i32]
  %a = call i32 @MPI_Init(ptr null, ptr null)
  %b = call i32 @MPI_Comm_rank(ptr @ompi_mpi_comm_world, ptr %rank.at)
  %c = call i32 @MPI_Win_allocate(i64 64, i32 4, ptr @ompi_mpi_info_null, ptr @ompi_mpi_comm_world, ptr %base.at, ptr %win.at)
  %rank = load i32, ptr %rank.at
  %base = load ptr, ptr %base.at
  %win = load ptr, ptr %win.at
  %d = call i32 @MPI_Win_lock_all(i32 0, ptr %win)
  %is.first = icmp eq i32 %rank, 0
  br i1 %is.first, label %first, label %second
first:
  {first}
  br label %end
second:
  {second}
  br label %end
end:
  %e = call i32 @MPI_Win_unlock_all(ptr %win)
  %f = call i32 @MPI_Win_free(ptr %win.at)
  %g = call i32 @MPI_Finalize()
  ret i32 0
}}"#
    );
    let folder = tempfile::tempdir().expect("there is room for a file");
    let path = folder.path().join("module.ll");
    std::fs::write(&path, text).expect("there is room for a file");
    let program = link(vec![
        farside_llvm_front::read(&path).expect("the module is well-formed"),
    ]);
    let analysis = analyse(&program, &Options::default());
    assert_eq!(analysis.processes, [2]);
    assert!(analysis.shortfalls.is_empty(), "{:?}", analysis.shortfalls);
    analysis
        .findings
        .into_iter()
        .map(|finding| finding.rule)
        .collect()
}

const PUT: &str = "%p = call i32 @MPI_Put(ptr %buffer, i32 4, ptr @ompi_mpi_int, i32 1, i64 0, i32 4, ptr @ompi_mpi_int, ptr %win)";
const FLUSH_LOCAL: &str = "%q = call i32 @MPI_Win_flush_local(i32 1, ptr %win)";
const STORE: &str = "store i32 1, ptr %buffer";

#[test]
fn a_store_into_the_buffer_of_a_pending_put() {
    assert_eq!(rules(&[PUT, STORE].join("\n"), ""), [Rule::LocalRace]);
    assert_eq!(rules(&[PUT, FLUSH_LOCAL, STORE].join("\n"), ""), []);
    assert_eq!(rules(&[STORE, PUT].join("\n"), ""), []);
}

#[test]
fn offsets_tell_disjoint_parts_of_an_array_apart() {
    let store_at = |index: u32| {
        format!("{PUT}\n%at = getelementptr [8 x i32], ptr %buffer, i64 0, i64 {index}\nstore i32 1, ptr %at")
    };
    assert_eq!(rules(&store_at(3), ""), [Rule::LocalRace]);
    assert_eq!(rules(&store_at(4), ""), []);
}

/// LLVM writes `&cells[5]` as one index of the element type, or as bytes.
#[test]
fn constant_addresses_are_in_elements_of_their_type() {
    let put = PUT.replace("%buffer", "@cells");
    let store = |at: &str| format!("{put}\nstore i32 1, ptr getelementptr inbounds ({at})");
    assert_eq!(rules(&store("i32, ptr @cells, i64 3"), ""), [Rule::LocalRace]);
    assert_eq!(rules(&store("i32, ptr @cells, i64 5"), ""), []);
    assert_eq!(rules(&store("i8, ptr @cells, i64 12"), ""), [Rule::LocalRace]);
    assert_eq!(rules(&store("[8 x i32], ptr @cells, i64 0, i64 4"), ""), []);
}

/// flang writes sizes as the address of the second element of an array at null.
#[test]
fn sizes_that_are_constant_expressions_are_numbers() {
    let size = "ptrtoint (ptr getelementptr (double, ptr null, i32 1) to i64)";
    let store = |index: &str| {
        let put = PUT.replace("%buffer", "%m");
        format!(
            "%m = call ptr @malloc(i64 mul (i64 {size}, i64 4))
  {put}
  %at = getelementptr i8, ptr %m, i64 {index}
  store i32 1, ptr %at"
        )
    };
    assert_eq!(rules(&store("12"), ""), [Rule::LocalRace]);
    assert_eq!(rules(&store(size), ""), [Rule::LocalRace]);
    assert_eq!(rules(&store(&format!("mul (i64 {size}, i64 2)")), ""), []);
}

#[test]
fn a_load_by_the_target_is_concurrent_with_the_put() {
    let load =
        |index: u32| format!("%at = getelementptr i32, ptr %base, i64 {index}\n%v = load i32, ptr %at");
    assert_eq!(rules(PUT, &load(3)), [Rule::RemoteRace]);
    assert_eq!(rules(PUT, &load(4)), []);
    let barrier = "%w = call i32 @MPI_Barrier(ptr @ompi_mpi_comm_world)";
    let flush = "%q = call i32 @MPI_Win_flush(i32 1, ptr %win)";
    let after = format!("{}\n{}", barrier.replace("%w", "%w2"), load(3));
    assert_eq!(rules(&[PUT, barrier].join("\n"), &after), [Rule::RemoteRace]);
    assert_eq!(rules(&[PUT, flush, barrier].join("\n"), &after), []);
}

#[test]
fn a_function_pointer_in_memory_is_followed() {
    let call = "%f1 = load ptr, ptr @operation\n%p = call i32 %f1(ptr %buffer, i32 4, ptr @ompi_mpi_int, i32 1, i64 0, i32 4, ptr @ompi_mpi_int, ptr %win)";
    assert_eq!(rules(&[call, STORE].join("\n"), ""), [Rule::LocalRace]);
}

/// The put and the store are on different sides of one condition that the outside world decides, tested twice.
#[test]
fn a_condition_that_is_tested_twice_is_decided_once() {
    let program = |first: &str, second: &str| {
        format!(
            r#"%r = call i32 @rand()
  %c1 = icmp eq i32 %r, 5
  br i1 %c1, label %{first}, label %middle
put:
  {PUT}
  br label %middle
middle:
  %c2 = icmp ne i32 %r, 5
  br i1 %c2, label %{second}, label %done
store:
  {STORE}
  br label %done
done:"#
        )
    };
    assert_eq!(rules(&program("put", "store"), ""), []);
    let same_side = program("put", "store").replace("icmp ne", "icmp eq");
    assert_eq!(rules(&same_side, ""), [Rule::LocalRace]);
}
