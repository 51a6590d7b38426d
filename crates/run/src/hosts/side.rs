//! The side of `farside run` of one host: a thread that carries between its agent, the rendezvous and our output.

use super::channels::{Channels, Way};
use super::message::{BUILD, Channel, Goal, Piece, ToAgent, ToHead};
use super::talk::{LOOK, Talk};
use crate::notices::{FromHost, Notice};
use farside_launch::{Address, relay};
use farside_link::{Wire, malformed};
use rustix::event::{EventfdFlags, eventfd};
use std::io::{self, ErrorKind};
use std::net::TcpStream;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long who connects has for showing the token.
const TIME_TO_SHOW: Duration = Duration::from_secs(5);

/// What an agent is to do.
#[derive(Debug)]
pub(super) enum Order {
    /// To start its ranks.
    Start {
        /// The words of the command and the variables of the environment, and the start itself.
        messages: Vec<ToAgent>,
        /// Where output goes.
        outputs: Vec<(u32, Goal, OwnedFd)>,
        /// What rank 0 reads, if it is one of them.
        input: Option<OwnedFd>,
    },
    /// To send a signal.
    Signal(i32),
    /// To end.
    Bye,
}

/// The way to the thread of a host.
#[derive(Debug)]
pub(super) struct Line {
    orders: Sender<Order>,
    wake: Arc<OwnedFd>,
}

/// The other end of a [`Line`].
#[derive(Debug)]
pub(super) struct Orders {
    orders: Receiver<Order>,
    wake: Arc<OwnedFd>,
}

impl Line {
    /// A line, and its end.
    pub(super) fn new() -> io::Result<(Self, Orders)> {
        let (sender, orders) = channel();
        let wake = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
        let ours = Self {
            orders: sender,
            wake: Arc::clone(&wake),
        };
        Ok((ours, Orders { orders, wake }))
    }

    /// To the agent, if it is still there.
    pub(super) fn order(&self, order: Order) {
        let _ = self.orders.send(order);
        let _ = rustix::io::write(&*self.wake, &1_u64.to_ne_bytes());
    }
}

/// What the threads of all hosts know.
#[derive(Debug)]
pub(super) struct Shared {
    /// How agents reach us, and know us.
    address: farside_link::Address,
    rendezvous: Address,
    /// Ends of the lines of hosts whose agents are not there yet.
    awaited: Mutex<Vec<Option<Orders>>>,
}

impl Shared {
    /// How agents reach us and know us, the rendezvous, and the ends of the lines of all hosts.
    pub(super) fn new(address: farside_link::Address, rendezvous: Address, awaited: Vec<Orders>) -> Self {
        Self {
            address,
            rendezvous,
            awaited: Mutex::new(awaited.into_iter().map(Some).collect()),
        }
    }
}

/// Serves who connects: nobody, unless it is an agent of the job. Returns when that is gone or dismissed.
pub(super) fn serve(stream: TcpStream, shared: &Shared, notices: Sender<Notice>) {
    let Ok((mut talk, number, build)) = meet(stream, shared) else {
        return;
    };
    let mut awaited = shared.awaited.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(orders) = awaited.get_mut(number).and_then(Option::take) else {
        return;
    };
    drop(awaited);
    if build != BUILD {
        let words = format!(
            "farside there is of another build ({build}, this is {BUILD}): install the same on all hosts"
        );
        let _ = notices.send(Notice::Host(number, FromHost::Refused(words)));
        let _ = talk.say(&ToAgent::Bye);
        return;
    }
    let mut side = Side {
        number,
        talk,
        channels: Channels::default(),
        orders,
        rendezvous: shared.rendezvous.clone(),
        notices,
    };
    side.tell(FromHost::Here);
    let lost = side.follow().err().map(|error| match error.kind() {
        ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => {
            "its agent is gone, or the whole host".to_owned()
        }
        _ => error.to_string(),
    });
    // Before the rendezvous sees that its ranks are gone.
    side.tell(FromHost::Gone(lost));
}

/// Exchanges greetings. Which host it is, and its build.
fn meet(stream: TcpStream, shared: &Shared) -> io::Result<(Talk, usize, String)> {
    let mut wire = Wire::over(stream, LOOK)?;
    wire.send(&ToAgent::Greeting(shared.address.greeting()))?;
    let end = Instant::now() + TIME_TO_SHOW;
    loop {
        match wire.next()? {
            Some(ToHead::Hello { build, token, number }) if token == shared.address.token() => {
                let number = usize::try_from(number).map_err(io::Error::other)?;
                return Ok((Talk::new(wire), number, build));
            }
            Some(_) => return Err(malformed("no token")),
            None if Instant::now() >= end => return Err(ErrorKind::TimedOut.into()),
            None => _ = wire.receive()?,
        }
    }
}

/// A host whose agent is there.
struct Side {
    number: usize,
    talk: Talk,
    channels: Channels,
    orders: Orders,
    rendezvous: Address,
    notices: Sender<Notice>,
}

impl Side {
    fn tell(&self, news: FromHost) {
        // The job may be over already.
        let _ = self.notices.send(Notice::Host(self.number, news));
    }

