//! What the machine of paper 002 must have done in Table 1: a cost model of the three collective calls, fitted to all
//! of its 18 figures at once.
//!
//! A call of n ranks (a power of two) is rounds of messages, and what it takes is a sum of [`Term`]s: each counts
//! something of the call, by its algorithm and n alone, and has one constant that is the same in all three columns. The
//! constants are those with the least sum of squares of relative errors, none below zero. [`fit`] does it for a choice
//! of algorithms, so that choices can be compared; [`Fit::prediction`] gives figures that were left out of it.
//!
//! Limits: a sum fits what adds up, not why. Two explanations that count the same are one term here. The figures are
//! those of the paper, two digits after the point, without a spread.

use farside_measurements::paper::{ALLREDUCE, BARRIER, REDUCE_SCATTER};

/// Bytes of what is reduced, in the table.
const KIB: f64 = 256.0 / 1024.0;

/// A column of Table 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Barrier.
    Barrier,
    /// Allreduce of 256 bytes.
    Allreduce,
    /// Reduce-scatter of 256 bytes.
    ReduceScatter,
}

impl Column {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 3] = [Self::Barrier, Self::Allreduce, Self::ReduceScatter];

    /// Its name, as in [`farside_measurements::paper::table_1`].
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Barrier => "barrier",
            Self::Allreduce => "allreduce",
            Self::ReduceScatter => "reduce-scatter",
        }
    }

    /// Ranks and microseconds.
    #[must_use]
    pub fn figures(self) -> [(u32, f64); 6] {
        match self {
            Self::Barrier => BARRIER,
            Self::Allreduce => ALLREDUCE,
            Self::ReduceScatter => REDUCE_SCATTER,
        }
    }
}

/// How a call may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Barrier: in round k to the rank 2^k further on, from the one 2^k before.
    Dissemination,
    /// Barrier: in round k with the rank whose number differs in bit k.
    PairedBarrier,
    /// Allreduce: all bytes with the rank whose number differs in bit k.
    RecursiveDoubling,
    /// Allreduce: a binomial tree to rank 0, and one from there.
    ReduceAndBroadcast,
    /// Reduce-scatter: half of the bytes that are left with the rank whose number differs in bit k.
    RecursiveHalving,
    /// Reduce-scatter: its part with each of the other ranks.
    Pairwise,
}

impl Algorithm {
    /// Those of a column.
    #[must_use]
    pub fn of(column: Column) -> [Self; 2] {
        match column {
            Column::Barrier => [Self::Dissemination, Self::PairedBarrier],
            Column::Allreduce => [Self::RecursiveDoubling, Self::ReduceAndBroadcast],
            Column::ReduceScatter => [Self::RecursiveHalving, Self::Pairwise],
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Dissemination => "dissemination",
            Self::PairedBarrier => "exchange in pairs",
            Self::RecursiveDoubling => "recursive doubling",
            Self::ReduceAndBroadcast => "reduce and broadcast",
            Self::RecursiveHalving => "recursive halving",
            Self::Pairwise => "pairwise",
        }
    }

    /// Messages one after the other on the longest way through the call.
    fn rounds(self, ranks: u32) -> f64 {
        let logarithm = f64::from(ranks.ilog2());
        match self {
            Self::ReduceAndBroadcast => 2.0 * logarithm,
            Self::Pairwise => f64::from(ranks - 1),
            _ => logarithm,
        }
    }

    /// Rounds in which a rank sends to another one than it receives from.
    fn two_partners(self, ranks: u32) -> f64 {
        let rounds = self.rounds(ranks);
        match self {
            // Half the ranks further on is half the ranks before.
            Self::Dissemination | Self::Pairwise => rounds - 1.0,
            _ => 0.0,
        }
    }

    /// Kibibytes that travel in the rounds.
    fn kibibytes(self, ranks: u32) -> f64 {
        match self {
            Self::Dissemination | Self::PairedBarrier => 0.0,
            Self::RecursiveDoubling | Self::ReduceAndBroadcast => self.rounds(ranks) * KIB,
            Self::RecursiveHalving | Self::Pairwise => (1.0 - 1.0 / f64::from(ranks)) * KIB,
        }
    }
}

/// A thing that costs, and is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// A call that has data: once.
    Call,
    /// A round.
    Round,
    /// A round with two partners, in addition.
    TwoPartners,
    /// A kibibyte on its way: copies, the wire, and the reduction.
    Kibibyte,
    /// A round, in addition and once for each partner that a rank has in the call.
    Partner,
    /// The adapter turns to another partner than the one before, to send or to receive: what `Network::connection` is.
    Change,
}

