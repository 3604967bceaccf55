//! Static analysis [DEFUSE §III-A]: shared variables, potential pairs W ⇀ R, escort branch pairs Σ.
//!
//! A variable is shared if two threads access it: threads of two classes, or two of one class. A write and a read of the
//! same bytes form a potential pair if the read may come after the write; in one thread that needs a path.
//!
//! **Deviation.** The paper says that a branch dominates what is inevitably executed after it. Taken literally that
//! gives Σ of its running example pairs that its Table I does not have. A branch here *controls* a step if the step is
//! control dependent on it: one direction leads to the step inevitably, the other may not. A step that depends on no
//! branch of its function is controlled by what controls the calls of that function, and at the top of a thread by the
//! thread's entry, which counts as a branch that is always taken.

use std::collections::{BTreeMap, BTreeSet};

use heddle_base::{Id, IndexVec};
use heddle_ir::cfg::{BlockId, Cfg};
use heddle_ir::dominators::Dominators;
use heddle_ir::points_to::{InstanceId, ObjectId, ObjectKind, Offset};
use heddle_ir::{Analysis, Expr, ExprId, FuncId, GlobalId, Program, SlotId, StepId, StepKind};
use heddle_task::{CodeSite, RecordedObject, RecordedObjectKind};

/// What executes a step inevitably.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Escort {
    /// A branch in one direction: to its target, or not.
    Branch {
        /// The branch.
        site: CodeSite,
        /// Whether to its target.
        taken: bool,
    },
    /// The start of a thread with this function.
    Entry(FuncId),
}

/// b_p ⇒ b_q: the first controls a write, the second a read of the same variable.
pub type EscortPair = (Escort, Escort);

/// An object, as far as two executions agree on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variable {
    /// A global.
    Global(GlobalId),
    /// A local of a function.
    Slot(FuncId, SlotId),
    /// What an `alloc` step makes.
    Alloc(CodeSite),
}

/// The result.
#[derive(Debug, Default)]
pub struct Statics {
    /// Variables that two threads access.
    pub shared: BTreeSet<Variable>,
    /// Potential pairs, by the steps that write and read.
    pub potential: BTreeSet<(CodeSite, CodeSite)>,
    /// Σ: escort branch pairs.
    pub escorts: BTreeSet<EscortPair>,
    /// What controls each step that accesses a shared variable.
    controls: BTreeMap<CodeSite, Vec<Escort>>,
    /// Branches of Σ that stand inside another one, in one direction: what controls them, directly or not.
    inside: BTreeMap<Escort, BTreeSet<Escort>>,
    /// Functions whose accesses count.
    counted: IndexVec<FuncId, bool>,
}

impl Variable {
    /// The variable of a recorded object; none for functions and for what no step made.
    pub fn of(object: &RecordedObject) -> Option<Self> {
        match object.kind {
            RecordedObjectKind::Global(global) => Some(Variable::Global(global)),
            RecordedObjectKind::Slot(func, slot) => Some(Variable::Slot(func, slot)),
            RecordedObjectKind::Alloc(_) => object.born.map(|(_, site)| Variable::Alloc(site)),
            RecordedObjectKind::Func(_) => None,
        }
    }
}

/// An access of the program's text.
struct Found {
    site: CodeSite,
    object: ObjectId,
    offset: Offset,
    size: Option<u64>,
    write: bool,
    /// The thread classes that execute it.
    classes: Vec<usize>,
}

impl Statics {
    /// Analyses a program.
    pub fn new(program: &Program, analysis: &Analysis) -> Self {
        let counted = program.functions.iter().map(counts).collect();
        let mut statics = Statics { counted, ..Statics::default() };
        let found = accesses(program, analysis, &statics.counted);
        let mut of: BTreeMap<ObjectId, Vec<&Found>> = BTreeMap::new();
        for access in &found {
            of.entry(access.object).or_default().push(access);
        }
        let mut controls = Controls::new(program);
        for (object, list) in &of {
            let Some(variable) = variable(program, analysis, *object) else { continue };
            if !is_shared(analysis, list) {
                continue;
            }
            statics.shared.insert(variable);
            for access in list {
                statics.controls.entry(access.site).or_insert_with(|| controls.of(access.site));
            }
            for write in list.iter().filter(|access| access.write) {
                for read in list.iter().filter(|access| !access.write) {
                    if overlap(write, read) && may_follow(analysis, &mut controls, write, read) {
                        statics.potential.insert((write.site, read.site));
                    }
                }
            }
        }
        let branches: BTreeSet<Escort> = statics.controls.values().flatten().copied().collect();
        for branch in branches {
            controls.add_outer(branch, &mut statics.inside);
        }
        for &(write, read) in &statics.potential {
            for &first in &statics.controls[&write] {
                for &second in &statics.controls[&read] {
                    statics.escorts.insert((first, second));
                }
            }
        }
        statics
    }