    /// Until the agent has ended as it was told. An error says how it was lost.
    fn follow(&mut self) -> io::Result<()> {
        let mut dismissed = false;
        loop {
            let others = [self.talk.stream().as_fd(), self.orders.wake.as_fd()];
            let (ready, channels) = self.channels.wait(&others, self.talk.until_beat())?;
            if ready[0] {
                match self.talk.hear() {
                    Err(_) if dismissed => return Ok(()),
                    heard => heard?,
                }
                while let Some(message) = self.talk.next()? {
                    self.take(message)?;
                }
            }
            for channel in channels {
                let pieces = self.channels.turn(channel);
                self.pass_on(pieces)?;
            }
            if ready[1] {
                let _ = rustix::io::read(&*self.orders.wake, &mut [0; 8]);
            }
            while let Ok(order) = self.orders.orders.try_recv() {
                dismissed |= matches!(order, Order::Bye);
                self.obey(order)?;
            }
            self.talk.beat(&ToAgent::Alive)?;
        }
    }

    fn obey(&mut self, order: Order) -> io::Result<()> {
        match order {
            Order::Start {
                messages,
                outputs,
                input,
            } => self.start(messages, outputs, input),
            Order::Signal(number) => self.talk.say(&ToAgent::Signal(number)),
            Order::Bye => self.talk.say(&ToAgent::Bye),
        }
    }

    fn start(
        &mut self,
        messages: Vec<ToAgent>,
        outputs: Vec<(u32, Goal, OwnedFd)>,
        input: Option<OwnedFd>,
    ) -> io::Result<()> {
        // Before the ranks run: their output may come at once.
        for (rank, goal, fd) in outputs {
            self.channels.open(Channel::Output(rank, goal), fd, Way::In)?;
        }
        messages.iter().try_for_each(|message| self.talk.say(message))?;
        match input {
            Some(input) => self.channels.open(Channel::Input, input, Way::Out),
            None => Ok(()),
        }
    }

    fn take(&mut self, message: ToHead) -> io::Result<()> {
        match message {
            ToHead::Hello { .. } => return Err(malformed("a second greeting")),
            ToHead::Alive => {}
            ToHead::Started { rank, pid, cores } => {
                let cores = cores.into_iter().map(|core| core as usize).collect();
                self.tell(FromHost::Started(rank, pid, cores));
            }
            ToHead::Refused(why) => self.tell(FromHost::Refused(why)),
            ToHead::Opened(number) => {
                let rendezvous = relay::reach(&self.rendezvous)?;
                self.channels
                    .open(Channel::Rendezvous(number), rendezvous, Way::Both)?;
            }
            ToHead::Piece(piece) => {
                let pieces = self.channels.take(piece)?;
                self.pass_on(pieces)?;
            }
            ToHead::Ended { rank, status, left } => {
                self.tell(FromHost::Ended(rank, ExitStatus::from_raw(status), left as usize));
            }
            ToHead::Left(left) => self.tell(FromHost::Left(left as usize)),
        }
        Ok(())
    }

    fn pass_on(&mut self, pieces: Vec<Piece>) -> io::Result<()> {
        pieces
            .into_iter()
            .try_for_each(|piece| self.talk.say(&ToAgent::Piece(piece)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_link::{Address as Way, connect, listen};
    use std::thread::JoinHandle;

    /// A head that awaits one host, its line, and what it hears.
    fn head() -> (Way, Line, Receiver<Notice>, JoinHandle<()>) {
        let listener = listen().unwrap();
        let address = Way::new(listener.local_addr().unwrap().port()).unwrap();
        let (line, orders) = Line::new().unwrap();
        let nowhere = Address::Abstract("farside-nowhere".to_owned());
        let shared = Shared::new(address.clone(), nowhere, vec![orders]);
        let (notices, heard) = channel();
        let thread = std::thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            serve(stream, &shared, notices);
        });
        (address, line, heard, thread)
    }

    /// What a head hears of who says this, and what that one is told then.
    fn met(hello: impl Fn(&Way) -> ToHead) -> (Vec<FromHost>, Option<ToAgent>) {
        let (address, _line, heard, thread) = head();
        let greeting = ToAgent::Greeting(address.greeting());
        let mut wire = connect(&address, LOOK, move |said: &ToAgent| *said == greeting).unwrap();
        wire.send(&hello(&address)).unwrap();
        while let Ok(true) = wire.receive() {}
        let answer = wire.next().ok().flatten();
        drop(wire);
        thread.join().unwrap();
        let news = heard.try_iter().map(|notice| match notice {
            Notice::Host(0, news) => news,
            other => panic!("{other:?}"),
        });
        (news.collect(), answer)
    }

    fn hello(build: &str, token: u128, number: u32) -> ToHead {
        ToHead::Hello {
            build: build.to_owned(),
            token,
            number,
        }
    }

    #[test]
    fn an_agent_is_there_until_it_is_gone() {
        let (news, _) = met(|head| hello(BUILD, head.token(), 0));
        assert_eq!(news[0], FromHost::Here);
        assert!(
            matches!(&news[1], FromHost::Gone(Some(why)) if why.contains("is gone")),
            "{news:?}"
        );
    }

    #[test]
    fn strangers_are_not_heard() {
        assert_eq!(met(|head| hello(BUILD, head.token() ^ 1, 0)), (vec![], None));
        assert_eq!(met(|_| ToHead::Left(0)), (vec![], None));
        assert_eq!(met(|head| hello(BUILD, head.token(), 1)), (vec![], None));
    }

    #[test]
    fn another_build_is_refused_in_words() {
        let (news, answer) = met(|head| hello("0.0.9 hosts 0", head.token(), 0));
        let [FromHost::Refused(why)] = &news[..] else {
            panic!("{news:?}")
        };
        assert!(why.contains("another build (0.0.9 hosts 0, this is "), "{why}");
        assert_eq!(answer, Some(ToAgent::Bye));
    }
}
