//! The agent of a host: starts its ranks, and carries what they say; ends them, and itself, when the head says so, is
//! gone or silent.
//!
//! One thread does everything in turn. That a rank has ended is said after all that it had said to the rendezvous.

use super::channels::{Channels, Way};
use super::message::{BUILD, Channel, Goal, Piece, Summons, ToAgent, ToHead};
use super::talk::{LOOK, Talk};
use crate::cores::Pinning;
use crate::crew::Crew;
use crate::guard::Guard;
use crate::ranks::{Node, Outputs, Part, Ranks};
use farside_collect::node;
use farside_launch::Address;
use farside_launch::relay::Relay;
use farside_link as link;
use farside_processes::plain;
use signal_hook::consts::signal::SIGCHLD;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::ops::Range;
use std::os::fd::AsFd as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::ChildStdin;
use std::time::Duration;

/// Between two looks at what the ranks have left.
const TICK: Duration = Duration::from_millis(20);
/// Variables that belong to a host, or to a login there: those of the head are not passed on.
const OF_A_HOST: [&str; 10] = [
    "HOSTNAME",
    "HOST",
    "SSH_CLIENT",
    "SSH_CONNECTION",
    "SSH_TTY",
    "SSH_AUTH_SOCK",
    "XDG_RUNTIME_DIR",
    "XDG_SESSION_ID",
    "DBUS_SESSION_BUS_ADDRESS",
    "INVOCATION_ID",
];

/// The agent's whole life: in the main thread of a process that does nothing else. `guard`: as for
/// [`Request`](crate::Request).
///
/// # Errors
/// It was not summoned, or the head cannot be reached: for people, on stderr, which the head reads.
pub fn agent(guard: &[OsString]) -> Result<(), String> {
    let summons = Summons::read(&mut io::stdin().lock()).map_err(|error| {
        format!("farside run starts this on other hosts, and tells it why by its stdin: {error}")
    })?;
    // While there is one thread: see `settle`.
    let spool = summons.check().and_then(|(spool, front)| {
        let spool = Path::new(OsStr::from_bytes(spool));
        let home = node::settle(spool, &farside_collect::Address::parse(front)?)?;
        let (name, folder) = home.variable();
        Some((OsString::from(name), folder.as_os_str().to_owned()))
    });
    let head = summons.head().map_err(|error| error.to_string())?;
    let greeting = ToAgent::Greeting(head.greeting());
    let wire = link::connect(&head, LOOK, move |said: &ToAgent| *said == greeting)
        .map_err(|error| format!("no way back to farside run from here: {error}"))?;
    let mut talk = Talk::new(wire);
    let hello = ToHead::Hello {
        build: BUILD.to_owned(),
        token: head.token(),
        number: summons.number(),
    };
    // From here on the head hears what is wrong; when it is gone, nobody does.
    let _ = talk
        .say(&hello)
        .and_then(|()| serve(talk, &summons, spool, guard));
    Ok(())
}

/// What the head wants started.
struct Wanted {
    command: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    job: String,
    folder: PathBuf,
    ranks: Range<u32>,
    size: u32,
    transport: Option<String>,
    pinning: Pinning,
}

/// Until the head wants no more. An error says that it is gone. `spool`: a variable for the ranks.
fn serve(
    mut talk: Talk,
    summons: &Summons,
    spool: Option<(OsString, OsString)>,
    guard: &[OsString],
) -> io::Result<()> {
    let Some(mut wanted) = wanted(&mut talk)? else {
        return Ok(());
    };
    wanted.environment.extend(spool);
    let guard = match Guard::start(guard, &boot_of(&wanted.job, summons.number())) {
        Ok(guard) => guard,
        Err(error) => return refuse(talk, &format!("cannot start the guard: {error}")),
    };
    let result = match Agent::start(&mut talk, summons.number(), &wanted, guard.pid()) {
        Ok(mut agent) => {
            let result = agent.follow(&mut talk);
            agent.end();
            result
        }
        Err(why) => refuse(talk, &why),
    };
    guard.dismiss();
    result
}

