//! Static threads: which kinds of threads a program has, and which can run at once.
//!
//! A *thread class* is the entry, or a spawn step in its context together with the start routine it leads to: a library's
//! `pthread_create` always spawns the same trampoline, so a class is told by the function that the trampoline calls.
//!
//! **At once.** A thread can only run at the same time as what its creator does after creating it, and no longer than
//! until the creator waits for its end: an `await` of kind `join` on the very object that the thread was given, where only
//! one such object exists. Everything else may run at once.
//!
//! An `await` of kind `join` is taken at its word: the thread makes no access after what is awaited. A join that can return
//! without having waited does not count; module `definite` tells when it cannot.

mod definite;

use std::cell::OnceCell;

use heddle_base::{Id, IndexVec, Loc, define_id};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bits::BitSet;
use crate::cfg::{BlockId, Cfg, successors};
use crate::loops::Loops;
use crate::points_to::{InstanceId, ObjectId, ObjectKind, PointsTo};
use crate::program::{FuncId, Program};
use crate::sharing::Access;
use crate::step::{Callee, StepId, StepKind, SyncKind};

define_id!(
    /// A thread class.
    pub ThreadId, "T"
);

/// A step of a function in a context.
pub type Point = (InstanceId, StepId);

/// A kind of thread.
#[derive(Clone, Debug)]
pub struct ThreadClass {
    /// The start routine's name, with a number if several classes have it.
    pub name: String,
    /// The spawn step; none for the entry.
    pub spawn: Option<Point>,
    /// Its first function.
    pub root: InstanceId,
    /// The start routine: what the first function calls, if that comes from a library model.
    pub start: FuncId,
    /// Whether there may be several at once.
    pub many: bool,
    /// The classes that can create it.
    pub parents: Vec<ThreadId>,
    /// The functions it can execute (indices of [`InstanceId`]).
    pub instances: BitSet,
    /// Where it is created: in the user's own code, if it is a model that spawns.
    pub loc: Loc,
}

/// All thread classes and how they overlap in time.
#[derive(Debug)]
pub struct Threads {
    /// The classes, the entry first.
    pub classes: IndexVec<ThreadId, ThreadClass>,
    descendants: IndexVec<ThreadId, BitSet>,
    /// Where a class may be while one of its descendants runs.
    during: FxHashMap<(ThreadId, ThreadId), Region>,
    at_once: IndexVec<ThreadId, BitSet>,
}

/// A set of points.
#[derive(Clone, Debug, Default)]
struct Region {
    steps: FxHashMap<InstanceId, BitSet>,
}

impl Region {
    fn insert(&mut self, (instance, step): Point, len: usize) -> bool {
        self.steps.entry(instance).or_insert_with(|| BitSet::new(len)).insert(step.index())
    }

    fn contains(&self, (instance, step): Point) -> bool {
        self.steps.get(&instance).is_some_and(|s| s.contains(step.index()))
    }

    fn add(&mut self, other: &Region) {
        for (&instance, steps) in &other.steps {
            match self.steps.get_mut(&instance) {
                Some(mine) => drop(mine.union_with(steps)),
                None => drop(self.steps.insert(instance, steps.clone())),
            }
        }
    }
}

impl Threads {
    /// The thread classes of a program.
    pub fn new(program: &Program, points_to: &PointsTo) -> Self {
        let in_loop = steps_in_loops(program, points_to);
        let builder = Builder { program, points_to, in_loop, writes: OnceCell::new() };
        builder.build()
    }

    /// Whether a thread of class `a` and another of class `b` can run at the same time.
    pub fn at_once(&self, a: ThreadId, b: ThreadId) -> bool {
        self.at_once[a].contains(b.index())
    }

    /// Whether a thread of class `b` can run while a thread of class `a` is at a point. Two points can be reached at the
    /// same time only if this holds both ways.
    pub fn at_once_with_point(&self, a: ThreadId, at: Point, b: ThreadId) -> bool {
        if !self.at_once(a, b) {
            return false;
        }
        let waits = a != b && self.descendants[a].contains(b.index()) && !self.classes[a].many;
        !waits || self.during.get(&(a, b)).is_some_and(|region| region.contains(at))
    }

