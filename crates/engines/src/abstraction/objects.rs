//! Memory as cells: which objects are tracked, and which of their bytes.
//!
//! A *cell* is a range of bytes that accesses touch whole. Objects that exist once (globals, locals of calls that happen once,
//! blocks that are allocated once) have shared cells. Locals that nobody else sees and thread-locals have cells in every thread.
//! All other objects are *summaries*: reads give arbitrary values, writes change nothing that is tracked.

use heddle_base::{Id, IndexVec};
use heddle_ir::bits::BitSet;
use heddle_ir::cfg::Cfg;
use heddle_ir::liveness::Liveness;
use heddle_ir::loops::Loops;
use heddle_ir::points_to::{InstanceId, ObjectId, ObjectKind, Offset};
use heddle_ir::{AllocKind, Analysis, ConstValue, ExprId, FuncId, Program, StepId, StepKind, Ty};

/// A table of an object's cells is not made beyond this.
const MOST_CELLS: u64 = 16;

/// What is known about a function, for paths through it.
pub(super) struct FunctionInfo {
    pub(super) types: IndexVec<ExprId, Ty>,
    /// Registers that a step or a later one reads.
    pub(super) live: IndexVec<StepId, BitSet>,
    pub(super) heads: IndexVec<StepId, bool>,
    pub(super) in_loop: IndexVec<StepId, bool>,
}

impl FunctionInfo {
    pub(super) fn all(program: &Program) -> IndexVec<FuncId, FunctionInfo> {
        program
            .functions
            .iter()
            .map(|function| {
                let cfg = Cfg::new(function);
                let loops = Loops::new(function, &cfg);
                let live = Liveness::new(function, &cfg).before(function, &cfg);
                let mut heads = IndexVec::from_elem(false, function.steps.len());
                loops.loops.iter().for_each(|l| heads[l.head] = true);
                let in_loop = cfg.block_of.iter().map(|b| loops.innermost[*b].is_some()).collect();
                FunctionInfo { types: function.expr_types(), live, heads, in_loop }
            })
            .collect()
    }
}

/// A range of bytes that is accessed whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Span {
    pub(super) offset: i64,
    pub(super) size: i64,
    pub(super) ty: Ty,
}

/// How an object is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keeping {
    /// It exists once; all threads see its cells.
    Shared,
    /// Each thread has its own, or one call has it and nobody else sees it.
    Own,
    /// Not tracked.
    Summary,
}

/// An object of the program.
#[derive(Clone, Debug)]
pub(super) struct TrackedObject {
    pub(super) kind: ObjectKind,
    pub(super) keeping: Keeping,
    pub(super) size: Option<u64>,
    pub(super) cells: Vec<Span>,
    /// Whether its life may end while it can still be reached.
    pub(super) mortal: bool,
    pub(super) constant: bool,
}

/// All objects, by the ids of the points-to analysis.
pub(super) struct Objects {
    pub(super) all: IndexVec<ObjectId, TrackedObject>,
}

impl Objects {
    pub(super) fn new(program: &Program, analysis: &Analysis, infos: &IndexVec<FuncId, FunctionInfo>) -> Self {
        let counts = counts(program, analysis, infos);
        let points_to = &analysis.points_to;
        let mut all: IndexVec<ObjectId, TrackedObject> = IndexVec::new();
        for (id, object) in points_to.objects.iter_enumerated() {
            let keeping = keeping(program, analysis, infos, &counts, id);
            let constant = matches!(object.kind, ObjectKind::Global(g) if program.globals[g].constant);
            all.push(TrackedObject {
                kind: object.kind,
                keeping,
                size: object.size,
                cells: Vec::new(),
                mortal: false,
                constant,
            });
        }
        let mut objects = Objects { all };
        objects.find_cells(program, analysis);
        objects.find_mortal(program, analysis);
        objects
    }

