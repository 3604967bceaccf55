//! Random tests of the whole crate, driven by a seed.
//!
//! Used by the unit tests with small counts and by `cargo xtask stress solver` with large ones. Each check returns
//! what went wrong as text that names its seed, so that it can be repeated.

pub mod floats;
pub mod terms;
pub mod theory;
mod words;

/// What random tests draw from a generator.
#[derive(Clone, Debug)]
pub struct Rng(heddle_base::Random);

impl Rng {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Rng(heddle_base::Random::new(seed))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next()
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next_u64() % bound as u64) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the choices, which must not be empty.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}
