//! Steps that change nothing but values, and what drivers need for the others.

use heddle_base::Id;
use heddle_ir::objects::pointed_function;
use heddle_ir::value::Pointer;
use heddle_ir::walk::Walker;
use heddle_ir::{Callee, CheckId, DataModel, FuncId, InputId, InputKind, StepId, StepKind, Ty};
use heddle_solver::{Sort, TermId, Terms};

use super::knowledge::{Kind, mix};
use super::memory::Addressing;
use super::{Driver, Evaluator, Halt, Outcome, Running, State, SuspectKind};
use crate::operators::{self, Unsupported};

impl<D: Driver> Evaluator<'_, D> {
    /// Why a thread goes no further at [`StepKind::Unsupported`].
    pub(crate) fn unsupported_step(&self, running: &Running<'_>, at: StepId, what: &str) -> Halt {
        let place = self.program.sources.display(running.function.steps[at].loc);
        Unsupported(format!("{what} ({place})")).into()
    }

    /// A step that changes nothing but values: control goes on behind it, in the same thread.
    pub(crate) fn data_step(
        &mut self,
        running: &Running<'_>,
        state: &mut State<D::Own>,
        kind: &StepKind,
    ) -> Outcome<()> {
        match kind {
            StepKind::Assign { dst, value } => {
                let value = self.eval(running, state, *value)?;
                state.frame.regs[dst.index()] = Some(value);
            }
            StepKind::Havoc { dst, input } => {
                let value = self.input(*input);
                D::note_input(self, state, *input, value);
                state.frame.regs[dst.index()] = Some(value);
            }
            StepKind::Load { dst, addr, ty, .. } => {
                let pointer = self.eval(running, state, *addr)?;
                let value = self.load(state, pointer, *ty)?;
                state.frame.regs[dst.index()] = Some(value);
            }
            StepKind::Store { addr, value, ty, .. } => {
                let pointer = self.eval(running, state, *addr)?;
                let value = self.eval(running, state, *value)?;
                self.store(state, pointer, *ty, value)?;
            }
            StepKind::Copy { dst, src, len, layout } => {
                let (to, from) = (self.eval(running, state, *dst)?, self.eval(running, state, *src)?);
                let len = self.eval(running, state, *len)?;
                self.copy(state, to, from, len, *layout)?;
            }
            StepKind::Fill { dst, byte, len, layout } => {
                let to = self.eval(running, state, *dst)?;
                let (byte, len) = (self.eval(running, state, *byte)?, self.eval(running, state, *len)?);
                self.fill(state, to, byte, len, *layout)?;
            }
            StepKind::Live { slot } => {
                state.frame.slots[slot.index()] = None;
                self.slot(running, state, *slot);
            }
            StepKind::Dead { slot } => {
                if let Some(pointer) = state.frame.slots[slot.index()].take() {
                    self.end_slot(running, state, *slot, pointer);
                }
            }
            StepKind::Alloc { dst, size, zeroed, kind } => {
                let size = self.eval(running, state, *size)?;
                let (size, bound) = self.object_bound(state, size)?;
                let object = self.make_object(state, D::allocation_salt(size), bound, Kind::Alloc(*kind), *zeroed);
                let unknown = self.terms.as_const(size).is_none().then_some(size);
                self.knowledge.note_unknown_size(object, unknown);
                if *kind == heddle_ir::AllocKind::Stack {
                    state.frame.allocas.push(object);
                }
                D::note_allocation(self, state, object, *kind);
                let pointer = self.terms.bv(64, Pointer::to(object).bits());
                state.frame.regs[dst.index()] = Some(pointer);
            }
            StepKind::Free { addr, kind } => {
                let pointer = self.eval(running, state, *addr)?;
                self.free(state, pointer, *kind)?;
            }
            StepKind::ObjectSize { dst, addr } => {
                let pointer = self.eval(running, state, *addr)?;
                let value = self.object_size(state, pointer)?;
                state.frame.regs[dst.index()] = Some(value);
            }
            StepKind::Assert { cond, check } => {
                let condition = self.eval(running, state, *cond)?;
                self.assert(state, condition, *check);
            }
            StepKind::Output { dst, .. } => {
                if let Some(dst) = dst {
                    let ty = running.function.regs[*dst].ty;
                    let value = self.variable("out", operators::sort(ty));
                    state.frame.regs[dst.index()] = Some(value);
                }
            }
            StepKind::Goto { .. }
            | StepKind::Branch { .. }
            | StepKind::Call { .. }
            | StepKind::Return { .. }
            | StepKind::AtomicBegin { .. }
            | StepKind::AtomicEnd
            | StepKind::Await { .. }
            | StepKind::Spawn { .. }
            | StepKind::ThreadExit
            | StepKind::ProcessExit { .. }
            | StepKind::Unsupported { .. }
            | StepKind::Assume { .. }
            | StepKind::Sync { .. }
            | StepKind::Fence { .. }
            | StepKind::Skip => unreachable!("decided by who drives the threads"),
        }
        Ok(())
    }

    /// A value of an input: the only one that it can have, or any one of its domain.
    fn input(&mut self, input: InputId) -> TermId {
        let (ty, config) = (self.program.inputs[input].ty, self.config);
        let domain = config.domains.iter().find(|(of, _)| *of == input).map(|(_, values)| &values[..]);
        if let Some(&[only]) = domain {
            return operators::constant(self.terms, ty, only);
        }
        let value = self.variable("in", operators::sort(ty));
        if let Some(domain) = domain {
            let mut any = Vec::with_capacity(domain.len());
            for &bits in domain {
                let constant = operators::constant(self.terms, ty, bits);
                any.push(self.terms.eq(value, constant));
            }
            let inside = self.terms.or_all(&any);
            D::constrain(self, inside);
        }
        value
    }

    /// The function that a new thread begins with.
    pub(crate) fn started(
        &mut self,
        running: &Running<'_>,
        state: &mut State<D::Own>,
        callee: Callee,
    ) -> Outcome<FuncId> {
        let pointer = match callee {
            Callee::Direct(func) => return Ok(func),
            Callee::Indirect(pointer) => self.eval(running, state, pointer)?,
        };
        let bits = operators::as_bits(self.terms, pointer);
        let func = bits.and_then(|bits| pointed_function(self.program, Pointer::from_bits(bits as u64)));
        func.ok_or_else(|| Unsupported("a thread whose function is not a constant".to_owned()).into())
    }

    pub(crate) fn assert(&mut self, state: &mut State<D::Own>, condition: TermId, check: CheckId) {
        if self.config.properties.contains(self.program.checks[check].property) {
            let wrong = self.terms.not(condition);
            D::suspect(self, state, wrong, SuspectKind::Check(check));
        }
    }

    /// The functions that a pointer can point to. A pointer to none of them is wrong.
    pub(crate) fn callees(&mut self, state: &mut State<D::Own>, pointer: TermId) -> Vec<(FuncId, TermId)> {
        let objects = self.addressing().objects(pointer);
        let mut found = Vec::new();
        let mut any = Vec::new();
        for &object in objects.iter() {
            let target = Pointer::to(object);
            let Some(func) = pointed_function(self.program, target) else { continue };
            let constant = self.terms.bv(64, target.bits());
            let when = self.terms.eq(pointer, constant);
            if when != Terms::FALSE {
                found.push((func, when));
                any.push(when);
            }
        }
        let valid = self.terms.or_all(&any);
        let wrong = self.terms.not(valid);
        D::suspect(self, state, wrong, SuspectKind::Memory);
        found
    }

    /// Arguments of an indirect call as its callee takes them.
    pub(crate) fn fit_args(&mut self, func: FuncId, args: &[TermId], types: &[Ty]) -> Vec<TermId> {
        let program = self.program;
        let function = &program.functions[func];
        let wanted: Vec<Ty> = function.params.iter().map(|&param| function.regs[param].ty).collect();
        wanted
            .iter()
            .enumerate()
            .map(|(i, &ty)| match args.get(i) {
                Some(&arg) => self.fit(arg, types[i], ty),
                None => self.variable("arg", operators::sort(ty)),
            })
            .collect()
    }

    pub(crate) fn fit(&mut self, value: TermId, from: Ty, to: Ty) -> TermId {
        if from == to {
            return value;
        }
        let bits = if from == Ty::Bool { self.terms.bool_to_bv(value) } else { value };
        if to == Ty::Bool {
            let low = self.terms.extract(0, 0, bits);
            let one = self.terms.bv(1, 1);
            return self.terms.eq(low, one);
        }
        self.terms.resize_unsigned(bits, operators::width(to))
    }
    pub(crate) fn addressing(&mut self) -> Addressing<'_> {
        Addressing {
            terms: self.terms,
            knowledge: self.knowledge,
            targets: &mut self.targets,
            model: self.program.model,
        }
    }

    pub(crate) fn ilp32(&self) -> bool {
        self.program.model == DataModel::Ilp32
    }

    /// A variable that stands for something done by the step at hand; the same one in every unwinding.
    pub(crate) fn variable(&mut self, what: &str, sort: Sort) -> TermId {
        let key = mix(self.step_key, what.len() as u64 ^ u64::from(what.as_bytes()[0]) << 8);
        let count = self.occurrences.entry(key).or_insert(0);
        *count += 1;
        let name = format!("{what}{:x}.{}.{}", key, *count, sort.width().unwrap_or(0));
        self.terms.variable(&name, sort).expect("the sort is part of the name")
    }

    pub(crate) fn bound_of(&self, name: &str) -> u64 {
        let own = self.config.unwindset.iter().find(|(of, _)| of == name);
        own.map_or(self.config.unwind, |(_, bound)| *bound)
    }

    /// A step uses registers: those that hold what was never initialised must not be among them.
    pub(crate) fn use_marks(&mut self, running: &Running<'_>, state: &mut State<D::Own>, kind: &StepKind) {
        let marked = &running.info.marked;
        if marked.is_empty() {
            return;
        }
        let mut used = Vec::new();
        Walker::new().registers(running.function, kind, |reg| used.extend(marked.iter().position(|&m| m == reg)));
        used.sort_unstable();
        used.dedup();
        for index in used {
            let mark = state.frame.marks[index];
            D::suspect(self, state, mark, SuspectKind::Uninit);
        }
        if let Some(index) = kind.written_reg().and_then(|reg| marked.iter().position(|&m| m == reg)) {
            let uninit = matches!(*kind, StepKind::Havoc { input, .. }
                if self.program.inputs[input].kind == InputKind::Uninit);
            state.frame.marks[index] = self.terms.bool(uninit);
        }
    }
}