    /// Whether a class descends from another through creations.
    pub fn descends(&self, child: ThreadId, from: ThreadId) -> bool {
        self.descendants[from].contains(child.index())
    }
}

/// Whether each step of the functions that are executed lies on a cycle.
fn steps_in_loops(program: &Program, points_to: &PointsTo) -> IndexVec<FuncId, Vec<bool>> {
    let mut all: IndexVec<FuncId, Vec<bool>> = IndexVec::from_elem(Vec::new(), program.functions.len());
    for instance in points_to.instances.iter() {
        let function = &program.functions[instance.func];
        if all[instance.func].is_empty() {
            let cfg = Cfg::new(function);
            let loops = Loops::new(function, &cfg);
            let inside = |block: &BlockId| loops.innermost[*block].is_some();
            all[instance.func] = cfg.block_of.iter().map(inside).collect();
        }
    }
    all
}

/// How often something is executed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Count {
    Never,
    Once,
    Many,
}

struct Builder<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    in_loop: IndexVec<FuncId, Vec<bool>>,
    /// All writes, once somebody asked for them.
    writes: OnceCell<IndexVec<ObjectId, Vec<(Point, Access)>>>,
}

impl Builder<'_> {
    fn build(self) -> Threads {
        let counts = self.counts();
        let mut classes = self.classes(&counts);
        let lists: Vec<Vec<ThreadId>> = classes.iter().map(|class| parents(&classes, class)).collect();
        for (class, parents) in classes.iter_mut().zip(lists) {
            class.parents = parents;
        }
        let descendants = descendants(&classes);
        let mut threads = Threads { classes, descendants, during: FxHashMap::default(), at_once: IndexVec::new() };
        // Where a class of many is does not matter: another of them may be anywhere.
        for a in threads.classes.ids().filter(|&a| !threads.classes[a].many).collect::<Vec<_>>() {
            let mut after = FxHashMap::default();
            for b in threads.descendants[a].iter().map(ThreadId::new).collect::<Vec<_>>() {
                let region = self.during(&threads, &counts, &mut after, a, b);
                threads.during.insert((a, b), region);
            }
        }
        for a in threads.classes.ids() {
            let mut with = BitSet::new(threads.classes.len());
            for b in threads.classes.ids().filter(|&b| at_once(&threads, a, b)) {
                with.insert(b.index());
            }
            threads.at_once.push(with);
        }
        threads
    }

    fn looping(&self, (instance, step): Point) -> bool {
        self.in_loop[self.points_to.instances[instance].func][step.index()]
    }

    /// How often each instance is executed, over all threads.
    fn counts(&self) -> IndexVec<InstanceId, Count> {
        let instances = &self.points_to.instances;
        let mut counts = IndexVec::from_elem(Count::Never, instances.len());
        let mut incoming: IndexVec<InstanceId, Vec<Point>> = IndexVec::from_elem(Vec::new(), instances.len());
        for (id, instance) in instances.iter_enumerated() {
            for &(step, callee) in instance.calls.iter().chain(&instance.spawns) {
                incoming[callee].push((id, step));
            }
        }
        let entry = InstanceId::new(0);
        let mut todo: Vec<InstanceId> = vec![entry];
        while let Some(id) = todo.pop() {
            let start = if id == entry { Count::Once } else { Count::Never };
            let times = |p: &Point| if self.looping(*p) { Count::Many.min(twice(counts[p.0])) } else { counts[p.0] };
            let new = incoming[id].iter().map(times).fold(start, sum);
            if new > counts[id] {
                counts[id] = new;
                todo.extend(instances[id].calls.iter().chain(&instances[id].spawns).map(|&(_, callee)| callee));
            }
        }
        counts
    }

    fn classes(&self, counts: &IndexVec<InstanceId, Count>) -> IndexVec<ThreadId, ThreadClass> {
        let entry = InstanceId::new(0);
        let main = self.user_start(entry).unwrap_or(self.program.entry);
        let mut classes: IndexVec<ThreadId, ThreadClass> = IndexVec::new();
        classes.push(self.class(None, entry, main, false, None));
        for (id, instance) in self.points_to.instances.iter_enumerated() {
            for &(step, root) in &instance.spawns {
                let many = counts[id] == Count::Many || self.looping((id, step));
                let Some((call, starts)) = self.starts(root) else {
                    let func = self.points_to.instances[root].func;
                    classes.push(self.class(Some((id, step)), root, func, many, None));
                    continue;
                };
                for start in starts {
                    let func = self.points_to.instances[start].func;
                    classes.push(self.class(Some((id, step)), root, func, many, Some((call, start))));
                }
            }
        }
        // In the order of the source, whatever order the analysis found them in.
        classes.raw_mut()[1..].sort_by_key(|c| (c.loc, c.spawn, c.start));
        let mut seen: FxHashMap<String, u32> = FxHashMap::default();
        for class in classes.iter_mut() {
            let number = seen.entry(class.name.clone()).or_default();
            *number += 1;
            if *number > 1 {
                class.name = format!("{}.{number}", class.name);
            }
        }
        classes
    }

    /// The function that the entry calls: `main`, where the entry is made by lowering.
    fn user_start(&self, entry: InstanceId) -> Option<FuncId> {
        let callees = self.points_to.instances[entry].calls.iter().map(|&(_, c)| self.points_to.instances[c].func);
        callees.into_iter().find(|&f| self.program.functions[f].name == "main")
    }

    /// What a model's first function calls through a pointer, first of all and once: the start routines.
    fn starts(&self, root: InstanceId) -> Option<(StepId, Vec<InstanceId>)> {
        let instance = &self.points_to.instances[root];
        let function = &self.program.functions[instance.func];
        let indirect =
            |step: &StepId| matches!(function.steps[*step].kind, StepKind::Call { callee: Callee::Indirect(_), .. });
        let first = instance.calls.iter().map(|&(step, _)| step).filter(indirect).min()?;
        if !function.model || self.looping((root, first)) {
            return None;
        }
        let mut starts: Vec<InstanceId> = self.points_to.targets(root, first).collect();
        starts.sort_unstable();
        starts.dedup();
        Some((first, starts))
    }

    fn class(
        &self,
        spawn: Option<Point>,
        root: InstanceId,
        start: FuncId,
        many: bool,
        only: Option<(StepId, InstanceId)>,
    ) -> ThreadClass {
        let name = self.program.functions[start].name.clone();
        let instances = self.executed(root, only);
        ThreadClass { name, spawn, root, start, many, parents: Vec::new(), instances, loc: self.user_loc(spawn) }
    }

    /// The instances that a thread can execute; `only` says which start routine its first function calls where.
    fn executed(&self, root: InstanceId, only: Option<(StepId, InstanceId)>) -> BitSet {
        let mut seen = BitSet::new(self.points_to.instances.len());
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            if seen.insert(id.index()) {
                let other = |step: StepId, callee: InstanceId| {
                    id == root && only.is_some_and(|(call, start)| step == call && callee != start)
                };
                let calls = self.points_to.instances[id].calls.iter();
                todo.extend(calls.filter(|&&(step, callee)| !other(step, callee)).map(|&(_, callee)| callee));
            }
        }
        seen
    }

    /// The place of a point, seen from the user's code.
    fn user_loc(&self, mut point: Option<Point>) -> Loc {
        let mut loc = Loc::nowhere();
        while let Some((instance, step)) = point {
            let at = &self.points_to.instances[instance];
            let function = &self.program.functions[at.func];
            loc = function.steps[step].loc;
            if !function.model {
                break;
            }
            point = at.site;
        }
        loc
    }

    /// Where a thread of class `a` can be while a thread of class `b`, a descendant, runs. What `a` can do after a spawn
    /// is kept in `after`.
    fn during(
        &self,
        threads: &Threads,
        counts: &IndexVec<InstanceId, Count>,
        after: &mut FxHashMap<Point, Region>,
        a: ThreadId,
        b: ThreadId,
    ) -> Region {
        let mut region = Region::default();
        for (c, child) in threads.classes.iter_enumerated() {
            let Some(spawn) = child.spawn.filter(|s| threads.classes[a].instances.contains(s.0.index())) else {
                continue;
            };
            if c == b && !child.many && !threads.descendants[b].contains(b.index()) {
                let within = &threads.classes[a].instances;
                let cuts = self.joins(counts, within, spawn);
                region.add(&self.reach(within, spawn, &cuts));
            } else if c == b || threads.descendants[c].contains(b.index()) {
                let within = &threads.classes[a].instances;
                region.add(after.entry(spawn).or_insert_with(|| self.reach(within, spawn, &FxHashSet::default())));
            }
        }
        region
    }

    /// Steps that the creator passes only after the thread made by `spawn` has ended.
    fn joins(&self, counts: &IndexVec<InstanceId, Count>, within: &BitSet, spawn: Point) -> FxHashSet<Point> {
        let Some(handle) = self.handle(counts, spawn) else { return FxHashSet::default() };
        let mut cuts = FxHashSet::default();
        let mut todo = Vec::new();
        for (id, instance) in self.points_to.instances.iter_enumerated() {
            for (step, at) in self.program.functions[instance.func].steps.iter_enumerated() {
                let StepKind::Await { spurious: false, kind: SyncKind::Join, object, .. } = at.kind else { continue };
                let locations = self.points_to.locations(id, object);
                if !locations.is_empty() && locations.iter().all(|l| l.object == handle) {
                    cuts.insert((id, step));
                    todo.push(id);
                }
            }
        }
        if !todo.is_empty() {
            cuts.extend(self.refusals(counts, within, spawn, handle));
        }
        // A call of a function that cannot return without such an await is one too.
        while let Some(id) = todo.pop() {
            if self.returns(id, &cuts) {
                continue;
            }
            for &(caller, step) in &self.points_to.instances[id].callers {
                let certain = self.points_to.targets(caller, step).all(|callee| !self.returns(callee, &cuts));
                if certain && cuts.insert((caller, step)) {
                    todo.push(caller);
                }
            }
        }
        cuts
    }

    /// The object that a spawn gives to its thread, if it is certain and there is only one.
    fn handle(&self, counts: &IndexVec<InstanceId, Count>, (instance, step): Point) -> Option<ObjectId> {
        let function = &self.program.functions[self.points_to.instances[instance].func];
        let StepKind::Spawn { arg, .. } = function.steps[step].kind else { return None };
        let [location] = self.points_to.locations(instance, arg)[..] else { return None };
        let unique = match self.points_to.objects[location.object].kind {
            ObjectKind::Alloc(maker, at) => counts[maker] == Count::Once && !self.looping((maker, at)),
            ObjectKind::Global(global) => !self.program.globals[global].thread_local,
            ObjectKind::Slot(..) | ObjectKind::Func(_) => false,
        };
        unique.then_some(location.object)
    }

    /// Whether a function can return if control does not pass the cuts.
    fn returns(&self, id: InstanceId, cuts: &FxHashSet<Point>) -> bool {
        let function = &self.program.functions[self.points_to.instances[id].func];
        let mut seen = BitSet::new(function.steps.len());
        let mut todo = vec![StepId::new(0)];
        while let Some(step) = todo.pop() {
            if !seen.insert(step.index()) || cuts.contains(&(id, step)) {
                continue;
            }
            let kind = &function.steps[step].kind;
            if matches!(kind, StepKind::Return { .. }) {
                return true;
            }
            todo.extend(successors(kind, step));
        }
        false
    }

    /// What a thread can still execute after a point, itself excluded, without passing the cuts.
    fn reach(&self, within: &BitSet, from: Point, cuts: &FxHashSet<Point>) -> Region {
        // Steps reached in the calls around the point return to their callers; those in calls made since do not, for
        // what follows such a call is reached by stepping over it.
        let (mut outer, mut inner) = (Region::default(), Region::default());
        let mut todo: Vec<(Point, bool)> = Vec::new();
        let follow = |todo: &mut Vec<(Point, bool)>, (instance, step): Point, is_outer: bool| {
            let function = &self.program.functions[self.points_to.instances[instance].func];
            todo.extend(successors(&function.steps[step].kind, step).map(|next| ((instance, next), is_outer)));
        };
        follow(&mut todo, from, true);
        while let Some((point, is_outer)) = todo.pop() {
            let (instance, step) = point;
            let at = &self.points_to.instances[instance];
            let function = &self.program.functions[at.func];
            let len = function.steps.len();
            if outer.contains(point) || !(if is_outer { &mut outer } else { &mut inner }).insert(point, len) {
                continue;
            }
            for &(call, callee) in &at.calls {
                if call == step && within.contains(callee.index()) {
                    todo.push(((callee, StepId::new(0)), false));
                }
            }
            if matches!(function.steps[step].kind, StepKind::Return { .. }) && is_outer {
                for &caller in at.callers.iter().filter(|c| within.contains(c.0.index())) {
                    follow(&mut todo, caller, true);
                }
            }
            if !cuts.contains(&point) {
                follow(&mut todo, point, is_outer);
            }
        }
        outer.add(&inner);
        outer
    }
}

