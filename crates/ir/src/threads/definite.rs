//! Joins that cannot be refused.
//!
//! `pthread_join` returns early, having waited for nothing, if its argument is null, the running thread, a detached or
//! a joined one; its model marks these ways out with [`SyncOp::Refuse`]. Of them only the last remains, and behind it the
//! thread is over all the same, if the joiner is the creator, nobody detaches the thread, and the argument is *definitely*
//! its identifier:
//!
//! - it was loaded, after the thread was spawned, from a variable (a global or a local of a function that is
//!   executed once, told apart by offset, so constant elements of an array will do),
//! - the only step that ever writes this variable is the one with which the model hands out the identifier, and that
//!   comes before the spawn.
//!
//! Whatever is not seen at a glance (identifiers in heap blocks, loops over arrays of them, copies of copies that may be older
//! than the thread) is not definite.

use heddle_base::{Id, IndexVec};
use rustc_hash::FxHashSet;

use super::{Builder, Count, Point};
use crate::bits::BitSet;
use crate::cfg::successors;
use crate::expr::{BinOp, CastOp, Expr, ExprId};
use crate::points_to::{InstanceId, Location, ObjectId, ObjectKind, Offset};
use crate::program::Function;
use crate::sharing::{Access, Range, accesses};
use crate::step::{StepId, StepKind, SyncKind, SyncOp};

/// Where a value comes from.
struct Origin {
    /// The steps that it went through, the one that made it first.
    way: Vec<Point>,
    /// The constant that it is, if it was not made by a step.
    constant: Option<u128>,
}