/// The head's orders up to the start; `None` if there is none.
fn wanted(talk: &mut Talk) -> io::Result<Option<Wanted>> {
    let (mut command, mut environment) = (Vec::new(), own_variables());
    loop {
        talk.hear()?;
        while let Some(message) = talk.next()? {
            match message {
                ToAgent::Word(word) => command.push(OsString::from_vec(word)),
                ToAgent::Variable(name, value) => {
                    let name = OsString::from_vec(name);
                    if !OF_A_HOST.iter().any(|&own| name == own) {
                        environment.push((name, OsString::from_vec(value)));
                    }
                }
                ToAgent::Start {
                    job,
                    folder,
                    ranks,
                    size,
                    transport,
                    pinning,
                } => {
                    return Ok(Some(Wanted {
                        command,
                        environment,
                        job,
                        folder: OsString::from_vec(folder).into(),
                        ranks,
                        size,
                        transport,
                        pinning,
                    }));
                }
                ToAgent::Bye => return Ok(None),
                _ => {}
            }
        }
        talk.beat(&ToHead::Alive)?;
    }
}

/// The name of the rendezvous here: two hosts of a job may be one machine.
fn boot_of(job: &str, number: u32) -> String {
    format!("{job}-{number}")
}

/// What this host's login says of the host.
fn own_variables() -> Vec<(OsString, OsString)> {
    std::env::vars_os()
        .filter(|(name, _)| OF_A_HOST.iter().any(|&own| name == own))
        .collect()
}

/// Says why nothing runs here, and waits until the head has read it.
fn refuse(mut talk: Talk, why: &str) -> io::Result<()> {
    talk.say(&ToHead::Refused(plain(why)))?;
    loop {
        talk.hear()?;
        while let Some(message) = talk.next::<ToAgent>()? {
            if message == ToAgent::Bye {
                return Ok(());
            }
        }
        talk.beat(&ToHead::Alive)?;
    }
}

/// An agent whose ranks run.
struct Agent {
    ranks: Ranks,
    channels: Channels,
    relay: Relay,
    /// Readable when a child may have ended.
    children: UnixStream,
    /// Connections with the rendezvous so far.
    connections: u64,
    /// What was said last of the processes that the ranks have left.
    left: Option<u32>,
}

