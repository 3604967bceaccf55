//! Predictive analysis of one trace [DEFUSE §III-C, Algorithm 2; eq. 1–9] and the questions of alternate branches (eq. 11).
//!
//! φ_sm is the symbolic execution of the trace's paths ([`crate::path`]): inputs are free, branches go as recorded. φ_im
//! (eq. 7) and φ_du (eq. 9) are read-from choices over the event graph, φ_po the order theory that decides which of
//! them fit into one interleaving: program order, starts of threads, and every primitive, because locks (eq. 3, also those
//! still held at the end), condition variables (eq. 4–5), joins, barriers and semaphores are atomic sections over ordinary
//! memory here. A signal that serves one waiter, a broadcast that serves many and a spurious wake-up that none serves
//! need no equations of their own.
//!
//! Before the solver is asked, the obvious order is tried on the machine ([`Predictor::direct`]): both threads up to their accesses, the
//! write, the read. Where nothing else hinders them that shows the pair, and only what is left needs the solver.
//!
//! One incremental solver answers all questions of a trace. A write that cannot be a source of a read is no source in the
//! graph, so most potential pairs never reach the solver.
//!
//! **Deviation.** Executions are prefixes: a predicted execution follows the trace up to the events asked about, and what
//! comes later is left to the machine. So a pair may be predicted although the rest of the trace could not follow.

use heddle_base::{Budget, Id, IndexVec, Stop};
use heddle_encode::{Formula, FormulaRead, Written};
use heddle_event_graph::{NodeId, OrderTheory};
use heddle_ir::{CheckId, InputId, PropertySet};
use heddle_machine::GuideStep;
use heddle_solver::{Answer, Evaluator, Model, Solver, TermId, Terms, Value};
use heddle_symbolic::unwind::{
    Addressing, Knowledge, NodeIx, Suspect, SuspectKind, ThreadIx, UnwindConfig, Unwinding, arbitrary, unwind,
};
use heddle_task::{Recording, ThreadId};
use rustc_hash::FxHashMap;

use crate::guide::{Goal, Guide};
use crate::path::PathProgram;
use crate::turns::Turns;

/// What the solver did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PredictionStatistics {
    /// Questions asked.
    pub queries: u64,
    /// Terms that hold in every execution: the paper counts such as formulas.
    pub formulas: u64,
    /// Seconds in the solver.
    pub solver_seconds: f64,
    /// Pairs that were shown without the solver.
    pub direct: u64,
}

/// A trace, ready to be asked about.
pub struct Predictor {
    terms: Terms,
    unwinding: Unwinding,
    formula: Formula,
    solver: Solver<OrderTheory>,
    nodes: FxHashMap<NodeId, NodeIx>,
    /// Recorded threads by their position in the unwinding.
    threads: IndexVec<ThreadIx, Option<ThreadId>>,
    turns: Turns,
    /// What holds in every question.
    always: Vec<TermId>,
    /// Inputs as they were recorded, to be kept where they can be.
    recorded_inputs: Vec<TermId>,

    /// What was done so far.
    pub statistics: PredictionStatistics,
}

/// A read of the trace that has a choice, and one of the writes it may take its value from.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Who reads, and in which of its turns, from 1; 0 is what it does before the first.
    pub read: (ThreadId, usize),
    /// Where it reads, if that is a global: its number and the first byte.
    pub place: Option<(u32, i32)>,
    /// Bytes.
    pub len: u32,
    /// Who writes.
    pub write: SourceWrite,
    term: TermId,
    node: NodeIx,
}

/// A write that a read may take its value from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceWrite {
    /// One of a turn of a thread, counted likewise.
    Turn(ThreadId, usize),
    /// The last one that a thread made up to this turn, in which others got to know the object; or the initial value.
    Before(ThreadId, u64),
}