fn twice(count: Count) -> Count {
    if count == Count::Never { Count::Never } else { Count::Many }
}

fn sum(a: Count, b: Count) -> Count {
    match (a, b) {
        (Count::Never, other) | (other, Count::Never) => other,
        _ => Count::Many,
    }
}

fn parents(classes: &IndexVec<ThreadId, ThreadClass>, child: &ThreadClass) -> Vec<ThreadId> {
    let Some((instance, _)) = child.spawn else { return Vec::new() };
    classes.iter_enumerated().filter(|(_, c)| c.instances.contains(instance.index())).map(|(id, _)| id).collect()
}

fn descendants(classes: &IndexVec<ThreadId, ThreadClass>) -> IndexVec<ThreadId, BitSet> {
    let mut all: IndexVec<ThreadId, BitSet> = IndexVec::from_elem(BitSet::new(classes.len()), classes.len());
    for (id, class) in classes.iter_enumerated() {
        let mut todo = class.parents.clone();
        while let Some(ancestor) = todo.pop() {
            if all[ancestor].insert(id.index()) {
                todo.extend(&classes[ancestor].parents);
            }
        }
    }
    all
}

fn at_once(threads: &Threads, a: ThreadId, b: ThreadId) -> bool {
    if a == b {
        return threads.classes[a].many;
    }
    if threads.descends(a, b) || threads.descends(b, a) {
        return true;
    }
    // Of two that descend from one, one may be created while the other runs.
    let common = |p: &ThreadId| threads.descends(a, *p) && threads.descends(b, *p);
    threads
        .classes
        .ids()
        .filter(common)
        .any(|p| threads.classes[p].many || created_during(threads, p, a, b) || created_during(threads, p, b, a))
}

