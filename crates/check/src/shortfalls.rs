//! What was not seen, in words.

use crate::follow::Ended;
use crate::job::Judged;
use crate::last_calls::Whereabouts;
use crate::preflight::Preflight;
use crate::spool::Outcome;
use farside_collect::Host;
use farside_events::{Interface, Rank, Shortfall as Seen};
use farside_findings::{Finding, Ranks, Rule, Shortfall, ShortfallKind};
use farside_processes::plain;
use farside_spool::guard;

use farside_spool::processes::host_name;
use farside_spool::reader::End;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What the report must admit, in the order in which it was found.
#[derive(Debug, Default)]
struct Admitted(Vec<Shortfall>);

impl Admitted {
    /// Of all ranks.
    fn add(&mut self, id: ShortfallKind, message: impl Into<String>) {
        self.0.push(Shortfall::of_all(id, message));
    }

    /// Of these ranks.
    fn add_of(&mut self, id: ShortfallKind, message: impl Into<String>, ranks: Vec<u32>) {
        let message = message.into();
        self.0.push(Shortfall { id, message, ranks });
    }
}

/// Why there may be no source lines.
pub(crate) struct Unread<'a> {
    files: &'a BTreeSet<Box<str>>,
    late: bool,
}

impl<'a> Unread<'a> {
    /// The builds of these modules are not to be had; `late`: there was no time to look anything up.
    pub(crate) fn new(files: &'a BTreeSet<Box<str>>, late: bool) -> Self {
        Self { files, late }
    }
}

/// Collects the shortfalls of a run.
pub(crate) fn collect(
    outcome: &Outcome,
    hosts: &[Host],
    preflight: &Preflight,
    ended: &Ended,
    findings: &[Finding],
    unread: &Unread<'_>,
) -> Vec<Shortfall> {
    let Outcome {
        jobs,
        unusable,
        unjudged,
    } = outcome;
    let mut all = Admitted::default();
    lost_hosts(&mut all, jobs, hosts);
    nothing_checked(&mut all, jobs, preflight);
    mixed_libraries(&mut all, jobs);
    for job in jobs {
        if recorded(job) {
            lost_processes(&mut all, job, hosts, ended.limit.is_some() || *unjudged > 0);
            if ended.limit.is_some() && *unjudged == 0 && !tell_who_waits(findings) {
                came_to(&mut all, job);
            }
            unknown_order(&mut all, job);
        } else {
            not_all(&mut all, job, hosts);
        }
        judged_in_part(&mut all, job);
        seen_by_processes(&mut all, job, preflight);
    }
    if *unjudged > 0 {
        not_judged(&mut all, *unjudged, jobs.iter().map(|job| job.bytes).sum());
    }
    for job in jobs {
        damaged(&mut all, &job.damage);
    }
    for what in unusable {
        all.add(
            ShortfallKind::DamagedRecording,
            format!("a recording could not be used: {}", plain(what)),
        );
    }
    if let Some(limit) = ended.limit {
        all.add(
            ShortfallKind::TimeLimit,
            format!(
                "the command did not end within {} s and was ended; what comes later was not checked",
                limit.as_secs_f64()
            ),
        );
    }
    different_builds(&mut all, jobs, findings);
    for path in without_lines(findings) {
        let reason = match unread.late {
            true => "there was no time to look them up",
            false if unread.files.contains(path) => {
                "the build that ran is not at its path any more, or could not be brought from its host"
            }
            false => "compile it with -g",
        };
        all.add(
            ShortfallKind::NoDebugInformation,
            format!("no source lines for {}: {reason}", plain(path)),
        );
    }
    all.0
}

/// Hosts of which not everything came.
fn lost_hosts(all: &mut Admitted, jobs: &[Judged], hosts: &[Host]) {
    for (host, why) in hosts.iter().filter_map(|host| Some((host, host.lost.as_ref()?))) {
        let with_it = |job: &Judged| lost_with(job, host).collect::<Vec<u32>>();
        let ranks: Vec<u32> = jobs.iter().flat_map(with_it).collect();
        let until = match ranks.is_empty() {
            true => "",
            false => "; its ranks are checked up to the last event that came",
        };
        let message = format!("host {} was lost: {}{until}", plain(&host.name), plain(why));
        all.add_of(ShortfallKind::ProcessLost, message, ranks);
    }
}

