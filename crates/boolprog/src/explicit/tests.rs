use crate::stress::{generate::generate, oracle};
use crate::{Recursion, flatten};

#[test]
fn random_programs_agree() {
    for seed in 0..40 {
        let program = generate(seed);
        let Ok(flat) = flatten(&program, Recursion::Threads) else { continue };
        if let Err(error) = oracle::check(&flat, seed % 4 == 0) {
            panic!("seed {seed}: {error}\n{program}");
        }
    }
}
