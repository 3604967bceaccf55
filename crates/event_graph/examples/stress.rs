//! `cargo run --release --features stress --example stress -- COUNT [SEED]`: random graphs against brute force.

use heddle_event_graph::stress;

fn main() {
    let mut args = std::env::args().skip(1).filter_map(|a| a.parse().ok());
    let (count, first): (u64, u64) = (args.next().unwrap_or(10_000), args.next().unwrap_or(0));
    let (mut order, mut refine) = (Totals::default(), Totals::default());
    for seed in first..first + count {
        let checked = stress::check_order(seed).map_err(|e| format!("order, {e}")).and_then(|found| {
            order.conflicts += found.conflicts;
            order.rare += found.order_literals;
            stress::check_clock(seed).map_err(|e| format!("clock, {e}"))?;
            let found = stress::check_refine(seed).map_err(|e| format!("refine, {e}"))?;
            refine.conflicts += found.clauses;
            refine.rare += found.constraint_checks;
            let (literals, checks) = stress::check_agreement(seed)?;
            order.rare += literals;
            refine.rare += checks;
            Ok(())
        });
        if let Err(problem) = checked {
            eprintln!("{problem}");
            std::process::exit(1);
        }
    }
    println!("{count} instances from seed {first} agree");
    println!("order: {} conflicts, {} order literals", order.conflicts, order.rare);
    println!("refine: {} clauses, {} constraint-based validations", refine.conflicts, refine.rare);
}

#[derive(Default)]
struct Totals {
    conflicts: u64,
    rare: u64,
}
