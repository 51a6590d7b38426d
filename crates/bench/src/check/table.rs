//! The results of `check` as Markdown tables.

use super::launch::Run;
use super::ways::Way;
use super::{COMPARED, Results, growth, ranks};
use crate::programs::Program;
use crate::statistics::Summary;
use std::fmt::Write as _;

/// What the project aims at; a table shows whether it is met, no test asserts it.
mod aim {
    /// Calls only, in parts of plain.
    pub(super) const CALLS: f64 = 1.05;
    /// Loads and stores, in parts of the floor.
    pub(super) const ACCESSES: f64 = 1.2;
    /// Loads and stores with the compiler's plugin, in parts of plain: where all accesses are regular.
    pub(super) const REGULAR: f64 = 1.5;
    /// The same for any program.
    pub(super) const WORST: f64 = 3.0;
    /// Programs for which [`REGULAR`] is the aim.
    pub(super) const REGULAR_PROGRAMS: [&str; 3] = ["stencil-star", "stencil-window", "transpose"];
    /// The `farside` process, in parts of the ranks.
    pub(super) const JUDGE: f64 = 0.3;
    /// Guarded pages, in parts of plain.
    pub(super) const GUARDED: f64 = 3.0;
    /// Memory in parts of plain, besides twice the window.
    pub(super) const MEMORY: f64 = 1.3;
}

/// The ways that every run has.
const COMMON: [Way; 5] = [Way::Plain, Way::Floor, Way::Sanitizer, Way::Calls, Way::Accesses];

/// All tables.
pub(crate) fn markdown(programs: &[Program], results: &Results) -> String {
    let mut text = format!(
        "Time of the main loop, {} on 2 ranks, `{}{}`, median of {} (spread: the farther extreme). Ways take turns.\n\
         Plain: as users build it (OpenSHMEM and GASPI: on our own libraries, by `farside run`). Floor: loads and \
         stores instrumented, callbacks that return at once.\n\n",
        results.library,
        results
            .compiler
            .as_ref()
            .map(|name| format!("{name} "))
            .unwrap_or_default(),
        results.optimise,
        results.repetitions
    );
    if !results.sanitizer {
        text += "No thread sanitizer: programs with the compiler's own do not link here (for clang 19, Debian's libclang-rt-19-dev is missing).\n\n";
    }
    text += "| program | plain | floor | thread sanitizer | calls only | loads and stores | calls / plain | loads and stores / floor |\n\
             |---|---|---|---|---|---|---|---|\n";
    for program in programs {
        time_row(&mut text, program, results);
    }
    let _ = writeln!(
        text,
        "\nAims: calls / plain at most {}, loads and stores / floor at most {}; `*` marks a figure above its aim.\n\n\
         Time of the whole command (launcher, start, analysis and report included):\n\n\
         | program | plain | floor | thread sanitizer | calls only | loads and stores |\n|---|---|---|---|---|---|",
        aim::CALLS,
        aim::ACCESSES
    );
    for program in programs {
        let cells = COMMON.map(|way| seconds(figure(results, program, way, |run| run.command_seconds)));
        let _ = writeln!(text, "| {} | {} |", program.name, cells.join(" | "));
    }
    let _ = writeln!(
        text,
        "\nProcessor time of both ranks together from start to end. The `farside` process judges meanwhile. All: loads and stores,\n\
         and it. Aims: all / plain at most {} ({} for regular programs), farside / ranks at most {}.\n\n\
         | program | plain | floor | thread sanitizer | calls only | loads and stores | farside | all / plain | farside / ranks |\n\
         |---|---|---|---|---|---|---|---|---|",
        aim::WORST,
        aim::REGULAR,
        aim::JUDGE
    );
    for program in programs {
        let cells = COMMON.map(|way| seconds(figure(results, program, way, |run| run.cpu_seconds)));
        let of = |value: fn(&Run) -> f64| figure(results, program, Way::Accesses, value);
        let plain = figure(results, program, Way::Plain, |run| run.cpu_seconds);
        let all = of(|run| run.cpu_seconds + run.checker_cpu_seconds);
        let ranks = of(|run| run.cpu_seconds);
        let farside = of(|run| run.checker_cpu_seconds);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            program.name,
            cells.join(" | "),
            seconds(farside),
            judged(all, plain, aim_of(program)),
            judged(farside, ranks, aim::JUDGE)
        );
    }
    let _ = writeln!(
        text,
        "\nPeak resident memory of a rank in MiB; last column: the `farside` process, which is one for all ranks.\n\
         Aim: loads and stores at most {} times plain plus twice the window.\n\n\
         | program | window | plain | floor | thread sanitizer | calls only | loads and stores | aim | farside |\n\
         |---|---|---|---|---|---|---|---|---|",
        aim::MEMORY
    );
    for program in programs {
        memory_row(&mut text, program, results);
    }
    text += "\nWhat the checker did (loads and stores, medians over the run):\n\n| program | events | operations | access runs | spooled bytes | records kept |\n|---|---|---|---|---|---|\n";
    for program in programs {
        let cells = [
            "events",
            "operations",
            "access_runs",
            "spooled_bytes",
            "records_kept",
        ]
        .map(|name| {
            let value = figure(results, program, Way::Accesses, |run| {
                run.counts.get(name).map_or(f64::NAN, |&v| v as f64)
            });
            value.map_or("-".to_owned(), |summary| format!("{:.0}", summary.median))
        });
        let _ = writeln!(text, "| {} | {} |", program.name, cells.join(" | "));
    }
    filter_table(&mut text, programs, results);
    guard_table(&mut text, programs, results);
    ranks::table(&mut text, programs, results);
    growth_table(&mut text, &results.growth);
    faults(&mut text, results);
    text += "\nThe programs:\n\n";
    for program in programs {
        let _ = writeln!(
            text,
            "- {} ({}): {}",
            program.name,
            program.arguments.join(" "),
            program.kind,
        );
    }
    text
}

