use std::time::Duration;

use super::*;
use crate::bits::Bits;
use crate::sat::Actions;

fn unlimited() -> Budget {
    Budget::unlimited()
}

#[test]
fn models_and_cores_of_terms() {
    let mut t = Terms::new();
    let (x, y) = (t.bv_var("x", 32), t.bv_var("y", 32));
    let (ten, limit) = (t.bv(32, 10), t.bv(32, 5));
    let sum = t.add(x, y);
    let is_ten = t.eq(sum, ten);
    let mut solver = Solver::with_theory(NoTheory, Config { minimise_cores: true, ..Config::default() });
    solver.assert(&t, is_ten).unwrap();
    let (small_x, small_y, odd) = (t.ult(x, limit), t.ult(y, limit), t.bit(x, 0));
    let Ok(Answer::Sat(model)) = solver.solve(&mut t, &[small_x, odd], &unlimited()) else {
        panic!("expected a model")
    };
    assert_eq!(model.eval(&t, sum), Value::Bits(Bits::new(32, 10)));
    let Ok(Answer::Unsat(core)) = solver.solve(&mut t, &[odd, small_x, small_y], &unlimited()) else {
        panic!("expected a core")
    };
    assert_eq!(core.assumptions, [small_x, small_y]);
    // The assumptions are gone, and what is asserted stays.
    assert!(solver.solve(&mut t, &[], &unlimited()).unwrap().is_sat());
    solver.assert(&t, Terms::FALSE).unwrap();
    let Ok(Answer::Unsat(core)) = solver.solve(&mut t, &[odd], &unlimited()) else { panic!("expected unsat") };
    assert_eq!(core, Core::default());
}

#[test]
fn only_booleans_are_asserted() {
    let mut t = Terms::new();
    let x = t.bv_var("x", 1);
    let mut solver = Solver::new();
    assert!(matches!(solver.assert(&t, x), Err(SortError::Expected { .. })));
    assert!(matches!(solver.solve(&mut t, &[x], &unlimited()), Err(SortError::Expected { .. })));
    assert!(matches!(solver.lit_of(&mut t, x), Err(SortError::Expected { .. })));
    let foreign = heddle_base::Id::new(77);
    assert_eq!(solver.assert(&t, foreign), Err(SortError::Unknown(foreign)));
}

#[test]
fn arrays_are_extensional() {
    let mut t = Terms::new();
    for width in [4, 32] {
        let [a, b] = ["a", "b"].map(|name| t.array_var(&format!("{name}{width}"), width, 8));
        let (i, j) = (t.bv_var(&format!("i{width}"), width), t.bv_var(&format!("j{width}"), width));
        let (x, y) = (t.select(a, i), t.select(b, i));
        let (same, differ) = (t.eq(a, b), t.ne(x, y));
        let mut solver = Solver::new();
        solver.assert(&t, same).unwrap();
        assert!(solver.solve(&mut t, &[], &unlimited()).unwrap().is_sat());
        assert!(solver.solve(&mut t, &[differ], &unlimited()).unwrap().is_unsat());
        // Two writes commute exactly if their indices differ, or their values do not.
        let (one, two) = (t.bv(8, 1), t.bv(8, 2));
        let (first, second) = (t.store(a, i, one), t.store(a, j, two));
        let (ij, ji) = (t.store(first, j, two), t.store(second, i, one));
        let (commute, apart) = (t.eq(ij, ji), t.ne(i, j));
        let broken = t.xor(commute, apart);
        assert!(Solver::new().solve(&mut t, &[broken], &unlimited()).unwrap().is_unsat());
        assert!(Solver::new().solve(&mut t, &[commute], &unlimited()).unwrap().is_sat());
        // No array is two constants at once, unless everything is overwritten.
        let (zeros, ones) = (t.const_array(width, one), t.const_array(width, two));
        let patched = t.store(zeros, i, two);
        let equal = t.eq(patched, ones);
        assert!(Solver::new().solve(&mut t, &[equal], &unlimited()).unwrap().is_unsat());
    }
}

/// Found by `xtask stress solver`, seed 142: Z3 4.8.12 says `sat`, and evaluates the equation to false in its model.
#[test]
fn a_constant_array_differs_from_one_with_other_elements() {
    let mut t = Terms::new();
    let (x, three, one) = (t.bv_var("x", 2), t.bv(2, 3), t.bv(2, 1));
    let (xs, mut patched) = (t.const_array(9, x), t.const_array(9, three));
    for i in [87, 255] {
        let index = t.bv(9, i);
        patched = t.store(patched, index, one);
    }
    let equal = t.eq(xs, patched);
    assert!(Solver::new().solve(&mut t, &[equal], &unlimited()).unwrap().is_unsat());
}