impl Predictor {
    /// The formula of a recording: φ_po ∧ φ_sm ∧ φ_im.
    pub fn new(
        path: &PathProgram,
        recording: &Recording,
        properties: PropertySet,
        domains: &[(InputId, Vec<u128>)],
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let config = UnwindConfig {
            unwind: 1,
            unwindset: Vec::new(),
            domains: domains.to_vec(),
            properties: properties.with(heddle_ir::Property::Assert),
            deadlocks: false,
            max_steps: 20_000_000,
            thread_steps: None,
        };
        let program = &path.program;
        let mut terms = Terms::new();
        let mut knowledge = Knowledge::new(program);
        let mut unwinding = unwind(program, &path.visibility, &config, &mut knowledge, &mut terms, budget)?;
        let mut targets = std::mem::take(&mut unwinding.targets);
        let mut at =
            Addressing { terms: &mut terms, knowledge: &knowledge, targets: &mut targets, model: program.model };
        let formula = Formula::new(&mut unwinding, &mut at, false, budget)?;
        let mut solver = Solver::with_theory(OrderTheory::default(), heddle_solver::Config::default());
        for &(value, range) in &formula.ranges {
            solver.fix_bits(&terms, value, range.known).expect("values of reads are variables");
        }
        for &constraint in &formula.constraints {
            solver.assert(&terms, constraint).expect("constraints are Boolean");
        }
        let (graph, nodes) = formula.graph(&unwinding, |term| {
            budget.check()?;
            Ok::<_, Stop>(solver.lit_of(&mut terms, term).expect("literals are Boolean"))
        })?;
        let theory = OrderTheory::new(graph);
        let literals = theory.literals();
        *solver.theory_mut() = theory;
        for literal in literals {
            solver.sat().observe(literal);
        }
        let mut always = Vec::new();
        for asked in formula.races.asked.into_iter().chain(formula.leaks.asked) {
            always.push(terms.not(asked));
        }
        if !formula.uninitialised.is_empty() || !formula.unwritten.is_empty() {
            let arbitrary = arbitrary(&mut terms);
            always.push(terms.not(arbitrary));
        }
        let threads = recorded_threads(&unwinding, recording);
        let statistics = PredictionStatistics { formulas: formula.constraints.len() as u64, ..Default::default() };
        let nodes = nodes.iter_enumerated().map(|(index, &node)| (node, index)).collect();
        let turns = Turns::of(recording);
        let mut predictor = Predictor {
            terms,
            unwinding,
            formula,
            solver,
            nodes,
            threads,
            turns,
            always,
            recorded_inputs: Vec::new(),
            statistics,
        };
        predictor.recorded_inputs = predictor.inputs_as_recorded(recording);
        Ok(predictor)
    }

    /// That inputs have the values that were recorded, one term an input.
    fn inputs_as_recorded(&mut self, recording: &Recording) -> Vec<TermId> {
        use heddle_task::RecordedAction;
        let mut equal = Vec::new();
        for (index, thread) in self.unwinding.threads.iter_enumerated() {
            let Some(id) = self.threads[index] else { continue };
            let mut values =
                recording.steps.iter().filter(|step| step.thread == id).filter_map(|step| match &step.action {
                    RecordedAction::Input { value, .. } => Some(value.bits.0),
                    _ => None,
                });
            for read in &thread.inputs {
                let Some(bits) = values.next() else { break };
                let sort = self.terms.sort(read.value);
                let value = match sort {
                    heddle_solver::Sort::Bool => {
                        if bits != 0 {
                            Terms::TRUE
                        } else {
                            Terms::FALSE
                        }
                    }
                    heddle_solver::Sort::BitVec(width) if width <= 64 => self.terms.bv(width, bits as u64),
                    _ => continue,
                };
                equal.push(self.terms.eq(read.value, value));
            }
        }
        equal
    }

    /// All reads that have a choice, with each write they may take their value from.
    pub fn sources(&self) -> Vec<Source> {
        let mut all = Vec::new();
        for read in &self.formula.reads {
            if read.sources.len() < 2 {
                continue;
            }
            let Some(turn) = self.turn_of(read.node) else { continue };
            for &(write, term) in &read.sources {
                let written = self.formula.writes[write];
                let node = &self.unwinding.nodes[written.node];
                let source = match written.what {
                    Written::Cell(..) => {
                        self.turn_of(written.node).map(|(thread, turn)| SourceWrite::Turn(thread, turn))
                    }
                    // Published in the turn after those that its node counts.
                    Written::Object(_) => self.threads[node.thread].map(|thread| {
                        let turn = self.turns.turn(thread, node.ticks).unwrap_or(u64::MAX);
                        SourceWrite::Before(thread, turn)
                    }),
                };
                let Some(source) = source else { continue };
                let place = self.place(read);
                all.push(Source { read: turn, place, len: read.place.1, write: source, term, node: read.node });
            }
        }
        all
    }

