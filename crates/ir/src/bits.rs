//! Sets of small numbers.

/// A set of numbers below a fixed bound.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set of numbers below `len`.
    pub fn new(len: usize) -> Self {
        BitSet { words: vec![0; len.div_ceil(64)] }
    }

    /// Adds a number; whether it was new.
    #[inline]
    pub fn insert(&mut self, value: usize) -> bool {
        let (word, bit) = (value / 64, 1 << (value % 64));
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Takes a number out.
    #[inline]
    pub fn remove(&mut self, value: usize) {
        self.words[value / 64] &= !(1 << (value % 64));
    }

    /// Whether a number is in the set.
    #[inline]
    pub fn contains(&self, value: usize) -> bool {
        self.words.get(value / 64).is_some_and(|w| w & (1 << (value % 64)) != 0)
    }

    /// Adds all of another set; whether any was new.
    pub fn union_with(&mut self, other: &BitSet) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            changed |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        changed
    }

    /// Keeps only what is also in another set.
    pub fn intersect_with(&mut self, other: &BitSet) {
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine &= theirs;
        }
    }

    /// Whether two sets share a number.
    pub fn intersects(&self, other: &BitSet) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Whether nothing is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// The numbers in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(64 * i + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_numbers() {
        let mut a = BitSet::new(130);
        assert!(a.insert(0) && a.insert(64) && a.insert(129) && !a.insert(64));
        assert_eq!(a.iter().collect::<Vec<_>>(), [0, 64, 129]);
        let mut b = BitSet::new(130);
        assert!(b.is_empty() && !b.intersects(&a) && b.union_with(&a) && !b.union_with(&a));
        a.remove(64);
        b.intersect_with(&a);
        assert_eq!(b.iter().collect::<Vec<_>>(), [0, 129]);
        assert!(!b.contains(64) && b.contains(129) && !b.contains(500));
    }
}
