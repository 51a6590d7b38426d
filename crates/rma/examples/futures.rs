//! Requests and notices as futures, by an executor of tokio: rank 0 waits for what all others send, while it fetches
//! from all of them and does something else each millisecond.
//!
//! `farside run -n 4 target/release/examples/futures`

use farside::{Result, Window, World};
use std::cell::Cell;
use std::time::Duration;

/// What rank 0 had of the others: the sum of what they put, and of what it fetched; and how often it did the other
/// thing.
fn program(world: &World) -> Result<(u64, u64, u32)> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("the system gives a timer");
    let (me, size) = (world.rank(), world.size());
    let mut window = Window::create(world, vec![u64::from(me); size as usize])?.into_passive()?;
    let mine = [10 * u64::from(me)];
    let sums = window.lock_all(|epoch| {
        if me > 0 {
            std::thread::sleep(Duration::from_millis(10) * me);
            epoch.put_notify(&mine, 0, me as usize, me)?;
            return Ok((0, 0, 0));
        }
        let ticks = Cell::new(0);
        let received = async {
            let mut sum = 0;
            for _ in 1..size {
                let notice = epoch.next_notice(None).await?;
                sum += epoch.direct(0)?.load(notice.number as usize)?;
            }
            Ok::<_, farside::Error>(sum)
        };
        let fetched = async {
            let mut sum = 0;
            for rank in 1..size {
                sum += epoch.rget(vec![0], rank, 0)?.await?[0];
            }
            Ok::<_, farside::Error>(sum)
        };
        let ticking = async {
            loop {
                tokio::time::sleep(Duration::from_millis(1)).await;
                ticks.set(ticks.get() + 1);
            }
        };
        let (received, fetched) = runtime.block_on(async {
            tokio::select! {
                both = async { tokio::join!(received, fetched) } => both,
                () = ticking => unreachable!("it goes on for ever"),
            }
        });
        Ok((received?, fetched?, ticks.get()))
    })?;
    window.free()?;
    Ok(sums)
}

fn main() -> Result<()> {
    farside::run(|world| {
        let (received, fetched, ticks) = program(world)?;
        if world.rank() == 0 {
            let others: u64 = (1..u64::from(world.size())).sum();
            assert_eq!((received, fetched), (10 * others, others));
            println!(
                "received {received}, fetched {fetched}, and ticked meanwhile: {}",
                ticks > 0
            );
        }
        Ok(())
    })?;
    Ok(())
}
