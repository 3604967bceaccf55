//! From a program to its template: every class is executed symbolically, path by path, from location to location.
//!
//! Calls are inlined; recursion is not supported. A path ends before a step that others can notice, at the head of a loop, at the
//! end of the thread, and where a check fails. A path through an atomic section goes on to its end; a loop inside a section
//! has a *closed* location at its head.
//!
//! **Threads of POSIX** are native: `pthread_create` stores a new handle and starts a thread of a class, `pthread_join` waits for
//! the thread that has the handle. Their models are not executed, and neither is the bookkeeping around start routines.

use heddle_base::{Budget, Id, IndexVec, Loc};
use heddle_ir::points_to::{InstanceId, ObjectKind};
use heddle_ir::visibility::Visibility;
use heddle_ir::{
    Analysis, Callee, ExprId, FuncId, Program, Property, PropertySet, RegId, SlotId, StepId, StepKind, Ty,
};
use heddle_solver::{Sort, TermId, Terms};
use heddle_symbolic::operators;
use rustc_hash::FxHashMap;

use super::objects::{First, FunctionInfo, Keeping, Objects, Span, first_value};
use super::template::{
    Class, ClassId, Edge, EdgeId, Effect, Failure, LocId, Location, Scope, StateVar, Target, Template, VarIx, Wrong,
};

/// More edges than this are not worth the search.
const MOST_EDGES: usize = 20_000;
/// Paths from one location.
const MOST_PATHS: usize = 3_000;
/// Calls on top of each other.
const MOST_CALLS: usize = 200;
/// Rounds of finding constants.
const PASSES: usize = 4;

/// Why there is no template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Obstacle {
    Unsupported(String),
    Stop(heddle_base::Stop),
}

impl From<heddle_base::Stop> for Obstacle {
    fn from(stop: heddle_base::Stop) -> Self {
        Obstacle::Stop(stop)
    }
}

impl From<operators::Unsupported> for Obstacle {
    fn from(what: operators::Unsupported) -> Self {
        Obstacle::Unsupported(what.0)
    }
}

pub(super) type Outcome<T> = Result<T, Obstacle>;

pub(super) fn unsupported<T>(what: impl Into<String>) -> Outcome<T> {
    Err(Obstacle::Unsupported(what.into()))
}

/// A call in a class, by the calls that lead to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Frame {
    pub(super) id: u32,
    pub(super) instance: InstanceId,
    pub(super) func: FuncId,
    /// The call step in the caller.
    pub(super) site: StepId,
    pub(super) dst: Option<RegId>,
}

/// What a local of a class is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum LocalKey {
    Reg(u32, RegId),
    /// A cell of a local in memory.
    Slot(u32, SlotId, i64),
    /// A cell of a thread-local.
    ThreadLocal(heddle_ir::GlobalId, i64),
    /// Tells the locals of equal calls of different threads apart.
    SlotName(u32, SlotId),
    /// The handle of the thread that is about to be started.
    Pending(u32, StepId),
    Number,
    Handle,
}

/// Where a path can be taken up.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Key {
    class: ClassId,
    frame: u32,
    step: StepId,
    phase: u8,
    depth: u32,
}

/// A path in progress.
#[derive(Clone)]
pub(super) struct Path {
    pub(super) stack: Vec<Frame>,
    pub(super) at: StepId,
    phase: u8,
    depth: u32,
    pub(super) guard: Vec<TermId>,
    pub(super) values: FxHashMap<VarIx, TermId>,
    moved: bool,
    effect: Effect,
}

impl Path {
    fn at_start(frame: Frame) -> Self {
        Path {
            stack: vec![frame],
            at: StepId::new(0),
            phase: 0,
            depth: 0,
            guard: Vec::new(),
            values: FxHashMap::default(),
            moved: false,
            effect: Effect::None,
        }
    }

    pub(super) fn top(&self) -> Frame {
        *self.stack.last().expect("a path is in a call")
    }
}

/// What the template is made for.
pub(super) struct BuildConfig {
    pub(super) properties: PropertySet,
    /// Executions end where one of these is violated.
    pub(super) assumed: PropertySet,
}

pub(super) struct Builder<'a> {
    pub(super) program: &'a Program,
    pub(super) analysis: &'a Analysis,
    pub(super) terms: &'a mut Terms,
    config: &'a BuildConfig,
    pub(super) budget: &'a Budget,
    pub(super) infos: IndexVec<FuncId, FunctionInfo>,
    pub(super) objects: Objects,
    visibility: Visibility,
    pub(super) out: Template,
    locals: FxHashMap<(ClassId, LocalKey), VarIx>,
    pub(super) cells: FxHashMap<(heddle_ir::points_to::ObjectId, i64), VarIx>,
    pub(super) alive: FxHashMap<heddle_ir::points_to::ObjectId, VarIx>,
    frames: FxHashMap<(u32, StepId, InstanceId), u32>,
    stacks: Vec<Vec<Frame>>,
    known: FxHashMap<Key, LocId>,
    ends: FxHashMap<ClassId, LocId>,
    /// Where threads are that an assumption has stopped.
    stops: FxHashMap<ClassId, LocId>,
    todo: Vec<(LocId, Key)>,
    pub(super) class: ClassId,
    /// The classes by the spawn step's instance and the start routine.
    class_of: FxHashMap<(InstanceId, FuncId), ClassId>,
    pub(super) flat: FxHashMap<TermId, TermId>,
    /// Variables that only ever hold one constant.
    constants: FxHashMap<VarIx, TermId>,
    /// Expressions evaluated so far.
    pub(super) evaluated: u32,
}

