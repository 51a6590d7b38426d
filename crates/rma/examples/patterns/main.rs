//! The five patterns of the book, over this crate: `farside run -n 4 patterns ring`. With a second word, `forget`, they
//! lack the call that matters, and `farside run --check` says what that means.

mod halo;
mod hash;
mod lock;
mod queue;
mod ring;

use farside::Result;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let forget = words.get(1) == Some(&"forget");
    let program = match words[..] {
        ["halo"] => halo::run,
        ["ring"] | ["ring", "forget"] => ring::run,
        ["lock"] | ["lock", "forget"] => lock::run,
        ["queue"] | ["queue", "forget"] => queue::run,
        ["hash"] | ["hash", "forget"] => hash::run,
        _ => {
            eprintln!("say halo, or one of ring, lock, queue, hash, and forget after it");
            std::process::exit(2);
        }
    };
    farside::run(|world| program(world, forget))?;
    Ok(())
}
