//! The conformance suite of transports, as the program of a job: `farside run -n 4 --transport ofi:net -- suite [ROUNDS
//! [MIB [PART]]]`.
//!
//! ROUNDS says how often is repeated what may go wrong now and then, MIB how large the largest transfer is, PART
//! selects the checks whose names contain it. Rank 0 prints the names of the checks and how many passed. The status is
//! 1 if one fails.

use farside_conform::ranks;
use farside_fabric::conformance::{self, Extent};
use farside_fabric_sim::Network;
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: u32| words.get(at).map_or(Ok(usual), |word| word.parse());
    let (Ok(rounds), Ok(large)) = (number(0, 60), number(1, 16)) else {
        eprintln!("usage: suite [ROUNDS [MIB [PART]]]");
        return ExitCode::from(2);
    };
    let extent = Extent {
        limit: Duration::from_secs(300),
        rounds,
        large: (large as usize) << 20,
    };
    let part = words.get(2).map_or("", String::as_str);
    let result = ranks::on_each(&Network::ethernet_100g(), |fabric| {
        let passed = conformance::run(fabric, extent, part, &mut |name| {
            if fabric.rank() == 0 {
                println!("{name}");
            }
        });
        match passed {
            Ok(number) if fabric.rank() == 0 => {
                println!(
                    "{number} checks passed over {}, {} ranks",
                    fabric.capabilities().transport,
                    fabric.size()
                );
            }
            Ok(_) => {}
            Err(failure) => {
                eprintln!("suite: {failure}");
                // The launcher ends the job.
                std::process::exit(1);
            }
        }
    });
    match result {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("suite: {error}");
            ExitCode::FAILURE
        }
    }
}
