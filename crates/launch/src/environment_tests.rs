//! The environment, variable by variable.

use crate::environment::*;
use crate::error::Error;
use std::collections::HashMap;

fn plan_of(variables: &[(&str, &str)]) -> Result<Plan, Error> {
    let map: HashMap<&str, &str> = variables.iter().copied().collect();
    plan(&Environment(&|name| map.get(name).map(|&value| value.to_owned())))
}

fn error_of(variables: &[(&str, &str)]) -> String {
    plan_of(variables).expect_err("not possible").to_string()
}

const FARSIDE: [(&str, &str); 4] = [
    ("FARSIDE_RANK", "1"),
    ("FARSIDE_SIZE", "4"),
    ("FARSIDE_JOB", "j"),
    ("FARSIDE_BOOT", "unix:@j"),
];
const PMIX: [(&str, &str); 2] = [("PMIX_RANK", "2"), ("PMIX_NAMESPACE", "ns/1")];
const PMI1: [(&str, &str); 3] = [("PMI_FD", "7"), ("PMI_RANK", "0"), ("PMI_SIZE", "2")];
const SLURM: [(&str, &str); 5] = [
    ("SLURM_PROCID", "3"),
    ("SLURM_STEP_NUM_TASKS", "8"),
    ("SLURM_STEP_NODELIST", "n[01-02]"),
    ("SLURM_JOB_ID", "77"),
    ("SLURM_STEP_ID", "0"),
];

#[test]
fn the_first_one_wins() {
    let all = [&FARSIDE[..], &PMIX, &PMI1, &SLURM].concat();
    assert!(matches!(plan_of(&all), Ok(Plan::Farside { .. })));
    let rest = [&PMIX[..], &PMI1, &SLURM].concat();
    assert!(matches!(plan_of(&rest), Ok(Plan::Pmix { rank: 2, .. })));
    assert_eq!(
        plan_of(&[&PMI1[..], &SLURM].concat()).expect("a plan"),
        Plan::Pmi1 {
            fd: 7,
            rank: 0,
            size: 2
        }
    );
    let Ok(Plan::Slurm { identity, host }) = plan_of(&SLURM) else {
        panic!("not Slurm")
    };
    assert_eq!((identity.rank, identity.size, host.as_str()), (3, 8, "n01"));
    assert_eq!(identity.job, "slurm-77-0");
    assert_eq!(plan_of(&[]).expect("a plan"), Plan::Singleton);
    assert_eq!(
        plan_of(&[("FARSIDE_BOOT", "")]).expect("empty is not set"),
        Plan::Singleton
    );
}

#[test]
fn a_folder_takes_rank_and_job_from_any_launcher() {
    let folder = [("FARSIDE_RENDEZVOUS", "/shared")];
    let ompi = [("OMPI_COMM_WORLD_RANK", "1"), ("OMPI_COMM_WORLD_SIZE", "2")];
    let Ok(Plan::Folder { identity, .. }) = plan_of(&[&folder[..], &PMIX, &ompi].concat()) else {
        panic!("not a folder")
    };
    assert_eq!(
        (identity.rank, identity.size, identity.job.as_str()),
        (1, 2, "ns-1")
    );
    let Ok(Plan::Folder { identity, .. }) = plan_of(&[&folder[..], &SLURM].concat()) else {
        panic!("not a folder")
    };
    assert_eq!(
        (identity.rank, identity.size, identity.job.as_str()),
        (3, 8, "slurm-77-0")
    );
    assert!(error_of(&folder).contains("FARSIDE_RANK is not set"));
    assert!(error_of(&[&folder[..], &PMI1].concat()).contains("FARSIDE_JOB is not set"));
}

#[test]
fn a_launcher_can_be_chosen() {
    let with = |name, rest: &[(&str, &str)]| plan_of(&[&[("FARSIDE_LAUNCHER", name)][..], rest].concat());
    assert_eq!(with("singleton", &FARSIDE).expect("a plan"), Plan::Singleton);
    assert!(matches!(
        with("pmix", &[&FARSIDE[..], &PMIX].concat()),
        Ok(Plan::Pmix { .. })
    ));
    let missing = with("slurm", &PMIX).expect_err("no Slurm").to_string();
    assert!(missing.contains("SLURM_STEP_NODELIST is not set"), "{missing}");
    let unknown = with("ssh", &[]).expect_err("no such launcher").to_string();
    assert!(
        unknown.contains("farside, folder, pmix, pmi1, slurm, singleton"),
        "{unknown}"
    );
}

#[test]
fn what_cannot_be_is_named() {
    let farside =
        |rank, boot| error_of(&[&[("FARSIDE_RANK", rank), ("FARSIDE_BOOT", boot)], &FARSIDE[1..3]].concat());
    assert_eq!(
        farside("9", "unix:@j"),
        "the environment says FARSIDE_RANK=9: FARSIDE_SIZE=4, so ranks are 0 to 3"
    );
    assert!(farside("x", "unix:@j").contains("FARSIDE_RANK=x"));
    assert!(farside("1", "nonsense").contains("FARSIDE_BOOT=nonsense: not unix:PATH"));
    assert!(error_of(&FARSIDE[1..]).contains("FARSIDE_RANK is not set: start the program with `farside run"));
    for fd in ["x", "-1", "0"] {
        assert!(error_of(&[&[("PMI_FD", fd)], &PMI1[1..]].concat()).contains("no file descriptor"));
    }
}

#[test]
fn several_processes_without_a_way_are_no_singletons() {
    let error = error_of(&[("OMPI_COMM_WORLD_SIZE", "3")]);
    assert!(
        error.contains("OMPI_COMM_WORLD_SIZE=3") && error.contains("FARSIDE_LAUNCHER=singleton"),
        "{error}"
    );
    // A batch script of Slurm is one process, whatever its job has.
    assert_eq!(
        plan_of(&[("SLURM_PROCID", "0"), ("SLURM_NTASKS", "8"), ("PMI_SIZE", "1")]).expect("a plan"),
        Plan::Singleton
    );
}
