//! `cargo run --release --features stress --example stress -- COUNT [SEED]`: random graphs against brute force.

use heddle_event_graph::stress;

fn main() {
    let mut args = std::env::args().skip(1).filter_map(|a| a.parse().ok());
    let (count, first): (u64, u64) = (args.next().unwrap_or(10_000), args.next().unwrap_or(0));
    let (mut literals, mut conflicts, mut propagations) = (0, 0, 0);
    for seed in first..first + count {
        match stress::check_order(seed) {
            Ok(statistics) => {
                literals += statistics.order_literals;
                conflicts += statistics.conflicts;
                propagations += statistics.propagations;
            }
            Err(problem) => {
                eprintln!("order, {problem}");
                std::process::exit(1);
            }
        }
    }
    println!(
        "{count} instances from seed {first}: {conflicts} conflicts, {propagations} implied, {literals} order literals"
    );
}