#[test]
fn equal_arrays_may_be_read_at_every_index() {
    let mut t = Terms::new();
    let (a, b) = (t.array_var("a", 7, 8), t.array_var("b", 7, 8));
    let mut solver = Solver::new();
    let equal = t.eq(a, b);
    solver.assert(&t, equal).unwrap();
    for i in 0..128 {
        let (index, value) = (t.bv(7, i), t.bv(8, i + 1));
        let read = t.select(a, index);
        let known = t.eq(read, value);
        solver.assert(&t, known).unwrap();
        // The number of indices grows from query to query.
        assert!(i % 32 != 31 || solver.solve(&mut t, &[], &unlimited()).unwrap().is_sat());
    }
    let (i, zero) = (t.bv_var("i", 7), t.bv(8, 0));
    let read = t.select(b, i);
    let none = t.eq(read, zero);
    assert!(solver.solve(&mut t, &[none], &unlimited()).unwrap().is_unsat());
}

#[test]
fn budgets_are_kept_while_blasting() {
    let mut t = Terms::new();
    let (mut product, x) = (t.bv_var("x", 512), t.bv_var("y", 512));
    for _ in 0..40 {
        let square = t.mul(product, x);
        product = t.bv_xor(square, x);
    }
    let k = t.bv(512, 12345);
    let goal = t.eq(product, k);
    let mut solver = Solver::new();
    solver.assert(&t, goal).unwrap();
    let soon = unlimited().with_time(Duration::from_millis(20));
    assert!(matches!(solver.solve(&mut t, &[], &soon), Ok(Answer::Unknown(Stop::Time))));
}

#[test]
fn deep_terms_are_blasted() {
    let mut t = Terms::new();
    let (mut term, x) = (t.bv_var("y", 1), t.bv_var("x", 1));
    for i in 0..200_000 {
        term = if i % 2 == 0 { t.bv_or(term, x) } else { t.bv_xor(term, x) };
    }
    let one = t.bv(1, 1);
    let goal = t.eq(term, one);
    assert!(Solver::new().solve(&mut t, &[goal], &unlimited()).is_ok());
}

/// At most one observed literal is true.
#[derive(Default)]
struct AtMostOne {
    holding: Vec<Lit>,
    watched: Vec<Lit>,
    levels: Vec<usize>,
}

impl Theory for AtMostOne {
    fn assign(&mut self, lits: &[Lit], actions: &mut Actions) {
        for &lit in lits.iter().filter(|l| self.watched.contains(l)) {
            if let Some(&other) = self.holding.first() {
                actions.conflict(&[!lit, !other]);
            }
            self.holding.push(lit);
        }
    }
    fn new_level(&mut self) {
        self.levels.push(self.holding.len());
    }
    fn backtrack(&mut self, level: usize) {
        self.holding.truncate(self.levels[level]);
        self.levels.truncate(level);
    }
    fn explain(&mut self, _: Lit, _: &mut Vec<Lit>) {}
}

#[test]
fn a_theory_observes_terms() {
    let mut t = Terms::new();
    let mut solver = Solver::with_theory(AtMostOne::default(), Config::default());
    let x = t.bv_var("x", 8);
    let bits: Vec<TermId> = (0..8).map(|i| t.bit(x, i)).collect();
    for &bit in &bits {
        let lit = solver.observe(&mut t, bit).unwrap();
        solver.theory_mut().watched.push(lit);
    }
    let (zero, three) = (t.bv(8, 0), t.bv(8, 3));
    let nonzero = t.ne(x, zero);
    solver.assert(&t, nonzero).unwrap();
    // Powers of two, one after the other, and then no more.
    for found in 0..=8 {
        match solver.solve(&mut t, &[], &unlimited()).unwrap() {
            Answer::Sat(model) => {
                let value = model.eval(&t, x);
                assert_eq!(value.as_bits().map(Bits::count_ones), Some(1));
                let value = t.term_of(Sort::BitVec(8), &value);
                let another = t.ne(x, value);
                solver.assert(&t, another).unwrap();
            }
            Answer::Unsat(_) => assert_eq!(found, 8),
            Answer::Unknown(stop) => panic!("{stop:?}"),
        }
    }
    let is_three = t.eq(x, three);
    assert!(solver.solve(&mut t, &[is_three], &unlimited()).unwrap().is_unsat());
}

#[cfg(feature = "proof")]
mod proofs {
    use super::*;
    use crate::sat::{ProofConfig, ProofFormat, Sat, SatConfig};