/// The ranks of a job whose recordings ended with a host that was lost, or were cut before that was known: a launcher
/// may end the command at once.
fn lost_with(job: &Judged, host: &Host) -> impl Iterator<Item = u32> {
    let ended = |rank| {
        let mut members = job.members.iter();
        members.any(|&(r, end)| r == rank && matches!(end, End::HostLost | End::Unknown))
    };
    let of_host = job.hosts.iter().filter(|(_, name)| **name == host.name);
    of_host
        .filter(move |(rank, _)| ended(**rank))
        .map(|(rank, _)| rank.0)
}

/// What was recorded and not judged when we were asked to end.
fn not_judged(all: &mut Admitted, unjudged: u64, read: u64) {
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    let message = format!(
        "farside was asked to end before it had judged all events: {:.1} of {:.1} MB of the recordings were not \
         judged, the last ones",
        megabytes(unjudged),
        megabytes(unjudged + read)
    );
    all.add(ShortfallKind::NotJudged, message);
}

/// Memory that its host judged, and not to the end.
fn judged_in_part(all: &mut Admitted, job: &Judged) {
    for fate in job.fates() {
        let Some(why) = fate.lost() else { continue };
        let message = format!(
            "the memory of ranks {} was judged on host {}, up to {:.1} s after its first event ({} of {} events of the \
             job): {}",
            Ranks::of(fate.ranks()),
            plain(fate.host()),
            fate.until().as_secs_f64(),
            fate.events(),
            job.counts.events.max(fate.events()),
            plain(why)
        );
        let ranks = fate.ranks().collect();
        all.add_of(ShortfallKind::NotJudged, message, ranks);
    }
}

/// Whether the processes of the job agreed to record.
fn recorded(job: &Judged) -> bool {
    !job.shortfalls
        .iter()
        .any(|(_, seen)| matches!(seen, Seen::NotAll { .. }))
}

/// A job of which some process did not record: then none did.
fn not_all(all: &mut Admitted, job: &Judged, hosts: &[Host]) {
    let seen: BTreeSet<u32> = job.members.iter().map(|(rank, _)| rank.0).collect();
    let missing: Vec<u32> = (0..job.size).filter(|rank| !seen.contains(rank)).collect();
    let message = if missing.is_empty() {
        format!(
            "the processes of a job did not come to MPI_Init within {} s of each other, so that nothing of it was \
             checked: run it again",
            farside_spool::agreement::PATIENCE.as_secs()
        )
    } else {
        format!(
            "{} of the {} processes of a job could not be recorded, so none was, and nothing of it was checked: {}",
            missing.len(),
            job.size,
            why_missing(job, hosts)
        )
    };
    all.add_of(ShortfallKind::NotRecorded, message, missing);
}

/// The likely reason why processes of a job did not record, from what those say that could have.
fn why_missing(job: &Judged, hosts: &[Host]) -> String {
    let lost = hosts.iter().filter(|host| host.lost.is_some());
    let lost: Vec<_> = lost.map(|host| plain(&host.name)).collect();
    if !lost.is_empty() {
        return format!(
            "what was recorded on {} was lost before it was known whether all processes record",
            lost.join(", ")
        );
    }
    let mut able: BTreeMap<&str, (u32, Option<u32>)> = BTreeMap::new();
    for (_, seen) in &job.shortfalls {
        if let Seen::NotAll { host, here } = seen {
            let entry = able.entry(host).or_insert((0, *here));
            entry.0 += 1;
        }
    }
    if able.values().all(|(seen, here)| Some(*seen) == *here) {
        let names: Vec<_> = able.keys().map(|host| plain(host)).collect();
        return format!(
            "they run on other hosts than {}; the launcher must pass LD_PRELOAD, FARSIDE_SPOOL and FARSIDE_FRONT on to \
             these (Open MPI: mpirun -x LD_PRELOAD -x FARSIDE_SPOOL -x FARSIDE_FRONT), farside's library must lie there \
             as here, and they must reach this host by TCP",
            names.join(", ")
        );
    }
    "something took LD_PRELOAD or FARSIDE_SPOOL from their environment (`env -i`, a wrapper, a container), or they are \
     linked statically, or they cannot write to the spool folder".into()
}

/// What is not known of the order of events, in a job on several hosts.
fn unknown_order(all: &mut Admitted, job: &Judged) {
    if job.forced > 0 {
        let message = format!(
            "{} events of a job on several hosts wait for something that was not recorded, so that their order is not \
             known: races may be missed, and findings may be wrong",
            job.forced
        );
        all.add(ShortfallKind::OrderUnknown, message);
    }
    if job.counts.left_open > 0 {
        let message = format!(
            "{} races between processes on different hosts were left out: they are none if one epoch under a lock came \
             before another, and nothing that was recorded tells which came first",
            job.counts.left_open
        );
        all.add(ShortfallKind::OrderUnknown, message);
    }
}

