//! Ranks that are killed while the others go on: `--keep-going`, and `World::shrink` of the crate `farside`.

use crate::stage::*;
use crate::transports::options_of;
use std::io::{BufRead as _, BufReader};
use std::process::Command;

/// One of each kind, of those that processes of this machine can use; all with `FARSIDE_KILLS`. Not libfabric's
/// provider `shm`: a rank that is killed can take a spin lock of the provider with it (docs/design/loss.md).
fn transports() -> Vec<&'static str> {
    let mut all = crate::transports::transports();
    all.retain(|&transport| transport != "ofi:shm");
    if std::env::var_os("FARSIDE_KILLS").is_none() {
        all.retain(|&transport| transport != "ofi:net");
    }
    all
}

/// A job that goes on without the lost.
fn going_on(stage: &Stage, ranks: u32, transport: &'static str) -> Command {
    let mut command = stage.run(ranks);
    command.args(["--keep-going", "--time-limit", "60"]);
    command.args(options_of(transport)).arg("--");
    command
}

/// The last line of stderr, without the numbers of processes.
fn last_line(stderr: &str) -> String {
    let line = stderr.lines().last().unwrap_or_default();
    let mut parts = line.split(" (pid ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |line, part| {
        line + part.split_once(')').expect("a number of a process").1
    })
}

#[test]
fn the_others_go_on_and_the_last_line_says_who_was_lost() {
    let stage = Stage::new();
    let steps = ["connect", "fence", "@2:signal:9", "watch", "finish", "print:done"];
    let (stdout, stderr) = expect(&stage.output(stage.conduct(4, &["--keep-going"], &steps)), 5);
    assert_eq!(
        sorted(&stdout),
        ["done", "done", "done", "lost: 2", "lost: 2", "lost: 2"]
    );
    let last =
        "farside run: rank 2 was killed by signal 9 (SIGKILL); the other 3 ranks went on, and ended well";
    assert_eq!(last_line(&stderr), last);
}

#[test]
fn who_ends_well_without_the_others_is_lost_as_well() {
    let stage = Stage::new();
    let steps = ["connect", "fence", "@0:exit:0", "@1:exit:7", "finish"];
    let (_, stderr) = expect(&stage.output(stage.conduct(3, &["--keep-going"], &steps)), 5);
    let last = last_line(&stderr);
    for words in [
        "rank 0 ended with status 0, but without finishing its communication; ",
        "rank 1 ended with status 7; ",
        "; the other rank went on, and ended well",
    ] {
        assert!(last.contains(words), "{last}");
    }
}

#[test]
fn where_all_are_lost_the_job_has_failed() {
    let stage = Stage::new();
    let steps = ["connect", "fence", "signal:9"];
    let (_, stderr) = expect(&stage.output(stage.conduct(2, &["--keep-going"], &steps)), 3);
    assert!(last_line(&stderr).ends_with("; no rank ended well"), "{stderr}");
}

#[test]
fn without_a_loss_nothing_is_said() {
    let stage = Stage::new();
    let steps = ["connect", "fence", "finish"];
    let (_, stderr) = expect(&stage.output(stage.conduct(3, &["--keep-going"], &steps)), 0);
    assert_eq!(stderr, "");
}

#[test]
fn a_job_that_is_checked_does_not_go_on() {
    let stage = Stage::new();
    let by_option = stage.conduct(2, &["--keep-going", "--check"], &["connect"]);
    let mut by_variable = stage.conduct(2, &["--keep-going"], &["connect"]);
    by_variable.env("FARSIDE_CHECK", "1");
    for command in [by_option, by_variable] {
        let (_, stderr) = expect(&stage.output(command), 2);
        assert!(
            stderr.contains("--keep-going") && stderr.contains("check"),
            "{stderr}"
        );
    }
}

/// Rank 1 dies when the others wait for it in this way; what each of them says.
const WAITS: [&str; 18] = [
    "allocate",
    "allreduce",
    "barrier",
    "call",
    "end_of_a_service",
    "fence",
    "flush",
    "free",
    "lock",
    "lock_of_the_lost",
    "notice",
    "post",
    "receive",
    "request",
    "room_of_a_service",
    "split",
    "start",
    "wait_until",
];

#[test]
fn every_wait_names_the_lost_rank_and_the_others_meet_in_a_new_world() {
    let transports = transports();
    // By day, each wait on one transport.
    let is_night = farside_built::is_night();
    for (of, &transport) in transports.iter().enumerate() {
        let waits = WAITS.iter().enumerate();
        let here = waits.filter(|(nth, _)| is_night || nth % transports.len() == of);
        for (_, &wait) in here {
            let stage = Stage::new();
            let mut command = going_on(&stage, 3, transport);
            command.arg(bereaved()).arg(wait);
            let (stdout, stderr) = expect(&stage.output(command), 5);
            let said = |rank, got| {
                format!("{wait}: rank 1 of the world is lost; then rank {rank} of 2 got {got}, once [0, 2]")
            };
            assert_eq!(
                sorted(&stdout),
                [said(0, 11), said(1, 10)],
                "{transport}: {stderr}"
            );
        }
    }
}

