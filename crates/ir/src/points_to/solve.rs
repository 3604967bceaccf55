//! The solver: nodes with growing sets, edges along which they flow, and uses that make new edges.

use heddle_base::budget::Ticker;
use heddle_base::{Budget, Id, IndexVec, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

use super::terms::{Shift, TermBase, Terms, constant, function_terms};
use super::{Instance, InstanceId, Location, Object, ObjectId, ObjectKind, Offset, PointsTo};
use crate::expr::ExprId;
use crate::program::{ConstValue, FuncId, GlobalId, Program, RegId};
use crate::step::{Callee, StepId, StepKind};

/// A set in the making: a register of an instance, a result, a memory cell, or an intermediate value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct NodeId(u32);

impl NodeId {
    /// The node of a register, from that of the instance's first.
    pub fn offset(self, reg: RegId) -> usize {
        self.0 as usize + reg.index()
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Distinct offsets that are told apart in one object; a pointer that walks through memory soon exceeds any number.
const MAX_OFFSETS: u32 = 48;
/// Calls that a context remembers.
const MAX_CONTEXT: usize = 6;
/// Steps of all instances together, beyond which functions of models are no longer analysed a call at a time: so many,
/// and so many times the steps of the program.
const CLONED_STEPS: (usize, usize) = (10_000, 8);

/// Work (locations that arrive at nodes, edges that are made) beyond which offsets are given up: programs whose pointers walk
/// through large records would otherwise take minutes.
const MAX_FINE_WORK: u64 = 3_000_000;
/// The size of all cells and loads where offsets are given up: an object is then one cell.
const COARSE_SIZE: u32 = 1;

#[derive(Default)]
struct Node {
    /// In the order of arrival; the first `done` have been passed on.
    set: Vec<Location>,
    /// The same as `set` once that is too long to be searched.
    members: FxHashSet<Location>,
    done: usize,
    queued: bool,
    edges: Vec<(NodeId, Shift)>,
    uses: Vec<Use>,
}

impl Node {
    /// Adds a location; whether it is new.
    fn insert(&mut self, location: Location) -> bool {
        const SHORT: usize = 12;
        let new = if self.set.len() <= SHORT { !self.set.contains(&location) } else { self.members.insert(location) };
        if new {
            self.set.push(location);
            if self.set.len() == SHORT + 1 {
                self.members.extend(&self.set);
            }
        }
        new
    }
}

/// What happens with each location that arrives at a node.
#[derive(Clone, Copy)]
enum Use {
    /// Its contents flow to a node.
    Load { to: NodeId, size: u32 },
    /// A node flows into its contents.
    Store { from: NodeId, size: u32 },
    /// Its contents are copied to where another node points.
    CopyFrom { to: NodeId, len: Option<u64> },
    /// The contents of where another node points are copied to it.
    CopyTo { from: NodeId, len: Option<u64> },
    /// It is called by a call or spawn step.
    Call { caller: InstanceId, step: StepId },
}

#[derive(Clone, Copy)]
struct Cell {
    offset: Offset,
    size: u32,
    node: NodeId,
}

/// What waits for cells of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Listener {
    Load { offset: Offset, size: u32, to: NodeId },
    Copy { from: Offset, len: Option<u64>, to: Location },
}

#[derive(Default)]
struct Memory {
    cells: Vec<Cell>,
    by_place: FxHashMap<(Offset, u32), NodeId>,
    listeners: Vec<Listener>,
    known: FxHashSet<Listener>,
    offsets: FxHashSet<i32>,
}

pub(super) struct Solver<'a> {
    program: &'a Program,
    nodes: Vec<Node>,
    edges: FxHashSet<(NodeId, NodeId, Shift)>,
    todo: Vec<NodeId>,
    instances: IndexVec<InstanceId, Instance>,
    first_reg: IndexVec<InstanceId, NodeId>,
    results: IndexVec<InstanceId, NodeId>,
    instance_of: FxHashMap<(FuncId, Option<(InstanceId, StepId)>), InstanceId>,
    new_instances: Vec<InstanceId>,
    cloned_steps: usize,
    max_cloned_steps: usize,
    objects: IndexVec<ObjectId, Object>,
    of_kind: FxHashMap<ObjectKind, ObjectId>,
    memory: IndexVec<ObjectId, Memory>,
    new_cells: Vec<(ObjectId, usize)>,
    terms: IndexVec<FuncId, Option<IndexVec<ExprId, Terms>>>,
    /// Whether offsets are told apart.
    fine: bool,
    work: u64,
    budget: &'a Budget,
    ticker: Ticker,
}

/// An offset in an object of this size: what is outside is not told apart.
pub(super) fn offset_in(size: Option<u64>, at: i64) -> Offset {
    let inside = at >= 0 && size.is_none_or(|s| at.cast_unsigned() <= s);
    match i32::try_from(at) {
        Ok(at) if inside => Offset::At(at),
        _ => Offset::Any,
    }
}

/// A listener where an object is one cell.
fn coarse(listener: Listener) -> Listener {
    match listener {
        Listener::Load { offset, size: _, to } => Listener::Load { offset, size: COARSE_SIZE, to },
        Listener::Copy { from, len: _, to } => Listener::Copy { from, len: None, to },
    }
}

impl<'a> Solver<'a> {
    pub fn new(program: &'a Program, budget: &'a Budget) -> Self {
        let steps: usize = program.functions.iter().map(|f| f.steps.len()).sum();
        Solver {
            program,
            nodes: Vec::new(),
            edges: FxHashSet::default(),
            todo: Vec::new(),
            instances: IndexVec::new(),
            first_reg: IndexVec::new(),
            results: IndexVec::new(),
            instance_of: FxHashMap::default(),
            new_instances: Vec::new(),
            cloned_steps: 0,
            max_cloned_steps: CLONED_STEPS.0 + CLONED_STEPS.1 * steps,
            objects: IndexVec::new(),
            of_kind: FxHashMap::default(),
            memory: IndexVec::new(),
            new_cells: Vec::new(),
            terms: program.functions.iter().map(|_| None).collect(),
            fine: true,
            work: 0,
            budget,
            ticker: Ticker::new(budget.clone(), 100),
        }
    }

    pub fn solve(mut self) -> Result<PointsTo, Stop> {
        self.instance(self.program.entry, None);
        loop {
            self.ticker.tick()?;
            if self.fine && self.work > MAX_FINE_WORK {
                let coarse = Solver { fine: false, ..Solver::new(self.program, self.budget) };
                return coarse.solve();
            }
            if let Some(instance) = self.new_instances.pop() {
                self.constrain(instance);
            } else if let Some((object, cell)) = self.new_cells.pop() {
                self.announce(object, cell);
            } else if let Some(node) = self.todo.pop() {
                self.propagate(node);
            } else {
                break;
            }
        }
        Ok(self.finish())
    }

    fn finish(self) -> PointsTo {
        let nodes = &self.nodes;
        let contents = |memory: &Memory| {
            let mut all: Vec<Location> =
                memory.cells.iter().flat_map(|c| nodes[c.node.index()].set.iter().copied()).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let cells = self.memory.iter().map(contents).collect();
        let sets = self.nodes.into_iter().map(|n| n.set).collect();
        PointsTo {
            instances: self.instances,
            objects: self.objects,
            of_kind: self.of_kind,
            first_reg: self.first_reg,
            sets,
            terms: self.terms,
            cells,
        }
    }

    // Nodes and edges.

    fn node(&mut self) -> NodeId {
        self.nodes.push(Node::default());
        NodeId(self.nodes.len() as u32 - 1)
    }

    fn add(&mut self, node: NodeId, location: Location) {
        self.work += 1;
        let n = &mut self.nodes[node.index()];
        if n.insert(location) && !std::mem::replace(&mut n.queued, true) {
            self.todo.push(node);
        }
    }

    fn edge(&mut self, from: NodeId, to: NodeId, shift: Shift) {
        self.work += 1;
        if (from == to && shift == Shift::By(0)) || !self.edges.insert((from, to, shift)) {
            return;
        }
        self.nodes[from.index()].edges.push((to, shift));
        for i in 0..self.nodes[from.index()].done {
            let location = self.shifted(self.nodes[from.index()].set[i], shift);
            self.add(to, location);
        }
    }

    fn watch(&mut self, node: NodeId, what: Use) {
        self.nodes[node.index()].uses.push(what);
        for i in 0..self.nodes[node.index()].done {
            let location = self.nodes[node.index()].set[i];
            self.apply(what, location);
        }
    }

    fn propagate(&mut self, node: NodeId) {
        let n = node.index();
        self.nodes[n].queued = false;
        while let Some(&location) = self.nodes[n].set.get(self.nodes[n].done) {
            // Edges and uses that are added while this one is passed on see it as done and take it themselves.
            self.nodes[n].done += 1;
            for i in 0..self.nodes[n].edges.len() {
                let (to, shift) = self.nodes[n].edges[i];
                let moved = self.shifted(location, shift);
                self.add(to, moved);
            }
            for i in 0..self.nodes[n].uses.len() {
                self.apply(self.nodes[n].uses[i], location);
            }
        }
    }

    fn shifted(&mut self, location: Location, shift: Shift) -> Location {
        match (location.offset, shift) {
            (_, Shift::By(0)) => location,
            (Offset::At(at), Shift::By(by)) => self.location(location.object, i64::from(at).saturating_add(by)),
            _ => self.somewhere_in(location.object),
        }
    }

    /// An unknown offset in an object.
    fn somewhere_in(&self, object: ObjectId) -> Location {
        // Nothing looks at the offset of a function: a call reaches it all the same.
        let whole = matches!(self.objects[object].kind, ObjectKind::Func(_));
        Location { object, offset: if whole { Offset::At(0) } else { Offset::Any } }
    }

    fn location(&mut self, object: ObjectId, at: i64) -> Location {
        if !self.fine || matches!(self.objects[object].kind, ObjectKind::Func(_)) {
            return self.somewhere_in(object);
        }
        let mut offset = offset_in(self.objects[object].size, at);
        if let Offset::At(at) = offset {
            let known = &mut self.memory[object].offsets;
            if !known.contains(&at) {
                if known.len() as u32 >= MAX_OFFSETS {
                    offset = Offset::Any;
                } else {
                    known.insert(at);
                }
            }
        }
        Location { object, offset }
    }

    // Memory.

    fn object(&mut self, kind: ObjectKind) -> ObjectId {
        if let Some(&object) = self.of_kind.get(&kind) {
            return object;
        }
        let size = self.size_of(kind);
        let object = self.objects.push(Object { kind, size });
        self.of_kind.insert(kind, object);
        self.memory.push(Memory::default());
        if let ObjectKind::Global(global) = kind {
            self.initialise(object, global);
        }
        object
    }

    fn size_of(&self, kind: ObjectKind) -> Option<u64> {
        match kind {
            ObjectKind::Global(global) => Some(self.program.globals[global].size),
            ObjectKind::Slot(instance, slot) => {
                let function = &self.program.functions[self.instances[instance].func];
                Some(self.program.layouts[function.slots[slot].layout].size)
            }
            ObjectKind::Alloc(instance, step) => {
                let function = &self.program.functions[self.instances[instance].func];
                match function.steps[step].kind {
                    StepKind::Alloc { size, .. } => constant(function, size).map(i64::cast_unsigned),
                    _ => None,
                }
            }
            ObjectKind::Func(_) => None,
        }
    }

    fn initialise(&mut self, object: ObjectId, global: GlobalId) {
        let program = self.program;
        let size = program.model.pointer_size() as u32;
        for item in &program.globals[global].init {
            let (kind, at) = match item.value {
                ConstValue::Global { global, offset } => (ObjectKind::Global(global), offset),
                ConstValue::Func(func) => (ObjectKind::Func(func), 0),
                ConstValue::Scalar { .. } | ConstValue::Bytes(_) => continue,
            };
            let target = self.object(kind);
            let value = self.location(target, at);
            let place = self.location(object, item.offset.cast_signed());
            let cell = self.cell(place, size);
            self.add(cell, value);
        }
    }

    fn cell(&mut self, place: Location, size: u32) -> NodeId {
        let size = if self.fine { size } else { COARSE_SIZE };
        if let Some(&node) = self.memory[place.object].by_place.get(&(place.offset, size)) {
            return node;
        }
        let node = self.node();
        let memory = &mut self.memory[place.object];
        memory.by_place.insert((place.offset, size), node);
        memory.cells.push(Cell { offset: place.offset, size, node });
        self.new_cells.push((place.object, memory.cells.len() - 1));
        node
    }

    fn announce(&mut self, object: ObjectId, cell: usize) {
        let cell = self.memory[object].cells[cell];
        for i in 0..self.memory[object].listeners.len() {
            self.hear(self.memory[object].listeners[i], cell);
        }
    }

    fn listen(&mut self, object: ObjectId, listener: Listener) {
        let listener = if self.fine { listener } else { coarse(listener) };
        if !self.memory[object].known.insert(listener) {
            return;
        }
        self.memory[object].listeners.push(listener);
        for i in 0..self.memory[object].cells.len() {
            self.hear(listener, self.memory[object].cells[i]);
        }
    }

    fn hear(&mut self, listener: Listener, cell: Cell) {
        match listener {
            Listener::Load { offset, size, to } => {
                let overlap = match (offset, cell.offset) {
                    (Offset::At(a), Offset::At(b)) => {
                        i64::from(a) < i64::from(b) + i64::from(cell.size)
                            && i64::from(b) < i64::from(a) + i64::from(size)
                    }
                    _ => true,
                };
                // Parts of a pointer tell its object, not its offset.
                let aligned = offset == cell.offset || offset == Offset::Any || cell.offset == Offset::Any;
                let whole = cell.size == size && aligned;
                if overlap {
                    self.edge(cell.node, to, if whole { Shift::By(0) } else { Shift::Unknown });
                }
            }
            Listener::Copy { from, len, to } => {
                let place = match (from, cell.offset, to.offset) {
                    (Offset::At(start), Offset::At(at), Offset::At(target)) => {
                        let at = i64::from(at) - i64::from(start);
                        let behind = len.is_some_and(|len| at >= len.cast_signed());
                        if at + i64::from(cell.size) <= 0 || behind {
                            return;
                        }
                        self.location(to.object, at + i64::from(target))
                    }
                    _ => Location { object: to.object, offset: Offset::Any },
                };
                let target = self.cell(place, cell.size);
                self.edge(cell.node, target, Shift::By(0));
            }
        }
    }

    fn apply(&mut self, what: Use, location: Location) {
        match what {
            Use::Load { to, size } => {
                self.listen(location.object, Listener::Load { offset: location.offset, size, to })
            }
            Use::Store { from, size } => {
                let cell = self.cell(location, size);
                self.edge(from, cell, Shift::By(0));
            }
            Use::CopyFrom { to, len } => {
                for i in 0..self.nodes[to.index()].set.len() {
                    let target = self.nodes[to.index()].set[i];
                    self.listen(location.object, Listener::Copy { from: location.offset, len, to: target });
                }
            }
            Use::CopyTo { from, len } => {
                for i in 0..self.nodes[from.index()].set.len() {
                    let source = self.nodes[from.index()].set[i];
                    self.listen(source.object, Listener::Copy { from: source.offset, len, to: location });
                }
            }
            Use::Call { caller, step } => {
                if let ObjectKind::Func(func) = self.objects[location.object].kind {
                    self.connect(caller, step, func);
                }
            }
        }
    }

    // Functions.

    /// The instance of a function for a call; library models get one of their own.
    fn instance(&mut self, func: FuncId, site: Option<(InstanceId, StepId)>) -> InstanceId {
        let site = site.filter(|&(caller, _)| self.deserves_context(func, caller));
        if let Some(&known) = self.instance_of.get(&(func, site)) {
            return known;
        }
        let function = &self.program.functions[func];
        self.cloned_steps += function.steps.len();
        if self.terms[func].is_none() {
            self.terms[func] = Some(function_terms(function));
        }
        let (calls, spawns, callers) = (Vec::new(), Vec::new(), Vec::new());
        let id = self.instances.push(Instance { func, site, calls, spawns, callers });
        let first = NodeId(self.nodes.len() as u32);
        self.nodes.extend((0..function.regs.len()).map(|_| Node::default()));
        self.first_reg.push(first);
        let result = self.node();
        self.results.push(result);
        self.instance_of.insert((func, site), id);
        self.new_instances.push(id);
        id
    }

    fn deserves_context(&self, func: FuncId, caller: InstanceId) -> bool {
        if !self.program.functions[func].model || self.cloned_steps > self.max_cloned_steps {
            return false;
        }
        let mut at = Some(caller);
        for _ in 0..MAX_CONTEXT {
            let Some(instance) = at else { return true };
            if self.instances[instance].func == func {
                return false;
            }
            at = self.instances[instance].site.map(|(caller, _)| caller);
        }
        at.is_none()
    }

    fn reg(&self, instance: InstanceId, reg: RegId) -> NodeId {
        NodeId(self.first_reg[instance].offset(reg) as u32)
    }

    /// A node with what an expression can point to.
    fn value(&mut self, instance: InstanceId, expr: ExprId) -> NodeId {
        let func = self.instances[instance].func;
        let terms = self.terms[func].as_ref().map(|t| t[expr].clone()).unwrap_or_default();
        if let [term] = terms.as_slice()
            && let (TermBase::Reg(reg), Shift::By(0)) = (term.base, term.shift)
        {
            return self.reg(instance, reg);
        }
        let node = self.node();
        self.flow(instance, &terms, node);
        node
    }

    fn flow(&mut self, instance: InstanceId, terms: &Terms, to: NodeId) {
        for term in terms {
            match term.base {
                TermBase::Reg(reg) => self.edge(self.reg(instance, reg), to, term.shift),
                TermBase::Object(base) => {
                    let object = self.object(base.object_kind(instance));
                    let start = Location { object, offset: Offset::At(0) };
                    let start = if self.fine { start } else { self.somewhere_in(object) };
                    let location = self.shifted(start, term.shift);
                    self.add(to, location);
                }
            }
        }
    }

    fn assign(&mut self, instance: InstanceId, expr: ExprId, to: NodeId) {
        let func = self.instances[instance].func;
        let terms = self.terms[func].as_ref().map(|t| t[expr].clone()).unwrap_or_default();
        self.flow(instance, &terms, to);
    }

    /// Adds the constraints of all steps of a new instance.
    fn constrain(&mut self, instance: InstanceId) {
        let function = &self.program.functions[self.instances[instance].func];
        for (step, at) in function.steps.iter_enumerated() {
            self.constrain_step(instance, step, &at.kind);
        }
    }

    fn constrain_step(&mut self, instance: InstanceId, step: StepId, kind: &StepKind) {
        let function = &self.program.functions[self.instances[instance].func];
        let model = self.program.model;
        match kind {
            StepKind::Assign { dst, value } => self.assign(instance, *value, self.reg(instance, *dst)),
            StepKind::Load { dst, addr, ty, access: _ } => {
                let (pointer, to) = (self.value(instance, *addr), self.reg(instance, *dst));
                self.watch(pointer, Use::Load { to, size: ty.size(model) as u32 });
            }
            StepKind::Store { addr, value, ty, access: _ } => {
                let (pointer, from) = (self.value(instance, *addr), self.value(instance, *value));
                self.watch(pointer, Use::Store { from, size: ty.size(model) as u32 });
            }
            StepKind::Copy { dst, src, len, layout: _ } => {
                let (to, from) = (self.value(instance, *dst), self.value(instance, *src));
                let len = constant(function, *len).map(i64::cast_unsigned);
                self.watch(from, Use::CopyFrom { to, len });
                self.watch(to, Use::CopyTo { from, len });
            }
            StepKind::Alloc { dst, .. } => {
                let object = self.object(ObjectKind::Alloc(instance, step));
                let start = self.location(object, 0);
                self.add(self.reg(instance, *dst), start);
            }
            StepKind::Call { callee, .. } | StepKind::Spawn { callee, .. } => match *callee {
                Callee::Direct(func) => self.connect(instance, step, func),
                Callee::Indirect(pointer) => {
                    let pointer = self.value(instance, pointer);
                    self.watch(pointer, Use::Call { caller: instance, step });
                }
            },
            StepKind::Return { value: Some(value) } => self.assign(instance, *value, self.results[instance]),
            // These move no addresses; an arbitrary value is no address, and bytes of one value are none either.
            StepKind::Havoc { .. }
            | StepKind::Fill { .. }
            | StepKind::Live { .. }
            | StepKind::Dead { .. }
            | StepKind::Free { .. }
            | StepKind::ObjectSize { .. }
            | StepKind::Goto { .. }
            | StepKind::Branch { .. }
            | StepKind::Return { value: None }
            | StepKind::AtomicBegin { .. }
            | StepKind::AtomicEnd
            | StepKind::Await { .. }
            | StepKind::ThreadExit
            | StepKind::ProcessExit { .. }
            | StepKind::Unsupported { .. }
            | StepKind::Assume { .. }
            | StepKind::Assert { .. }
            | StepKind::Sync { .. }
            | StepKind::Output { .. }
            | StepKind::Fence { .. }
            | StepKind::Skip => {}
        }
    }

    /// A call or spawn step reaches a function.
    fn connect(&mut self, caller: InstanceId, step: StepId, func: FuncId) {
        let callee = self.instance(func, Some((caller, step)));
        let function = &self.program.functions[self.instances[caller].func];
        let params = &self.program.functions[func].params;
        let args: &[ExprId] = match &function.steps[step].kind {
            StepKind::Call { args, dst, .. } => {
                if self.instances[caller].calls.contains(&(step, callee)) {
                    return;
                }
                self.instances[caller].calls.push((step, callee));
                self.instances[callee].callers.push((caller, step));
                if let Some(dst) = dst {
                    self.edge(self.results[callee], self.reg(caller, *dst), Shift::By(0));
                }
                args
            }
            StepKind::Spawn { arg, .. } => {
                if self.instances[caller].spawns.contains(&(step, callee)) {
                    return;
                }
                self.instances[caller].spawns.push((step, callee));
                std::slice::from_ref(arg)
            }
            _ => return,
        };
        for (arg, param) in args.iter().zip(params) {
            self.assign(caller, *arg, self.reg(callee, *param));
        }
    }
}
