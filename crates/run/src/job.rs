//! A job from its request to its end.

use crate::ending::Reason;
use crate::follow::Follow;
use crate::forward::Forward;
use crate::guard::Guard;
use crate::hosts::Head;
use crate::notices::{Notice, Notices};
use crate::ranks::{Part, Ranks};
use crate::request::{Error, News, Request};
use farside_launch::{Address, Server, fresh_name};

/// Runs a job until nothing of it lives. Returns why it was ended before all of its ranks had ended well, if it was.
///
/// Call it in the main thread of a process that does nothing else: the ranks end with the thread that starts them, and
/// every child of this process is waited for.
///
/// # Errors
/// It was not started: nothing of it runs.
pub fn run(request: &Request, tell: &dyn Fn(News<'_>)) -> Result<Option<Reason>, Error> {
    let ours = |error: std::io::Error| Error::NotStarted("the job".into(), error);
    let job = fresh_name().map_err(ours)?;
    let guard = Guard::start(&request.guard, &job).map_err(ours)?;
    let notices = Notices::listen().map_err(ours)?;
    // Not fatal: without it, what leaves its parent is found by the guard only.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::Pid::INIT));
    let news = notices.sender();
    let server = Server::start(
        &Address::Abstract(job.clone()),
        &job,
        request.processes,
        move |event| {
            // The job may be over already.
            let _ = news.send(Notice::Rank(event));
        },
    );
    let server = server.map_err(ours)?;
    let reason = match &request.hosts {
        Some((hosts, shell)) => {
            let head = Head::new(request, (&job, &server), &notices, guard.pid(), tell);
            head.run(hosts, shell)?
        }
        None => {
            let part = Part::whole(request, &job, server.address());
            let mut started = |rank, pid, cores: &[usize]| {
                tell(News::Started {
                    rank,
                    pid,
                    host: None,
                    cores,
                });
            };
            let (mut ranks, outputs, _) = Ranks::start(&part, guard.pid(), &mut started)?;
            let forward = Forward::start(outputs, &request.styles, notices.sender()).map_err(ours)?;
            let reason = Follow::new(request, &mut ranks, &server, &notices, &forward, tell).follow();
            ranks.clear_away();
            reason
        }
    };
    drop(server);
    guard.dismiss();
    Ok(reason)
}
