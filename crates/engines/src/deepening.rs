//! Bounds that grow from one search to the next.

/// A bound that grows (1, 2, 3, 5, 8, … from 1 on), up to one that is given.
pub(crate) struct Deepening {
    pub(crate) bound: u64,
    last: u64,
    most: u64,
}

impl Deepening {
    pub(crate) fn new(first: u64, most: Option<u64>) -> Self {
        let most = most.unwrap_or(u64::MAX);
        Deepening { bound: first.min(most), last: 1, most }
    }

    /// A bound that is given and stays, or one that grows from 1 on.
    pub(crate) fn given_or_growing(given: Option<u64>) -> Self {
        Deepening::new(given.unwrap_or(1), given)
    }

    /// The next bound; false if there is none.
    pub(crate) fn deepen(&mut self) -> bool {
        if self.bound == self.most {
            return false;
        }
        (self.bound, self.last) = (self.bound.saturating_add(self.last).min(self.most), self.bound);
        true
    }
}