impl Builder<'_> {
    /// The steps that a thread of the creator's class passes after `spawn` only if the new thread is over, because a join is
    /// refused there.
    pub(super) fn refusals(
        &self,
        counts: &IndexVec<InstanceId, Count>,
        within: &BitSet,
        spawn: Point,
        handle: ObjectId,
    ) -> Vec<Point> {
        let mut found = Vec::new();
        for (id, instance) in self.points_to.instances.iter_enumerated().filter(|(id, _)| within.contains(id.index())) {
            for (step, at) in self.program.functions[instance.func].steps.iter_enumerated() {
                let StepKind::Sync { op: SyncOp::Refuse, kind: SyncKind::Join, object } = at.kind else { continue };
                if self.is_definite(counts, within, spawn, handle, ((id, step), object)) {
                    found.push((id, step));
                }
            }
        }
        if found.is_empty() || self.may_detach(handle) { Vec::new() } else { found }
    }

    /// Whether the object that a wait is refused for, after `spawn`, is the one that `spawn` gave to its thread.
    fn is_definite(
        &self,
        counts: &IndexVec<InstanceId, Count>,
        within: &BitSet,
        spawn: Point,
        handle: ObjectId,
        (refusal, object): (Point, ExprId),
    ) -> bool {
        let Some(origin) = self.origin(refusal.0, object) else { return false };
        let Some(&load) = origin.way.first() else { return false };
        let StepKind::Load { addr, ty, .. } = *self.kind(load) else { return false };
        let [place] = self.points_to.locations(load.0, addr)[..] else { return false };
        let range = Range { offset: place.offset, size: Some(ty.size(self.program.model)) };
        if !self.is_one_variable(counts, place) || !self.written_only_before(spawn, handle, place, range) {
            return false;
        }
        // All that happens to the value happens after the spawn, in this order.
        let mut way = origin.way.clone();
        way.push(refusal);
        way.windows(2).all(|pair| {
            let cut = FxHashSet::from_iter([pair[0]]);
            let around = self.reach(within, spawn, &cut);
            let renewed = pair[0] == load && self.begins_in(&around, place.object);
            !around.contains(pair[1]) && !renewed
        })
    }

    /// Whether a place belongs to a variable of which there is only one.
    fn is_one_variable(&self, counts: &IndexVec<InstanceId, Count>, place: Location) -> bool {
        let one = match self.points_to.objects[place.object].kind {
            ObjectKind::Global(global) => !self.program.globals[global].thread_local,
            ObjectKind::Slot(instance, _) => counts[instance] == Count::Once,
            ObjectKind::Alloc(..) | ObjectKind::Func(_) => false,
        };
        one && place.offset != Offset::Any
    }

    /// Whether a variable is written by one step only, which stores `handle` before `spawn`.
    fn written_only_before(&self, spawn: Point, handle: ObjectId, place: Location, range: Range) -> bool {
        let mut writers = self.writes()[place.object].iter().filter(|(_, access)| access.range.overlaps(range));
        let (Some((writer, access)), None) = (writers.next(), writers.next()) else { return false };
        let StepKind::Store { addr, value, .. } = *self.kind(*writer) else { return false };
        let made = |origin: Origin| match origin.way.first() {
            Some(&(instance, step)) => self.points_to.objects[handle].kind == ObjectKind::Alloc(instance, step),
            None => false,
        };
        access.range == range
            && self.points_to.locations(writer.0, addr) == [place]
            && writer.0 == spawn.0
            && self.origin(writer.0, value).is_some_and(made)
            && !self.steps_around(spawn.0, Some(writer.1)).contains(spawn.1.index())
    }

    /// Whether a local's life begins at a point of a region.
    fn begins_in(&self, region: &super::Region, object: ObjectId) -> bool {
        let ObjectKind::Slot(instance, slot) = self.points_to.objects[object].kind else { return false };
        let function = &self.program.functions[self.points_to.instances[instance].func];
        let begins = |kind: &StepKind| matches!(kind, StepKind::Live { slot: s } if *s == slot);
        function.steps.iter_enumerated().any(|(step, at)| begins(&at.kind) && region.contains((instance, step)))
    }

    fn may_detach(&self, handle: ObjectId) -> bool {
        self.points_to.instances.iter_enumerated().any(|(id, instance)| {
            let steps = self.program.functions[instance.func].steps.iter_enumerated();
            steps.into_iter().any(|(step, at)| match at.kind {
                StepKind::Sync { op: SyncOp::Detach, kind: SyncKind::Join, object } => {
                    self.points_to.locations(id, object).iter().any(|l| l.object == handle)
                        && self.steps_around(id, None).contains(step.index())
                }
                _ => false,
            })
        })
    }

    /// The steps of an instance that control can reach without passing `cut`, given what its constant arguments decide.
    fn steps_around(&self, id: InstanceId, cut: Option<StepId>) -> BitSet {
        let function = &self.program.functions[self.points_to.instances[id].func];
        let mut seen = BitSet::new(function.steps.len());
        let mut todo = vec![StepId::new(0)];
        while let Some(step) = todo.pop() {
            if !seen.insert(step.index()) || cut == Some(step) {
                continue;
            }
            let kind = &function.steps[step].kind;
            match *kind {
                StepKind::Branch { cond, target } => match self.decided(id, cond) {
                    Some(true) => todo.push(target),
                    Some(false) => todo.push(StepId::new(step.index() + 1)),
                    None => todo.extend(successors(kind, step)),
                },
                _ => todo.extend(successors(kind, step)),
            }
        }
        seen
    }

    /// What a comparison of constants says.
    fn decided(&self, id: InstanceId, cond: ExprId) -> Option<bool> {
        let function = &self.program.functions[self.points_to.instances[id].func];
        let Expr::Binary(op @ (BinOp::Eq | BinOp::Ne), left, right) = function.exprs[cond] else { return None };
        let equal = self.origin(id, left)?.constant? == self.origin(id, right)?.constant?;
        Some(equal == (op == BinOp::Eq))
    }

    /// Follows a value back through copies and arguments to the step that made it.
    fn origin(&self, mut id: InstanceId, mut expr: ExprId) -> Option<Origin> {
        const FAR: usize = 32;
        let mut way = Vec::new();
        for _ in 0..FAR {
            let instance = &self.points_to.instances[id];
            let function = &self.program.functions[instance.func];
            match function.exprs[expr] {
                Expr::Const { bits, .. } => return Some(Origin { way: Vec::new(), constant: Some(bits) }),
                Expr::Cast { op: CastOp::IntToPtr | CastOp::PtrToInt | CastOp::Bitcast, to, arg } => {
                    let model = self.program.model;
                    if to.size(model) != function.type_of(arg).size(model) {
                        return None;
                    }
                    expr = arg;
                }
                Expr::Reg(reg) => {
                    let mut writers =
                        function.steps.iter_enumerated().filter(|(_, at)| at.kind.written_reg() == Some(reg));
                    let writer = writers.next();
                    if writers.next().is_some() {
                        return None;
                    }
                    let param = function.params.iter().position(|&p| p == reg);
                    match (writer, param) {
                        (Some((step, at)), None) => {
                            way.push((id, step));
                            match at.kind {
                                StepKind::Assign { value, .. } => expr = value,
                                StepKind::Load { .. } | StepKind::Alloc { .. } => {
                                    way.reverse();
                                    return Some(Origin { way, constant: None });
                                }
                                _ => return None,
                            }
                        }
                        (None, Some(index)) => {
                            let (caller, step) = instance.site?;
                            let StepKind::Call { args, .. } = self.kind((caller, step)) else { return None };
                            (id, expr) = (caller, *args.get(index)?);
                        }
                        _ => return None,
                    }
                }
                Expr::Cast { .. }
                | Expr::Addr { .. }
                | Expr::SelfId
                | Expr::Unary(..)
                | Expr::Binary(..)
                | Expr::Ite { .. } => return None,
            }
        }
        None
    }

    /// All writes to each object, beginnings and ends of lives excepted.
    fn writes(&self) -> &IndexVec<ObjectId, Vec<(Point, Access)>> {
        self.writes.get_or_init(|| {
            let mut all: IndexVec<ObjectId, Vec<(Point, Access)>> =
                IndexVec::from_elem(Vec::new(), self.points_to.objects.len());
            for id in self.points_to.instances.ids() {
                for access in accesses(self.program, self.points_to, id) {
                    let life = matches!(self.kind((id, access.step)), StepKind::Live { .. } | StepKind::Dead { .. });
                    if access.write && !life {
                        all[access.object].push(((id, access.step), access));
                    }
                }
            }
            all
        })
    }

    fn kind(&self, (instance, step): Point) -> &StepKind {
        let function: &Function = &self.program.functions[self.points_to.instances[instance].func];
        &function.steps[step].kind
    }
}

