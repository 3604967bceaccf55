//! The recorded paths of all threads as a straight-line program [DEFUSE §III-C, φ_sm].
//!
//! Every thread of a recording becomes one function without jumps: calls are inlined, a branch becomes an `assert` that it
//! goes the recorded way, a call through a pointer an `assert` that it reaches the recorded function. Inputs stay free.
//! Symbolic execution of that program gives the instructions of the trace with all orders and all inputs under
//! the same branches; whether a recorded branch can go the other way is whether its `assert` can fail (Algorithm 3).
//!
//! **Invariants.** A step is visible in this program exactly where it is in the original, so a turn of a thread here is
//! its turn of the same number there. Locals of a call that has returned are reused by later calls of the same
//! function, as new objects.
//!
//! **Limits.** Where an indirect call converts its arguments, and where a thread runs on for very long without a recorded
//! step, its path is cut off. Blocks of `alloca` live until the thread ends.

use heddle_base::{Id, IndexVec, Loc};
use heddle_ir::expr::{Base, BinOp, Expr, ExprId, UnOp};
use heddle_ir::{
    Callee, Check, CheckId, FuncId, Function, Program, Property, RegId, Section, SlotId, Step, StepId, StepKind, Ty,
    Visibility,
};
use heddle_task::{CodeSite, RecordedAction, RecordedStep, Recording, ThreadId};
use rustc_hash::FxHashMap;

/// Steps in a row that a recording says nothing of, after which a path is cut off.
const MOST_SILENT: usize = 1_000_000;

/// A branch of the recording.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathBranch {
    /// The check that fails if it goes the other way.
    pub check: CheckId,
    /// Who took it.
    pub thread: ThreadId,
    /// Where.
    pub site: CodeSite,
    /// Whether to its target; none for a call through a pointer.
    pub taken: Option<bool>,
    /// Its index among the recording's steps.
    pub step: usize,
}

/// The program of a recording's paths.
#[derive(Debug)]
pub struct PathProgram {
    /// The program; its first functions are those of the original.
    pub program: Program,
    /// The visible steps.
    pub visibility: Visibility,
    /// The branches, in the order of the recording.
    pub branches: Vec<PathBranch>,
}

/// A recording does not fit the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// The step that was recorded.
    pub recorded: CodeSite,
    /// The step that the path has there.
    pub path: CodeSite,
}

/// The paths of a recording of `program`.
pub fn paths(program: &Program, visibility: &Visibility, recording: &Recording) -> Result<PathProgram, Misfit> {
    let first = program.functions.len();
    let mut out = program.clone();
    let mut visible: IndexVec<FuncId, IndexVec<StepId, bool>> = program
        .functions
        .iter_enumerated()
        .map(|(func, function)| function.steps.ids().map(|step| visibility.is_visible(func, step)).collect())
        .collect();
    let mut branches = Vec::new();
    for (index, recorded) in recording.threads.iter().enumerate() {
        let thread = ThreadId::new(index);
        let steps: Vec<(usize, &RecordedStep)> =
            recording.steps.iter().enumerate().filter(|(_, step)| step.thread == thread).collect();
        // The function of a thread that never came to a step is not known to have been entered.
        let root = steps.first().map_or(recorded.function, |(_, step)| root_of(recorded.function, step));
        let mut path = Path::new(program, visibility, thread, root, first, out.checks.len());
        path.walk(&steps)?;
        out.checks.raw_mut().extend(path.checks);
        branches.extend(path.branches);
        out.functions.push(path.function);
        visible.push(path.visible);
    }
    out.entry = FuncId::new(first);
    branches.sort_by_key(|branch| branch.step);
    Ok(PathProgram { program: out, visibility: Visibility::of_steps(visible), branches })
}

/// A thread that has ended stands in its first function; so does one whose first step is recorded at depth 0.
fn root_of(function: FuncId, first: &RecordedStep) -> FuncId {
    if first.depth == 0 { first.site.func } else { function }
}

/// A call in progress.
struct Frame {
    func: FuncId,
    at: StepId,
    locals: Locals,
    /// Where the result goes, in the path's registers.
    dst: Option<RegId>,
}

/// What stands for the registers and locals of a call.
#[derive(Clone)]
struct Locals {
    regs: u32,
    slots: u32,
    exprs: FxHashMap<ExprId, ExprId>,
}

struct Path<'p> {
    program: &'p Program,
    visibility: &'p Visibility,
    thread: ThreadId,
    /// The function of the first thread's path.
    first: usize,
    first_check: usize,
    function: Function,
    visible: IndexVec<StepId, bool>,
    checks: Vec<Check>,
    branches: Vec<PathBranch>,
    frames: Vec<Frame>,
    /// Locals of calls that have returned, by function.
    free: FxHashMap<FuncId, Vec<Locals>>,
    /// Open atomic sections.
    sections: u32,
    loc: Loc,
}

