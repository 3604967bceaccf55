//! Random Boolean programs against all oracles: `stress_bp [COUNT [FIRST SEED]]`.

use heddle_boolprog::stress::{generate::generate, oracle};
use heddle_boolprog::{Recursion, flatten};

fn main() {
    let mut args = std::env::args().skip(1).map(|a| a.parse::<u64>().expect("a number"));
    let (count, first) = (args.next().unwrap_or(1000), args.next().unwrap_or(0));
    let mut sums = [0; 8];
    for seed in first..first + count {
        let program = generate(seed);
        let Ok(flat) = flatten(&program, Recursion::Threads) else {
            sums[6] += 1;
            continue;
        };
        match oracle::check(&flat) {
            Err(error) => {
                println!("seed {seed}: {error}\n{program}");
                std::process::exit(1);
            }
            Ok(None) => sums[7] += 1,
            Ok(Some(seen)) => {
                sums[0] += usize::from(seen.violated);
                sums[1] += usize::from(seen.proved_by_threads);
                sums[2] += usize::from(seen.proved_by_pairs);
                sums[3] += usize::from(seen.proved_by_cover);
                sums[5] += usize::from(seen.proved_with_ghosts);
                sums[4] += usize::from(seen.needs_more);
            }
        }
    }
    println!(
        "violated {}, threads {}, with ghosts {}, pairs {}, cover only {}, more threads {}, refused {}, large {}",
        sums[0], sums[1], sums[5], sums[2], sums[3], sums[4], sums[6], sums[7]
    );
}