impl Term {
    /// What explains the table best.
    pub const BEST: [Self; 5] = [
        Self::Call,
        Self::Round,
        Self::TwoPartners,
        Self::Kibibyte,
        Self::Partner,
    ];

    /// What the virtual network has.
    pub const OF_THE_NETWORK: [Self; 3] = [Self::Round, Self::Change, Self::Kibibyte];

    /// What it is, in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Call => "a call with data",
            Self::Round => "a round",
            Self::TwoPartners => "a round with two partners, in addition",
            Self::Kibibyte => "a KiB: copies, wire, reduction",
            Self::Partner => "a round, for each partner of the call",
            Self::Change => "a change of partner",
        }
    }

    /// How often a call has it.
    fn count(self, algorithm: Algorithm, ranks: u32) -> f64 {
        let rounds = algorithm.rounds(ranks);
        let two = algorithm.two_partners(ranks);
        match self {
            Self::Call => match algorithm {
                Algorithm::Dissemination | Algorithm::PairedBarrier => 0.0,
                _ => 1.0,
            },
            Self::Round => rounds,
            Self::TwoPartners => two,
            Self::Kibibyte => algorithm.kibibytes(ranks),
            Self::Partner => rounds * f64::from(ranks.ilog2()),
            // With one partner for ever nothing changes.
            Self::Change if ranks == 2 => 0.0,
            Self::Change => rounds + two,
        }
    }
}

/// Constants that were fitted.
#[derive(Clone, Debug)]
pub struct Fit {
    algorithms: [Algorithm; 3],
    constants: Vec<(Term, f64)>,
}

impl Fit {
    /// Microseconds, by term.
    #[must_use]
    pub fn constants(&self) -> &[(Term, f64)] {
        &self.constants
    }

    /// Microseconds of a call.
    #[must_use]
    pub fn prediction(&self, column: Column, ranks: u32) -> f64 {
        let algorithm = self.algorithms[column as usize];
        let takes = |&(term, constant): &(Term, f64)| constant * term.count(algorithm, ranks);
        self.constants.iter().map(takes).sum()
    }

    /// The share by which a figure of the table is missed.
    fn error(&self, column: Column, ranks: u32, paper: f64) -> f64 {
        self.prediction(column, ranks) / paper - 1.0
    }

    /// The greatest error, of the figures that are looked at.
    #[must_use]
    pub fn worst(&self, looked_at: impl Fn(Column, u32) -> bool) -> f64 {
        let figures = Column::ALL
            .into_iter()
            .flat_map(|column| column.figures().map(|(ranks, paper)| (column, ranks, paper)));
        let errors = figures
            .filter(|&(column, ranks, _)| looked_at(column, ranks))
            .map(|(column, ranks, paper)| self.error(column, ranks, paper).abs());
        errors.fold(0.0, f64::max)
    }
}

/// Fits constants to the figures that are looked at. `None` if these do not decide them.
#[must_use]
pub fn fit(
    algorithms: [Algorithm; 3],
    terms: &[Term],
    looked_at: impl Fn(Column, u32) -> bool,
) -> Option<Fit> {
    // Each line of the system is divided by the paper's figure, so that it is 1, and errors are shares of it.
    let mut lines = Vec::new();
    for column in Column::ALL {
        for (ranks, paper) in column.figures() {
            if looked_at(column, ranks) {
                let algorithm = algorithms[column as usize];
                lines.push(
                    terms
                        .iter()
                        .map(|term| term.count(algorithm, ranks) / paper)
                        .collect::<Vec<f64>>(),
                );
            }
        }
    }
    // None is below zero: the least sum is that of some terms alone, and there are few of them.
    let subsets = 1..1_u32 << terms.len();
    let tried = subsets.filter_map(|subset| {
        let chosen: Vec<usize> = (0..terms.len())
            .filter(|place| subset >> place & 1 == 1)
            .collect();
        let constants = least_squares(&lines, &chosen)?;
        let of_line = |line: &Vec<f64>| {
            let sum: f64 = chosen
                .iter()
                .zip(&constants)
                .map(|(&place, constant)| line[place] * constant)
                .sum();
            (sum - 1.0).powi(2)
        };
        let squares: f64 = lines.iter().map(of_line).sum();
        constants
            .iter()
            .all(|constant| *constant >= 0.0)
            .then_some((squares, chosen, constants))
    });
    let (_, chosen, constants) = tried.min_by(|left, right| left.0.total_cmp(&right.0))?;
    let constant = |place: usize| {
        chosen
            .iter()
            .position(|&one| one == place)
            .map_or(0.0, |at| constants[at])
    };
    let constants = terms
        .iter()
        .enumerate()
        .map(|(place, &term)| (term, constant(place)));
    Some(Fit {
        algorithms,
        constants: constants.collect(),
    })
}