/// What becomes of a path after a step.
pub(super) enum Flow {
    Next(Path),
    /// To another step of the same call, with a guard.
    Jump(Path, StepId),
}

/// Makes the template of a program.
pub(super) fn build(
    program: &Program,
    analysis: &Analysis,
    terms: &mut Terms,
    config: &BuildConfig,
    budget: &Budget,
) -> Outcome<Template> {
    let infos = FunctionInfo::all(program);
    let objects = Objects::new(program, analysis, &infos);
    let out = Template {
        vars: IndexVec::new(),
        of_term: FxHashMap::default(),
        classes: IndexVec::new(),
        locations: IndexVec::new(),
        edges: IndexVec::new(),
        initial: Vec::new(),
        tracks_joins: true,
        assumed: Vec::new(),
    };
    let builder = Builder {
        program,
        analysis,
        terms,
        config,
        budget,
        infos,
        objects,
        visibility: Visibility::analysed(program, &analysis.sharing),
        out,
        locals: FxHashMap::default(),
        cells: FxHashMap::default(),
        alive: FxHashMap::default(),
        frames: FxHashMap::default(),
        stacks: Vec::new(),
        known: FxHashMap::default(),
        ends: FxHashMap::default(),
        stops: FxHashMap::default(),
        todo: Vec::new(),
        class: ClassId::new(0),
        class_of: FxHashMap::default(),
        flat: FxHashMap::default(),
        constants: FxHashMap::default(),
        evaluated: 0,
    };
    builder.run()
}