fn damaged(all: &mut Admitted, damage: &[(Rank, String)]) {
    if damage.is_empty() {
        return;
    }
    let words: Vec<_> = damage
        .iter()
        .map(|(rank, what)| format!("rank {}: {}", rank.0, plain(what)))
        .collect();
    let message = format!(
        "part of a recording could not be read, the rest was used ({})",
        words.join("; ")
    );
    let ranks: BTreeSet<u32> = damage.iter().map(|(rank, _)| rank.0).collect();
    let ranks = ranks.into_iter().collect();
    all.add_of(ShortfallKind::DamagedRecording, message, ranks);
}

/// Programs, and what findings name besides, of which ranks ran different builds.
fn different_builds(all: &mut Admitted, jobs: &[Judged], findings: &[Finding]) {
    let frames = findings.iter().flat_map(|finding| &finding.parties);
    let frames = frames.flat_map(|party| &party.stack);
    let mut paths: BTreeSet<&str> = frames.filter_map(|frame| frame.module.as_deref()).collect();
    for job in jobs {
        let programs = job.members.iter().filter_map(|(rank, _)| job.code.program(*rank));
        paths.extend(programs);
        let mut builds: BTreeMap<&str, BTreeMap<&[u8], BTreeSet<Rank>>> = BTreeMap::new();
        for (rank, module) in job.code.modules() {
            if !module.build.is_empty() && paths.contains(&*module.path) {
                let of_path = builds.entry(&module.path).or_default();
                of_path.entry(&module.build).or_default().insert(rank);
            }
        }
        for (path, builds) in builds.iter().filter(|(_, builds)| builds.len() > 1) {
            let here = host_name();
            let mut in_order: Vec<_> = builds.iter().collect();
            in_order.sort_by_key(|(_, ranks)| ranks.first());
            let shown = in_order.iter().map(|(build, ranks)| {
                let name: String = build.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
                let of_rank = |rank: &Rank| job.hosts.get(rank).unwrap_or(&here).as_str();
                let hosts: BTreeSet<&str> = ranks.iter().map(of_rank).collect();
                let hosts: Vec<&str> = hosts.into_iter().collect();
                let ranks = Ranks::of(ranks.iter().map(|rank| rank.0));
                format!("{name} (ranks {ranks} on {})", hosts.join(", "))
            });
            let shown: Vec<String> = shown.collect();
            let message = format!(
                "ranks run different builds of {}: {}; each is shown by its own",
                plain(path),
                shown.join(", ")
            );
            let ranks = builds.values().flatten().map(|rank| rank.0).collect();
            all.add_of(ShortfallKind::DifferentBuilds, message, ranks);
        }
    }
}

/// The files in which a finding has a place without a source line, and no caller of it has one.
fn without_lines(findings: &[Finding]) -> BTreeSet<&str> {
    let parties = findings.iter().flat_map(|finding| &finding.parties);
    parties
        .filter(|party| party.place().is_none())
        .filter_map(|party| party.stack.first()?.module.as_deref())
        .collect()
}

fn nothing_checked(all: &mut Admitted, jobs: &[Judged], preflight: &Preflight) {
    if jobs.is_empty() {
        let mut message = String::from(
            "no process was seen to initialise MPI, OpenSHMEM, GASPI or a World of the crate farside, so nothing was checked",
        );
        for path in preflight.without_loader() {
            message.push_str(&format!(
                "; {} is linked statically, and cannot be watched",
                shown(path)
            ));
        }
        for path in preflight.without_calls() {
            message.push_str(&format!(
                "; {} has no call of these in it, unless a script or a library makes it: is it the program that is meant, \
                 and was it built by `mpicc`, `mpifort` or the like?",
                shown(path)
            ));
        }
        all.add(ShortfallKind::NoMpiProcess, message);
    } else if jobs.iter().all(|job| !job.one_sided && recorded(job)) {
        all.add(
            ShortfallKind::NoOneSidedCall,
            "the program made no window and no one-sided call, so nothing was checked",
        );
    }
}

