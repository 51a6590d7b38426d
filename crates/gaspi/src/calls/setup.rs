//! Configuration, beginning and end, connections, states (GASPI 17.1 §5).

use super::{Out, calls};
use crate::abi::{Failure, Number, Rank, State, TEST, Timeout};
use crate::config::Config;
use crate::job::{self, job};

calls! {
    /// The configuration (§5.2.1).
    pgaspi_config_get, gaspi_config_get(config: Out<Config>) {
        config.give(job::config())
    }

    /// Sets the configuration, before `gaspi_proc_init` (§5.2.2).
    pgaspi_config_set, gaspi_config_set(config: Config) {
        job::configure(config)
    }

    /// Joins the job (§5.3.1). Waits as long as the launcher does (`FARSIDE_BOOT_LIMIT`), whatever the timeout.
    pgaspi_proc_init, gaspi_proc_init(_timeout: Timeout) {
        job::initialise()
    }

    /// Ends the job, once all ranks call it (§5.3.4).
    pgaspi_proc_term, gaspi_proc_term(timeout: Timeout) {
        job::terminate(timeout)
    }

    /// Whether `gaspi_proc_init` was called: 1, or 0 (GPI-2).
    pgaspi_initialized, gaspi_initialized(initialized: Out<Number>) {
        initialized.give(job::is_initialised().into())
    }

    /// The own rank (§5.3.2).
    pgaspi_proc_rank, gaspi_proc_rank(rank: Out<Rank>) {
        let job = job()?;
        rank.give(job.net().rank() as Rank)
    }

    /// Number of ranks (§5.3.3).
    pgaspi_proc_num, gaspi_proc_num(number: Out<Rank>) {
        let job = job()?;
        number.give(job.net().size() as Rank)
    }

    /// The place of this rank among those of its machine (GPI-2).
    pgaspi_proc_local_rank, gaspi_proc_local_rank(rank: Out<Rank>) {
        let job = job()?;
        rank.give(job.board().neighbours().1 as Rank)
    }

    /// Number of ranks of this machine (GPI-2).
    pgaspi_proc_local_num, gaspi_proc_local_num(number: Out<Rank>) {
        let job = job()?;
        number.give(job.board().neighbours().0 as Rank)
    }

    /// Ends another rank at once (§5.3.5): by a signal on this machine; elsewhere when it calls this library.
    pgaspi_proc_kill, gaspi_proc_kill(rank: Rank, _timeout: Timeout) {
        let job = job()?;
        let rank = job.net().known(rank)?;
        if rank == job.net().rank() {
            return Err(Failure::RANK);
        }
        let Some(process) = job.board().process(rank) else {
            return job.net().send_kill(rank);
        };
        if job.net().states().nth(rank as usize) == Some(crate::abi::CORRUPT) {
            return Ok(());
        }
        // SAFETY: sends a signal; the process is that of a rank which, as far as is known, still runs.
        match unsafe { libc::kill(process, libc::SIGKILL) } {
            0 => Ok(()),
            _ => Err(Failure::ERROR),
        }
    }

    /// Whether a rank can be reached (GPI-2).
    pgaspi_proc_ping, gaspi_proc_ping(rank: Rank, _timeout: Timeout) {
        let job = job()?;
        let rank = job.net().known(rank)?;
        let looked = job.net().wait(TEST, &|other| other == rank, &mut || Ok(false));
        match looked {
            Err(Failure::TIMEOUT) => Ok(()),
            other => other,
        }
    }

    /// Prepares communication with a rank (§5.4.1). Nothing is left to do.
    pgaspi_connect, gaspi_connect(rank: Rank, _timeout: Timeout) {
        job()?.net().known(rank).map(drop)
    }

    /// Ends communication with a rank (§5.4.2). Nothing is given back before the end.
    pgaspi_disconnect, gaspi_disconnect(rank: Rank, _timeout: Timeout) {
        job()?.net().known(rank).map(drop)
    }

    /// Which ranks are lost (§5.5).
    pgaspi_state_vec_get, gaspi_state_vec_get(states: Out<State>) {
        let job = job()?;
        states.give_all(job.net().states())
    }
}
