//! Events in short, without what differs from run to run or between libraries: one line an event.

use farside_events::{
    AccessSource, Assertions, Buffer, Call, CommId, Direction, Event, EventKind, LockKind, Operation,
    Outcome, Rank, SendMode, TypeId, TypeMap, WinId,
};
use std::collections::HashMap;

/// One line for each event that matters to order. How often a test says no before it says yes is chance.
pub fn brief(events: &[Event]) -> Vec<String> {
    let mut names = Names::default();
    let mut lines: Vec<String> = Vec::new();
    for line in events.iter().filter_map(|event| names.line(&event.kind)) {
        match line.as_str() {
            "leave" => {}
            "leave false" => drop(lines.pop()),
            _ => lines.push(line),
        }
    }
    lines
}

#[derive(Default)]
struct Names {
    comms: HashMap<CommId, String>,
    windows: HashMap<WinId, String>,
    types: HashMap<TypeId, String>,
    /// The memory of the windows. Accesses elsewhere are seen or not as the pages lie.
    memory: Vec<std::ops::Range<u64>>,
}

impl Names {
    fn line(&mut self, kind: &EventKind) -> Option<String> {
        Some(match kind {
            EventKind::Init { rank, size, .. } => format!("init {} of {size}", rank.0),
            EventKind::Module(_) | EventKind::Stack { .. } => return None,
            // Of the crate farside only.
            EventKind::Source { .. }
            | EventKind::Notice { .. }
            | EventKind::Seen { .. }
            | EventKind::Ordered { .. }
            | EventKind::FlagSeen { .. }
            | EventKind::Withdrawn { .. }
            | EventKind::Exchange(_)
            | EventKind::Agreed { .. }
            | EventKind::Mistaken { .. }
            | EventKind::Mapped { .. }
            | EventKind::Common(_) => return None,
            EventKind::Scattered(sets) => format!("scattered accesses by {} instructions", sets.len()),
            EventKind::Type { id, map } => {
                self.types.insert(*id, type_map(map));
                return None;
            }
            EventKind::Comm { id, members } => {
                let name = match self.comms.len() {
                    0 => String::from("world"),
                    1 => String::from("self"),
                    n => format!("C{}", n - 1),
                };
                let known = self.comms.insert(*id, name.clone());
                assert_eq!(known, None, "an identity is used once");
                format!("{name} = {}", ranks(members))
            }
            EventKind::Window(window) => {
                let name = format!("W{}", self.windows.len() + 1);
                self.memory.push(window.base..window.base + window.size);
                self.windows.insert(window.id, name.clone());
                let shared: Vec<String> = window
                    .shared
                    .iter()
                    .map(|segment| format!(" {}:{}", segment.owner.0, segment.size))
                    .collect();
                format!(
                    "{name} = {:?} on {} size {} unit {} {:?}{}",
                    window.flavor,
                    self.comms[&window.comm],
                    window.size,
                    window.disp_unit,
                    window.accumulates.ops(),
                    shared.concat()
                )
            }
            EventKind::WindowName { win, name } => format!("name {} {name}", self.windows[win]),
            EventKind::WindowPromises { win, promises } => {
                format!("promises of {} {promises:?}", self.windows[win])
            }
            EventKind::WindowInfo { win, accumulates } => {
                format!("info {} {:?}", self.windows[win], accumulates.ops())
            }
            EventKind::Enter { call, .. } => self.call(call),
            EventKind::Leave(Outcome::Done) => String::from("leave"),
            EventKind::Leave(Outcome::Received { source, tag }) => {
                format!("leave received from {} tag {tag}", rank(*source))
            }
            EventKind::Leave(Outcome::Flag(flag)) => format!("leave {flag}"),
            EventKind::Leave(Outcome::Failed(_)) => String::from("leave failed"),
            EventKind::Operation(operation) => self.operation(operation),
            EventKind::OperationRequestDone { .. } => String::from("operation request done"),
            EventKind::Fetched { value, .. } => format!("fetched {value}"),
            EventKind::ReceiveDone { source, tag, .. } if source.is_none() => {
                let _ = tag;
                String::from("receive cancelled")
            }
            EventKind::ReceiveDone { source, tag, .. } => {
                format!("received from {} tag {tag}", rank(*source))
            }
            EventKind::Probed { source, tag, .. } => format!("probed from {} tag {tag}", source.0),
            EventKind::SendDone { .. } => String::from("send done"),
            EventKind::CollectiveDone { comm, sequence } => {
                format!("collective {sequence} on {} done", self.comms[comm])
            }
            EventKind::Accesses(runs) => {
                let library: Vec<String> = runs
                    .iter()
                    .filter_map(|run| match &run.source {
                        AccessSource::Library(name) if name.starts_with("MPI_") => {
                            let memory = self.memory.iter().find(|memory| memory.contains(&run.base))?;
                            Some(format!(
                                "{:?} {} bytes at {} by {name}",
                                run.kind,
                                run.size * run.inner_count * run.outer_count,
                                run.base - memory.start
                            ))
                        }
                        _ => None,
                    })
                    .collect();
                if library.is_empty() {
                    return None;
                }
                library.join(", ")
            }
            EventKind::Release { .. }
            | EventKind::Acquire { .. }
            | EventKind::Fence
            | EventKind::ThreadLevel { .. }
            | EventKind::ReleaseFenced { .. } => return None,
            EventKind::Shortfall(shortfall) => format!("{shortfall:?}"),
            EventKind::ThreadEnd => String::from("thread ends"),
            EventKind::Exit => String::from("exit"),
            EventKind::Withheld { .. } => {
                unreachable!("a recording has none: it stands for accesses elsewhere")
            }
        })
    }