    fn find_cells(&mut self, program: &Program, analysis: &Analysis) {
        let points_to = &analysis.points_to;
        let mut spans: IndexVec<ObjectId, Vec<Span>> = IndexVec::from_elem(Vec::new(), self.all.len());
        let mut any: IndexVec<ObjectId, Vec<Span>> = IndexVec::from_elem(Vec::new(), self.all.len());
        for (id, instance) in points_to.instances.iter_enumerated() {
            for step in program.functions[instance.func].steps.iter() {
                let (addr, ty) = match step.kind {
                    StepKind::Load { addr, ty, .. } | StepKind::Store { addr, ty, .. } => (addr, ty),
                    _ => continue,
                };
                let size = ty.size(program.model) as i64;
                for location in points_to.locations(id, addr) {
                    match location.offset {
                        Offset::At(at) => spans[location.object].push(Span { offset: i64::from(at), size, ty }),
                        Offset::Any => any[location.object].push(Span { offset: 0, size, ty }),
                    }
                }
            }
        }
        for id in self.all.ids() {
            let object = &mut self.all[id];
            let mut mine = std::mem::take(&mut spans[id]);
            if let (Some(size), Some(first)) = (object.size, any[id].first().copied()) {
                let uniform = any[id].iter().all(|s| s.size == first.size && s.ty == first.ty);
                if uniform && size / (first.size as u64) <= MOST_CELLS {
                    mine.extend((0..size as i64 / first.size).map(|i| Span { offset: i * first.size, ..first }));
                }
            }
            mine.sort_unstable();
            mine.dedup_by_key(|s| (s.offset, s.size));
            if let Some(size) = object.size {
                mine.retain(|s| s.offset >= 0 && s.offset + s.size <= size as i64);
            }
            let overlaps = |a: &Span, b: &Span| a != b && a.offset < b.offset + b.size && b.offset < a.offset + a.size;
            let kept: Vec<Span> = mine.iter().copied().filter(|a| !mine.iter().any(|b| overlaps(a, b))).collect();
            object.cells = kept;
            if object.keeping == Keeping::Summary {
                object.cells.clear();
            }
        }
    }

    /// Blocks that may be freed, and locals that others can see.
    fn find_mortal(&mut self, program: &Program, analysis: &Analysis) {
        let points_to = &analysis.points_to;
        for (id, instance) in points_to.instances.iter_enumerated() {
            for step in program.functions[instance.func].steps.iter() {
                if let StepKind::Free { addr, .. } = step.kind {
                    points_to.locations(id, addr).iter().for_each(|l| self.all[l.object].mortal = true);
                }
            }
        }
        for id in self.all.ids() {
            let object = &mut self.all[id];
            let ends = match object.kind {
                ObjectKind::Slot(..) => true,
                // It ends with its thread.
                ObjectKind::Global(global) => program.globals[global].thread_local,
                ObjectKind::Alloc(instance, step) => {
                    let func = points_to.instances[instance].func;
                    let stack = |kind: &StepKind| matches!(kind, StepKind::Alloc { kind: AllocKind::Stack, .. });
                    object.mortal |= stack(&program.functions[func].steps[step].kind);
                    false
                }
                ObjectKind::Func(_) => false,
            };
            if ends && analysis.sharing.escapes(id) {
                object.mortal = true;
            }
        }
    }
}

fn keeping(
    program: &Program,
    analysis: &Analysis,
    infos: &IndexVec<FuncId, FunctionInfo>,
    counts: &IndexVec<InstanceId, u8>,
    id: ObjectId,
) -> Keeping {
    let points_to = &analysis.points_to;
    match points_to.objects[id].kind {
        ObjectKind::Global(global) if program.globals[global].thread_local => {
            if analysis.sharing.escapes(id) {
                Keeping::Summary
            } else {
                Keeping::Own
            }
        }
        ObjectKind::Global(_) => Keeping::Shared,
        ObjectKind::Func(_) => Keeping::Summary,
        ObjectKind::Slot(instance, slot) => {
            let func = points_to.instances[instance].func;
            if analysis.sharing.escapes(id) {
                let lives = program.functions[func].steps.iter_enumerated();
                let lives_again = lives
                    .filter(|(_, s)| matches!(s.kind, StepKind::Live { slot: s } if s == slot))
                    .any(|(at, _)| infos[func].in_loop[at]);
                let once = counts[instance] <= 1 && !lives_again;
                if once { Keeping::Shared } else { Keeping::Summary }
            } else if outlives_call(program, analysis, instance, id) {
                Keeping::Summary
            } else {
                Keeping::Own
            }
        }
        ObjectKind::Alloc(instance, step) => {
            let func = points_to.instances[instance].func;
            let kind = match program.functions[func].steps[step].kind {
                StepKind::Alloc { kind, .. } => kind,
                _ => AllocKind::Heap,
            };
            // A block on the stack ends with its call.
            let lasting = match kind {
                AllocKind::Heap | AllocKind::Model => true,
                AllocKind::Stack => false,
            };
            let once = counts[instance] <= 1 && !infos[func].in_loop[step];
            if once && lasting { Keeping::Shared } else { Keeping::Summary }
        }
    }
}