impl Builder<'_> {
    fn run(mut self) -> Outcome<Template> {
        self.refuse_bookkeeping()?;
        self.make_cells();
        let mut roots = Vec::new();
        for (id, class) in self.analysis.threads.classes.iter_enumerated() {
            let instance = match class.spawn {
                None => class.root,
                Some((spawner, _)) => {
                    let calls = &self.analysis.points_to.instances[class.root].calls;
                    let start =
                        calls.iter().find(|(_, callee)| self.analysis.points_to.instances[*callee].func == class.start);
                    let model = &self.program.functions[self.analysis.points_to.instances[class.root].func];
                    let (Some(&(_, start)), "__heddle_thread_main") = (start, model.name.as_str()) else {
                        return unsupported("threads that are not started by pthread_create");
                    };
                    self.class_of.insert((spawner, class.start), ClassId::new(id.index()));
                    start
                }
            };
            roots.push((class.name.clone(), instance));
        }
        for (index, (name, _)) in roots.iter().enumerate() {
            let class = ClassId::new(index);
            let number = self.local(class, LocalKey::Number, Ty::I32, "self");
            let handle = self.local(class, LocalKey::Handle, self.handle_ty(), "handle");
            self.out.classes.push(Class { name: name.clone(), start: LocId::new(0), number, handle });
            self.class = class;
            self.thread_locals(&mut FxHashMap::default());
        }
        for _ in 0..PASSES {
            self.explore(&roots)?;
            if !self.find_constants() {
                break;
            }
        }
        Ok(self.out)
    }

    /// All paths of all classes.
    fn explore(&mut self, roots: &[(String, InstanceId)]) -> Outcome<()> {
        self.out.locations = IndexVec::new();
        self.out.edges = IndexVec::new();
        self.out.initial.clear();
        self.out.assumed.clear();
        self.known.clear();
        self.ends.clear();
        self.stops.clear();
        for (index, &(_, instance)) in roots.iter().enumerate() {
            self.class = ClassId::new(index);
            let start = self.start_of_class(instance);
            self.out.classes[self.class].start = start;
            while let Some((location, key)) = self.todo.pop() {
                self.expand(location, &key)?;
            }
        }
        self.first_values();
        Ok(())
    }

    /// Variables to which nothing but one constant is ever assigned. Whether there are new ones.
    ///
    /// Each pass relies on those of the passes before it alone, so nothing is assumed that is not shown.
    fn find_constants(&mut self) -> bool {
        let mut held: FxHashMap<VarIx, Option<TermId>> = FxHashMap::default();
        let mut note = |terms: &Terms, var: VarIx, value: TermId| {
            let constant = (terms.as_const(value).is_some() || terms.as_bool(value).is_some()).then_some(value);
            let known = held.entry(var).or_insert(constant);
            if *known != constant {
                *known = None;
            }
        };
        let mut first: FxHashMap<VarIx, TermId> = FxHashMap::default();
        for &(var, value) in &self.out.initial {
            first.insert(var, value);
            note(self.terms, var, value);
        }
        for edge in self.out.edges.iter() {
            edge.updates.iter().for_each(|&(var, value)| note(self.terms, var, value));
            if let Effect::Spawn { locals, .. } = &edge.effect {
                locals.iter().for_each(|&(var, value)| note(self.terms, var, value));
            }
        }
        let before = self.constants.len();
        for (var, value) in held {
            let shared = self.out.vars[var].scope == Scope::Shared;
            if let Some(value) = value
                && (!shared || first.contains_key(&var))
                && self.terms.sort(value) == self.terms.sort(self.out.vars[var].term)
            {
                self.constants.entry(var).or_insert(value);
            }
        }
        self.constants.len() > before
    }

    /// Native threads leave out what the models do around start routines; that must be nothing.
    fn refuse_bookkeeping(&self) -> Outcome<()> {
        for name in ["__heddle_run_destructors", "__heddle_run_cleanup_handlers"] {
            let long = |f: &heddle_ir::Function| {
                f.name == name && f.steps.iter().any(|s| !matches!(s.kind, StepKind::Return { .. } | StepKind::Skip))
            };
            if self.program.functions.iter().any(long) {
                return unsupported("thread-specific data with destructors, cleanup handlers");
            }
        }
        Ok(())
    }

    fn handle_ty(&self) -> Ty {
        if self.program.model.pointer_size() == 4 { Ty::I32 } else { Ty::I64 }
    }

    // Variables.

    fn variable(&mut self, name: String, ty: Ty, scope: Scope) -> VarIx {
        let unique = format!("{}~{}", name, self.out.vars.len());
        let term = self.terms.variable(&unique, operators::sort(ty)).expect("a new name");
        let ix = self.out.vars.push(StateVar { term, scope, ty, name });
        self.out.of_term.insert(term, ix);
        ix
    }

    pub(super) fn local(&mut self, class: ClassId, key: LocalKey, ty: Ty, name: &str) -> VarIx {
        if let Some(&known) = self.locals.get(&(class, key)) {
            return known;
        }
        let ix = self.variable(name.to_owned(), ty, Scope::Local(class));
        self.locals.insert((class, key), ix);
        ix
    }

    fn reg(&mut self, frame: Frame, reg: RegId) -> VarIx {
        let function = &self.program.functions[frame.func];
        let name = function.regs[reg].name.clone().unwrap_or_else(|| format!("{}.{reg}", function.name));
        let ty = function.regs[reg].ty;
        self.local(self.class, LocalKey::Reg(frame.id, reg), ty, &name)
    }

    pub(super) fn value(&self, path: &Path, var: VarIx) -> TermId {
        let known = path.values.get(&var).or_else(|| self.constants.get(&var)).copied();
        known.unwrap_or(self.out.vars[var].term)
    }

    pub(super) fn reg_value(&mut self, path: &Path, reg: RegId) -> TermId {
        let var = self.reg(path.top(), reg);
        self.value(path, var)
    }

    pub(super) fn set_reg(&mut self, path: &mut Path, reg: RegId, value: TermId) {
        let var = self.reg(path.top(), reg);
        path.values.insert(var, value);
    }

    pub(super) fn fresh(&mut self, ty: Ty) -> TermId {
        self.terms.fresh("any", operators::sort(ty)).expect("a sort")
    }

    pub(super) fn fresh_bool(&mut self) -> TermId {
        self.terms.fresh("any", Sort::Bool).expect("a sort")
    }

    fn make_cells(&mut self) {
        for id in self.objects.all.ids() {
            let object = self.objects.all[id].clone();
            if object.keeping != Keeping::Shared {
                continue;
            }
            let name = self.analysis.points_to.object_name(self.program, id);
            for span in &object.cells {
                let whole = object.cells.len() == 1 && span.offset == 0;
                let name = if whole { name.clone() } else { format!("{name}+{}", span.offset) };
                let var = self.variable(name, span.ty, Scope::Shared);
                self.cells.insert((id, span.offset), var);
            }
            if object.mortal {
                let var = self.variable(format!("alive({name})"), Ty::Bool, Scope::Shared);
                self.alive.insert(id, var);
            }
        }
    }

    /// What memory holds at the start.
    fn first_values(&mut self) {
        let main = &self.out.classes[ClassId::new(0)];
        let one = self.terms.bv(32, 1);
        self.out.initial.push((main.number, one));
        self.class = ClassId::new(0);
        let root = self.analysis.threads.classes[heddle_ir::threads::ThreadId::new(0)].root;
        let frame = self.frame(None, StepId::new(0), root, None);
        let mut path = Path::at_start(frame);
        self.prepare(&mut path, frame);
        self.thread_locals(&mut path.values);
        for (var, value) in path.values {
            if self.out.is_closed(self.terms, value) {
                self.out.initial.push((var, value));
            }
        }
        for id in self.objects.all.ids() {
            let object = self.objects.all[id].clone();
            if let ObjectKind::Global(global) = object.kind
                && object.keeping == Keeping::Shared
            {
                for &span in &object.cells {
                    if let Some(value) = self.first_term(global, span) {
                        self.out.initial.push((self.cells[&(id, span.offset)], value));
                    }
                }
            }
            if let Some(&alive) = self.alive.get(&id) {
                let alive_at_first = matches!(object.kind, ObjectKind::Global(_));
                let value = self.terms.bool(alive_at_first);
                self.out.initial.push((alive, value));
            }
        }
    }

    pub(super) fn first_term(&mut self, global: heddle_ir::GlobalId, span: Span) -> Option<TermId> {
        match first_value(self.program, self.analysis, global, span) {
            First::Bits(bits) => Some(operators::constant(self.terms, span.ty, bits)),
            First::Pointer(object, offset) => Some(self.address(object, offset)),
            First::Arbitrary => None,
        }
    }

    // Locations.

    fn frame(&mut self, parent: Option<&[Frame]>, site: StepId, instance: InstanceId, dst: Option<RegId>) -> Frame {
        let above = parent.and_then(<[Frame]>::last).map_or(u32::MAX - self.class.index() as u32, |f| f.id);
        let next = self.stacks.len() as u32;
        let id = *self.frames.entry((above, site, instance)).or_insert(next);
        let frame = Frame { id, instance, func: self.analysis.points_to.instances[instance].func, site, dst };
        if id == next {
            let mut stack = parent.unwrap_or_default().to_vec();
            stack.push(frame);
            self.stacks.push(stack);
            for slot in self.program.functions[frame.func].slots.ids() {
                self.slot_cells(frame, slot);
            }
        }
        frame
    }

    fn start_of_class(&mut self, instance: InstanceId) -> LocId {
        let frame = self.frame(None, StepId::new(0), instance, None);
        let key = Key { class: self.class, frame: frame.id, step: StepId::new(0), phase: 0, depth: 0 };
        self.location(key)
    }

    fn location(&mut self, key: Key) -> LocId {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let stack = self.stacks[key.frame as usize].clone();
        let mut live = Vec::new();
        for (i, &frame) in stack.iter().enumerate() {
            let regs: Vec<usize> = match stack.get(i + 1) {
                None => self.infos[frame.func].live[key.step].iter().collect(),
                Some(callee) => {
                    let after = StepId::new(callee.site.index() + 1);
                    let dst = callee.dst.map(|r| r.index());
                    self.infos[frame.func].live[after].iter().filter(|r| Some(*r) != dst).collect()
                }
            };
            live.extend(regs.into_iter().map(|r| self.reg(frame, RegId::new(r))).collect::<Vec<_>>());
        }
        for (&(class, local), &var) in &self.locals {
            let there = match local {
                LocalKey::Slot(frame, ..) | LocalKey::SlotName(frame, _) => stack.iter().any(|f| f.id == frame),
                LocalKey::Pending(frame, step) => key.phase > 0 && frame == key.frame && step == key.step,
                LocalKey::ThreadLocal(..) | LocalKey::Number | LocalKey::Handle => true,
                LocalKey::Reg(..) => false,
            };
            if class == self.class && there {
                live.push(var);
            }
        }
        live.sort_unstable();
        live.dedup();
        let id = self.out.locations.push(Location {
            class: self.class,
            live,
            closed: key.depth > 0,
            end: false,
            edges: Vec::new(),
        });
        self.known.insert(key.clone(), id);
        self.todo.push((id, key));
        id
    }

    /// The place in the user's own code.
    fn user_place(&self, stack: &[Frame], step: StepId) -> Loc {
        let mut step = step;
        for frame in stack.iter().rev() {
            let function = &self.program.functions[frame.func];
            let loc = function.steps[step].loc;
            if !function.model && !loc.is_nowhere() {
                return loc;
            }
            step = frame.site;
        }
        Loc::nowhere()
    }

    fn end_of_class(&mut self) -> LocId {
        if let Some(&known) = self.ends.get(&self.class) {
            return known;
        }
        let handle = self.out.classes[self.class].handle;
        let id = self.out.locations.push(Location {
            class: self.class,
            live: vec![handle],
            closed: false,
            end: true,
            edges: Vec::new(),
        });
        self.ends.insert(self.class, id);
        id
    }

    // Edges.

    fn add_edge(&mut self, from: LocId, path: Path, to: Target) -> Outcome<()> {
        let guard = self.terms.and_all(&path.guard);
        if guard == Terms::FALSE {
            return Ok(());
        }
        let mut updates: Vec<(VarIx, TermId)> = Vec::new();
        for (&var, &value) in &path.values {
            let kept = match (self.out.vars[var].scope, &to) {
                (_, Target::Error(_) | Target::Exit) => false,
                (Scope::Shared, Target::At(_)) => true,
                (Scope::Local(_), Target::At(to)) => self.out.locations[*to].live.binary_search(&var).is_ok(),
            };
            if kept && value != self.out.vars[var].term && self.constants.get(&var) != Some(&value) {
                updates.push((var, value));
            }
        }
        updates.sort_unstable_by_key(|u| u.0);
        let effect = path.effect;
        let edge = Edge { from, to, guard, updates, effect };
        let id: EdgeId = self.out.edges.push(edge);
        self.out.locations[from].edges.push(id);
        if self.out.edges.len() > MOST_EDGES {
            return unsupported("too many paths");
        }
        Ok(())
    }

    /// The state goes on only if `right` holds; otherwise something is wrong.
    pub(super) fn check(
        &mut self,
        from: LocId,
        path: &mut Path,
        right: TermId,
        property: Property,
        message: &str,
    ) -> Outcome<()> {
        let wrong = self.terms.not(right);
        if wrong == Terms::FALSE {
            return Ok(());
        }
        let place = self.user_place(&path.stack, path.at);
        if self.config.assumed.contains(property) {
            if !self.out.assumed.contains(&(property, place)) {
                self.out.assumed.push((property, place));
            }
        } else {
            let checked = self.config.properties.contains(property);
            let kind = if checked { Wrong::Violation(property) } else { Wrong::Undefined(property) };
            let failure = Failure { wrong: kind, message: message.to_owned(), place };
            let mut failing = path.clone();
            failing.guard.push(wrong);
            failing.effect = Effect::None;
            self.add_edge(from, failing, Target::Error(Box::new(failure)))?;
        }
        path.guard.push(right);
        Ok(())
    }

    fn expand(&mut self, location: LocId, key: &Key) -> Outcome<()> {
        self.budget.check()?;
        let stack = self.stacks[key.frame as usize].clone();
        let first = Path {
            stack,
            at: key.step,
            phase: key.phase,
            depth: key.depth,
            guard: Vec::new(),
            values: FxHashMap::default(),
            moved: false,
            effect: Effect::None,
        };
        let mut paths = vec![first];
        let mut count = 0;
        while let Some(path) = paths.pop() {
            count += 1;
            if count > MOST_PATHS * 50 || paths.len() > MOST_PATHS {
                return unsupported("too many paths between two visible steps");
            }
            if count % 16 == 0 {
                self.budget.check()?;
            }
            if self.terms.and_all(&path.guard) == Terms::FALSE {
                continue;
            }
            if let Some(key) = self.stops_at(&path) {
                let to = self.location(key);
                self.add_edge(location, path, Target::At(to))?;
                continue;
            }
            self.step(location, path, &mut paths)?;
        }
        Ok(())
    }

    /// The location that a path has come to, if others can move there or it is cut.
    fn stops_at(&self, path: &Path) -> Option<Key> {
        if !path.moved {
            return None;
        }
        let frame = path.top();
        let kind = &self.program.functions[frame.func].steps[path.at].kind;
        let native = matches!(kind, StepKind::Call { callee: Callee::Direct(f), .. } if self.native(*f).is_some());
        let visible = path.depth == 0 && (self.visibility.is_visible(frame.func, path.at) || native || path.phase > 0);
        let head = self.infos[frame.func].heads[path.at];
        (visible || head).then_some(Key {
            class: self.class,
            frame: frame.id,
            step: path.at,
            phase: path.phase,
            depth: path.depth,
        })
    }

    /// Executes one step of a path.
    fn step(&mut self, from: LocId, mut path: Path, paths: &mut Vec<Path>) -> Outcome<()> {
        let frame = path.top();
        let kind = self.program.functions[frame.func].steps[path.at].kind.clone();
        path.moved = true;
        let mut flows: Vec<Flow> = Vec::new();
        match kind {
            StepKind::Assign { dst, value } => {
                let value = self.eval(&path, value)?;
                self.set_reg(&mut path, dst, value);
                flows.push(Flow::Next(path));
            }
            StepKind::Havoc { dst, .. } => {
                let value = self.fresh(self.program.functions[frame.func].regs[dst].ty);
                self.set_reg(&mut path, dst, value);
                flows.push(Flow::Next(path));
            }
            StepKind::Load { dst, addr, ty, .. } => self.load(from, path, dst, addr, ty, &mut flows)?,
            StepKind::Store { addr, value, ty, .. } => {
                let value = self.eval(&path, value)?;
                self.store(from, path, addr, value, ty, &mut flows)?;
            }
            StepKind::Copy { dst, src, len, .. } => self.copy(from, path, dst, Some(src), len, None, &mut flows)?,
            StepKind::Fill { dst, byte, len, .. } => {
                let byte = self.eval(&path, byte)?;
                self.copy(from, path, dst, None, len, Some(byte), &mut flows)?;
            }
            StepKind::Live { slot } => {
                self.live(&mut path, frame, slot);
                flows.push(Flow::Next(path));
            }
            StepKind::Dead { slot } => {
                self.dead(&mut path, frame, slot);
                flows.push(Flow::Next(path));
            }
            StepKind::Alloc { dst, size, zeroed, .. } => {
                let size = self.eval(&path, size)?;
                let pointer = self.allocate(&mut path, frame, size, zeroed);
                self.set_reg(&mut path, dst, pointer);
                flows.push(Flow::Next(path));
            }
            StepKind::Free { addr, .. } => self.free(from, path, addr, &mut flows)?,
            StepKind::ObjectSize { dst, .. } => {
                let value = self.fresh(Ty::I64);
                self.set_reg(&mut path, dst, value);
                flows.push(Flow::Next(path));
            }
            StepKind::Goto { target } => flows.push(Flow::Jump(path, target)),
            StepKind::Branch { cond, target } => {
                let cond = self.eval(&path, cond)?;
                let mut there = path.clone();
                there.guard.push(cond);
                flows.push(Flow::Jump(there, target));
                let not = self.terms.not(cond);
                path.guard.push(not);
                flows.push(Flow::Next(path));
            }
            StepKind::Call { dst, callee, args } => {
                let args = args.iter().map(|&a| self.eval(&path, a)).collect::<Outcome<Vec<_>>>()?;
                return self.call(from, path, dst, callee, &args, paths);
            }
            StepKind::Return { value } => {
                let value = value.map(|v| self.eval(&path, v)).transpose()?;
                return self.ret(from, path, value, paths);
            }
            StepKind::AtomicBegin { .. } => {
                path.depth += 1;
                flows.push(Flow::Next(path));
            }
            StepKind::AtomicEnd => {
                path.depth = path.depth.saturating_sub(1);
                flows.push(Flow::Next(path));
            }
            StepKind::Await { cond, spurious, .. } => {
                let cond = self.eval(&path, cond)?;
                if !spurious {
                    path.guard.push(cond);
                }
                flows.push(Flow::Next(path));
            }
            StepKind::Spawn { .. } => return unsupported("threads that are not started by pthread_create"),
            StepKind::ThreadExit => {
                self.end_all(&mut path);
                let end = self.end_of_class();
                return self.add_edge(from, path, Target::At(end));
            }
            StepKind::ProcessExit { .. } => return self.add_edge(from, path, Target::Exit),
            StepKind::Assume { cond } => {
                let cond = self.eval(&path, cond)?;
                self.may_stop(from, &path, cond)?;
                path.guard.push(cond);
                flows.push(Flow::Next(path));
            }
            StepKind::Assert { cond, check } => {
                let cond = self.eval(&path, cond)?;
                let check = self.program.checks[check].clone();
                let asked = self.config.properties.contains(check.property);
                if asked || self.config.assumed.contains(check.property) {
                    self.check(from, &mut path, cond, check.property, &check.message)?;
                }
                flows.push(Flow::Next(path));
            }
            StepKind::Output { dst, .. } => {
                if let Some(dst) = dst {
                    let value = self.fresh(self.program.functions[frame.func].regs[dst].ty);
                    self.set_reg(&mut path, dst, value);
                }
                flows.push(Flow::Next(path));
            }
            StepKind::Unsupported { .. } => {
                let place = self.user_place(&path.stack, path.at);
                let failure =
                    Failure { wrong: Wrong::Unsupported, message: "a step that cannot be executed".to_owned(), place };
                return self.add_edge(from, path, Target::Error(Box::new(failure)));
            }
            StepKind::Sync { .. } | StepKind::Fence { .. } | StepKind::Skip => flows.push(Flow::Next(path)),
        }
        for flow in flows {
            paths.push(match flow {
                Flow::Next(mut path) => {
                    path.at = StepId::new(path.at.index() + 1);
                    path
                }
                Flow::Jump(mut path, to) => {
                    path.at = to;
                    path
                }
            });
        }
        Ok(())
    }

    // Calls.

    fn native(&self, func: FuncId) -> Option<Native> {
        let function = &self.program.functions[func];
        if !function.model {
            return None;
        }
        Some(match function.name.as_str() {
            "pthread_create" => Native::Create,
            "pthread_join" => Native::Join,
            "pthread_exit" => Native::Exit,
            "pthread_self" => Native::Itself,
            "pthread_detach" => Native::Detach,
            "pthread_tryjoin_np" => Native::Unsupported,
            _ => return None,
        })
    }

    fn call(
        &mut self,
        from: LocId,
        path: Path,
        dst: Option<RegId>,
        callee: Callee,
        args: &[TermId],
        paths: &mut Vec<Path>,
    ) -> Outcome<()> {
        let frame = path.top();
        let targets: Vec<InstanceId> = self.analysis.points_to.targets(frame.instance, path.at).collect();
        match callee {
            Callee::Direct(func) => {
                if let Some(native) = self.native(func) {
                    return self.native_call(from, path, native, dst, args, targets.first().copied(), paths);
                }
                let Some(&target) = targets.first() else { return unsupported("a call that leads nowhere") };
                self.enter(path, dst, target, args, paths)
            }
            Callee::Indirect(pointer) => {
                let pointer = self.eval(&path, pointer)?;
                let mut path = path;
                let mut any = Vec::new();
                for &target in &targets {
                    let func = self.analysis.points_to.instances[target].func;
                    let Some(object) = self.analysis.points_to.object(ObjectKind::Func(func)) else { continue };
                    let address = self.address(object, 0);
                    let same = self.terms.eq(pointer, address);
                    any.push((same, target));
                }
                let ways: Vec<TermId> = any.iter().map(|a| a.0).collect();
                let right = self.terms.or_all(&ways);
                self.check(from, &mut path, right, Property::Memory, "a call through a bad pointer")?;
                for (same, target) in any {
                    let mut there = path.clone();
                    there.guard.push(same);
                    let func = self.analysis.points_to.instances[target].func;
                    if self.native(func).is_some() {
                        return unsupported("thread functions called through pointers");
                    }
                    self.enter(there, dst, target, args, paths)?;
                }
                Ok(())
            }
        }
    }

    /// Puts a call on the stack.
    fn enter(
        &mut self,
        mut path: Path,
        dst: Option<RegId>,
        target: InstanceId,
        args: &[TermId],
        paths: &mut Vec<Path>,
    ) -> Outcome<()> {
        if path.stack.len() > MOST_CALLS || path.stack.iter().any(|f| f.instance == target) {
            return unsupported("recursion");
        }
        let frame = self.frame(Some(&path.stack.clone()), path.at, target, dst);
        // An interned frame may have been made with another destination: same site, same instance, so the same one.
        let function = &self.program.functions[frame.func];
        path.stack.push(Frame { dst, ..frame });
        self.prepare(&mut path, frame);
        for (i, &param) in function.params.iter().enumerate() {
            let ty = function.regs[param].ty;
            let value = match args.get(i) {
                Some(&value) if self.terms.sort(value) == operators::sort(ty) => value,
                Some(_) | None => self.fresh(ty),
            };
            self.set_reg(&mut path, param, value);
        }
        path.at = StepId::new(0);
        paths.push(path);
        Ok(())
    }

    /// Registers that are read before they are written hold zero, locals in memory anything.
    fn prepare(&mut self, path: &mut Path, frame: Frame) {
        let function = &self.program.functions[frame.func];
        for reg in self.infos[frame.func].live[StepId::new(0)].iter().collect::<Vec<_>>() {
            let reg = RegId::new(reg);
            let zero = operators::constant(self.terms, function.regs[reg].ty, 0);
            self.set_reg(path, reg, zero);
        }
        for slot in function.slots.ids() {
            self.live(path, frame, slot);
        }
    }

    /// A thread that an assumption stops has done what it did before, and others go on.
    fn may_stop(&mut self, from: LocId, path: &Path, cond: TermId) -> Outcome<()> {
        let shared = path.values.keys().any(|&var| self.out.vars[var].scope == Scope::Shared);
        if !shared && path.effect == Effect::None {
            return Ok(());
        }
        let mut stopped = path.clone();
        let fails = self.terms.not(cond);
        stopped.guard.push(fails);
        let to = match self.stops.get(&self.class) {
            Some(&known) => known,
            None => {
                let live = vec![self.out.classes[self.class].handle];
                let location = Location { class: self.class, live, closed: false, end: false, edges: Vec::new() };
                let id = self.out.locations.push(location);
                self.stops.insert(self.class, id);
                id
            }
        };
        self.add_edge(from, stopped, Target::At(to))
    }

    /// The locals of all calls end with the thread.
    fn end_all(&mut self, path: &mut Path) {
        for frame in path.stack.clone() {
            for slot in self.program.functions[frame.func].slots.ids() {
                self.dead(path, frame, slot);
            }
        }
    }

    fn ret(&mut self, from: LocId, mut path: Path, value: Option<TermId>, paths: &mut Vec<Path>) -> Outcome<()> {
        let frame = path.top();
        for slot in self.program.functions[frame.func].slots.ids() {
            self.dead(&mut path, frame, slot);
        }
        path.stack.pop();
        let Some(&caller) = path.stack.last() else {
            let end = self.end_of_class();
            return self.add_edge(from, path, Target::At(end));
        };
        if let Some(dst) = frame.dst {
            let ty = self.program.functions[caller.func].regs[dst].ty;
            let value = match value {
                Some(value) if self.terms.sort(value) == operators::sort(ty) => value,
                Some(_) | None => self.fresh(ty),
            };
            self.set_reg(&mut path, dst, value);
        }
        path.at = StepId::new(frame.site.index() + 1);
        paths.push(path);
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn native_call(
        &mut self,
        from: LocId,
        mut path: Path,
        native: Native,
        dst: Option<RegId>,
        args: &[TermId],
        target: Option<InstanceId>,
        paths: &mut Vec<Path>,
    ) -> Outcome<()> {
        let frame = path.top();
        let site = path.at;
        let done = |builder: &mut Self, mut path: Path, result: Option<TermId>, paths: &mut Vec<Path>| {
            if let (Some(dst), Some(result)) = (dst, result) {
                builder.set_reg(&mut path, dst, result);
            }
            path.phase = 0;
            path.at = StepId::new(path.at.index() + 1);
            paths.push(path);
        };
        let zero = self.terms.bv(32, 0);
        match native {
            Native::Unsupported => unsupported("a thread function without an unbounded proof rule"),
            Native::Itself => {
                let handle = self.out.classes[self.class].handle;
                let handle = self.value(&path, handle);
                done(self, path, Some(handle), paths);
                Ok(())
            }
            Native::Detach => {
                self.out.tracks_joins = false;
                let any = self.fresh(Ty::I32);
                done(self, path, Some(any), paths);
                Ok(())
            }
            Native::Exit => {
                if path.depth > 0 {
                    return unsupported("a thread that ends in an atomic section");
                }
                self.end_all(&mut path);
                let end = self.end_of_class();
                self.add_edge(from, path, Target::At(end))
            }
            Native::Join => {
                if path.phase == 0 {
                    path.effect = Effect::Join { handle: args[0] };
                    path.phase = 1;
                    // The rest is a step of its own.
                    paths.push(path);
                    return Ok(());
                }
                let null = self.terms.bv(64, 0);
                let is_null = self.terms.eq(args[1], null);
                let any = self.fresh(Ty::I32);
                let mut quiet = path.clone();
                quiet.guard.push(is_null);
                done(self, quiet, Some(any), paths);
                let given = self.terms.not(is_null);
                path.guard.push(given);
                let value = self.fresh(Ty::Ptr);
                for mut path in self.store_through(from, path, frame.instance, args[1], site, 1, value, Ty::Ptr)? {
                    path.phase = 0;
                    let any = self.fresh(Ty::I32);
                    done(self, path, Some(any), paths);
                }
                Ok(())
            }
            Native::Create if path.phase == 0 => {
                let null = self.terms.bv(64, 0);
                if args[1] != null {
                    self.out.tracks_joins = false;
                }
                let ty = self.handle_ty();
                let handle = self.fresh(ty);
                let pending = self.local(self.class, LocalKey::Pending(frame.id, site), ty, "new thread");
                path.values.insert(pending, handle);
                for mut path in self.store_through(from, path, frame.instance, args[0], site, 0, handle, ty)? {
                    path.phase = 1;
                    paths.push(path);
                }
                Ok(())
            }
            Native::Create => {
                let Some(target) = target else { return unsupported("a thread that is never started") };
                let pending = self.local(self.class, LocalKey::Pending(frame.id, site), self.handle_ty(), "new thread");
                let handle = self.value(&path, pending);
                let mut ways = Vec::new();
                let starts: Vec<(FuncId, ClassId)> = self
                    .class_of
                    .iter()
                    .filter(|((spawner, _), _)| *spawner == target)
                    .map(|(&(_, start), &class)| (start, class))
                    .collect();
                for (start, class) in starts {
                    let Some(object) = self.analysis.points_to.object(ObjectKind::Func(start)) else { continue };
                    let address = self.address(object, 0);
                    ways.push((self.terms.eq(args[2], address), class));
                }
                ways.sort_by_key(|w| w.1);
                let any: Vec<TermId> = ways.iter().map(|w| w.0).collect();
                let right = self.terms.or_all(&any);
                self.check(from, &mut path, right, Property::Memory, "a thread with a bad start routine")?;
                for (same, class) in ways {
                    let mut there = path.clone();
                    there.guard.push(same);
                    if there.effect != Effect::None {
                        return unsupported("two threads started in one section");
                    }
                    let locals = self.first_locals(class, handle, args[3]);
                    there.effect = Effect::Spawn { class, locals };
                    done(self, there, Some(zero), paths);
                }
                Ok(())
            }
        }
    }

    /// The values of a new thread's locals.
    fn first_locals(&mut self, class: ClassId, handle: TermId, arg: TermId) -> Vec<(VarIx, TermId)> {
        let this = self.class;
        self.class = class;
        let threads = &self.analysis.threads.classes;
        let of_class = &threads[heddle_ir::threads::ThreadId::new(class.index())];
        let calls = &self.analysis.points_to.instances[of_class.root].calls;
        let start = calls.iter().find(|(_, i)| self.analysis.points_to.instances[*i].func == of_class.start);
        let instance = start.expect("checked when classes were made").1;
        let frame = self.frame(None, StepId::new(0), instance, None);
        let mut path = Path::at_start(frame);
        self.prepare(&mut path, frame);
        let function = &self.program.functions[frame.func];
        if let Some(&param) = function.params.first() {
            let fits = function.regs[param].ty == Ty::Ptr;
            let value = if fits { arg } else { self.fresh(function.regs[param].ty) };
            self.set_reg(&mut path, param, value);
        }
        path.values.insert(self.out.classes[class].handle, handle);
        self.thread_locals(&mut path.values);
        self.class = this;
        let mut all: Vec<(VarIx, TermId)> = path.values.into_iter().collect();
        all.retain(|(var, _)| self.out.vars[*var].scope == Scope::Local(class));
        all.sort_unstable_by_key(|a| a.0);
        all
    }

    /// Thread-locals have their first values.
    fn thread_locals(&mut self, values: &mut FxHashMap<VarIx, TermId>) {
        for id in self.objects.all.ids() {
            let object = self.objects.all[id].clone();
            let ObjectKind::Global(global) = object.kind else { continue };
            if object.keeping != Keeping::Own {
                continue;
            }
            for &span in &object.cells {
                let key = LocalKey::ThreadLocal(global, span.offset);
                let var = self.local(self.class, key, span.ty, &self.program.globals[global].name.clone());
                if let Some(value) = self.first_term(global, span) {
                    values.insert(var, value);
                }
            }
        }
    }

    pub(super) fn type_of(&self, frame: Frame, expr: ExprId) -> Ty {
        self.infos[frame.func].types[expr]
    }
}

/// Functions of POSIX threads that are not executed as their models.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Native {
    Create,
    Join,
    Exit,
    Itself,
    Detach,
    Unsupported,
}