    /// Whether the accesses of a function count: those of synchronisation primitives do not.
    pub fn counts(&self, func: FuncId) -> bool {
        self.counted[func]
    }

    /// What controls a step.
    pub fn controls(&self, site: CodeSite) -> &[Escort] {
        self.controls.get(&site).map_or(&[], Vec::as_slice)
    }

    /// The escort branch pairs of a pair of steps.
    pub fn project(&self, write: CodeSite, read: CodeSite) -> Vec<EscortPair> {
        let mut pairs = Vec::new();
        for &first in self.controls(write) {
            pairs.extend(self.controls(read).iter().map(|&second| (first, second)));
        }
        pairs
    }

    /// Escorts that a branch may lead to: itself, and branches that stand inside it.
    pub fn leads_to(&self, escort: Escort) -> BTreeSet<Escort> {
        self.inside.get(&escort).into_iter().flatten().copied().chain([escort]).collect()
    }

    /// All branches, in one direction, that control an access of a shared variable.
    pub fn escort_branches(&self) -> BTreeSet<Escort> {
        self.escorts.iter().flat_map(|&(first, second)| [first, second]).collect()
    }
}

/// A model with an atomic section is a synchronisation primitive: what it accesses is its own state.
fn counts(function: &heddle_ir::Function) -> bool {
    !function.model || !function.steps.iter().any(|step| matches!(step.kind, StepKind::AtomicBegin { .. }))
}

fn accesses(program: &Program, analysis: &Analysis, counted: &IndexVec<FuncId, bool>) -> Vec<Found> {
    let mut found = Vec::new();
    for (id, instance) in analysis.points_to.instances.iter_enumerated() {
        let function = &program.functions[instance.func];
        if !counted[instance.func] || function.model {
            continue;
        }
        let classes: Vec<usize> = analysis
            .threads
            .classes
            .iter_enumerated()
            .filter(|(_, class)| class.instances.contains(id.index()))
            .map(|(class, _)| class.index())
            .collect();
        for (step, at) in function.steps.iter_enumerated() {
            let site = CodeSite { func: instance.func, step };
            let mut add = |pointer: ExprId, size: Option<u64>, write: bool| {
                for location in analysis.points_to.locations(id, pointer) {
                    let (object, offset) = (location.object, location.offset);
                    found.push(Found { site, object, offset, size, write, classes: classes.clone() });
                }
            };
            let constant = |expr: ExprId| match function.exprs[expr] {
                Expr::Const { bits, .. } => u64::try_from(bits).ok(),
                _ => None,
            };
            match at.kind {
                StepKind::Load { addr, ty, .. } => add(addr, Some(ty.size(program.model)), false),
                StepKind::Store { addr, ty, .. } => add(addr, Some(ty.size(program.model)), true),
                StepKind::Copy { dst, src, len, .. } => {
                    add(src, constant(len), false);
                    add(dst, constant(len), true);
                }
                StepKind::Fill { dst, len, .. } => add(dst, constant(len), true),
                _ => {}
            }
        }
    }
    found
}

fn variable(program: &Program, analysis: &Analysis, object: ObjectId) -> Option<Variable> {
    let instance_func = |instance: InstanceId| analysis.points_to.instances[instance].func;
    match analysis.points_to.objects[object].kind {
        ObjectKind::Global(global) => (!program.globals[global].model).then_some(Variable::Global(global)),
        ObjectKind::Slot(instance, slot) => Some(Variable::Slot(instance_func(instance), slot)),
        ObjectKind::Alloc(instance, step) => Some(Variable::Alloc(CodeSite { func: instance_func(instance), step })),
        ObjectKind::Func(_) => None,
    }
}

/// Whether threads of two classes, or two threads of one class, access an object.
fn is_shared(analysis: &Analysis, list: &[&Found]) -> bool {
    let classes: BTreeSet<usize> = list.iter().flat_map(|access| access.classes.iter().copied()).collect();
    let many = |class: usize| analysis.threads.classes[heddle_ir::threads::ThreadId::new(class)].many;
    classes.len() > 1 || classes.into_iter().any(many)
}

fn overlap(a: &Found, b: &Found) -> bool {
    let (Offset::At(at_a), Offset::At(at_b)) = (a.offset, b.offset) else { return true };
    let ends = |start: i32, size: Option<u64>, other: i32| {
        size.is_some_and(|size| i128::from(start) + i128::from(size) <= i128::from(other))
    };
    !ends(at_a, a.size, at_b) && !ends(at_b, b.size, at_a)
}

