use heddle_base::Budget;

use super::*;
use crate::{Recursion, flatten, parse, symbolic};

#[test]
fn files_that_are_no_proofs_are_refused() {
    for text in
        ["", "heddle boolean proof 1", "heddle boolean proof 1\nnode 5 0 1 0\nend", "heddle boolean proof 1\nx\nend"]
    {
        assert!(Proof::parse(text).is_err(), "{text}");
    }
}

#[test]
fn a_proof_is_about_its_program_and_all_of_it_is_needed() {
    let text = include_str!("../../../../corpus/boolprog/fig4_critical_section.bp");
    let flat = crate::ghosts::add(&flatten(&parse(text).unwrap(), Recursion::Threads).unwrap());
    let options = Options { partial_order: false, ..Options::default() };
    let reached = symbolic::threads::reach(&flat, &options, false, &Budget::unlimited()).unwrap();
    let proof = Proof::by_threads(&flat, &options, &reached);
    assert_eq!(check(&proof, &flat, &Budget::unlimited()), Ok(()));
    for i in 0..proof.states.len() {
        let mut less = proof.clone();
        less.states.remove(i);
        assert!(check(&less, &flat, &Budget::unlimited()).is_err());
    }
    let without_2d = Proof { lock_sets: false, ..proof.clone() };
    assert!(check(&without_2d, &flat, &Budget::unlimited()).is_err());
    let other = flatten(&parse("decl g; main() begin g := 1; end").unwrap(), Recursion::Threads).unwrap();
    assert!(matches!(check(&proof, &other, &Budget::unlimited()), Err(Refusal::Mismatch(_))));
}

#[test]
fn all_of_a_proof_by_pairs_is_needed() {
    let text = include_str!("../../../../corpus/boolprog/pairs_one_owner.bp");
    let flat = flatten(&parse(text).unwrap(), Recursion::Threads).unwrap();
    let reached = symbolic::pairs::reach(&flat, &Budget::unlimited()).unwrap();
    let proof = Proof::by_pairs(&flat, &reached).unwrap();
    assert_eq!(check(&proof, &flat, &Budget::unlimited()), Ok(()));
    let refused = |less: &Proof| assert!(check(less, &flat, &Budget::unlimited()).is_err());
    for i in 0..proof.states.len() {
        let mut less = proof.clone();
        less.states.remove(i);
        refused(&less);
    }
    for i in 0..proof.pairs.len() {
        let mut less = proof.clone();
        less.pairs.remove(i);
        refused(&less);
    }
    for i in proof.needed_nodes() {
        let mut less = proof.clone();
        let node = &mut less.nodes[i];
        match (node.high, node.low) {
            (1, _) => node.high = 0,
            (_, 1) => node.low = 0,
            _ => continue,
        }
        refused(&less);
    }
}