impl<'p> Path<'p> {
    fn new(
        program: &'p Program,
        visibility: &'p Visibility,
        thread: ThreadId,
        root: FuncId,
        first: usize,
        first_check: usize,
    ) -> Self {
        let original = &program.functions[root];
        let function = Function {
            name: format!("path.{}", thread.index()),
            params: Vec::new(),
            regs: IndexVec::new(),
            slots: IndexVec::new(),
            exprs: IndexVec::new(),
            steps: IndexVec::new(),
            model: false,
            ..original.clone()
        };
        let mut path = Path {
            program,
            visibility,
            thread,
            first,
            first_check,
            function,
            visible: IndexVec::new(),
            checks: Vec::new(),
            branches: Vec::new(),
            frames: Vec::new(),
            free: FxHashMap::default(),
            sections: 0,
            loc: original.loc,
        };
        let locals = path.locals(root);
        path.function.params = original.params.iter().map(|&reg| moved_reg(&locals, reg)).collect();
        path.frames.push(Frame { func: root, at: StepId::new(0), locals, dst: None });
        path
    }

    /// Registers and locals for a call.
    fn locals(&mut self, func: FuncId) -> Locals {
        if let Some(locals) = self.free.get_mut(&func).and_then(Vec::pop) {
            return locals;
        }
        let original = &self.program.functions[func];
        let locals = Locals {
            regs: self.function.regs.len() as u32,
            slots: self.function.slots.len() as u32,
            exprs: FxHashMap::default(),
        };
        self.function.regs.raw_mut().extend(original.regs.iter().cloned());
        self.function.slots.raw_mut().extend(original.slots.iter().cloned());
        locals
    }

    fn emit(&mut self, kind: StepKind, visible: bool) {
        self.function.steps.push(Step { kind, loc: self.loc });
        self.visible.push(visible);
    }

    fn expr(&mut self, expr: ExprId) -> ExprId {
        let frame = self.frames.last_mut().expect("a call is in progress");
        let original = &self.program.functions[frame.func];
        copy_expr(&original.exprs, &mut self.function.exprs, &mut frame.locals, expr)
    }

    fn reg(&self, reg: RegId) -> RegId {
        moved_reg(&self.frames.last().expect("a call is in progress").locals, reg)
    }

    fn slot(&self, slot: SlotId) -> SlotId {
        let locals = &self.frames.last().expect("a call is in progress").locals;
        SlotId::new(locals.slots as usize + slot.index())
    }

    /// Follows the program along the recorded steps of the thread, up to the last of them.
    fn walk(&mut self, recorded: &[(usize, &RecordedStep)]) -> Result<(), Misfit> {
        let program = self.program;
        let mut next = 0;
        let mut silent = 0;
        let mut last = None;
        while let Some(frame) = self.frames.last() {
            // A step that begins with what its block counts is noted twice.
            while let Some((_, found)) = recorded.get(next)
                && Some(found.site) == last
                && matches!(found.action, RecordedAction::Assign { .. })
            {
                next += 1;
            }
            let (func, at) = (frame.func, frame.at);
            let step = &program.functions[func].steps[at];
            self.loc = step.loc;
            let mut record = None;
            if self.is_recorded(func, &step.kind) {
                let Some(&(index, found)) = recorded.get(next) else { break };
                if found.site != (CodeSite { func, step: at }) || found.depth as usize + 1 != self.frames.len() {
                    return Err(Misfit { recorded: found.site, path: CodeSite { func, step: at } });
                }
                record = Some((index, found));
                last = Some(found.site);
                (next, silent) = (next + 1, 0);
            } else {
                silent += 1;
                if silent > MOST_SILENT || next == recorded.len() && silent > 1000 {
                    break;
                }
            }
            self.frames.last_mut().expect("as above").at = StepId::new(at.index() + 1);
            if !self.step(func, at, &step.kind, record) {
                break;
            }
        }
        if next < recorded.len() && !self.frames.is_empty() && silent <= MOST_SILENT {
            // A path that is cut off on purpose is shorter; nothing else is.
            debug_assert!(self.cut_off(recorded[next].1), "a path ends before its recording does");
        }
        self.finish();
        Ok(())
    }

    fn cut_off(&self, next: &RecordedStep) -> bool {
        let last = self.frames.last().expect("a call is in progress");
        last.func == next.site.func || next.depth as usize >= self.frames.len()
    }

    /// What comes after the last step is not known.
    fn finish(&mut self) {
        while self.sections > 0 {
            self.sections -= 1;
            self.emit(StepKind::AtomicEnd, false);
        }
        let nothing = self.function.exprs.push(Expr::Const { ty: Ty::Bool, bits: 0 });
        self.emit(StepKind::Assume { cond: nothing }, false);
        let value = self.function.ret.map(|ty| self.function.exprs.push(Expr::Const { ty, bits: 0 }));
        self.emit(StepKind::Return { value }, false);
    }

