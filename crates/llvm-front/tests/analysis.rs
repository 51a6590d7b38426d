//! From LLVM IR to findings: small modules, each with its clean twin.

use farside_findings::{Finding, Rule, ShortfallKind};
use farside_lint::{Analysis, Options, analyse, link};

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
declare i32 @MPI_Put_c(ptr, i64, ptr, i32, i64, i64, ptr, ptr)
declare i32 @MPI_Barrier_init(ptr, ptr, ptr)
declare i32 @MPI_Start(ptr)
declare i32 @MPI_Wait(ptr, ptr)
declare i32 @rand()
declare void @exit(i32)
declare void @leave_for_good()
declare ptr @malloc(i64)
"#;

/// The certain findings of a program of two ranks with an epoch in which rank 0 does `first` and rank 1 does `second`.
fn rules(first: &str, second: &str) -> Vec<Rule> {
    let of = |findings: Vec<Finding>| findings.into_iter().map(|finding| finding.rule).collect();
    let analysis = analysis(first, second);
    assert!(analysis.shortfalls.is_empty(), "{:?}", analysis.shortfalls);
    assert!(analysis.coverage.is_complete(), "{:?}", analysis.coverage);
    of(analysis.findings)
}

fn analysis(first: &str, second: &str) -> Analysis {
    let analysis = of_any_size(first, second);
    assert_eq!(analysis.processes, [2]);
    analysis
}

fn of_any_size(first: &str, second: &str) -> Analysis {
    analysis_of(&text(first, second))
}

fn text(first: &str, second: &str) -> String {
    format!(
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
    )
}

fn analysis_of(text: &str) -> Analysis {
    let folder = tempfile::tempdir().expect("there is room for a file");
    let path = folder.path().join("module.ll");
    std::fs::write(&path, text).expect("there is room for a file");
    let program = link(vec![
        farside_llvm_front::read(&path).expect("the module is well-formed"),
    ]);
    analyse(&program, &Options::default())
}

const PUT: &str = "%p = call i32 @MPI_Put(ptr %buffer, i32 4, ptr @ompi_mpi_int, i32 1, i64 0, i32 4, ptr \
    @ompi_mpi_int, ptr %win)";
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
    let call = "%f1 = load ptr, ptr @operation\n%p = call i32 %f1(ptr %buffer, i32 4, ptr @ompi_mpi_int, i32 1, i64 0, \
        i32 4, ptr @ompi_mpi_int, ptr %win)";
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

/// Neither condition holds for the samples, and each guards one of the two accesses.
#[test]
fn two_conditions_are_decided_the_other_way_at_once() {
    let program = |second: u32| {
        format!(
            r#"%r1 = call i32 @rand()
  %r2 = call i32 @rand()
  %c1 = icmp eq i32 %r1, 5
  br i1 %c1, label %put, label %middle
put:
  {PUT}
  br label %middle
middle:
  %c2 = icmp eq i32 %r{second}, 7
  br i1 %c2, label %store, label %done
store:
  {STORE}
  br label %done
done:"#
        )
    };
    let analysis = analysis(&program(2), "");
    assert_eq!((analysis.findings.len(), analysis.possible.len()), (0, 1));
    assert!(analysis.shortfalls.is_empty());
}