    fn call(&self, call: &Call) -> String {
        let w = |win: &WinId| self.windows[win].clone();
        match call {
            Call::Fence { win, assertions } => format!("fence {}{}", w(win), asserted(*assertions)),
            Call::Post {
                win,
                group,
                assertions,
            } => {
                format!("post {} to {}{}", w(win), ranks(group), asserted(*assertions))
            }
            Call::Start {
                win,
                group,
                assertions,
            } => {
                format!("start {} to {}{}", w(win), ranks(group), asserted(*assertions))
            }
            Call::Complete { win } => format!("complete {}", w(win)),
            Call::Wait { win, test } => format!("{} {}", if *test { "test" } else { "wait" }, w(win)),
            Call::Lock {
                win,
                target,
                kind,
                assertions,
            } => {
                let kind = if *kind == LockKind::Shared {
                    "shared"
                } else {
                    "exclusive"
                };
                format!("lock {kind} {} at {}{}", w(win), target.0, asserted(*assertions))
            }
            Call::Unlock { win, target } => format!("unlock {} at {}", w(win), target.0),
            Call::LockAll { win, assertions } => format!("lock_all {}{}", w(win), asserted(*assertions)),
            Call::UnlockAll { win } => format!("unlock_all {}", w(win)),
            Call::Flush {
                win, target, local, ..
            } => {
                let local = if *local { "_local" } else { "" };
                format!(
                    "flush{local} {} at {}",
                    w(win),
                    target.map_or("all".into(), |t| t.0.to_string())
                )
            }
            Call::Sync { win } => format!("sync {}", w(win)),
            Call::WinFree { win } => format!("free {}", w(win)),
            Call::WinWithdraw { win } => format!("withdraw {}", w(win)),
            Call::Await { name, of } => format!("{name} of {of:?}"),
            Call::Collective {
                comm,
                sequence,
                direction,
                name,
                request,
            } => format!(
                "{name} {sequence} on {} {}{}",
                self.comms[comm],
                directed(direction),
                if request.is_some() { " requested" } else { "" }
            ),
            Call::Send {
                comm,
                dest,
                tag,
                mode,
                name,
                ..
            } => format!(
                "{name} on {} to {} tag {tag}{}",
                self.comms[comm],
                rank(*dest),
                if *mode == SendMode::Synchronous {
                    " synchronous"
                } else {
                    ""
                }
            ),
            Call::Receive {
                comm,
                source,
                tag,
                name,
                ..
            } => format!(
                "{name} on {} from {} tag {}",
                self.comms[comm],
                rank(*source),
                tag.map_or("any".into(), |tag| tag.to_string())
            ),
            Call::Completion { name } => format!("completion {name}"),
            Call::Attach { win, size, .. } => format!("attach {} size {size}", w(win)),
            Call::Detach { win, .. } => format!("detach {}", w(win)),
            Call::Finalize => String::from("finalize"),
            Call::ThreadWait { .. } => String::from("thread wait"),
        }
    }

    fn operation(&self, operation: &Operation) -> String {
        let mut line = format!(
            "{} {} at {} disp {}: {} x {}",
            operation.kind.call_name(operation.request.is_some()),
            self.windows[&operation.win],
            rank(operation.target),
            operation.displacement,
            operation.target_count,
            self.types[&operation.target_type],
        );
        let parts = [
            ("origin", &operation.origin),
            ("result", &operation.result),
            ("compare", &operation.compare),
        ];
        for (name, buffer) in parts {
            if let Some(Buffer { datatype, count, .. }) = buffer {
                line += &format!(", {name} {count} x {}", self.types[datatype]);
            }
        }
        if let Some(operator) = operation.operator {
            line += &format!(", {operator:?}");
        }
        if let Some(operand) = operation.operand {
            line += &format!(", operand {operand}");
        }
        line
    }
}

fn type_map(map: &TypeMap) -> String {
    let blocks: Vec<String> = map
        .blocks
        .iter()
        .map(|block| {
            let name = &map.basics[block.basic as usize].name;
            if block.count == 1 {
                format!("{}+{} {name}", block.offset, block.length)
            } else {
                format!(
                    "{}+{} {name} {} times by {}",
                    block.offset, block.length, block.count, block.stride
                )
            }
        })
        .collect();
    match blocks.as_slice() {
        [_] if map.blocks[0].offset == 0
            && map.extent == map.size() as i64
            && map.basics[0].size as u64 == map.size() =>
        {
            map.basics[0].name.to_string()
        }
        _ => format!("[{}; extent {}]", blocks.join(", "), map.extent),
    }
}

fn directed(direction: &Direction) -> String {
    match direction {
        Direction::All => String::from("all"),
        Direction::FromRoot(root) => format!("from {}", root.0),
        Direction::ToRoot(root) => format!("to {}", root.0),
        Direction::Prefix => String::from("prefix"),
        Direction::FromNeighbors(sources) => format!("from {}", ranks(sources)),
        Direction::Nothing => String::from("nothing"),
    }
}

fn asserted(a: Assertions) -> String {
    [
        (a.nocheck, " nocheck"),
        (a.nostore, " nostore"),
        (a.noput, " noput"),
        (a.noprecede, " noprecede"),
        (a.nosucceed, " nosucceed"),
    ]
    .iter()
    .filter(|(set, _)| *set)
    .map(|(_, name)| *name)
    .collect()
}

fn rank(rank: Option<Rank>) -> String {
    rank.map_or("any".into(), |rank| rank.0.to_string())
}

fn ranks(ranks: &[Rank]) -> String {
    let list: Vec<String> = ranks.iter().map(|rank| rank.0.to_string()).collect();
    format!("[{}]", list.join(" "))
}
