//! The generated table is what the generator writes, and says what the meanings need.

use farside_calls::collective::{CollectiveForm, Counts, Ends, Side, Spread, Types};
use farside_calls::meaning::{Completion, Making, Meaning, Waits};
use farside_calls::mpi::Procedure;
use farside_calls::signature::{Direction, Role};
use farside_events::CallKind;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

fn generated(script: &str, python: &str) -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("generate");
    let output = Command::new(python)
        .arg(folder.join(script))
        .arg("--print")
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8(output.stdout).expect("text"))
}

fn committed(file: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("the file is there")
}

#[test]
fn the_table_is_what_the_generator_writes() {
    let table = generated("table.py", "python3").expect("python3 runs the generator");
    assert!(
        table == committed("src/mpi/procedures.rs"),
        "src/mpi/procedures.rs is out of date: run generate/table.py"
    );
}

/// Where the package is installed that the extract was made from; elsewhere the extract is taken as it is.
#[test]
fn the_extract_is_what_the_standard_says() {
    let Some(extract) = generated("extract.py", "python3") else {
        println!("pympistandard is not installed here: not compared");
        return;
    };
    assert!(
        extract == committed("generate/standard.txt"),
        "generate/standard.txt is out of date: run generate/extract.py"
    );
}

#[test]
fn every_procedure_is_found_by_its_names() {
    assert!(Procedure::all().count() > 450);
    for procedure in Procedure::all() {
        let name = procedure.name();
        assert_eq!(Procedure::of_name(name), Some((procedure, false)));
        assert_eq!(procedure.signature().name(), name);
        let large = procedure.signature().has_large_counts();
        let expected = large.then_some((procedure, true));
        assert_eq!(Procedure::of_name(&format!("{name}_c")), expected);
    }
    assert_eq!(Procedure::of_name("MPI_put"), None);
    assert_eq!(Procedure::of_name("MPI_Barrier_c"), None);
}