    /// Whether the recorder notes such a step.
    fn is_recorded(&self, func: FuncId, kind: &StepKind) -> bool {
        match kind {
            StepKind::Assign { dst, .. } => self.program.functions[func].regs[*dst].name.is_some(),
            StepKind::AtomicBegin { .. } => self.sections == 0,
            StepKind::AtomicEnd => self.sections == 1,
            StepKind::Havoc { .. }
            | StepKind::Load { .. }
            | StepKind::Store { .. }
            | StepKind::Copy { .. }
            | StepKind::Fill { .. }
            | StepKind::Alloc { .. }
            | StepKind::Free { .. }
            | StepKind::Branch { .. }
            | StepKind::Call { .. }
            | StepKind::Return { .. }
            | StepKind::Await { .. }
            | StepKind::Spawn { .. }
            | StepKind::ThreadExit
            | StepKind::ProcessExit { .. }
            | StepKind::Unsupported { .. }
            | StepKind::Assume { .. }
            | StepKind::Assert { .. }
            | StepKind::Sync { .. }
            | StepKind::Output { .. } => true,
            StepKind::Live { .. }
            | StepKind::Dead { .. }
            | StepKind::ObjectSize { .. }
            | StepKind::Goto { .. }
            | StepKind::Fence { .. }
            | StepKind::Skip => false,
        }
    }

    /// Adds a step to the path; false if the path ends there.
    fn step(&mut self, func: FuncId, at: StepId, kind: &StepKind, record: Option<(usize, &RecordedStep)>) -> bool {
        let visible = self.visibility.is_visible(func, at);
        match kind {
            StepKind::Goto { target } => self.frames.last_mut().expect("in a call").at = *target,
            StepKind::Skip => {}
            StepKind::Branch { cond, target } => {
                let Some((index, RecordedStep { action: RecordedAction::Branch { taken }, .. })) = record else {
                    return false;
                };
                let taken = *taken;
                let mut cond = self.expr(*cond);
                if !taken {
                    cond = self.function.exprs.push(Expr::Unary(UnOp::BoolNot, cond));
                }
                self.branch(cond, CodeSite { func, step: at }, Some(taken), index);
                if taken {
                    self.frames.last_mut().expect("in a call").at = *target;
                }
            }
            StepKind::Call { dst, callee, args } => {
                let Some((index, RecordedStep { action: RecordedAction::Call { callee: Some(to), .. }, .. })) = record
                else {
                    return false;
                };
                return self.call((CodeSite { func, step: at }, index), *dst, *callee, args, *to);
            }
            StepKind::Return { value } => self.leave(*value, visible),
            StepKind::Spawn { arg, .. } => {
                let Some((_, RecordedStep { action: RecordedAction::Spawn { thread }, .. })) = record else {
                    return false;
                };
                let callee = Callee::Direct(FuncId::new(self.first + thread.index()));
                let arg = self.expr(*arg);
                self.emit(StepKind::Spawn { callee, arg }, visible);
            }
            StepKind::Live { slot } => {
                let slot = self.slot(*slot);
                self.emit(StepKind::Live { slot }, visible);
            }
            StepKind::Dead { slot } => {
                let slot = self.slot(*slot);
                self.emit(StepKind::Dead { slot }, visible);
            }
            StepKind::AtomicBegin { .. } => {
                self.sections += 1;
                self.emit(kind.clone(), visible);
            }
            StepKind::AtomicEnd => {
                self.sections = self.sections.saturating_sub(1);
                self.emit(kind.clone(), visible);
            }
            StepKind::ThreadExit | StepKind::ProcessExit { .. } | StepKind::Unsupported { .. } => {
                self.copy(kind, visible);
                self.frames.clear();
                return false;
            }
            StepKind::Assign { .. }
            | StepKind::Havoc { .. }
            | StepKind::Load { .. }
            | StepKind::Store { .. }
            | StepKind::Copy { .. }
            | StepKind::Fill { .. }
            | StepKind::Alloc { .. }
            | StepKind::Free { .. }
            | StepKind::ObjectSize { .. }
            | StepKind::Await { .. }
            | StepKind::Assume { .. }
            | StepKind::Assert { .. }
            | StepKind::Sync { .. }
            | StepKind::Fence { .. }
            | StepKind::Output { .. } => self.copy(kind, visible),
        }
        true
    }