/// The outside world decides how often both go round.
#[test]
fn a_loop_without_end_is_followed_until_its_rounds_repeat() {
    let program = |index: &str| {
        let put = PUT.replace("%buffer", "%from").replace("i64 0", "i64 %cell");
        format!(
            r#"br label %again
again:
  %round = phi i64 [ 0, %first ], [ %next, %again ]
  %from = getelementptr i32, ptr %buffer, i64 0
  %cell = add i64 {index}, 0
  {put}
  %flushed = call i32 @MPI_Win_flush(i32 1, ptr %win)
  %next = add i64 %round, 1
  %r = call i32 @rand()
  %stay = icmp eq i32 %r, 0
  br i1 %stay, label %again, label %done
done:"#
        )
    };
    let cut = |index: &str| {
        analysis(&program(index), "")
            .shortfalls
            .into_iter()
            .map(|cut| cut.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(cut("3"), []);
    assert_eq!(cut("%round"), [ShortfallKind::LoopCut]);
}

/// MPI-4.1 §2.5.8.
#[test]
fn large_counts_are_counts() {
    let put = PUT.replace("MPI_Put", "MPI_Put_c").replace("i32 4", "i64 4");
    let store = |index: u32| {
        format!("{put}\n%at = getelementptr [8 x i32], ptr %buffer, i64 0, i64 {index}\nstore i32 1, ptr %at")
    };
    assert_eq!(rules(&store(3), ""), [Rule::LocalRace]);
    assert_eq!(rules(&store(4), ""), []);
}

/// MPI-4.1 §6.13: what orders is that it is started and completed, not that it is described.
#[test]
fn a_persistent_barrier_orders_once_it_is_started() {
    let barrier = |started: bool| {
        let start =
            "%s1 = call i32 @MPI_Start(ptr %request)\n%s2 = call i32 @MPI_Wait(ptr %request, ptr null)";
        format!(
            "%request = alloca ptr
  %s0 = call i32 @MPI_Barrier_init(ptr @ompi_mpi_comm_world, ptr @ompi_mpi_info_null, ptr %request)
  {}",
            if started { start } else { "" }
        )
    };
    let flush = "%q = call i32 @MPI_Win_flush(i32 1, ptr %win)";
    let of = |started: bool| {
        let other = barrier(started).replace("%request", "%other").replace("%s", "%t");
        let load = "%v = load i32, ptr %base";
        rules(
            &[PUT, flush, &barrier(started)].join("\n"),
            &[&other, load].join("\n"),
        )
    };
    assert_eq!(of(true), []);
    assert_eq!(of(false), [Rule::RemoteRace]);
}

/// The calls that no simulation reached, with the reasons.
fn unreached(analysis: &Analysis) -> Vec<(&str, &str)> {
    let sites = analysis.coverage.unreached.iter();
    sites
        .map(|site| (site.operation.as_str(), site.reason.as_str()))
        .collect()
}

/// MPI calls of the frame: allocate, lock, unlock, free.
const FRAME: u64 = 4;

#[test]
fn each_call_is_a_site_and_is_reached_or_listed() {
    let whole = analysis(PUT, "");
    assert_eq!((whole.coverage.sites, unreached(&whole)), (FRAME + 1, vec![]));
    let never = format!("br i1 false, label %then, label %done\nthen:\n{PUT}\nbr label %done\ndone:");
    let partly = analysis(&never, "");
    assert_eq!(partly.coverage.sites, FRAME + 1);
    let [("MPI_Put", reason)] = unreached(&partly)[..] else {
        panic!("{:?}", partly.coverage);
    };
    assert!(reason.contains("the condition at"), "{reason}");
}

/// What a call that is not known does is seen by the instruction after it alone.
#[test]
fn a_function_that_does_not_return_ends_nothing_silently() {
    let left = of_any_size(
        &format!("call void @leave_for_good()\nunreachable\nnext:\n{PUT}"),
        "",
    );
    assert!(!left.coverage.is_complete());
    let ends: Vec<&str> = left.coverage.ends.iter().map(|end| end.what.as_str()).collect();
    assert!(
        ends.contains(&"leave_for_good, which does not return"),
        "{ends:?}"
    );
}

/// The only way on is the one that the samples do not take; what is found there is certain, as the program asks for it.
#[test]
fn an_input_that_is_rejected_is_replaced_by_one_that_is_accepted() {
    let checked = format!(
        "%r = call i32 @rand()
  %good = icmp sgt i32 %r, 7
  br i1 %good, label %check, label %usage
usage:
  call void @exit(i32 1)
  unreachable
check:
  %s = call i32 @rand()
  %fits = icmp sgt i32 %s, 7
  br i1 %fits, label %work, label %misfit
misfit:
  call void @exit(i32 2)
  unreachable
work:
  {PUT}
  {STORE}"
    );
    assert_eq!(rules(&checked, ""), [Rule::LocalRace]);
}

/// The same race, in front of the condition and on the way out that begins there.
#[test]
fn what_is_found_on_a_way_out_is_possible() {
    let fails = |before: &str, out: &str, status: u32| {
        format!(
            "{before}
  %r = call i32 @rand()
  %bad = icmp sgt i32 %r, 7
  br i1 %bad, label %reject, label %go
reject:
  {out}
  call void @exit(i32 {status})
  unreachable
go:"
        )
    };
    let race = [PUT, STORE].join("\n");
    let found = |text: &str| {
        let analysis = analysis(text, "");
        (analysis.findings.len(), analysis.possible.len())
    };
    assert_eq!(found(&fails("", &race, 1)), (0, 1));
    assert_eq!(found(&fails(&race, "", 1)), (1, 0));
}

#[test]
fn calls_through_pointers_that_are_kept_in_variables_are_sites() {
    let call = "%fn = load ptr, ptr @operation
  %p = call i32 %fn(ptr %buffer, i32 4, ptr @ompi_mpi_int, i32 1, i64 0, i32 4, ptr @ompi_mpi_int, ptr %win)";
    let never = format!("br i1 false, label %then, label %done\nthen:\n{call}\nbr label %done\ndone:");
    assert_eq!(analysis(call, "").coverage.sites, FRAME + 1);
    let partly = analysis(&never, "");
    assert_eq!(partly.coverage.sites, FRAME + 1);
    assert_eq!(unreached(&partly).len(), 1);
}

#[test]
fn a_call_through_a_pointer_that_leads_nowhere_is_named() {
    let analysis = analysis("%fn = load ptr, ptr %buffer\n%p = call i32 %fn(i32 1)", "");
    let ids: Vec<&str> = analysis
        .shortfalls
        .iter()
        .map(|shortfall| shortfall.id.name())
        .collect();
    assert_eq!(ids, ["unknown-call"], "{:?}", analysis.shortfalls);
}

/// The sample takes the default; the case holds the race.
#[test]
fn cases_of_a_switch_on_an_input_are_tried() {
    let switch = format!(
        "%r = call i32 @rand()
  switch i32 %r, label %done [ i32 3, label %three ]
three:
  {PUT}
  {STORE}
  br label %done
done:"
    );
    assert_eq!(rules(&switch, ""), [Rule::LocalRace]);
}

/// What the window of `of_any_size` is called, whose program has this memory besides, and this in place of its own.
fn window_of(change: impl Fn(&str) -> String) -> String {
    let put = "call i32 @MPI_Put(ptr %buffer, i32 1, ptr @ompi_mpi_int, i32 0, i64 0, i32 1, ptr @ompi_mpi_int, \
        ptr %win)";
    let program = change(&text(&format!("%put.0 = {put}"), &format!("%put.1 = {put}")));
    let findings = analysis_of(&program).findings;
    assert_eq!(findings.len(), 1, "{findings:?}");
    findings[0].window_shown().unwrap_or_default()
}

#[test]
fn windows_are_named_by_variables_of_the_sources_alone() {
    let named = |name: &str, others: &str| {
        window_of(|text| {
            let text = text.replace("%win.at", &format!("%{name}"));
            text.replace("  %buffer = alloca", &format!("{others}\n  %buffer = alloca"))
        })
    };
    let nameless = "";
    assert_eq!(named("halo", ""), "halo");
    assert_eq!(named("halo2", ""), "halo2");
    // LLVM's number, or the program's.
    assert_eq!(named("halo2", "  %halo = alloca i32"), nameless);
    // The compiler's own.
    assert_eq!(named("halo.addr", ""), nameless);
    assert_eq!(named("retval", ""), nameless);
    // On the heap.
    assert_eq!(
        window_of(|text| text.replace("%win.at = alloca ptr", "%win.at = call ptr @malloc(i64 8)")),
        nameless
    );
}

#[test]
fn debug_information_names_variables_before_the_module_does() {
    let window = window_of(|text| {
        let text = text.replace(
            "  %buffer = alloca",
            "  #dbg_declare(ptr %win.at, !5, !DIExpression(), !6)\n  %buffer = alloca",
        );
        let text = text.replace(
            "@main(i32 %argc, ptr %argv) {",
            "@main(i32 %argc, ptr %argv) !dbg !4 {",
        );
        text + r#"
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "program.c", directory: "/")
!2 = !DISubroutineType(types: !{null})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "main", file: !1, line: 1, type: !2, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DILocalVariable(name: "halo_win", scope: !4, file: !1, line: 2, type: !7)
!6 = !DILocation(line: 2, scope: !4)
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
"#
    });
    assert_eq!(window, "halo_win");
}

#[test]
fn global_variables_are_named_as_the_sources_have_them() {
    let global = |name: &str| {
        window_of(|text| {
            let text = text
                .replace("  %win.at = alloca ptr\n", "")
                .replace("%win.at", &format!("@{name}"));
            text.replace(
                "@cells = ",
                &format!("@{name} = internal global ptr null\n@cells = "),
            )
        })
    };
    assert_eq!(global("halo"), "halo");
    // Static variables of functions, by clang; and of what is no function.
    assert_eq!(global("main.halo"), "halo");
    assert_eq!(global("main.halo.4"), "halo");
    assert_eq!(global("other.halo"), "");
    // By flang.
    assert_eq!(global("_QMheatEwin"), "heat::win");
    assert_eq!(global("_QMheatFstepEwin"), "win");
    assert_eq!(global("_QFEwin"), "win");
}