/// The roles that a meaning cannot do without.
fn needed(meaning: Meaning) -> Vec<Role> {
    use Role::*;
    let ended = |roles: &[Role], ends| {
        let request = (ends != Ends::Returning).then_some(Request);
        roles.iter().copied().chain(request).collect()
    };
    const SENT: [Role; 5] = [SendBuffer, SendCount, SendType, Destination, SendTag];
    const RECEIVED: [Role; 5] = [ReceiveBuffer, ReceiveCount, ReceiveType, Source, ReceiveTag];
    match meaning {
        Meaning::Init | Meaning::Finalize | Meaning::Abort | Meaning::NotUnderstood => vec![],
        Meaning::Communicator(making) => match making {
            Making::AtOnce => vec![Communicator, NewCommunicator],
            Making::Later => vec![Communicator, NewCommunicator, Request],
            Making::OfGroup => vec![Communicator, NewCommunicator, Group, SendTag],
            Making::Inter => vec![Communicator, NewCommunicator, SendTag],
        },
        Meaning::CommunicatorFree => vec![Communicator],
        Meaning::TypeFree => vec![SendType],
        Meaning::Window(farside_events::WindowFlavor::Create) => {
            vec![Base, Size, Unit, Info, Communicator, Window]
        }
        Meaning::Window(farside_events::WindowFlavor::Dynamic) => vec![Info, Communicator, Window],
        Meaning::Window(_) => vec![BasePointer, Size, Unit, Info, Communicator, Window],
        Meaning::WindowName => vec![Window, Text],
        Meaning::WindowInfo => vec![Window, Info],
        Meaning::FreeMemory => vec![Base],
        Meaning::Operation(kind) => {
            use farside_events::OperationKind as Kind;
            let mut roles = vec![Window, TargetRank, TargetDisplacement, TargetType];
            if kind != Kind::Get {
                roles.extend([OriginBuffer, OriginType]);
            }
            if !matches!(kind, Kind::Put | Kind::Accumulate) {
                roles.extend([ResultBuffer, ResultType]);
            }
            if matches!(kind, Kind::Accumulate | Kind::GetAccumulate | Kind::FetchAndOp) {
                roles.push(Operator);
            }
            match kind {
                Kind::CompareAndSwap => roles.push(CompareBuffer),
                Kind::FetchAndOp => {}
                Kind::Get => roles.extend([ResultCount, TargetCount]),
                Kind::GetAccumulate => roles.extend([OriginCount, ResultCount, TargetCount]),
                _ => roles.extend([OriginCount, TargetCount]),
            }
            roles
        }
        Meaning::OnWindow(call) => match call {
            CallKind::Attach => vec![Window, Base, Size],
            CallKind::Detach => vec![Window, Base],
            CallKind::Fence | CallKind::LockAll => vec![Assertion, Window],
            CallKind::Post | CallKind::Start => vec![Group, Assertion, Window],
            CallKind::Lock => vec![LockType, TargetRank, Assertion, Window],
            CallKind::Unlock | CallKind::Flush { all: false, .. } => vec![TargetRank, Window],
            CallKind::Test => vec![Window, Flag],
            _ => vec![Window],
        },
        Meaning::Completion(which, waits) => {
            let mut roles = match which {
                Completion::One => vec![Request, Status],
                Completion::All => vec![RequestCount, Requests, Statuses],
                Completion::Any => vec![RequestCount, Requests, Index, Status],
                Completion::Some => vec![RequestCount, Requests, Result, Index, Statuses],
            };
            if waits == Waits::Polling && which != Completion::Some {
                roles.push(Flag);
            }
            roles
        }
        Meaning::RequestStatus => vec![Request, Flag, Status],
        Meaning::Start => vec![],
        Meaning::Cancel | Meaning::RequestFree => vec![Request],
        Meaning::Send(_, ends) => ended(&[&SENT[..], &[Communicator]].concat(), ends),
        Meaning::Receive(ends) => {
            let status = (ends == Ends::Returning).then_some(Status);
            let roles: Vec<Role> = RECEIVED
                .iter()
                .copied()
                .chain([Communicator])
                .chain(status)
                .collect();
            ended(&roles, ends)
        }
        Meaning::SendReceive(ends) => {
            let status = (ends == Ends::Returning).then_some(Status);
            let both = SENT.iter().chain(&RECEIVED).copied();
            let roles: Vec<Role> = both.chain([Communicator]).chain(status).collect();
            ended(&roles, ends)
        }
        Meaning::Probe(_) => vec![Source, ReceiveTag, Communicator, Status],
        Meaning::MatchedProbe(_) => vec![Source, ReceiveTag, Communicator, Message, Status],
        Meaning::MatchedReceive(ends) => ended(&[ReceiveBuffer, ReceiveCount, ReceiveType, Message], ends),
        Meaning::Pack => vec![SendBuffer, SendCount, SendType, PackBuffer, Position],
        Meaning::Unpack => vec![ReceiveBuffer, ReceiveCount, ReceiveType, PackBuffer, Position],
        Meaning::ReduceLocal => vec![
            SendBuffer,
            SendCount,
            SendType,
            ReceiveBuffer,
            ReceiveCount,
            ReceiveType,
        ],
        Meaning::FileRead => vec![ReceiveBuffer, ReceiveCount, ReceiveType],
        Meaning::FileWrite => vec![SendBuffer, SendCount, SendType],
        Meaning::Collective(form, ends) => {
            let mut roles = vec![Communicator];
            if form != CollectiveForm::Barrier {
                roles.extend([SendBuffer, SendType, ReceiveBuffer, ReceiveCount, ReceiveType]);
            }
            use CollectiveForm as Form;
            if matches!(
                form,
                Form::Bcast | Form::Gather | Form::Gatherv | Form::Scatter | Form::Scatterv
            ) {
                roles.push(Root);
            }
            if matches!(form, Form::Reduce) {
                roles.extend([Root, Operator]);
            }
            ended(&roles, ends)
        }
    }
}