/// A program built with one MPI and started by the launcher of another: each process is alone in its world.
fn mixed_libraries(all: &mut Admitted, jobs: &[Judged]) {
    let alone: Vec<&Judged> = jobs.iter().filter(|job| job.size == 1).collect();
    let broken_promise = alone.iter().find_map(|job| {
        let (launcher, promised) = job.origin.promised().filter(|&(_, n)| n > 1)?;
        Some(format!(
            "the launcher of {launcher} started {promised} processes, and each one"
        ))
    });
    let same_launch = || {
        let second = alone.iter().enumerate().find(|(index, job)| {
            job.origin.job.is_some()
                && alone[..*index]
                    .iter()
                    .any(|other| other.origin.job == job.origin.job)
        });
        second.map(|_| String::from("several processes of one launcher started, and each one"))
    };
    if let Some(who) = broken_promise.or_else(same_launch) {
        let library = plain(&alone[0].library);
        all.add(
            ShortfallKind::MixedMpi,
            format!("two MPI libraries are mixed: {who} is alone in its MPI_COMM_WORLD; the program uses {library}: \
                start it with that library's launcher"),
        );
    }
}

/// `cut_is_told`: it is told elsewhere that recordings were cut.
fn lost_processes(all: &mut Admitted, job: &Judged, hosts: &[Host], cut_is_told: bool) {
    let ranks = |end: End| -> Vec<u32> {
        job.members
            .iter()
            .filter(|(_, e)| *e == end)
            .map(|(rank, _)| rank.0)
            .collect()
    };
    let joined = job.members.len();
    if joined as u64 != u64::from(job.size) {
        all.add(
            ShortfallKind::MissingProcesses,
            format!("only {joined} of the {} processes of a job were seen", job.size),
        );
    }
    let (mut lost, cut, unusable) = (ranks(End::Lost), ranks(End::Cut), ranks(End::Unusable));
    // Those of a lost host are told with it.
    let mut unknown = ranks(End::Unknown);
    for host in hosts.iter().filter(|host| host.lost.is_some()) {
        let with_it: BTreeSet<u32> = lost_with(job, host).collect();
        unknown.retain(|rank| !with_it.contains(rank));
    }
    // Those that said themselves why they stopped recording are told as that.
    let gave_up = |rank: u32| {
        let of_rank = job.shortfalls.iter().filter(move |(r, _)| r.0 == rank);
        of_rank
            .clone()
            .any(|(_, what)| matches!(what, Seen::SpoolFull(_) | Seen::Internal(_)))
    };
    lost.retain(|&rank| !gave_up(rank));
    let ending = match Interface::of_library(&job.library) {
        Interface::Mpi => "MPI_Finalize",
        Interface::Farside => "World::finish",
        Interface::Gaspi => "gaspi_proc_term",
        Interface::Shmem => "shmem_finalize",
    };
    for (whereabouts, ranks) in by_whereabouts(job, lost) {
        let message = match whereabouts {
            Some(at) => format!("ended {at}, without {ending}; checked up to there"),
            None => format!("ended without {ending}; checked up to the last recorded event"),
        };
        all.add_of(ShortfallKind::ProcessLost, message, ranks);
    }
    for (whereabouts, ranks) in by_whereabouts(job, cut).into_iter().filter(|_| !cut_is_told) {
        let at = whereabouts.map(|at| format!(", {at},")).unwrap_or_default();
        let message = format!("still running{at} when the command had ended; checked up to then");
        all.add_of(ShortfallKind::StillRunning, message, ranks);
    }
    let unread = [
        (
            unknown,
            ShortfallKind::ProcessLost,
            "on another host, and did not end its recording; checked up to the last recorded event",
        ),
        (
            unusable,
            ShortfallKind::UnusableRecording,
            "the recording could not be read to its end",
        ),
    ];
    for (ranks, id, message) in unread.into_iter().filter(|(ranks, ..)| !ranks.is_empty()) {
        all.add_of(id, message, ranks);
    }
}

/// Where processes were when the command was ended at its time limit.
fn came_to(all: &mut Admitted, job: &Judged) {
    let cut = job.members.iter().filter(|(_, end)| *end == End::Cut);
    let cut = cut.map(|(rank, _)| rank.0).collect();
    for (whereabouts, ranks) in by_whereabouts(job, cut) {
        let Some(at) = whereabouts else { continue };
        all.add_of(
            ShortfallKind::StillRunning,
            format!("{at} when the command was ended"),
            ranks,
        );
    }
}

/// Whether it is told which process waits for which.
fn tell_who_waits(findings: &[Finding]) -> bool {
    findings
        .iter()
        .any(|finding| matches!(finding.rule, Rule::Deadlock | Rule::CollectiveMismatch))
}

/// Places that are told of processes that did not come to their end. Where more differ, few are like each other, and
/// all are named by their ranks only.
const MOST_PLACES: usize = 4;