/// The constants of the chosen places that make each line closest to 1, by the normal equations. `None` if there is
/// more than one answer.
fn least_squares(lines: &[Vec<f64>], chosen: &[usize]) -> Option<Vec<f64>> {
    let size = chosen.len();
    let product = |left: usize, right: usize| lines.iter().map(|line| line[left] * line[right]).sum::<f64>();
    let mut system: Vec<Vec<f64>> = chosen
        .iter()
        .map(|&left| {
            let ones = lines.iter().map(|line| line[left]).sum();
            chosen
                .iter()
                .map(|&right| product(left, right))
                .chain([ones])
                .collect()
        })
        .collect();
    for pivot in 0..size {
        let best =
            (pivot..size).max_by(|&a, &b| system[a][pivot].abs().total_cmp(&system[b][pivot].abs()))?;
        if system[best][pivot].abs() < 1e-9 {
            return None;
        }
        system.swap(pivot, best);
        let leading = system[pivot].clone();
        for (_, row) in system.iter_mut().enumerate().filter(|(place, _)| *place != pivot) {
            let share = row[pivot] / leading[pivot];
            for (value, above) in row.iter_mut().zip(&leading) {
                *value -= share * above;
            }
        }
    }
    Some(
        system
            .iter()
            .enumerate()
            .map(|(place, row)| row[size] / row[place])
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::Algorithm::{
        Dissemination, PairedBarrier, Pairwise, RecursiveDoubling, RecursiveHalving, ReduceAndBroadcast,
    };
    use super::*;

    const MPICH: [Algorithm; 3] = [Dissemination, RecursiveDoubling, RecursiveHalving];
    const ALL: fn(Column, u32) -> bool = |_, _| true;

    fn worst(algorithms: [Algorithm; 3], terms: &[Term]) -> f64 {
        fit(algorithms, terms, ALL)
            .expect("18 figures decide six constants")
            .worst(ALL)
    }

    #[test]
    fn one_machine_explains_the_table_within_a_tenth() {
        assert!(worst(MPICH, &Term::BEST) < 0.10);
        let fit = fit(MPICH, &Term::BEST, ALL).expect("decided");
        assert!(
            fit.constants().iter().all(|(_, constant)| *constant > 0.1),
            "{fit:?}"
        );
    }

    #[test]
    fn no_other_algorithms_do() {
        for algorithms in [
            [PairedBarrier, RecursiveDoubling, RecursiveHalving],
            [Dissemination, ReduceAndBroadcast, RecursiveHalving],
            [Dissemination, RecursiveDoubling, Pairwise],
        ] {
            assert!(worst(algorithms, &Term::BEST) > 0.20, "{algorithms:?}");
        }
    }

    #[test]
    fn nor_do_fewer_terms_or_those_of_the_network() {
        for left_out in Term::BEST {
            let terms: Vec<Term> = Term::BEST.into_iter().filter(|term| *term != left_out).collect();
            assert!(worst(MPICH, &terms) > 0.11, "without {left_out:?}");
        }
        assert!(worst(MPICH, &Term::OF_THE_NETWORK) > 0.16);
    }

    /// With the better terms there is nothing left for a change of partner to explain.
    #[test]
    fn a_change_of_partner_costs_nothing() {
        let terms: Vec<Term> = Term::BEST.into_iter().chain([Term::Change]).collect();
        let fit = fit(MPICH, &terms, ALL).expect("decided");
        assert_eq!(fit.constants().last(), Some(&(Term::Change, 0.0)));
    }

    #[test]
    fn figures_that_were_left_out_are_predicted() {
        for left_out in [2, 4, 8, 16, 32, 64] {
            let fit = fit(MPICH, &Term::BEST, |_, ranks| ranks != left_out).expect("decided");
            assert!(fit.worst(|_, ranks| ranks == left_out) < 0.18, "{left_out} ranks");
        }
        let small = fit(MPICH, &Term::BEST, |_, ranks| ranks <= 16).expect("decided");
        assert!(small.worst(|_, ranks| ranks > 16) < 0.15);
    }

    #[test]
    fn too_few_figures_decide_nothing_wrong() {
        assert!(least_squares(&[vec![1.0, 1.0]], &[0, 1]).is_none());
        let solved = least_squares(&[vec![0.5, 0.0], vec![0.0, 0.25]], &[0, 1]).expect("decided");
        assert_eq!(solved, [2.0, 4.0]);
    }
}