#[test]
fn every_followed_call_has_all_roles_of_its_meaning() {
    let mut followed = 0;
    for procedure in Procedure::all() {
        let Some(meaning) = procedure.meaning() else {
            continue;
        };
        followed += 1;
        for role in needed(meaning) {
            assert!(
                procedure.signature().has(role),
                "{} lacks {role:?}",
                procedure.name()
            );
        }
    }
    assert!(followed > 150, "{followed}");
}

/// Every procedure of the sections of one-sided communication is followed, or named here.
#[test]
fn every_one_sided_call_is_followed() {
    let not_followed: BTreeSet<&str> = Procedure::all()
        .filter(|procedure| procedure.meaning().is_none())
        .map(Procedure::name)
        .filter(|name| name.starts_with("MPI_Win_"))
        .collect();
    let asked_only = [
        "call_errhandler",
        "create_errhandler",
        "create_keyval",
        "delete_attr",
        "free_keyval",
        "fromint",
        "c2f",
        "f2c",
        "get_attr",
        "get_errhandler",
        "get_group",
        "get_info",
        "get_name",
        "set_attr",
        "set_errhandler",
        "shared_query",
        "toint",
    ];
    let expected: Vec<String> = asked_only.iter().map(|name| format!("MPI_Win_{name}")).collect();
    assert_eq!(not_followed, expected.iter().map(String::as_str).collect());
}

#[test]
fn arguments_stand_where_the_standard_puts_them() {
    let place = |procedure: Procedure, role| procedure.signature().place(role);
    assert_eq!(place(Procedure::Put, Role::Window), Some(7));
    assert_eq!(place(Procedure::Rget_accumulate, Role::Request), Some(12));
    assert_eq!(place(Procedure::Fetch_and_op, Role::OriginType), Some(2));
    assert_eq!(place(Procedure::Fetch_and_op, Role::TargetType), Some(2));
    assert_eq!(place(Procedure::Compare_and_swap, Role::Operator), None);
    assert_eq!(place(Procedure::Gatherv, Role::Root), Some(7));
    assert_eq!(place(Procedure::Ialltoallw, Role::Communicator), Some(8));
    let init = Procedure::Init_thread.signature();
    assert_eq!((init.arity(), init.dropped()), (4, 2));
    assert_eq!(Procedure::Win_set_name.signature().texts(), 1);
    assert!(Procedure::Bcast.signature().has_choice());
    assert!(!Procedure::Win_allocate.signature().has_choice());
    let request = Procedure::Rput.signature().parameter(Role::Request);
    assert_eq!(request.map(|parameter| parameter.direction), Some(Direction::Out));
}

#[test]
fn collectives_describe_their_buffers_in_the_three_ways() {
    let received = |procedure: Procedure| Side::received(procedure.signature());
    let (count, places, kind) = (Role::ReceiveCount, Role::ReceiveDisplacements, Role::ReceiveType);
    let gather = received(Procedure::Igather);
    assert_eq!(
        (gather.counts, gather.spread, gather.types),
        (Counts::Each(count), Spread::Packed, Types::One(kind))
    );
    let gatherv = received(Procedure::Gatherv_init);
    assert_eq!(
        (gatherv.counts, gatherv.spread),
        (Counts::Array(count), Spread::Elements(places))
    );
    let alltoallw = received(Procedure::Alltoallw);
    assert_eq!(
        (alltoallw.spread, alltoallw.types),
        (Spread::Bytes(places), Types::Array(kind))
    );
    assert_eq!(
        received(Procedure::Neighbor_alltoallw).spread,
        Spread::Addresses(places)
    );
    assert_eq!(
        Side::sent(Procedure::Scatterv.signature()).counts,
        Counts::Array(Role::SendCount)
    );
}