    /// Whether unit propagation of the negated clause fails: the reverse unit propagation that DRAT rests on.
    fn follows(clauses: &[Vec<i32>], clause: &[i32]) -> bool {
        let mut truths: Vec<i32> = clause.iter().map(|l| -l).collect();
        loop {
            let before = truths.len();
            for c in clauses {
                if c.iter().any(|l| truths.contains(l)) {
                    continue;
                }
                let open: Vec<i32> = c.iter().copied().filter(|l| !truths.contains(&-l)).collect();
                match open[..] {
                    [] => return true,
                    [unit] => truths.push(unit),
                    [..] => {}
                }
            }
            if truths.len() == before {
                return false;
            }
        }
    }

    /// The clauses of an unsatisfiable problem, numbered from 1, and the lines of its proof.
    fn prove(format: ProofFormat) -> (Vec<Vec<i32>>, Vec<Vec<String>>) {
        let path = std::env::temp_dir().join(format!("heddle-proof-{}.{format:?}", std::process::id()));
        let config = SatConfig { proof: Some(ProofConfig { path: path.clone(), format }) };
        let mut sat = Sat::with_config(NoTheory, &config);
        let vars: Vec<Lit> = (0..3).map(|_| sat.new_var()).collect();
        let mut clauses = Vec::new();
        for signs in 0..8 {
            let clause: Vec<Lit> = (0..3).map(|i| vars[i].negate_if(signs >> i & 1 == 1)).collect();
            sat.add_clause(&clause);
            clauses.push(clause.iter().map(|l| l.dimacs()).collect::<Vec<i32>>());
        }
        assert_eq!(sat.solve(&[], &unlimited()), SatAnswer::Unsat(vec![]));
        sat.finish_proof();
        let proof = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        (clauses, proof.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect())
    }

    fn numbers(words: &[String]) -> Vec<i32> {
        words.iter().filter_map(|word| word.parse().ok()).collect()
    }

    #[test]
    fn an_unsatisfiable_answer_has_a_drat_proof() {
        let (mut clauses, proof) = prove(ProofFormat::Drat);
        for line in proof.iter().filter(|line| line[0] != "d") {
            let mut step = numbers(line);
            assert_eq!(step.pop(), Some(0));
            assert!(follows(&clauses, &step), "{line:?} does not follow");
            clauses.push(step);
        }
        assert!(clauses.contains(&vec![]), "the proof does not end in the empty clause");
    }

    #[test]
    fn an_unsatisfiable_answer_has_an_lrat_proof() {
        let (clauses, proof) = prove(ProofFormat::Lrat);
        let mut known: FxHashMap<i32, Vec<i32>> = (1..).zip(clauses).collect();
        let mut done = false;
        // A line has the number of a clause, the clause, and the numbers of those that it follows from.
        for line in proof.iter().filter(|line| line[1] != "d") {
            let line = numbers(line);
            let mut parts = line[1..].split(|&n| n == 0);
            let (step, reasons) = (parts.next().unwrap(), parts.next().unwrap());
            let reasons: Vec<Vec<i32>> = reasons.iter().map(|n| known[n].clone()).collect();
            assert!(follows(&reasons, step), "{line:?} does not follow");
            known.insert(line[0], step.to_vec());
            done |= step.is_empty();
        }
        assert!(done, "the proof does not end in the empty clause");
    }
}

/// A chain of writes to an array, with these indices.
fn written(t: &mut Terms, mut array: TermId, indices: &[TermId]) -> TermId {
    for (i, &index) in indices.iter().enumerate() {
        let value = t.bv_var(&format!("value{i}"), 32);
        array = t.store(array, index, value);
    }
    array
}

#[test]
fn reads_pass_many_writes_at_once() {
    let mut t = Terms::new();
    let indices: Vec<TermId> = (0..300).map(|i| t.bv_var(&format!("index{i}"), 32)).collect();
    let memory = t.array_var("memory", 32, 32);
    let array = written(&mut t, memory, &indices);
    let mut last = t.bv(32, 0);
    let mut solver = Solver::new();
    for i in 0..30 {
        let index = t.bv_var(&format!("read{i}"), 32);
        let read = t.select(array, index);
        let more = t.ult(last, read);
        solver.assert(&t, more).unwrap();
        last = read;
    }
    assert!(solver.solve(&mut t, &[], &unlimited()).unwrap().is_sat());
    assert!(solver.statistics().sat.solves < 10, "{:?}", solver.statistics());
}

