//! The grid: which rank has which part of it, and what a step computes.

/// A part of the grid in a frame of one cell, by rows.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// Without the frame.
    pub(crate) width: usize,
    pub(crate) height: usize,
    cells: Vec<f64>,
}

/// Sides of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    North,
    South,
    West,
    East,
}

impl Side {
    pub(crate) const ALL: [Self; 4] = [Self::North, Self::South, Self::West, Self::East];

    /// As the neighbour sees it.
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::South => Self::North,
            Self::West => Self::East,
            Self::East => Self::West,
        }
    }
}

impl Grid {
    /// All 0.
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            cells: vec![0.0; (width + 2) * (height + 2)],
        }
    }

    /// Index of a cell; 0 and the last ones are the frame.
    fn at(&self, x: usize, y: usize) -> usize {
        y * (self.width + 2) + x
    }

    /// A cell, without the frame.
    pub(crate) fn get(&self, x: usize, y: usize) -> f64 {
        self.cells[self.at(x + 1, y + 1)]
    }

    /// Sets a cell, without the frame.
    pub(crate) fn set(&mut self, x: usize, y: usize, value: f64) {
        let at = self.at(x + 1, y + 1);
        self.cells[at] = value;
    }

    /// Length of a side.
    pub(crate) fn length(&self, side: Side) -> usize {
        match side {
            Side::North | Side::South => self.width,
            Side::West | Side::East => self.height,
        }
    }

    fn line(&self, side: Side, frame: bool) -> impl Iterator<Item = usize> + use<> {
        let inner = usize::from(!frame);
        let (width, height) = (self.width, self.height);
        let row = width + 2;
        let (first, step) = match side {
            Side::North => (inner * row + 1, 1),
            Side::South => ((height + 1 - inner) * row + 1, 1),
            Side::West => (row + inner, row),
            Side::East => (row + width + 1 - inner, row),
        };
        (0..self.length(side)).map(move |index| first + index * step)
    }

    /// The cells along a side.
    pub(crate) fn edge(&self, side: Side) -> Vec<f64> {
        self.line(side, false).map(|at| self.cells[at]).collect()
    }

    /// The frame along a side.
    #[allow(dead_code, reason = "the example exchanges uses it")]
    pub(crate) fn frame(&self, side: Side) -> Vec<f64> {
        self.line(side, true).map(|at| self.cells[at]).collect()
    }

    /// Sets the frame along a side.
    pub(crate) fn set_frame(&mut self, side: Side, values: &[f64]) {
        for (at, value) in self.line(side, true).zip(values) {
            self.cells[at] = *value;
        }
    }

    /// As many cells as a row has, from a place on.
    fn run(&self, x: usize, y: usize) -> &[f64] {
        &self.cells[self.at(x, y)..][..self.width]
    }

    /// One step of heat: each cell moves towards the mean of its neighbours; the frame stays.
    ///
    /// By slices of one length: bounds are checked once a row, so that the compiler takes several cells at once. With
    /// an index into all cells it has to check each access, and takes one at a time.
    pub(crate) fn step(&self, next: &mut Self, two: bool) {
        for y in 1..=self.height {
            let (west, own, east) = (self.run(0, y), self.run(1, y), self.run(2, y));
            let first = next.at(1, y);
            let new = next.cells[first..][..self.width].iter_mut().enumerate();
            if two {
                let (north, south) = (self.run(1, y - 1), self.run(1, y + 1));
                for (x, new) in new {
                    let mean = (west[x] + east[x] + (north[x] + south[x])) / 4.0;
                    *new = own[x] + 0.8 * (mean - own[x]);
                }
            } else {
                for (x, new) in new {
                    *new = own[x] + 0.8 * ((west[x] + east[x]) / 2.0 - own[x]);
                }
            }
        }
    }
}

/// Columns and rows of ranks, as square as possible.
pub(crate) fn shape(ranks: u32, two: bool) -> (u32, u32) {
    let rows = if two {
        (1..=ranks)
            .filter(|rows| ranks.is_multiple_of(*rows) && rows * rows <= ranks)
            .max()
            .unwrap_or(1)
    } else {
        1
    };
    (ranks / rows, rows)
}

/// The cells of part `index` of `parts`: from, to.
pub(crate) fn part(cells: usize, parts: u32, index: u32) -> (usize, usize) {
    let bound = |index: u32| cells * index as usize / parts as usize;
    (bound(index), bound(index + 1))
}

/// What the whole grid is in the beginning: a hot spot beside the middle.
pub(crate) fn first(x: usize, y: usize, size: usize) -> f64 {
    let (dx, dy) = (x as f64 - size as f64 * 0.3, y as f64 - size as f64 * 0.4);
    if dx * dx + dy * dy < (size * size) as f64 * 0.01 {
        100.0
    } else {
        0.0
    }
}
