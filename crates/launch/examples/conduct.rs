//! A rank that does what it is told, well or badly: the test program of `farside run`.
//!
//! Each argument is a step. A step that begins with `@R:` is for rank R only.
//!
//! | step | what |
//! |---|---|
//! | `connect`, `fence`, `finish` | calls of the launcher; an error is printed and ends the program with status 1 |
//! | `leave` | closes the connection to the launcher without a word |
//! | `print:TEXT`, `error:TEXT`, `part:TEXT` | a line to stdout, a line to stderr, text without the end of a line |
//! | `echo` | stdin to stdout |
//! | `watch` | waits until the launcher says that a rank is lost, and prints which |
//! | `sleep` | sleeps for ten minutes |
//! | `exit:N`, `signal:N` | ends by this status, or by this signal sent to itself |
//! | `deaf` | lets SIGTERM and SIGINT pass |
//! | `orphan` | starts `sleep 600` and forgets it |

use farside_launch::Bootstrap;
use std::io::{Read as _, Write as _};
use std::process::{Command, exit};
use std::time::Duration;

fn main() {
    let mut job = None;
    for argument in std::env::args().skip(1) {
        let step = match argument.strip_prefix('@').and_then(|rest| rest.split_once(':')) {
            Some((rank, _)) if std::env::var("FARSIDE_RANK").as_deref() != Ok(rank) => continue,
            Some((_, step)) => step.to_owned(),
            None => argument,
        };
        if let Err(error) = perform(&step, &mut job) {
            eprintln!("{error}");
            exit(1);
        }
    }
}

type Failure = Box<dyn std::error::Error>;

fn perform(step: &str, job: &mut Option<Box<dyn Bootstrap>>) -> Result<(), Failure> {
    let (word, text) = step.split_once(':').unwrap_or((step, ""));
    let joined = || job.as_deref().ok_or("not connected");
    match word {
        "connect" => *job = Some(farside_launch::connect()?),
        "leave" => *job = None,
        "fence" => joined()?.fence()?,
        "finish" => joined()?.finish()?,
        "print" => println!("{text}"),
        "error" => eprintln!("{text}"),
        "part" => {
            print!("{text}");
            std::io::stdout().flush()?;
        }
        "echo" => {
            let mut input = String::new();
            std::io::stdin().read_to_string(&mut input)?;
            print!("{input}");
        }
        "watch" => loop {
            if let Some(rank) = joined()?.lost() {
                println!("lost: {rank}");
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        },
        "sleep" => std::thread::sleep(Duration::from_secs(600)),
        "exit" => exit(text.parse()?),
        "signal" => {
            let kill = Command::new("kill")
                .args([format!("-{text}"), std::process::id().to_string()])
                .status()?;
            return Err(format!("still there after kill: {kill}").into());
        }
        "deaf" => {
            for signal in [libc::SIGTERM, libc::SIGINT] {
                // SAFETY: SIG_IGN is a valid disposition of these signals, and no handler is replaced.
                unsafe { libc::signal(signal, libc::SIG_IGN) };
            }
        }
        "orphan" => drop(Command::new("sleep").arg("600").spawn()?),
        other => return Err(format!("no such step: {other}").into()),
    }
    Ok(())
}