impl Agent {
    fn start(talk: &mut Talk, number: u32, wanted: &Wanted, guard: u32) -> Result<Self, String> {
        let folder = &wanted.folder;
        std::env::set_current_dir(folder)
            .map_err(|error| format!("the working folder {} is not there: {error}", folder.display()))?;
        // Not fatal: without it, what leaves its parent is found by the guard only.
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::Pid::INIT));
        let cannot = |error: io::Error| format!("the agent cannot work there: {error}");
        let (children, told) = UnixStream::pair().map_err(cannot)?;
        children.set_nonblocking(true).map_err(cannot)?;
        signal_hook::low_level::pipe::register(SIGCHLD, told).map_err(cannot)?;
        let boot = Address::Abstract(boot_of(&wanted.job, number));
        let relay = Relay::bind(&boot).map_err(cannot)?;
        let here = Part::some(
            (&wanted.command, &wanted.environment),
            (&wanted.job, &boot),
            (wanted.ranks.clone(), wanted.size),
            wanted.transport.as_deref(),
            Node::Host(number),
            wanted.pinning,
        );
        let mut started = Vec::new();
        let (ranks, outputs, input) = Ranks::start(&here, guard, &mut |rank, pid, cores| {
            let cores = cores.iter().map(|&core| core as u32).collect();
            started.push(ToHead::Started { rank, pid, cores });
        })
        .map_err(|error| error.to_string())?;
        let mut agent = Self {
            ranks,
            channels: Channels::default(),
            relay,
            children,
            connections: 0,
            left: None,
        };
        let opened = agent.open(wanted.ranks.start, outputs, input);
        let said = started.iter().try_for_each(|message| talk.say(message));
        if let Err(error) = opened.and(said) {
            agent.end();
            return Err(cannot(error));
        }
        Ok(agent)
    }

    fn open(&mut self, first: u32, outputs: Outputs, input: Option<ChildStdin>) -> io::Result<()> {
        for (rank, (stdout, stderr)) in (first..).zip(outputs) {
            for (goal, fd) in [(Goal::Stdout, stdout), (Goal::Stderr, stderr)] {
                self.channels.open(Channel::Output(rank, goal), fd, Way::Out)?;
            }
        }
        match input {
            Some(input) => self.channels.open(Channel::Input, input.into(), Way::In),
            None => Ok(()),
        }
    }

    /// Until the head wants no more; an error if it is gone.
    fn follow(&mut self, talk: &mut Talk) -> io::Result<()> {
        loop {
            let mut limit = talk.until_beat();
            if self.left.is_some_and(|left| left > 0) {
                limit = limit.min(TICK);
            }
            let others = [talk.stream().as_fd(), self.children.as_fd(), self.relay.as_fd()];
            let (ready, channels) = self.channels.wait(&others, limit)?;
            if ready[0] {
                talk.hear()?;
                while let Some(message) = talk.next()? {
                    if !self.obey(talk, message)? {
                        return Ok(());
                    }
                }
            }
            self.accept(talk)?;
            for channel in channels {
                pass_on(talk, self.channels.turn(channel))?;
            }
            if ready[1] {
                self.reap(talk)?;
            }
            if self.left.is_some() {
                self.look(talk)?;
            }
            talk.beat(&ToHead::Alive)?;
        }
    }

    /// Whether more is wanted.
    fn obey(&mut self, talk: &mut Talk, message: ToAgent) -> io::Result<bool> {
        match message {
            ToAgent::Piece(piece) => pass_on(talk, self.channels.take(piece)?)?,
            ToAgent::Signal(number) => self.ranks.signal(number),
            ToAgent::Bye => return Ok(false),
            ToAgent::Alive => {}
            ToAgent::Greeting(_) | ToAgent::Word(_) | ToAgent::Variable(..) | ToAgent::Start { .. } => {
                return Err(link::malformed("the ranks were started before"));
            }
        }
        Ok(true)
    }

    /// Takes in processes that look for the rendezvous.
    fn accept(&mut self, talk: &mut Talk) -> io::Result<()> {
        while let Some(process) = self.relay.accept() {
            let number = self.connections;
            self.connections += 1;
            self.channels
                .open(Channel::Rendezvous(number), process, Way::Both)?;
            talk.say(&ToHead::Opened(number))?;
        }
        Ok(())
    }

    /// Says which ranks have ended, after what they had to say.
    fn reap(&mut self, talk: &mut Talk) -> io::Result<()> {
        // Each end writes a byte; what is left says that one more look is needed.
        let mut bytes = [0; 256];
        let _ = (&self.children).read(&mut bytes);
        let ended = self.ranks.reap();
        if ended.is_empty() {
            return Ok(());
        }
        self.accept(talk)?;
        pass_on(talk, self.channels.drain())?;
        let left = match self.ranks.all_ended() {
            true => *self.left.insert(self.ranks.living() as u32),
            false => 0,
        };
        for rank in ended {
            // It was reaped, so its status is known.
            let status = self
                .ranks
                .process(rank)
                .ended()
                .map_or(0, |status| status.into_raw());
            talk.say(&ToHead::Ended { rank, status, left })?;
        }
        Ok(())
    }

    /// Says how many processes the ranks have left, if that has changed.
    fn look(&mut self, talk: &mut Talk) -> io::Result<()> {
        let left = self.ranks.living() as u32;
        if self.left.replace(left) != Some(left) {
            talk.say(&ToHead::Left(left))?;
        }
        Ok(())
    }

    /// Nothing of the ranks lives when this returns.
    fn end(&mut self) {
        // Who writes to nobody learns it.
        self.channels = Channels::default();
        self.ranks.remove();
        self.ranks.clear_away();
    }
}

fn pass_on(talk: &mut Talk, pieces: Vec<Piece>) -> io::Result<()> {
    pieces
        .into_iter()
        .try_for_each(|piece| talk.say(&ToHead::Piece(piece)))
}
