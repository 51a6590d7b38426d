//! A rank that is lost: the others learn of it, and nothing hangs.

use super::{Checked, Extent, Rig, ensure};
use crate::{Error, Fabric, Rank};
use std::time::Duration;

/// Tag of the messages that let the victim die.
const GO: u64 = 10;

/// All ranks call this; the last one dies by `die`, which does not return in a process of its own, and ends the rank
/// otherwise. Passes at the others if their waiting calls end with [`Error::PeerLost`] and the right rank.
///
/// # Errors
/// What was seen instead.
pub fn lose(fabric: &dyn Fabric, extent: Extent, die: &mut dyn FnMut()) -> Checked {
    let rig = Rig::new(fabric, extent);
    let victim: Rank = rig.size() - 1;
    let shared = rig.share(4096)?;
    rig.put(&shared, rig.next(), 0, &[1; 8])?;
    rig.flush(&shared)?;
    if rig.rank() == victim {
        // Not before all others have nothing left but to wait.
        for rank in 0..victim {
            rig.message(rank, GO)?;
        }
        die();
        return Ok(());
    }
    fabric.send(victim, GO, &[])?;
    let ended = rig.until(&mut || Ok(false));
    ensure!(
        ended == Err(Error::PeerLost { rank: victim }),
        "a wait ended with {ended:?}, and rank {victim} is lost"
    );
    ensure!(
        rig.fabric.lost() == Some(victim),
        "lost() is {:?}",
        rig.fabric.lost()
    );
    // The next wait says so as well, at once.
    let again = rig
        .fabric
        .wait(Some(Duration::from_secs(3600)), &mut || Ok(false));
    ensure!(
        again == Err(Error::PeerLost { rank: victim }),
        "a second wait ended with {again:?}"
    );
    // Operations on the memory of a lost rank may fail or not, but they end.
    let _ = rig.put(&shared, victim, 0, &[1; 8]);
    let _ = rig.fabric.flush(shared.scope, Some(victim));
    let ended = rig.fabric.finish();
    ensure!(ended.is_err(), "the job ended as if all ranks were there");
    Ok(())
}