    fn place(&self, read: &FormulaRead) -> Option<(u32, i32)> {
        let address = self.terms.as_const(read.place.0).and_then(heddle_solver::Bits::to_u64)?;
        let object = (address >> 32) as u32;
        (heddle_ir::objects::owner(object) == 0).then_some((object, address as u32 as i32))
    }

    /// The thread of a node, and how many turns it has begun there.
    fn turn_of(&self, node: NodeIx) -> Option<(ThreadId, usize)> {
        let node = &self.unwinding.nodes[node];
        self.threads[node.thread].map(|thread| (thread, node.ticks))
    }

    /// The obvious turns that let a read take its value from a source, which may fail: the reader and the writer alone up to their
    /// accesses, the write, the read.
    pub fn direct(&self, source: &Source) -> Option<Vec<GuideStep>> {
        let (reader, reading) = source.read;
        let reading = reading.checked_sub(1)?;
        let mut turns = match source.write {
            SourceWrite::Turn(writer, writing) if writer != reader => {
                let mut turns = self.turns.leading_to(&[(reader, reading), (writer, writing.saturating_sub(1))]);
                if let Some(writing) = writing.checked_sub(1) {
                    turns.push(self.turns.choices[self.turns.turn(writer, writing)? as usize]);
                }
                turns
            }
            SourceWrite::Turn(..) => self.turns.leading_to(&[(reader, reading)]),
            SourceWrite::Before(writer, _) => self.turns.leading_to(&[(reader, reading), (writer, 0)]),
        };
        turns.push(self.turns.choices[self.turns.turn(reader, reading)? as usize]);
        Some(turns.into_iter().map(|choice| GuideStep { choice, site: None }).collect())
    }

    /// Whether a read can take its value from one of some sources (eq. 9): from which, and how.
    pub fn ask_sources(&mut self, sources: &[Source], budget: &Budget) -> Result<Option<(usize, Guide)>, Stop> {
        let terms: Vec<TermId> = sources.iter().map(|source| source.term).collect();
        let any = self.terms.or_all(&terms);
        let Some((model, order)) = self.solve(&[any], budget)? else { return Ok(None) };
        let mut evaluator = model.evaluator(&self.terms);
        let Some(found) = terms.iter().position(|term| holds(&mut evaluator, *term)) else { return Ok(None) };
        let node = self.unwinding.nodes[sources[found].node];
        let goal = Goal::Upto { thread: node.thread, ticks: node.ticks };
        let (unwinding, formula) = (&self.unwinding, &self.formula);
        let guide = Guide::new(unwinding, formula, &self.threads, &self.turns, &order, goal, &mut evaluator);
        Ok(Some((found, guide)))
    }

    /// The suspect of a branch: that it goes the other way.
    pub fn suspect(&self, check: CheckId) -> Option<&Suspect> {
        self.unwinding.violations.iter().find(|suspect| suspect.what == SuspectKind::Check(check))
    }

    /// Whether one of some branches can be the first that goes another way than recorded (eq. 11): which, and how.
    pub fn ask_branches(&mut self, checks: &[CheckId], budget: &Budget) -> Result<Option<(CheckId, Guide)>, Stop> {
        let suspects: Vec<(CheckId, Suspect)> =
            checks.iter().filter_map(|&check| Some((check, self.suspect(check)?.clone()))).collect();
        let guards: Vec<TermId> = suspects.iter().map(|(_, suspect)| suspect.guard).collect();
        let any = self.terms.or_all(&guards);
        let Some((model, order)) = self.solve(&[any], budget)? else { return Ok(None) };
        let mut evaluator = model.evaluator(&self.terms);
        let found = suspects.iter().find(|(_, suspect)| holds(&mut evaluator, suspect.guard));
        let Some((check, suspect)) = found else { return Ok(None) };
        let goal = Goal::Upto { thread: suspect.thread, ticks: suspect.ticks };
        let guide =
            Guide::new(&self.unwinding, &self.formula, &self.threads, &self.turns, &order, goal, &mut evaluator);
        Ok(Some((*check, guide)))
    }