/// These ranks, by where they came to: where the fewest are is told first. Last those of which it is not known or not
/// told.
fn by_whereabouts(job: &Judged, mut ranks: Vec<u32>) -> Vec<(Option<&Whereabouts>, Vec<u32>)> {
    let mut groups: Vec<(Option<&Whereabouts>, Vec<u32>)> = Vec::new();
    for (at, there) in job.whereabouts() {
        let those: Vec<u32> = ranks
            .iter()
            .copied()
            .filter(|rank| there.contains(rank))
            .collect();
        if !those.is_empty() {
            groups.push((Some(at), those));
        }
    }
    groups.sort_by_key(|(_, ranks)| ranks.len());
    groups.truncate(MOST_PLACES);
    ranks.retain(|rank| !groups.iter().any(|(_, told)| told.contains(rank)));
    if !ranks.is_empty() {
        groups.push((None, ranks));
    }
    groups
}

fn seen_by_processes(all: &mut Admitted, job: &Judged, preflight: &Preflight) {
    let mut by_kind: BTreeMap<(ShortfallKind, String), Vec<u32>> = BTreeMap::new();
    for (rank, seen) in &job.shortfalls {
        let Some(words) = words(seen, || program_of(job, *rank, preflight)) else {
            continue;
        };
        let ranks = by_kind.entry(words).or_default();
        if !ranks.contains(&rank.0) {
            ranks.push(rank.0);
        }
    }
    for ((id, message), mut ranks) in by_kind {
        ranks.sort_unstable();
        if ranks.len() as u64 == u64::from(job.size) {
            ranks.clear();
        }
        let shortfall = Shortfall { id, message, ranks };
        if !all.0.contains(&shortfall) {
            all.0.push(shortfall);
        }
    }
}

/// The program that a process runs, or those that the command names.
fn program_of(job: &Judged, rank: Rank, preflight: &Preflight) -> String {
    if let Some(path) = job.code.program(rank) {
        return plain(path);
    }
    let programs: Vec<_> = preflight.not_instrumented().map(shown).collect();
    if programs.is_empty() {
        "the program".into()
    } else {
        programs.join(", ")
    }
}

/// Which kind, and words; `None` for what is said of the whole job.
fn words(seen: &Seen, program: impl Fn() -> String) -> Option<(ShortfallKind, String)> {
    Some(match seen {
        Seen::NotInstrumented => {
            let which = program();
            let message = format!(
                "loads and stores were not seen, only MPI calls: build {which} with `farside cc mpicc -g ...` (C++: \
                 `farside cxx mpicxx`, Fortran: `farside fc mpifort`){}",
                as_it_is(guard::AVAILABLE)
            );
            (ShortfallKind::NotInstrumented, message)
        }
        Seen::Guard {
            left_open,
            partly,
            threads,
        } => (
            ShortfallKind::GuardedInPart,
            in_part(*left_open, *partly, *threads),
        ),
        Seen::NoPageTable => (
            ShortfallKind::NoPageTable,
            "loads and stores were not seen: the address space for the page table could not be reserved (ulimit \
             -v?)".into(),
        ),
        Seen::SpoolFull(why) => (
            ShortfallKind::SpoolFull,
            format!(
                "recording stopped: {}; make room, or choose another place: with --spool, on other hosts than this one \
                 with TMPDIR",
                plain(why)
            ),
        ),
        Seen::UnknownCall(name) => (
            ShortfallKind::UnknownCall,
            format!("{} is not understood by this version; orders that it makes are not known, so findings around it \
                may be wrong", plain(name)),
        ),
        Seen::Internal(what) => (
            ShortfallKind::InternalError,
            format!("a bug of farside switched recording off ({}); please report it", plain(what)),
        ),
        Seen::NotAll { .. } => return None,
    })
}

/// What else helps a program without callbacks, where pages can be guarded.
fn as_it_is(guards: bool) -> &'static str {
    match guards {
        true => ", or check it as it is with `--guard`",
        false => "",
    }
}

fn shown(path: &Path) -> String {
    plain(&path.display().to_string())
}

/// What guarded pages did not show.
fn in_part(left_open: u64, partly: u64, threads: bool) -> String {
    let mut said = Vec::new();
    if left_open > 0 {
        let times = match left_open {
            1 => "once".into(),
            times => format!("{times} times"),
        };
        said.push(format!(
            "{times} pages stayed open until the next call of the library had ended (mostly to save time, which \
             `--guard=all` does not)"
        ));
    }
    if partly > 0 {
        said.push(format!(
            "of {partly} gathers, scatters or masked accesses not all bytes are known"
        ));
    }
    if threads {
        said.push(
            "of several threads, accesses while another one was in a call of the library were not seen, nor those of \
             memory that no operation used yet (`farside cc` shows both)"
                .into(),
        );
    }
    format!("loads and stores were seen in part: {}", said.join("; "))
}