/// Whether a read may come after a write: in two threads always, in one if there is a path.
fn may_follow(analysis: &Analysis, controls: &mut Controls<'_>, write: &Found, read: &Found) -> bool {
    let many = |class: usize| analysis.threads.classes[heddle_ir::threads::ThreadId::new(class)].many;
    let apart = write.classes.iter().any(|a| read.classes.iter().any(|b| a != b || many(*a)));
    apart || write.site.func != read.site.func || controls.reaches(write.site, read.site)
}

/// Control dependence, function by function.
struct Controls<'p> {
    program: &'p Program,
    functions: BTreeMap<FuncId, FunctionControls>,
    /// Where each function is called directly.
    calls: BTreeMap<FuncId, Vec<CodeSite>>,
}

struct FunctionControls {
    cfg: Cfg,
    /// The branches that each block is control dependent on.
    of: IndexVec<BlockId, Vec<(StepId, bool)>>,
}

impl<'p> Controls<'p> {
    fn new(program: &'p Program) -> Self {
        let mut calls: BTreeMap<FuncId, Vec<CodeSite>> = BTreeMap::new();
        for (func, function) in program.functions.iter_enumerated() {
            for (step, at) in function.steps.iter_enumerated() {
                if let StepKind::Call { callee: heddle_ir::Callee::Direct(to), .. } = at.kind {
                    calls.entry(to).or_default().push(CodeSite { func, step });
                }
            }
        }
        Controls { program, functions: BTreeMap::new(), calls }
    }

    fn function(&mut self, func: FuncId) -> &FunctionControls {
        let program = self.program;
        self.functions.entry(func).or_insert_with(|| FunctionControls::new(&program.functions[func]))
    }

    fn of(&mut self, site: CodeSite) -> Vec<Escort> {
        let mut escorts = BTreeSet::new();
        self.collect(site, &mut escorts, &mut Vec::new());
        escorts.into_iter().collect()
    }

    fn collect(&mut self, site: CodeSite, into: &mut BTreeSet<Escort>, seen: &mut Vec<FuncId>) {
        let controls = self.function(site.func);
        let own = &controls.of[controls.cfg.block_of[site.step]];
        if !own.is_empty() {
            let func = site.func;
            into.extend(own.iter().map(|&(step, taken)| Escort::Branch { site: CodeSite { func, step }, taken }));
            return;
        }
        let calls = self.calls.get(&site.func).cloned().unwrap_or_default();
        if calls.is_empty() || seen.contains(&site.func) {
            into.insert(Escort::Entry(site.func));
            return;
        }
        seen.push(site.func);
        for call in calls {
            self.collect(call, into, seen);
        }
    }

    /// Adds a branch to all that it stands inside of.
    fn add_outer(&mut self, escort: Escort, inside: &mut BTreeMap<Escort, BTreeSet<Escort>>) {
        let mut seen = BTreeSet::from([escort]);
        let mut todo = vec![escort];
        while let Some(inner) = todo.pop() {
            let Escort::Branch { site, .. } = inner else { continue };
            for outer in self.of(site) {
                if seen.insert(outer) {
                    inside.entry(outer).or_default().insert(escort);
                    todo.push(outer);
                }
            }
        }
    }

    /// Whether control can come from one step of a function to another.
    fn reaches(&mut self, from: CodeSite, to: CodeSite) -> bool {
        let cfg = &self.function(from.func).cfg;
        let (first, last) = (cfg.block_of[from.step], cfg.block_of[to.step]);
        if first == last && from.step < to.step {
            return true;
        }
        let mut seen = vec![false; cfg.blocks.len()];
        let mut todo: Vec<BlockId> = cfg.blocks[first].succs.clone();
        while let Some(block) = todo.pop() {
            if block == last {
                return true;
            }
            if !std::mem::replace(&mut seen[block.index()], true) {
                todo.extend(&cfg.blocks[block].succs);
            }
        }
        false
    }
}

impl FunctionControls {
    fn new(function: &heddle_ir::Function) -> Self {
        let cfg = Cfg::new(function);
        let post = Dominators::post(&cfg);
        let mut of: IndexVec<BlockId, Vec<(StepId, bool)>> = cfg.blocks.iter().map(|_| Vec::new()).collect();
        for block in cfg.blocks.ids() {
            let last = cfg.blocks[block].last;
            let StepKind::Branch { target, .. } = function.steps[last].kind else { continue };
            let target = cfg.block_of[target];
            for &next in &cfg.blocks[block].succs {
                if cfg.blocks[block].succs.len() < 2 {
                    continue;
                }
                // All that the direction inevitably leads to, and the branch itself does not.
                for controlled in cfg.blocks.ids() {
                    let inevitable = post.dominates(controlled, next);
                    let anyway = controlled != block && post.dominates(controlled, block);
                    if inevitable && !anyway {
                        of[controlled].push((last, next == target));
                    }
                }
            }
        }
        FunctionControls { cfg, of }
    }
}