    /// Whether a branch can go the other way while in each of some lists one of the branches goes as recorded; the whole
    /// execution that shows it.
    pub fn ask_deviation(
        &mut self,
        check: CheckId,
        passed: &[Vec<CheckId>],
        budget: &Budget,
    ) -> Result<Option<Guide>, Stop> {
        let Some(suspect) = self.suspect(check) else { return Ok(None) };
        let mut goals = vec![suspect.guard];
        for list in passed {
            let mut any = Vec::new();
            for &check in list {
                any.push(self.passes(check));
            }
            goals.push(self.terms.or_all(&any));
        }
        self.ask(&goals, Goal::Whole, budget)
    }

    /// Whether a thread comes past a branch in the recorded direction.
    fn passes(&mut self, check: CheckId) -> TermId {
        // A branch that cannot fail has no suspect; then it is passed where the next one is reached, which is stronger
        // than needed only at a thread's end.
        let Some(suspect) = self.suspect(check).cloned() else { return Terms::TRUE };
        let mut all = Vec::new();
        if let Some(last) = suspect.ticks.checked_sub(1) {
            all.push(self.unwinding.threads[suspect.thread].ticks[last].guard);
        }
        let before: Vec<TermId> = self
            .unwinding
            .violations
            .iter()
            .filter(|other| other.thread == suspect.thread && other.ticks <= suspect.ticks)
            .map(|other| other.guard)
            .collect();
        for guard in before {
            all.push(self.terms.not(guard));
        }
        self.terms.and_all(&all)
    }

    fn ask(&mut self, goals: &[TermId], goal: Goal, budget: &Budget) -> Result<Option<Guide>, Stop> {
        let Some((model, order)) = self.solve(goals, budget)? else { return Ok(None) };
        let mut evaluator = model.evaluator(&self.terms);
        let (unwinding, formula) = (&self.unwinding, &self.formula);
        Ok(Some(Guide::new(unwinding, formula, &self.threads, &self.turns, &order, goal, &mut evaluator)))
    }

    /// A model in which all goals hold, with as many inputs as recorded as the core allows.
    fn solve(&mut self, goals: &[TermId], budget: &Budget) -> Result<Option<(Model, Vec<NodeIx>)>, Stop> {
        if goals.contains(&Terms::FALSE) {
            return Ok(None);
        }
        let begin = std::time::Instant::now();
        self.statistics.queries += 1;
        let mut kept = self.recorded_inputs.clone();
        let result = loop {
            let mut asked: Vec<TermId> = goals.to_vec();
            asked.extend(&self.always);
            asked.extend(&kept);
            match self.solver.solve(&mut self.terms, &asked, budget).expect("goals are Boolean") {
                Answer::Sat(model) => {
                    let order = self.solver.theory().linearisation().iter().map(|node| self.nodes[node]).collect();
                    break Ok(Some((model, order)));
                }
                Answer::Unsat(core) => {
                    let before = kept.len();
                    kept.retain(|term| !core.assumptions.contains(term));
                    if kept.len() == before {
                        break Ok(None);
                    }
                }
                Answer::Unknown(stop) => break Err(stop),
            }
        };
        self.statistics.solver_seconds += begin.elapsed().as_secs_f64();
        result
    }
}

/// Recorded threads by their position in the unwinding: the nth child here is the nth child there.
fn recorded_threads(unwinding: &Unwinding, recording: &Recording) -> IndexVec<ThreadIx, Option<ThreadId>> {
    let mut paths: IndexVec<ThreadIx, Option<String>> = IndexVec::from_elem(None, unwinding.threads.len());
    paths[ThreadIx::new(0)] = Some("0".to_owned());
    for (index, thread) in unwinding.threads.iter_enumerated() {
        let Some(own) = paths[index].clone() else { continue };
        for (number, &(_, child, _)) in thread.children.iter().enumerate() {
            paths[child] = Some(format!("{own}.{}", number + 1));
        }
    }
    let find = |path: &String| recording.threads.iter().position(|thread| thread.path == *path).map(ThreadId::new);
    paths.iter().map(|path| path.as_ref().and_then(find)).collect()
}

pub(crate) fn holds(evaluator: &mut Evaluator<'_>, term: TermId) -> bool {
    evaluator.eval(term) == Value::Bool(true)
}
