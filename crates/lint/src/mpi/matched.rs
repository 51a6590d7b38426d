//! Matched probes (MPI-4.1 §3.8.2): a message that was probed for belongs to its handle until it is received.

use super::SUCCESS;
use super::message::Message;
use crate::execute::Flow;
use crate::job::Job;
use crate::thread::Site;
use crate::value::Scalar;

/// The handle of the message that `MPI_PROC_NULL` sends. Messages have positive numbers.
const NO_PROC: u64 = 0;

/// A message that belongs to a handle, and the communicator that it was probed in.
#[derive(Clone, Debug)]
pub(crate) struct Matched {
    message: Message,
    comm: Scalar,
}

impl Job<'_> {
    /// `MPI_Mprobe(source, tag, comm, message, status)`, `MPI_Improbe(source, tag, comm, flag, message, status)`.
    pub(crate) fn matched_probe_call(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        let immediate = name == "MPI_Improbe";
        let (probe, result, status) = match immediate {
            true => ("MPI_Iprobe", a[4].bits, a[5]),
            false => ("MPI_Probe", a[3].bits, a[4]),
        };
        let arguments = match immediate {
            true => [a[0], a[1], a[2], a[3], status],
            false => [a[0], a[1], a[2], status, Scalar::default()],
        };
        let flow = self.probe_call(site, probe, &arguments);
        if a[0].signed32() == self.abi.proc_null {
            self.put_handle(site, result, NO_PROC);
            return flow;
        }
        if let Flow::Return(_) = flow
            && let Some(message) = self.take_probed(site, a)
        {
            let number = message.number;
            let comm = a[2];
            self.mail.matched.insert(number, Matched { message, comm });
            self.put_handle(site, result, number);
        }
        flow
    }

    /// `MPI_Mrecv(buf, count, datatype, message, status)`, `MPI_Imrecv(buf, count, datatype, message, request)`.
    pub(crate) fn matched_receive_call(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        let number = self.handle_at(site, a[3].bits);
        let Some(Matched { message, comm }) = self.mail.matched.remove(&number) else {
            return self.receive_nothing(site, name, a);
        };
        let source = self.rank_in(site.rank, message.comm, message.from);
        let number = |value: i32| Scalar::known(u64::from(value as u32));
        let (source, tag) = (number(source), number(message.tag));
        // It is the first message that fits, so that the receive gets it at once.
        self.mail.messages.insert(0, message);
        match name {
            "MPI_Mrecv" => self.receive_call(site, name, &[a[0], a[1], a[2], source, tag, comm, a[4]], None),
            _ => {
                let ignore = Scalar::known(self.abi.status_ignore);
                let arguments = [a[0], a[1], a[2], source, tag, comm, ignore];
                self.receive_call(site, name, &arguments, Some(a[4].bits))
            }
        }
    }

    /// The message of `MPI_PROC_NULL` is empty and there at once.
    fn receive_nothing(&mut self, site: &Site, name: &str, a: &[Scalar]) -> Flow {
        if name == "MPI_Mrecv" {
            self.put_status(site, a[4].bits, self.abi.proc_null, self.abi.any_tag, 0);
        } else {
            let null = self.abi.null("request");
            self.put_handle(site, a[4].bits, null);
        }
        SUCCESS
    }

    fn take_probed(&mut self, site: &Site, a: &[Scalar]) -> Option<Message> {
        let comm = self.comm(site, a[2].bits)?;
        let source = (a[0].signed32() != self.abi.any_source)
            .then(|| self.peer(&comm, a[0].signed32()))
            .flatten();
        let tag = Some(a[1].signed32()).filter(|tag| *tag != self.abi.any_tag);
        let (_, _, _, number) = self.probe(site.rank, comm.id, source, tag)?;
        let messages = &mut self.mail.messages;
        let position = messages.iter().position(|message| message.number == number)?;
        Some(messages.remove(position))
    }
}