/// Whether `p` may create `later`, or an ancestor of it, while `earlier` runs.
fn created_during(threads: &Threads, p: ThreadId, earlier: ThreadId, later: ThreadId) -> bool {
    let Some(region) = threads.during.get(&(p, earlier)) else { return false };
    threads.classes.iter_enumerated().any(|(c, child)| {
        let leads = c == later || threads.descends(later, c);
        leads && child.spawn.is_some_and(|s| region.contains(s))
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::text::parse;

    /// `pthread_create` and `pthread_join` as a library model writes them.
    pub(crate) const MODELS: &str = r#"
        fn trampoline(h: ptr) model {
          start = load.ptr h
          arg = load.ptr h + 8
          call *start(arg)
          atomic_begin model
          store.i32 h + 16, 1
          atomic_end
          return
        }
        fn create(t: ptr, start: ptr, arg: ptr) model {
          h = alloc.model 24
          store.ptr h, start
          store.ptr h + 8, arg
          store.i64 t, ptrtoint.i64(h)
          spawn trampoline(h)
          return
        }
        fn join(t: i64) model {
          h = inttoptr.ptr(t)
          atomic_begin model
          done = load.i32 h + 16
          await done == 1, join h
          atomic_end
          return
        }
    "#;

    fn check(text: &str, expect: Expect) {
        let program = parse(&format!("{MODELS}{text}")).unwrap_or_else(|e| panic!("{e}"));
        let threads = Threads::new(&program, &PointsTo::new(&program));
        let mut out = String::new();
        for (id, class) in threads.classes.iter_enumerated() {
            let with = threads.classes.ids().filter(|&b| threads.at_once(id, b));
            let with: Vec<&str> = with.map(|b| threads.classes[b].name.as_str()).collect();
            let many = if class.many { " many" } else { "" };
            out += &format!("{id} {}{many}: at once with {}\n", class.name, with.join(", "));
        }
        expect.assert_eq(&out);
    }

    #[test]
    fn classes_are_told_by_start_routine() {
        check(
            r#"fn one(arg: ptr) { return }
            fn two(arg: ptr) { return }
            fn main() {
              slot t: [2 x i64]
              live t
              call create(&t, &one, null)
              call create(&t+8, &two, null)
              exit 0
            }"#,
            expect![[r#"
                T0 main: at once with one, two
                T1 one: at once with main, two
                T2 two: at once with main, one
            "#]],
        );
    }

    #[test]
    fn loops_and_tables_of_starts() {
        check(
            r#"global table: [2 x ptr] = { 0: &one, 8: &two }
            fn one(arg: ptr) { return }
            fn two(arg: ptr) { return }
            fn main() {
              slot t: i64
              live t
            again:
              i = havoc.i64 i
              f = load.ptr &table + i * 8
              call create(&t, f, null)
              if i == 3 goto again
              exit 0
            }"#,
            expect![[r#"
                T0 main: at once with one, two
                T1 one many: at once with main, one, two
                T2 two many: at once with main, one, two
            "#]],
        );
    }

    #[test]
    fn a_joined_thread_is_over() {
        check(
            r#"fn one(arg: ptr) { return }
            fn two(arg: ptr) { return }
            fn main() {
              slot t: [2 x i64]
              live t
              call create(&t, &one, null)
              h = load.i64 &t
              call join(h)
              call create(&t+8, &two, null)
              exit 0
            }"#,
            expect![[r#"
                T0 main: at once with one, two
                T1 one: at once with main
                T2 two: at once with main
            "#]],
        );
    }

    #[test]
    fn an_uncertain_join_is_none() {
        check(
            r#"fn one(arg: ptr) { return }
            fn two(arg: ptr) { return }
            fn main() {
              slot t: i64
              live t
              call create(&t, &one, null)
              if self == 1 goto skip
              h = load.i64 &t
              call join(h)
            skip:
              call create(&t, &two, null)
              exit 0
            }"#,
            expect![[r#"
                T0 main: at once with one, two
                T1 one: at once with main, two
                T2 two: at once with main, one
            "#]],
        );
    }

    /// `one` is also what `two`'s thread calls at its end, so it is part of both classes.
    #[test]
    fn what_a_trampoline_calls_later_belongs_to_every_class() {
        let program = parse(
            r#"global table: [2 x ptr] = { 0: &one, 8: &two }
            global destructor: ptr = &one
            fn trampoline(h: ptr) model {
              i = havoc.i64 i
              start = load.ptr &table + i * 8
              call *start(h)
              last = load.ptr &destructor
              call *last(h)
              return
            }
            fn one(arg: ptr) { return }
            fn two(arg: ptr) { return }
            fn main() {
              spawn trampoline(null)
              exit 0
            }"#,
        )
        .unwrap();
        let points_to = PointsTo::new(&program);
        let threads = Threads::new(&program, &points_to);
        let executed = |class: &ThreadClass| {
            let names = class.instances.iter().map(|i| points_to.instances[InstanceId::new(i)].func);
            names.map(|f| program.functions[f].name.clone()).collect::<Vec<_>>().join(" ")
        };
        let all: Vec<String> = threads.classes.iter().map(|c| format!("{}: {}", c.name, executed(c))).collect();
        assert_eq!(all, ["main: main", "one: trampoline one", "two: trampoline one two"]);
    }

    #[test]
    fn grandchildren_outlive_their_parents() {
        check(
            r#"fn leaf(arg: ptr) { return }
            fn child(arg: ptr) {
              slot t: i64
              live t
              call create(&t, &leaf, null)
              return
            }
            fn other(arg: ptr) { return }
            fn main() {
              slot t: [2 x i64]
              live t
              call create(&t, &child, null)
              h = load.i64 &t
              call join(h)
              call create(&t+8, &other, null)
              exit 0
            }"#,
            expect![[r#"
                T0 main: at once with child, other, leaf
                T1 child: at once with main, leaf
                T2 other: at once with main, leaf
                T3 leaf: at once with main, child, other
            "#]],
        );
    }
}