#[test]
fn ranks_of_several_hosts_go_on_too() {
    let stage = Stage::new();
    for wait in ["lock", "receive"] {
        let mut command = stage.run_over("one,two", 3);
        command.args(["--keep-going", "--time-limit", "60", "--"]);
        command.arg(bereaved()).arg(wait);
        let (stdout, stderr) = expect(&stage.output(command), 5);
        assert_eq!(stdout.lines().count(), 2, "{stdout}{stderr}");
        assert!(
            last_line(&stderr).ends_with("the other 2 ranks went on, and ended well"),
            "{stderr}"
        );
    }
}

#[test]
fn a_host_that_is_lost_takes_its_ranks_and_the_others_go_on() {
    let stage = Stage::new();
    let mut command = stage.run_over("one,two", 4);
    let script = "exec \"$0\" connect fence \"print:$FARSIDE_RANK $PPID\" watch finish";
    command.args(["--keep-going", "--time-limit", "60", "--", "sh", "-c", script]);
    let mut child = command.arg(conduct()).spawn().unwrap();
    let output = BufReader::new(child.stdout.as_mut().unwrap());
    let lines: Vec<String> = output.lines().take(4).map(Result::unwrap).collect();
    let agent = lines.iter().find_map(|line| line.strip_prefix("3 ")).unwrap();
    kill(agent.parse().unwrap(), "-KILL");
    let (_, stderr) = expect(&child.wait_with_output().unwrap(), 5);
    let last = last_line(&stderr);
    for words in [
        "rank 2 is lost with its host; rank 3 is lost with its host; ",
        "the other 2 ranks went on",
    ] {
        assert!(last.contains(words), "{stderr}");
    }
    stage.expect_nothing_left();
}

/// Numbers that look random, each time the same (xorshift64; Marsaglia, JSS 2003).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// Random ranks are killed at random times, one or two of four, and the table has all its entries whoever is left.
/// `FARSIDE_KILLS` says how often on each transport, `FARSIDE_KILLS_OVER` on which (the beginning of its name),
/// `FARSIDE_KILLS_SEED` at which times.
#[test]
fn whoever_is_killed_whenever_the_table_is_as_it_must_be() {
    let number =
        |name, default| std::env::var(name).map_or(default, |value| value.parse::<u64>().expect("a number"));
    let runs = number("FARSIDE_KILLS", 6);
    let only = std::env::var("FARSIDE_KILLS_OVER").unwrap_or_default();
    for transport in transports()
        .into_iter()
        .filter(|transport| transport.starts_with(&only))
    {
        let mut numbers = Numbers(number("FARSIDE_KILLS_SEED", 88_172_645_463_325_252));
        let entries = if transport == "shm" { "10000" } else { "300" };
        let run = |kills: &[String]| {
            let stage = Stage::new();
            let mut command = going_on(&stage, 4, transport);
            command.arg(replicas()).arg(entries).args(kills);
            stage.output(command)
        };
        let (stdout, _) = expect(&run(&[]), 0);
        let times = stdout
            .lines()
            .filter_map(|line| line.strip_suffix(" us")?.rsplit(' ').next()?.parse().ok());
        let time: u64 = times.min().expect("how long it took");
        let mut lost = 0;
        for turn in 0..runs {
            let (first, after) = (numbers.below(4), numbers.below(time));
            let mut kills = vec![format!("{first}:{after}")];
            if numbers.below(3) == 0 {
                let second = (first + 1 + numbers.below(3)) % 4;
                kills.push(format!("{second}:{}", after + numbers.below(time / 2)));
            }
            let output = run(&kills);
            let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
            let about = format!("{transport}, run {turn}, {kills:?}\n{stdout}{stderr}");
            // Each that is left has compared all entries before it says so.
            let said = stdout.lines().filter(|line| line.contains("each as it must be"));
            let killed = stderr
                .lines()
                .filter(|line| line.ends_with("(SIGKILL); the others go on"))
                .count();
            assert!(said.count() >= 4 - killed, "{about}");
            let status = if killed == 0 { 0 } else { 5 };
            assert_eq!(output.status.code(), Some(status), "{about}");
            let lines = if killed == 0 { 0 } else { killed + 1 };
            assert_eq!(stderr.lines().count(), lines, "{about}");
            lost += killed;
        }
        println!("{transport}: {lost} ranks were lost in {runs} runs");
        assert!(lost > 0 || runs < 4, "{transport}: nobody was killed in time");
    }
}

#[test]
fn launchers_that_see_no_rank_end_refuse_to_shrink() {
    let directory = tempfile::tempdir().unwrap();
    for words in [
        &["mpirun.mpich", "-n", "2"][..],
        &["mpirun.openmpi", "--oversubscribe", "-n", "2"],
    ] {
        // A file of the ranks: MPICH's launcher loses words of ranks that end soon after they said them.
        let said = directory.path().join(words[0]);
        let Ok(output) = Command::new(words[0])
            .args(&words[1..])
            .args(["sh", "-c", r#"exec "$0" 50 2>>"$1""#])
            .arg(replicas())
            .arg(&said)
            .env("FARSIDE_TRANSPORT", "shm")
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .output()
        else {
            eprintln!("skipped: {} is not there", words[0]);
            continue;
        };
        let said = std::fs::read_to_string(said).unwrap();
        assert!(!output.status.success(), "{said}");
        for words in [
            "World::agree",
            "does not tell which ranks have ended",
            "farside run --keep-going",
        ] {
            assert!(said.contains(words), "{said}");
        }
    }
}