#[test]
fn a_read_that_can_end_nowhere_is_refuted_in_few_steps() {
    const WRITES: u64 = 300;
    for symbolic in [false, true] {
        let mut t = Terms::new();
        let index = |t: &mut Terms, i| if symbolic { t.bv_var(&format!("index{i}"), 32) } else { t.bv(32, i) };
        let indices: Vec<TermId> = (0..WRITES).map(|i| index(&mut t, i)).collect();
        let zero = t.bv(32, 0);
        let zeros = t.const_array(32, zero);
        let array = written(&mut t, zeros, &indices);
        let mut solver = Solver::new();
        let ten = t.bv(32, 10);
        for i in 0..WRITES {
            let value = t.bv_var(&format!("value{i}"), 32);
            let small = t.ult(value, ten);
            solver.assert(&t, small).unwrap();
        }
        let at = t.bv_var("at", 32);
        let read = t.select(array, at);
        let large = t.ult(ten, read);
        assert!(solver.solve(&mut t, &[large], &unlimited()).unwrap().is_unsat());
        assert!(solver.statistics().sat.solves < 20, "{:?}", solver.statistics());
        assert!(solver.solve(&mut t, &[], &unlimited()).unwrap().is_sat());
    }
}

/// What is built after a bound does not have the bits that the bound excludes, whatever the order of the conjuncts.
#[test]
fn bounds_make_circuits_smaller() {
    let clauses = |bounded: bool| {
        let mut t = Terms::new();
        let (x, y, z) = (t.bv_var("x", 32), t.bv_var("y", 32), t.bv_var("z", 32));
        let (product, limit) = (t.mul(x, y), t.bv(32, 16));
        let (equal, small) = (t.eq(product, z), t.ult(x, limit));
        let goal = if bounded { t.and(equal, small) } else { equal };
        let mut solver = Solver::new();
        assert!(solver.solve(&mut t, &[], &unlimited()).unwrap().is_sat());
        solver.assert(&t, goal).unwrap();
        assert!(solver.solve(&mut t, &[], &unlimited()).unwrap().is_sat());
        solver.statistics().sat.clauses
    };
    assert!(clauses(true) * 3 < clauses(false), "{} and {}", clauses(true), clauses(false));
}

/// The product is built for the equation and again for the overflow: units in between do not make it another one.
#[test]
fn circuits_are_shared_across_assertions() {
    let clauses = |goal: u64| {
        let mut t = Terms::new();
        let (x, y) = (t.bv_var("x", 16), t.bv_var("y", 16));
        let (product, overflow, goal) = (t.mul(x, y), t.umul_overflows(x, y), t.bv(16, goal));
        let (equal, fits) = (t.eq(product, goal), t.not(overflow));
        let mut solver = Solver::new();
        solver.assert(&t, equal).unwrap();
        solver.assert(&t, fits).unwrap();
        assert!(solver.solve(&mut t, &[], &unlimited()).unwrap().is_sat());
        solver.statistics().sat.clauses
    };
    // An odd product makes the lowest bits of both factors constant.
    assert!(clauses(35) <= clauses(34), "{} and {}", clauses(35), clauses(34));
}

#[test]
fn fixed_bits_are_those_of_every_model() {
    let mut t = Terms::new();
    let (x, y) = (t.bv_var("x", 8), t.bv_var("y", 8));
    let equal = t.eq(x, y);
    let known = |zeros, ones| KnownBits { zeros, ones };
    let mut solver = Solver::new();
    // Before anything mentions the variable, and after.
    solver.fix_bits(&t, x, known(0xf0, 0x01)).unwrap();
    solver.assert(&t, equal).unwrap();
    let Ok(Answer::Sat(model)) = solver.solve(&mut t, &[], &unlimited()) else { panic!("satisfiable") };
    let value = |model: &Model, t: &Terms, x| model.eval(t, x).as_bits().and_then(Bits::to_u64).unwrap();
    assert_eq!(value(&model, &t, y) & 0xf1, 0x01);
    solver.fix_bits(&t, y, known(0x02, 0x0c)).unwrap();
    let Ok(Answer::Sat(model)) = solver.solve(&mut t, &[], &unlimited()) else { panic!("satisfiable") };
    assert_eq!((value(&model, &t, x), value(&model, &t, y)), (0x0d, 0x0d));
    solver.fix_bits(&t, y, known(0x01, 0)).unwrap();
    assert!(solver.solve(&mut t, &[], &unlimited()).unwrap().is_unsat());
    // Only variables of at most 64 bits have bits that can be fixed.
    let wide = t.bv_var("wide", 65);
    for other in [equal, wide] {
        assert!(matches!(solver.fix_bits(&t, other, known(1, 0)), Err(SortError::Expected { .. })));
    }
}