#[cfg(test)]
mod tests {
    use crate::points_to::PointsTo;
    use crate::text::parse;
    use crate::threads::{ThreadId, Threads, tests};
    use heddle_base::Id;

    /// Models as they are: a join that can be refused, a thread that can be detached.
    const MODELS: &str = r#"
        fn detach(t: i64) model {
          h = inttoptr.ptr(t)
          sync detach join h
          return
        }
        fn create_with(t: ptr, attr: ptr, start: ptr) model {
          h = alloc.model 24
          store.ptr h, start
          store.i64 t, ptrtoint.i64(h)
          atomic_begin model
          if attr == null goto attached
          sync detach join h
        attached:
          spawn trampoline(h)
          atomic_end
          return
        }
        fn join_or_fail(t: i64) -> i32 model {
          h = inttoptr.ptr(t)
          if h == null goto fail
          atomic_begin model
          done = load.i32 h + 16
          await done == 1, join h
          atomic_end
          return 0
        fail:
          sync refuse join h
          return 3
        }
        fn one(arg: ptr) { return }
        fn two(arg: ptr) { return }
        global shared: [2 x i64]
        "#;

    #[derive(Debug, PartialEq)]
    enum One {
        Over,
        Running,
    }

    /// `main` does this, then creates `two`: where is `one` by then?
    fn check(body: &str, expected: One) {
        let main = format!(
            "fn main() {{\nslot t: [2 x i64]\nslot u: i64\n{body}\nlive u\ncall create(&u, &two, null)\nexit 0\n}}"
        );
        let program = parse(&format!("{}{MODELS}{main}", tests::MODELS)).unwrap_or_else(|e| panic!("{e}"));
        let threads = Threads::new(&program, &PointsTo::new(&program));
        assert_eq!(threads.classes.len(), 3);
        let found = if threads.at_once(ThreadId::new(1), ThreadId::new(2)) { One::Running } else { One::Over };
        assert_eq!(found, expected, "{body}");
    }

    #[test]
    fn an_identifier_is_definite() {
        let body = "live t\ncall create(&t, &one, null)\nh = load.i64 &t\ncall join_or_fail(h)";
        check(body, One::Over);
        check(&body.replace("&t", "&shared+8").replace("live t", "skip"), One::Over);
        check("live t\ncall create_with(&t+8, null, &one)\nh = load.i64 &t+8\nk = h\ncall join_or_fail(k)", One::Over);
    }

    #[test]
    fn it_was_overwritten() {
        check(
            "call create(&shared, &one, null)\nstore.i64 &shared, 0\nh = load.i64 &shared\ncall join_or_fail(h)",
            One::Running,
        );
        check(
            "store.i64 &shared, 0\ncall create(&shared, &one, null)\nh = load.i64 &shared\ncall join_or_fail(h)",
            One::Running,
        );
        // Bytes of it.
        check(
            "call create(&shared, &one, null)\nstore.i8 &shared+7, 0\nh = load.i64 &shared\ncall join_or_fail(h)",
            One::Running,
        );
        // Its neighbour.
        check(
            "call create(&shared, &one, null)\nstore.i8 &shared+8, 0\nh = load.i64 &shared\ncall join_or_fail(h)",
            One::Over,
        );
    }

    #[test]
    fn it_is_older_than_the_thread() {
        check("h = load.i64 &shared\ncall create(&shared, &one, null)\ncall join_or_fail(h)", One::Running);
        check(
            "h = load.i64 &shared\nk = h\ncall create(&shared, &one, null)\nh = load.i64 &shared\ncall join_or_fail(k)",
            One::Running,
        );
        // The variable was made anew.
        check(
            "live t\ncall create(&t, &one, null)\ndead t\nlive t\nh = load.i64 &t\ncall join_or_fail(h)",
            One::Running,
        );
    }

    #[test]
    fn it_depends() {
        check(
            "call create(&shared, &one, null)\nif self == 1 goto skip\nh = load.i64 &shared\ncall join_or_fail(h)\nskip:",
            One::Running,
        );
        check(
            "i = havoc.i64 i\ncall create(&shared + i, &one, null)\nh = load.i64 &shared\ncall join_or_fail(h)",
            One::Running,
        );
        check(
            "i = havoc.i64 i\ncall create(&shared, &one, null)\nh = load.i64 &shared + i\ncall join_or_fail(h)",
            One::Running,
        );
    }

    #[test]
    fn it_is_detached() {
        check("live t\ncall create_with(&t, &shared, &one)\nh = load.i64 &t\ncall join_or_fail(h)", One::Running);
        check(
            "live t\ncall create(&t, &one, null)\nh = load.i64 &t\ncall detach(h)\ncall join_or_fail(h)",
            One::Running,
        );
    }
}