/// The summary of one figure over the good repetitions, where all ways are compared.
fn figure(results: &Results, program: &Program, way: Way, value: impl Fn(&Run) -> f64) -> Option<Summary> {
    results.figure(program, way, COMPARED, value)
}

fn time_row(text: &mut String, program: &Program, results: &Results) {
    let [plain, floor, sanitizer, calls, accesses] =
        COMMON.map(|way| figure(results, program, way, |run| run.loop_seconds));
    let _ = writeln!(
        text,
        "| {} | {} | {} | {} | {} | {} | {} | {} |",
        program.name,
        seconds(plain),
        with_ratio(floor, plain),
        with_ratio(sanitizer, plain),
        seconds(calls),
        with_ratio(accesses, plain),
        judged(calls, plain, aim::CALLS),
        judged(accesses, floor, aim::ACCESSES),
    );
}

fn memory_row(text: &mut String, program: &Program, results: &Results) {
    let memory = COMMON.map(|way| figure(results, program, way, |run| run.peak_kib / 1024.0));
    let window = figure(results, program, Way::Plain, |run| run.window_bytes / 1_048_576.0);
    let farside = figure(results, program, Way::Accesses, |run| {
        run.checker_peak_kib as f64 / 1024.0
    });
    let limit = memory[0]
        .zip(window)
        .map(|(plain, window)| aim::MEMORY * plain.median + 2.0 * window.median);
    let mark = memory[4]
        .zip(limit)
        .is_some_and(|(accesses, limit)| accesses.median > limit);
    let mebibytes = |summary: Option<Summary>| summary.map_or("-".to_owned(), |s| format!("{:.1}", s.median));
    let _ = writeln!(
        text,
        "| {} | {} | {}{} | {} | {} |",
        program.name,
        mebibytes(window),
        memory.map(mebibytes).join(" | "),
        if mark { " *" } else { "" },
        limit.map_or("-".to_owned(), |limit| format!("{limit:.1}")),
        mebibytes(farside),
    );
}

/// The aim for loads and stores, in parts of plain.
fn aim_of(program: &Program) -> f64 {
    if aim::REGULAR_PROGRAMS.contains(&program.name) {
        aim::REGULAR
    } else {
        aim::WORST
    }
}

