//! Which steps touch memory that another thread may touch at the same time.
//!
//! An object can be seen by two threads only if it *escapes*: it is a global (not thread-local), a thread was given its
//! address, or its address is stored in an object that escapes. Two accesses *conflict* if they may touch the same bytes of
//! an escaping object, their threads can be at them at the same time ([`Threads`]), and one of them writes. A step
//! without a conflict commutes with all that other threads can do meanwhile, so it needs no step of its own.
//!
//! Freeing an object and ending (or beginning) the life of a local or thread-local count as writes of all its bytes.

use heddle_base::{Id, IndexVec};
use rustc_hash::FxHashMap;

use crate::bits::BitSet;
use crate::expr::{Expr, ExprId};
use crate::points_to::{InstanceId, ObjectId, ObjectKind, Offset, PointsTo};
use crate::program::{FuncId, Program};
use crate::step::{StepId, StepKind, SyncKind, SyncOp};
use crate::threads::{ThreadId, Threads};

/// How a step's accesses relate to other threads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum StepSharing {
    /// No other thread can touch the same memory at the same time; also of steps without access.
    Local,
    /// Others can, but all only read.
    ReadOnly,
    /// Others can, and somebody writes.
    Shared,
}

/// What several threads touch at the same time.
#[derive(Clone, Debug)]
pub struct SharedObject {
    /// The object.
    pub object: ObjectId,
    /// The first bytes of conflicting accesses, in order.
    pub offsets: Vec<Offset>,
    /// Who reads it in a conflict.
    pub readers: Vec<ThreadId>,
    /// Who writes it in a conflict.
    pub writers: Vec<ThreadId>,
}

/// The result of the analysis.
#[derive(Debug)]
pub struct Sharing {
    steps: IndexVec<FuncId, Vec<StepSharing>>,
    /// Objects with conflicting accesses, in the order of their ids.
    pub objects: Vec<SharedObject>,
    /// Whether each object can be seen by several threads.
    escaped: BitSet,
}

impl Sharing {
    /// Classifies every step of a program.
    pub fn new(program: &Program, points_to: &PointsTo, threads: &Threads) -> Self {
        let escaped = escaped(program, points_to);
        let steps = program.functions.iter().map(|f| vec![StepSharing::Local; f.steps.len()]).collect();
        let mut sharing = Sharing { steps, objects: Vec::new(), escaped };
        let groups = groups(program, points_to, threads, &sharing.escaped);
        for (object, groups) in groups.iter_enumerated() {
            sharing.classify(object, groups);
        }
        sharing
    }

    /// How a step relates to other threads.
    #[inline]
    pub fn of(&self, func: FuncId, step: StepId) -> StepSharing {
        self.steps[func][step.index()]
    }

    /// Whether a step touches memory that another thread may write, or writes what another may touch, at the same time.
    #[inline]
    pub fn is_visible(&self, func: FuncId, step: StepId) -> bool {
        self.of(func, step) == StepSharing::Shared
    }

    /// Whether an object can be seen by several threads.
    pub fn escapes(&self, object: ObjectId) -> bool {
        self.escaped.contains(object.index())
    }

    fn classify(&mut self, object: ObjectId, groups: &[Group]) {
        let mut levels = vec![StepSharing::Local; groups.len()];
        for (i, a) in groups.iter().enumerate() {
            for (j, b) in groups.iter().enumerate().skip(i) {
                let level = if a.write || b.write { StepSharing::Shared } else { StepSharing::ReadOnly };
                if levels[i].min(levels[j]) < level && a.at_once(b) && a.range.overlaps(b.range) {
                    levels[i] = levels[i].max(level);
                    levels[j] = levels[j].max(level);
                }
            }
        }
        let mut found = SharedObject { object, offsets: Vec::new(), readers: Vec::new(), writers: Vec::new() };
        for (group, level) in groups.iter().zip(levels) {
            for &(func, step) in &group.steps {
                let known = &mut self.steps[func][step.index()];
                *known = level.max(*known);
            }
            if level == StepSharing::Shared {
                found.offsets.push(group.range.offset);
                if group.write { &mut found.writers } else { &mut found.readers }.push(group.thread);
            }
        }
        if !found.offsets.is_empty() {
            found.offsets.sort_unstable();
            found.offsets.dedup();
            for list in [&mut found.readers, &mut found.writers] {
                list.sort_unstable();
                list.dedup();
            }
            self.objects.push(found);
        }
    }
}

/// The objects that several threads can see.
fn escaped(program: &Program, points_to: &PointsTo) -> BitSet {
    let mut seen = BitSet::new(points_to.objects.len());
    let mut todo: Vec<ObjectId> = Vec::new();
    for (id, object) in points_to.objects.iter_enumerated() {
        if let ObjectKind::Global(global) = object.kind
            && !program.globals[global].thread_local
        {
            todo.push(id);
        }
    }
    for (id, instance) in points_to.instances.iter_enumerated() {
        for &(step, _) in &instance.spawns {
            if let StepKind::Spawn { arg, .. } = program.functions[instance.func].steps[step].kind {
                todo.extend(points_to.locations(id, arg).iter().map(|l| l.object));
            }
        }
    }
    while let Some(object) = todo.pop() {
        if seen.insert(object.index()) {
            todo.extend(points_to.contents(object).iter().map(|l| l.object));
        }
    }
    seen
}

/// Bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Range {
    pub offset: Offset,
    /// None if not known.
    pub size: Option<u64>,
}

impl Range {
    const ALL: Range = Range { offset: Offset::Any, size: None };

    pub fn overlaps(self, other: Range) -> bool {
        let (Offset::At(a), Offset::At(b)) = (self.offset, other.offset) else { return true };
        let ends_before = |start: i32, size: Option<u64>, other: i32| {
            size.is_some_and(|s| i128::from(start) + i128::from(s) <= i128::from(other))
        };
        !ends_before(a, self.size, b) && !ends_before(b, other.size, a)
    }
}

/// An access of an instance's step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub step: StepId,
    pub object: ObjectId,
    pub range: Range,
    pub write: bool,
}

/// Accesses of one object that are alike.
struct Group {
    thread: ThreadId,
    range: Range,
    write: bool,
    /// The thread classes that can run at the same time.
    with: BitSet,
    steps: Vec<(FuncId, StepId)>,
}

impl Group {
    fn at_once(&self, other: &Group) -> bool {
        self.with.contains(other.thread.index()) && other.with.contains(self.thread.index())
    }
}

fn groups(
    program: &Program,
    points_to: &PointsTo,
    threads: &Threads,
    escaped: &BitSet,
) -> IndexVec<ObjectId, Vec<Group>> {
    let mut all: IndexVec<ObjectId, Vec<Group>> = points_to.objects.iter().map(|_| Vec::new()).collect();
    let mut index: FxHashMap<(ObjectId, ThreadId, Range, bool, BitSet), usize> = FxHashMap::default();
    for (id, instance) in points_to.instances.iter_enumerated() {
        let mut accesses = accesses(program, points_to, id);
        accesses.retain(|a| escaped.contains(a.object.index()));
        if accesses.is_empty() {
            continue;
        }
        for (thread, _) in threads.classes.iter_enumerated().filter(|(_, c)| c.instances.contains(id.index())) {
            let mut last: Option<(StepId, BitSet)> = None;
            for access in &accesses {
                let with = match &last {
                    Some((step, with)) if *step == access.step => with.clone(),
                    _ => at_once_with(threads, thread, (id, access.step)),
                };
                last = Some((access.step, with.clone()));
                let key = (access.object, thread, access.range, access.write, with);
                let list = &mut all[access.object];
                let group = *index.entry(key.clone()).or_insert_with(|| {
                    let (range, write, with) = (access.range, access.write, key.4);
                    list.push(Group { thread, range, write, with, steps: Vec::new() });
                    list.len() - 1
                });
                list[group].steps.push((instance.func, access.step));
            }
        }
    }
    all
}

fn at_once_with(threads: &Threads, thread: ThreadId, at: (InstanceId, StepId)) -> BitSet {
    let mut with = BitSet::new(threads.classes.len());
    for other in threads.classes.ids().filter(|&other| threads.at_once_with_point(thread, at, other)) {
        with.insert(other.index());
    }
    with
}