    /// A step as it is, over the path's registers.
    fn copy(&mut self, kind: &StepKind, visible: bool) {
        let mut kind = kind.clone();
        kind.for_each_operand_mut(|operand| *operand = self.expr(*operand));
        match &mut kind {
            StepKind::Assign { dst, .. }
            | StepKind::Havoc { dst, .. }
            | StepKind::Load { dst, .. }
            | StepKind::Alloc { dst, .. }
            | StepKind::ObjectSize { dst, .. } => *dst = self.reg(*dst),
            StepKind::Output { dst, .. } => *dst = dst.map(|dst| self.reg(dst)),
            _ => {}
        }
        self.emit(kind, visible);
    }

    fn branch(&mut self, cond: ExprId, site: CodeSite, taken: Option<bool>, step: usize) {
        let check = CheckId::new(self.first_check + self.checks.len());
        self.checks.push(Check { property: Property::Assert, message: "branch".to_owned() });
        self.branches.push(PathBranch { check, thread: self.thread, site, taken, step });
        self.emit(StepKind::Assert { cond, check }, false);
    }

    fn call(
        &mut self,
        (site, index): (CodeSite, usize),
        dst: Option<RegId>,
        callee: Callee,
        args: &[ExprId],
        to: FuncId,
    ) -> bool {
        let called = &self.program.functions[to];
        let caller = &self.program.functions[site.func];
        let args: Vec<ExprId> = args.iter().take(called.params.len()).copied().collect();
        let fits = args.len() == called.params.len()
            && args.iter().zip(&called.params).all(|(&arg, &param)| caller.type_of(arg) == called.regs[param].ty)
            && dst.is_none_or(|dst| called.ret == Some(caller.regs[dst].ty));
        if !fits {
            return false;
        }
        if let Callee::Indirect(pointer) = callee {
            let pointer = self.expr(pointer);
            let function = self.function.exprs.push(Expr::Addr { base: Base::Func(to), offset: 0 });
            let same = self.function.exprs.push(Expr::Binary(BinOp::Eq, pointer, function));
            self.branch(same, site, None, index);
        }
        let values: Vec<ExprId> = args.iter().map(|&arg| self.expr(arg)).collect();
        let dst = dst.map(|dst| self.reg(dst));
        let locals = self.locals(to);
        for (&param, value) in called.params.iter().zip(values) {
            self.emit(StepKind::Assign { dst: moved_reg(&locals, param), value }, false);
        }
        for slot in called.slots.ids() {
            let slot = SlotId::new(locals.slots as usize + slot.index());
            self.emit(StepKind::Live { slot }, false);
        }
        self.frames.push(Frame { func: to, at: StepId::new(0), locals, dst });
        true
    }

    /// Ends a call: its locals end in one turn, as they do in the machine.
    fn leave(&mut self, value: Option<ExprId>, visible: bool) {
        let value = value.map(|value| self.expr(value));
        if self.frames.len() == 1 {
            let value = self.function.ret.and(value);
            self.emit(StepKind::Return { value }, visible);
            self.frames.clear();
            return;
        }
        // A result is read before the locals end, but registers outlive the call.
        let frame = self.frames.last().expect("a call is in progress");
        if let (Some(dst), Some(value)) = (frame.dst, value) {
            self.emit(StepKind::Assign { dst, value }, false);
        }
        let frame = self.frames.pop().expect("a call is in progress");
        let own_turn = visible && self.sections == 0;
        if own_turn {
            self.emit(StepKind::AtomicBegin { section: Section::Model }, true);
        }
        for slot in self.program.functions[frame.func].slots.ids() {
            let slot = SlotId::new(frame.locals.slots as usize + slot.index());
            self.emit(StepKind::Dead { slot }, false);
        }
        if own_turn {
            self.emit(StepKind::AtomicEnd, false);
        }
        self.free.entry(frame.func).or_default().push(frame.locals);
    }
}

fn moved_reg(locals: &Locals, reg: RegId) -> RegId {
    RegId::new(locals.regs as usize + reg.index())
}

fn copy_expr(
    from: &IndexVec<ExprId, Expr>,
    to: &mut IndexVec<ExprId, Expr>,
    locals: &mut Locals,
    expr: ExprId,
) -> ExprId {
    if let Some(&copied) = locals.exprs.get(&expr) {
        return copied;
    }
    let mut copy = from[expr];
    copy.for_each_operand_mut(|operand| *operand = copy_expr(from, to, locals, *operand));
    match &mut copy {
        Expr::Reg(reg) => *reg = moved_reg(locals, *reg),
        Expr::Addr { base: Base::Slot(slot), .. } => *slot = SlotId::new(locals.slots as usize + slot.index()),
        Expr::Addr { .. }
        | Expr::Const { .. }
        | Expr::SelfId
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Cast { .. }
        | Expr::Ite { .. } => {}
    }
    let id = to.push(copy);
    locals.exprs.insert(expr, id);
    id
}
