use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use super::*;

/// n + 1 pigeons in n holes, behind a selector.
fn pigeons<T: Theory>(sat: &mut Sat<T>, holes: usize, selector: Option<Lit>) {
    let place: Vec<Vec<Lit>> = (0..=holes).map(|_| (0..holes).map(|_| sat.new_var()).collect()).collect();
    for pigeon in &place {
        let clause: Vec<Lit> = pigeon.iter().copied().chain(selector.map(|s| !s)).collect();
        sat.add_clause(&clause);
    }
    for i in 0..=holes {
        for j in 0..i {
            for (&a, &b) in place[i].iter().zip(&place[j]) {
                sat.add_clause(&[!a, !b]);
            }
        }
    }
}

#[test]
fn incremental_with_cores() {
    let mut sat = Sat::new(NoTheory);
    let [a, b, c, d] = [(); 4].map(|()| sat.new_var());
    sat.add_clause(&[!a, !b, c]);
    let budget = Budget::unlimited();
    assert_eq!(sat.solve(&[a, b], &budget), SatAnswer::Sat);
    assert_eq!(sat.value(c), Some(true));
    assert_eq!(sat.value(!c), Some(false));
    let SatAnswer::Unsat(core) = sat.solve(&[d, a, b, !c], &budget) else { panic!("expected a core") };
    assert_eq!(sat.minimise_core(core, &budget), [a, b, !c]);
    sat.add_clause(&[!a]);
    assert_eq!(sat.solve(&[d], &budget), SatAnswer::Sat);
    sat.add_clause(&[]);
    assert_eq!(sat.solve(&[], &budget), SatAnswer::Unsat(vec![]));
}

#[test]
fn budgets_are_kept() {
    let mut sat = Sat::new(NoTheory);
    pigeons(&mut sat, 12, None);
    let budget = Budget::unlimited().with_time(Duration::from_millis(50));
    assert_eq!(sat.solve(&[], &budget), SatAnswer::Unknown(Stop::Time));
    let cancelled = Budget::unlimited();
    cancelled.cancel();
    assert_eq!(sat.solve(&[], &cancelled), SatAnswer::Unknown(Stop::Cancelled));
    assert_eq!(sat.solve(&[], &Budget::unlimited().with_memory(1)), SatAnswer::Unknown(Stop::Memory));
}

/// Panics in one of its callbacks.
struct Panicking(&'static str);

impl Panicking {
    fn reach(&self, place: &str) {
        assert!(self.0 != place, "panic in {place}");
    }
}

impl Theory for Panicking {
    fn assign(&mut self, lits: &[Lit], actions: &mut Actions) {
        self.reach("assign");
        // Something that certainly has to be explained: the contrary of what is assigned.
        if self.0 == "explain" {
            lits.iter().for_each(|&lit| actions.imply(!lit));
        }
    }
    fn new_level(&mut self) {
        self.reach("level");
    }
    fn backtrack(&mut self, _: usize) {
        self.reach("backtrack");
    }
    fn propagate(&mut self, _: &mut Actions) {
        self.reach("propagate");
    }
    fn explain(&mut self, _: Lit, _: &mut Vec<Lit>) {
        self.reach("explain");
    }
    fn final_check(&mut self, _: &mut Actions) {
        self.reach("final");
    }
    fn decide(&mut self, _: &Actions) -> Option<Lit> {
        self.reach("decide");
        None
    }
}

#[test]
fn a_theory_panic_surfaces() {
    for place in ["assign", "level", "backtrack", "propagate", "explain", "final", "decide"] {
        let mut sat = Sat::new(Panicking(place));
        let lits: Vec<Lit> = (0..6).map(|_| sat.new_var()).collect();
        for &lit in &lits {
            sat.observe(lit);
        }
        // Needs decisions, conflicts and backtracking, and has a model.
        for (i, &lit) in lits.iter().enumerate().skip(2) {
            sat.add_clause(&[lits[0], lits[1], lit]);
            sat.add_clause(&[!lits[0], !lit, lits[(i + 1) % 6]]);
            sat.add_clause(&[!lits[1], !lit]);
        }
        let selector = sat.new_var();
        pigeons(&mut sat, 3, Some(selector));
        let budget = Budget::unlimited();
        let message = catch_unwind(AssertUnwindSafe(|| {
            sat.solve(&[selector], &budget);
            sat.solve(&[], &budget);
        }));
        let message = message.expect_err(place);
        let text = message.downcast_ref::<String>().map(String::as_str).unwrap_or_default();
        assert_eq!(text, format!("panic in {place}"));
        // The solver is poisoned, but not corrupt: it refuses, and can be dropped.
        assert!(catch_unwind(AssertUnwindSafe(|| sat.solve(&[], &budget))).is_err());
    }
}

/// Watches what it is told.
#[derive(Default)]
struct Recorder {
    assigned: Vec<Lit>,
    levels: Vec<usize>,
    at_end: Vec<Lit>,
}

impl Theory for Recorder {
    fn assign(&mut self, lits: &[Lit], _: &mut Actions) {
        for lit in lits {
            assert!(!self.assigned.contains(lit) && !self.assigned.contains(&!*lit), "{lit} assigned twice");
        }
        self.assigned.extend_from_slice(lits);
    }
    fn new_level(&mut self) {
        self.levels.push(self.assigned.len());
    }
    fn backtrack(&mut self, level: usize) {
        self.assigned.truncate(self.levels[level]);
        self.levels.truncate(level);
    }
    fn explain(&mut self, _: Lit, _: &mut Vec<Lit>) {}
    fn final_check(&mut self, _: &mut Actions) {
        self.at_end = self.assigned.clone();
    }
}

#[test]
fn assignments_are_told_once_and_completely() {
    let mut sat = Sat::new(Recorder::default());
    let watched: Vec<Lit> = (0..20).map(|_| sat.new_var()).collect();
    for &lit in &watched {
        sat.observe(lit);
    }
    let selector = sat.new_var();
    pigeons(&mut sat, 5, Some(selector));
    for pair in watched.windows(3) {
        sat.add_clause(&[pair[0], !pair[1], pair[2]]);
        sat.add_clause(&[!pair[0], pair[1], !pair[2]]);
    }
    let budget = Budget::unlimited();
    assert!(matches!(sat.solve(&[selector], &budget), SatAnswer::Unsat(_)));
    for i in 0..10 {
        sat.add_clause(&[watched[i]]);
        if sat.solve(&[], &budget) != SatAnswer::Sat {
            break;
        }
        let mut told = sat.theory().at_end.clone();
        told.sort_unstable();
        let values: Vec<Lit> = watched.iter().map(|&l| if sat.value(l) == Some(true) { l } else { !l }).collect();
        assert_eq!(told, values);
    }
    // A variable that the search may have eliminated gets an alias.
    let late = sat.observe(selector);
    assert_ne!(late, selector);
    assert_eq!(sat.solve(&[], &budget), SatAnswer::Sat);
    assert_eq!(sat.value(late), sat.value(selector));
}