/// What the steps of an instance access.
pub(crate) fn accesses(program: &Program, points_to: &PointsTo, id: InstanceId) -> Vec<Access> {
    let function = &program.functions[points_to.instances[id].func];
    let mut found = Vec::new();
    for (step, at) in function.steps.iter_enumerated() {
        let mut add = |pointer: ExprId, size: Option<u64>, write: bool| {
            for location in points_to.locations(id, pointer) {
                let range = Range { offset: location.offset, size };
                found.push(Access { step, object: location.object, range, write });
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
            StepKind::Free { addr, .. } => {
                add(addr, None, true);
                // All of the object, wherever the pointer points.
                found.iter_mut().filter(|a| a.step == step).for_each(|a| a.range = Range::ALL);
            }
            StepKind::Live { slot } | StepKind::Dead { slot } => {
                if let Some(object) = points_to.object(ObjectKind::Slot(id, slot)) {
                    found.push(Access { step, object, range: Range::ALL, write: true });
                }
            }
            StepKind::Sync { op: SyncOp::Unhold, kind: SyncKind::Join, .. } => {
                for (global, _) in program.globals.iter_enumerated().filter(|(_, g)| g.thread_local) {
                    if let Some(object) = points_to.object(ObjectKind::Global(global)) {
                        found.push(Access { step, object, range: Range::ALL, write: true });
                    }
                }
            }
            StepKind::Assign { .. }
            | StepKind::Havoc { .. }
            | StepKind::Alloc { .. }
            | StepKind::ObjectSize { .. }
            | StepKind::Goto { .. }
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
            | StepKind::Assert { .. }
            | StepKind::Sync { .. }
            | StepKind::Output { .. }
            | StepKind::Fence { .. }
            | StepKind::Skip => {}
        }
    }
    found
}

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::text::{parse, step_to_string};
    use crate::threads::tests::MODELS;

    /// Prints the accesses of user functions with their classification.
    fn check(text: &str, expect: Expect) {
        let program = parse(&format!("{MODELS}{text}")).unwrap_or_else(|e| panic!("{e}"));
        let points_to = PointsTo::new(&program);
        let threads = Threads::new(&program, &points_to);
        let sharing = Sharing::new(&program, &points_to, &threads);
        let mut out = String::new();
        for (id, function) in program.functions.iter_enumerated().filter(|(_, f)| !f.model) {
            for (step, at) in function.steps.iter_enumerated() {
                let kind = &at.kind;
                if matches!(
                    kind,
                    StepKind::Load { .. }
                        | StepKind::Store { .. }
                        | StepKind::Free { .. }
                        | StepKind::Dead { .. }
                        | StepKind::Copy { .. }
                ) {
                    let level = sharing.of(id, step);
                    out += &format!("{}: {} -- {level:?}\n", function.name, step_to_string(&program, id, kind));
                }
            }
        }
        for shared in &sharing.objects {
            let names =
                |list: &[ThreadId]| list.iter().map(|&t| threads.classes[t].name.clone()).collect::<Vec<_>>().join(" ");
            let name = points_to.object_name(&program, shared.object);
            if !name.contains('@') {
                out += &format!("{name}: read by {} written by {}\n", names(&shared.readers), names(&shared.writers));
            }
        }
        expect.assert_eq(&out);
    }

    #[test]
    fn globals_by_time_and_thread() {
        check(
            r#"
            layout t0 = struct "struct pair" size 8 align 4 {
              0: i32 a
              4: i32 b
            }
            global config: i32
            global counter: i32
            global mine: i32
            global pair: struct pair
            fn worker(arg: ptr) {
              c = load.i32 &config
              store.i32 &counter, c
              store.i32 &mine, c
              store.i32 &pair, 1
              return
            }
            fn main() {
              slot t: i64
              store.i32 &config, 5
              live t
              call create(&t, &worker, null)
              x = load.i32 &counter
              y = load.i32 &config
              b = load.i32 &pair+4
              h = load.i64 &t
              call join(h)
              z = load.i32 &mine
              dead t
              exit 0
            }"#,
            expect![[r#"
                worker: c = load.i32 &config -- ReadOnly
                worker: store.i32 &counter, c -- Shared
                worker: store.i32 &mine, c -- Local
                worker: store.i32 &pair, 1 -- Local
                main: store.i32 &config, 5 -- Local
                main: x = load.i32 &counter -- Shared
                main: y = load.i32 &config -- ReadOnly
                main: b = load.i32 &pair+4 -- Local
                main: h = load.i64 &t -- Local
                main: z = load.i32 &mine -- Local
                main: dead t -- Local
                counter: read by main written by worker
            "#]],
        );
    }

    #[test]
    fn locals_that_escape() {
        check(
            r#"fn worker(arg: ptr) {
              slot own: i32
              live own
              store.i32 &own, 1
              x = load.i32 arg
              dead own
              return
            }
            fn main() {
              slot t: i64
              slot kept: i32
              slot given: i32
              live t
              live kept
              live given
            again:
              call create(&t, &worker, &given)
              store.i32 &given, 1
              p = &kept
              store.i32 p, 2
              if self == 1 goto again
              dead given
              dead kept
              exit 0
            }"#,
            expect![[r#"
                worker: store.i32 &own, 1 -- Local
                worker: x = load.i32 arg -- Shared
                worker: dead own -- Local
                main: store.i32 &given, 1 -- Shared
                main: store.i32 p, 2 -- Local
                main: dead given -- Shared
                main: dead kept -- Local
                main.given: read by worker written by main
            "#]],
        );
    }

    #[test]
    fn heap_blocks_that_are_published() {
        check(
            r#"global head: ptr
            fn worker(arg: ptr) {
              p = load.ptr &head
              x = load.i32 p
              private = alloc.heap 4
              store.i32 private, x
              return
            }
            fn main() {
              slot t: i64
              live t
              call create(&t, &worker, null)
              node = alloc.heap 4
              store.i32 node, 7
              store.ptr &head, node
              free.heap node
              exit 0
            }"#,
            expect![[r#"
                worker: p = load.ptr &head -- Shared
                worker: x = load.i32 p -- Shared
                worker: store.i32 private, x -- Local
                main: store.i32 node, 7 -- Shared
                main: store.ptr &head, node -- Shared
                main: free.heap node -- Shared
                main:s2: read by worker written by main
                head: read by worker written by main
            "#]],
        );
    }

    #[test]
    fn one_thread_shares_nothing() {
        check(
            r#"global g: i32
            fn main() {
              store.i32 &g, 1
              x = load.i32 &g
              exit 0
            }"#,
            expect![[r#"
                main: store.i32 &g, 1 -- Local
                main: x = load.i32 &g -- Local
            "#]],
        );
    }
}