/// Whether the address of a local may be known after its call: then it can dangle, and meet the local of a later call.
fn outlives_call(program: &Program, analysis: &Analysis, instance: InstanceId, id: ObjectId) -> bool {
    let points_to = &analysis.points_to;
    let stored = points_to.objects.iter_enumerated().any(|(other, object)| {
        let mine = matches!(object.kind, ObjectKind::Slot(i, _) if i == instance);
        !mine && points_to.contents(other).iter().any(|l| l.object == id)
    });
    let function = &program.functions[points_to.instances[instance].func];
    stored
        || function.steps.iter().any(|step| match step.kind {
            StepKind::Return { value: Some(value) } => {
                points_to.locations(instance, value).iter().any(|l| l.object == id)
            }
            // Its address may be kept for a second life in the same call.
            StepKind::Assign { value, .. } => points_to.locations(instance, value).iter().any(|l| l.object == id),
            _ => false,
        })
}

/// How often each instance is executed in a run: 0, 1, or 2 for more than once.
fn counts(program: &Program, analysis: &Analysis, infos: &IndexVec<FuncId, FunctionInfo>) -> IndexVec<InstanceId, u8> {
    let instances = &analysis.points_to.instances;
    let _ = program;
    let mut counts: IndexVec<InstanceId, u8> = IndexVec::from_elem(0, instances.len());
    loop {
        let mut new: IndexVec<InstanceId, u8> = IndexVec::from_elem(0, instances.len());
        new[InstanceId::new(0)] = 1;
        for (id, instance) in instances.iter_enumerated() {
            for &(step, callee) in instance.calls.iter().chain(&instance.spawns) {
                let times = if infos[instance.func].in_loop[step] { counts[id] * 2 } else { counts[id] };
                new[callee] = (new[callee] + times).min(2);
            }
        }
        for (id, count) in counts.iter_enumerated() {
            new[id] = new[id].max(*count);
        }
        if new == counts {
            return counts;
        }
        counts = new;
    }
}

/// The first value of a range of a global's bytes, where it is one scalar or zero.
pub(super) enum First {
    Bits(u128),
    /// The address of an object.
    Pointer(ObjectId, i64),
    Arbitrary,
}

/// The first value of a cell of a global.
pub(super) fn first_value(program: &Program, analysis: &Analysis, global: heddle_ir::GlobalId, span: Span) -> First {
    let global = &program.globals[global];
    if global.external {
        return First::Arbitrary;
    }
    let mut value = First::Bits(0);
    for item in &global.init {
        let at = item.offset as i64;
        let size = match &item.value {
            ConstValue::Scalar { ty, .. } => ty.size(program.model) as i64,
            ConstValue::Global { .. } | ConstValue::Func(_) => program.model.pointer_size() as i64,
            ConstValue::Bytes(bytes) => bytes.len() as i64,
        };
        if at + size <= span.offset || span.offset + span.size <= at {
            continue;
        }
        let same = at == span.offset && size == span.size;
        value = match &item.value {
            ConstValue::Scalar { ty, bits } if same && (*ty == Ty::Ptr) == (span.ty == Ty::Ptr) => First::Bits(*bits),
            ConstValue::Global { global, offset } if same && span.ty == Ty::Ptr => {
                match analysis.points_to.object(ObjectKind::Global(*global)) {
                    Some(object) => First::Pointer(object, *offset),
                    None => First::Arbitrary,
                }
            }
            ConstValue::Func(func) if same && span.ty == Ty::Ptr => {
                match analysis.points_to.object(ObjectKind::Func(*func)) {
                    Some(object) => First::Pointer(object, 0),
                    None => First::Arbitrary,
                }
            }
            ConstValue::Bytes(bytes) if at <= span.offset && span.offset + span.size <= at + size && span.size <= 8 => {
                let from = (span.offset - at) as usize;
                let mut bits = 0u128;
                for (i, byte) in bytes[from..from + span.size as usize].iter().enumerate() {
                    bits |= u128::from(*byte) << (8 * i);
                }
                if span.ty == Ty::Ptr { First::Arbitrary } else { First::Bits(bits) }
            }
            _ => First::Arbitrary,
        };
    }
    value
}
