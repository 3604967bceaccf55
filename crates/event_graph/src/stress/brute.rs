//! Brute force: which assignments are consistent, by trying every line.

use super::instance::{Instance, Letter, MAX_VARS};

const WORDS: usize = (1 << MAX_VARS) / 64;

/// A set of assignments; bit `i` of an assignment's number is variable `i`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assignments([u64; WORDS]);

impl Assignments {
    fn none() -> Self {
        Assignments([0; WORDS])
    }

    /// Those of so many variables.
    fn all(vars: usize) -> Self {
        let mut set = Self::none();
        (0..1 << vars).for_each(|number| set.insert(number));
        set
    }

    fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Whether an assignment is in the set.
    pub fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 != 0
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Those in both.
    pub fn and(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= b);
        self
    }

    /// Those in one or the other.
    pub fn or(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
        self
    }

    /// Those that are not in the other.
    pub fn minus(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= !b);
        self
    }
}

/// All consistent assignments of an instance, whatever its clauses.
pub struct Brute {
    vars: usize,
    /// Consistent ones.
    pub consistent: Assignments,
}

impl Brute {
    /// Tries every line.
    pub fn new(instance: &Instance) -> Self {
        let mut this = Brute { vars: instance.vars, consistent: Assignments::none() };
        let mut heads = vec![0; instance.chains.len()];
        let mut place = vec![usize::MAX; instance.nodes()];
        this.extend(instance, &mut heads, &mut place, 0);
        this
    }

    /// Assignments in which a letter is true.
    pub fn where_true(&self, letter: Letter) -> Assignments {
        let mut set = Assignments::none();
        for number in 0..1 << self.vars {
            let holds = match letter {
                Letter::True => true,
                Letter::Var(var, negated) => (number >> var & 1 == 1) != negated,
            };
            if holds {
                set.insert(number);
            }
        }
        set
    }

    /// Assignments that satisfy a clause.
    pub fn satisfying(&self, clause: &[Letter]) -> Assignments {
        clause.iter().fold(Assignments::none(), |set, &letter| set.or(&self.where_true(letter)))
    }

    fn extend(&mut self, instance: &Instance, heads: &mut [usize], place: &mut [usize], at: usize) {
        if at == place.len() {
            let fits = self.fitting(instance, place);
            self.consistent = self.consistent.or(&fits);
            return;
        }
        let mut first = 0;
        for chain in 0..heads.len() {
            if heads[chain] < instance.chains[chain] {
                let node = first + heads[chain];
                if instance.edges.iter().all(|&(a, b)| b != node || place[a] != usize::MAX) {
                    (heads[chain], place[node]) = (heads[chain] + 1, at);
                    self.extend(instance, heads, place, at + 1);
                    (heads[chain], place[node]) = (heads[chain] - 1, usize::MAX);
                }
            }
            first += instance.chains[chain];
        }
    }

    /// Assignments that a line shows to be consistent.
    fn fitting(&self, instance: &Instance, place: &[usize]) -> Assignments {
        let mut set = Assignments::all(self.vars);
        for &(_, _, letter) in instance.orders.iter().filter(|&&(a, b, _)| place[a] >= place[b]) {
            set = set.minus(&self.where_true(letter));
        }
        for source in &instance.sources {
            let (w, r) = (instance.writes[source.write], instance.reads[source.read]);
            let taken = self.where_true(source.letter);
            if place[w] >= place[r] {
                set = set.minus(&taken);
                continue;
            }
            for rival in instance.rivals.iter().filter(|v| v.read == source.read) {
                let other = instance.writes[rival.write];
                if other != w && other != r && place[w] < place[other] && place[other] < place[r] {
                    set = set.minus(&taken.and(&self.where_true(rival.letter)));
                }
            }
        }
        set
    }
}
