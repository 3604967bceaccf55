//! All threads, exactly, with decision diagrams ([BOOLPROG Table 2]): one slot for each thread.
//!
//! States with different numbers of threads are separate sets. Breadth first; the sets of each round are kept, so that
//! an execution can be read off backwards.

use heddle_base::{Budget, Stop};

use crate::flat::{Flat, Instr, LocId};
use crate::trace::Run;

use super::bdd::Bdd;
use super::slots::{Key, Slots};

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A bad location can be reached.
    Bad(Run),
    /// None can be, with any number of threads: the program starts no more than there are slots.
    None,
    /// None can be with so many threads; some start was left out.
    NoneWithin(usize),
}

/// Explores executions with at most so many threads.
pub fn reach(flat: &Flat, threads: usize, budget: &Budget) -> Result<Answer, Stop> {
    reach_at(flat, threads, |_| true, budget)
}

/// The same, with moves at some locations only; others are left out as if they waited for ever.
pub fn reach_at(flat: &Flat, threads: usize, moves: impl Fn(LocId) -> bool, budget: &Budget) -> Result<Answer, Stop> {
    let (at, left_out): (Vec<LocId>, Vec<LocId>) = flat.locations.ids().partition(|at| moves(*at));
    let mut search = Search {
        at,
        slots: Slots::new(flat, threads, budget)?,
        rounds: Vec::new(),
        reached: Vec::new(),
        threads,
        cut_off: !left_out.is_empty(),
    };
    search.run()
}

struct Search<'f> {
    /// Where threads may move.
    at: Vec<LocId>,
    slots: Slots<'f>,
    /// For each round the new states, by number of threads.
    rounds: Vec<Vec<Bdd>>,
    reached: Vec<Bdd>,
    threads: usize,
    cut_off: bool,
}

impl Search<'_> {
    fn run(&mut self) -> Result<Answer, Stop> {
        let none = self.slots.bdds.none();
        self.reached = vec![none.clone(); self.threads + 1];
        let mut new = vec![none.clone(); self.threads + 1];
        new[1] = self.slots.initial()?;
        loop {
            for (count, set) in new.iter().enumerate() {
                self.reached[count] = self.slots.bdds.or(&self.reached[count], set)?;
            }
            self.rounds.push(new.clone());
            if let Some(answer) = self.bad(&new)? {
                return Ok(answer);
            }
            let mut after = vec![none.clone(); self.threads + 1];
            for (count, set) in new.iter().enumerate() {
                if !self.slots.bdds.is_none(set) {
                    self.successors(set, count, &mut after)?;
                }
            }
            let mut any = false;
            for (count, set) in after.iter_mut().enumerate() {
                *set = self.slots.bdds.minus(set, &self.reached[count])?;
                any |= !self.slots.bdds.is_none(set);
            }
            if !any {
                return Ok(if self.cut_off { Answer::NoneWithin(self.threads) } else { Answer::None });
            }
            new = after;
        }
    }

    fn key(&self, mover: usize, at: LocId, count: usize) -> Key {
        let starts = matches!(self.slots.flat.locations[at].instr, Instr::Start(..));
        let others = (0..count).filter(|o| *o != mover).collect();
        Key { mover, at, others, child: starts.then_some(count) }
    }

    fn successors(&mut self, set: &Bdd, count: usize, after: &mut [Bdd]) -> Result<(), Stop> {
        for mover in 0..count {
            for at in self.at.clone() {
                let key = self.key(mover, at, count);
                let target = if key.child.is_some() { count + 1 } else { count };
                if target > self.threads {
                    let there = self.slots.bdds.and(set, &self.slots.at(mover, at)?)?;
                    self.cut_off |= !self.slots.bdds.is_none(&there);
                    continue;
                }
                let image = self.slots.step(set, &key)?;
                after[target] = self.slots.bdds.or(&after[target], &image)?;
            }
        }
        Ok(())
    }

    fn bad(&mut self, new: &[Bdd]) -> Result<Option<Answer>, Stop> {
        for (count, set) in new.iter().enumerate().skip(1) {
            let slots: Vec<usize> = (0..count).collect();
            let bad = self.slots.bad(&slots)?;
            let bad = self.slots.bdds.and(set, &bad)?;
            if let Some(values) = self.slots.bdds.pick(&bad) {
                return Ok(Some(Answer::Bad(self.read_back(values, count)?)));
            }
        }
        Ok(None)
    }

    /// From a state of the last round to the initial one, round by round.
    fn read_back(&mut self, values: Vec<bool>, count: usize) -> Result<Run, Stop> {
        let mut states = vec![self.slots.valuation(&values, count)];
        let mut movers = Vec::new();
        let (mut values, mut count) = (values, count);
        for round in (0..self.rounds.len() - 1).rev() {
            let (mover, before, before_count) = self.before(round, &values, count)?;
            states.push(self.slots.valuation(&before, before_count));
            movers.push(mover);
            (values, count) = (before, before_count);
        }
        states.reverse();
        movers.reverse();
        Ok(Run { states, movers })
    }

    fn before(&mut self, round: usize, values: &[bool], count: usize) -> Result<(usize, Vec<bool>, usize), Stop> {
        for before_count in [count, count - 1] {
            let set = self.rounds[round][before_count].clone();
            if before_count == 0 || self.slots.bdds.is_none(&set) {
                continue;
            }
            for mover in 0..before_count {
                for at in self.at.clone() {
                    let key = self.key(mover, at, before_count);
                    if key.child.is_some() != (before_count < count) {
                        continue;
                    }
                    if let Some((before, _)) = self.slots.before(&set, &key, values)? {
                        return Ok((mover, before, before_count));
                    }
                }
            }
        }
        unreachable!("every state of a round has one of the round before it")
    }
}