/// What the compiler's plugin saves, where a run has it.
fn filter_table(text: &mut String, programs: &[Program], results: &Results) {
    if results.runs.iter().all(|run| run.way != Some(Way::EveryAccess)) {
        return;
    }
    *text += "\nLoads and stores seen under the checker, main loop: with a call at every access, and as `farside cc` compiles\n\
              them with the compiler's plugin.\n\n| program | plain | call at every access | loads and stores | loads and stores / plain | aim |\n|---|---|---|---|---|---|\n";
    for program in programs {
        let [plain, every, accesses] = [Way::Plain, Way::EveryAccess, Way::Accesses]
            .map(|way| figure(results, program, way, |run| run.loop_seconds));
        let aim = aim_of(program);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {aim} |",
            program.name,
            seconds(plain),
            with_ratio(every, plain),
            seconds(accesses),
            judged(accesses, plain, aim),
        );
    }
}

/// What guarded pages cost: programs as they are built, all of whose accesses are seen as long as that takes at most a
/// third of the run.
fn guard_table(text: &mut String, programs: &[Program], results: &Results) {
    if results.runs.iter().all(|run| run.way != Some(Way::Guarded)) {
        return;
    }
    *text += "\nPrograms as they are built, by guarded pages (`--guard`). Processor time of ranks and `farside` from start to\n\
              end of the loop; aim: below 3 for programs that touch a page of a window at most once a step.\n\n\
              | program | plain | guarded pages | all / plain | time of the loop, guarded / plain |\n|---|---|---|---|---|\n";
    for program in programs {
        let [plain, guarded] = [Way::Plain, Way::Guarded].map(|way| {
            figure(results, program, way, |run| {
                run.cpu_seconds + run.checker_cpu_seconds
            })
        });
        let loops =
            [Way::Plain, Way::Guarded].map(|way| figure(results, program, way, |run| run.loop_seconds));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            program.name,
            seconds(plain),
            seconds(guarded),
            judged(guarded, plain, aim::GUARDED),
            judged(loops[1], loops[0], f64::INFINITY),
        );
    }
}

fn growth_table(text: &mut String, points: &[growth::Point]) {
    if points.is_empty() {
        return;
    }
    *text += "\nGrowth with ranks, mesh-halo (each rank exchanges with two neighbours), oversubscribed. For one rank and one\n\
              iteration; messages are those that Open MPI's monitoring counts, added ones are those with the checker less\n\
              those without.\n\n| ranks | spooled bytes | events | messages without | messages added | records kept (all ranks) |\n|---|---|---|---|---|---|\n";
    for point in points {
        let messages =
            |value: Option<f64>| value.map_or("not counted".to_owned(), |value| format!("{value:.2}"));
        let _ = writeln!(
            text,
            "| {} | {:.0} | {:.2} | {} | {} | {} |",
            point.ranks,
            point.bytes,
            point.events,
            messages(point.messages),
            messages(point.added_messages),
            point.records_kept,
        );
    }
}

fn faults(text: &mut String, results: &Results) {
    let runs = results
        .runs
        .iter()
        .chain(results.growth.iter().flat_map(|point| &point.runs));
    let faults: Vec<String> = runs
        .filter_map(|run| Some((run, run.fault.as_ref()?)))
        .map(|(run, fault)| {
            let first = fault.lines().next().unwrap_or_default();
            format!(
                "- {}, {}, {} ranks: {first}",
                run.program,
                run.way.map_or("", Way::name),
                run.ranks
            )
        })
        .collect();
    if !faults.is_empty() {
        let _ = writeln!(
            text,
            "\nRuns that are left out above because they failed:\n\n{}",
            faults.join("\n")
        );
    }
}

fn seconds(summary: Option<Summary>) -> String {
    summary.map_or("-".to_owned(), |s| {
        format!("{:.3} s ±{:.0} %", s.median, 100.0 * s.spread())
    })
}

fn with_ratio(summary: Option<Summary>, base: Option<Summary>) -> String {
    match summary.zip(base) {
        Some((s, base)) => format!("{} ({:.2}x)", seconds(Some(s)), s.median / base.median),
        None => "-".to_owned(),
    }
}

fn judged(summary: Option<Summary>, base: Option<Summary>, aim: f64) -> String {
    summary.zip(base).map_or("-".to_owned(), |(s, base)| {
        let ratio = s.median / base.median;
        format!("{ratio:.3}{}", if ratio > aim { " *" } else { "" })
    })
}
