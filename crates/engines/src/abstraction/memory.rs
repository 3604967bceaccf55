//! Expressions and memory accesses of a path.
//!
//! A pointer to an object that exists once (or once in each thread, unseen by others) is a constant. The object part of a pointer
//! has 16 bits for the object and 16 that tell its copies apart: those of objects that may exist many times are arbitrary.
//! Every access is checked: the pointer must point into one of the objects that the points-to analysis gives for it.

use heddle_base::Id;
use heddle_ir::points_to::{InstanceId, Location as Pointee, ObjectId, ObjectKind};
use heddle_ir::{Base, BinOp, CastOp, Expr, ExprId, Property, RegId, SlotId, StepId, StepKind, Ty};
use heddle_solver::{Sort, TermId, Terms};
use heddle_symbolic::operators;

use super::build::{Builder, Flow, Frame, LocalKey, Outcome, Path, unsupported};
use super::objects::Keeping;
use super::template::{LocId, VarIx};

/// Integers below this are no address of an object in 32 bits.
const LOWEST_ADDRESS: u64 = 4096;

/// What an access touches.
struct Place {
    object: ObjectId,
    /// 32 bits.
    offset: TermId,
}

impl Builder<'_> {
    // Expressions.

    pub(super) fn eval(&mut self, path: &Path, expr: ExprId) -> Outcome<TermId> {
        self.evaluated = self.evaluated.wrapping_add(1);
        if self.evaluated.is_multiple_of(1024) {
            self.budget.check()?;
        }
        let frame = path.top();
        Ok(match self.program.functions[frame.func].exprs[expr] {
            Expr::Const { ty, bits } => operators::constant(self.terms, ty, bits),
            Expr::Reg(reg) => self.reg_value(path, reg),
            Expr::Addr { base, offset } => self.base_address(path, frame, base, offset)?,
            Expr::SelfId => {
                let number = self.out.classes[self.class].number;
                self.value(path, number)
            }
            Expr::Unary(op, arg) => {
                let value = self.eval(path, arg)?;
                let ty = self.type_of(frame, arg);
                operators::unary(self.terms, op, ty, value)?
            }
            Expr::Binary(op, left, right) => {
                let (a, b) = (self.eval(path, left)?, self.eval(path, right)?);
                let ty = self.type_of(frame, left);
                // Their order depends on where objects lie.
                if op == BinOp::PtrDiff || ty == Ty::Ptr && matches!(op, BinOp::ULt | BinOp::ULe) {
                    return self.compare_pointers(op, a, b);
                }
                operators::binary(self.terms, op, ty, a, b)?
            }
            Expr::Cast { op, to, arg } => {
                let value = self.eval(path, arg)?;
                let from = self.type_of(frame, arg);
                match op {
                    CastOp::PtrToInt => self.integer_of(value, to),
                    CastOp::IntToPtr => self.pointer_of(value, from),
                    _ => operators::cast(self.terms, op, from, to, value)?,
                }
            }
            Expr::Ite { cond, then, otherwise } => {
                let cond = self.eval(path, cond)?;
                let (a, b) = (self.eval(path, then)?, self.eval(path, otherwise)?);
                self.terms.ite(cond, a, b)
            }
        })
    }

    /// Within one object as the machine computes it, otherwise arbitrary.
    fn compare_pointers(&mut self, op: BinOp, a: TermId, b: TermId) -> Outcome<TermId> {
        let (x, y) = (operators::object_of(self.terms, a), operators::object_of(self.terms, b));
        let same = self.terms.eq(x, y);
        let exact = operators::binary(self.terms, op, Ty::Ptr, a, b)?;
        let sort = self.terms.sort(exact);
        let any = self.terms.fresh("any", sort).expect("a sort");
        Ok(self.terms.ite(same, exact, any))
    }

    fn integer_of(&mut self, pointer: TermId, to: Ty) -> TermId {
        let object = operators::object_of(self.terms, pointer);
        let none = self.terms.bv(32, 0);
        let plain = self.terms.eq(object, none);
        let low = operators::offset_of(self.terms, pointer);
        let width = operators::width(to);
        let low = if width > 32 { self.terms.zero_ext(low, width - 32) } else { low };
        if plain == Terms::TRUE {
            return low;
        }
        let any = self.fresh(to);
        self.flat.insert(any, pointer);
        let number = self.terms.ite(plain, low, any);
        self.flat.insert(number, pointer);
        number
    }

    fn pointer_of(&mut self, number: TermId, from: Ty) -> TermId {
        if let Some(&pointer) = self.flat.get(&number) {
            return pointer;
        }
        let width = operators::width(from);
        let (limit, plain) = match width {
            64 => (self.terms.bv(64, 1 << 32), number),
            _ => (self.terms.bv(width, LOWEST_ADDRESS), self.terms.zero_ext(number, 64 - width)),
        };
        let low = self.terms.ult(number, limit);
        if low == Terms::TRUE {
            return plain;
        }
        let any = self.fresh(Ty::Ptr);
        self.terms.ite(low, plain, any)
    }

    /// The address of an object that exists once.
    pub(super) fn address(&mut self, object: ObjectId, offset: i64) -> TermId {
        let number = (object.index() as u64 + 1) << 16;
        self.terms.bv(64, number << 32 | u64::from(offset as i32 as u32))
    }

    /// The address of one of many copies.
    fn address_of_copy(&mut self, object: ObjectId, copy: TermId, offset: i64) -> TermId {
        let number = self.terms.bv(16, object.index() as u64 + 1);
        let low = self.terms.bv(32, u64::from(offset as i32 as u32));
        let high = self.terms.concat(number, copy);
        self.terms.concat(high, low)
    }

    fn base_address(&mut self, path: &Path, frame: Frame, base: Base, offset: i64) -> Outcome<TermId> {
        let kind = match base {
            Base::Global(global) => ObjectKind::Global(global),
            Base::Func(func) => ObjectKind::Func(func),
            Base::Slot(slot) => ObjectKind::Slot(frame.instance, slot),
        };
        let Some(object) = self.analysis.points_to.object(kind) else { return unsupported("an unknown object") };
        if self.objects.all[object].keeping != Keeping::Summary || matches!(kind, ObjectKind::Func(_)) {
            return Ok(self.address(object, offset));
        }
        let copy = match base {
            Base::Slot(slot) => {
                let var = self.slot_name(frame, slot);
                self.value(path, var)
            }
            // A thread-local that others see: its copy goes by the thread.
            Base::Global(_) | Base::Func(_) => {
                let number = self.out.classes[self.class].number;
                let number = self.value(path, number);
                self.terms.extract(15, 0, number)
            }
        };
        Ok(self.address_of_copy(object, copy, offset))
    }

    /// 16 arbitrary bits, kept as a register's would be.
    fn slot_name(&mut self, frame: Frame, slot: SlotId) -> VarIx {
        self.local(self.class, LocalKey::SlotName(frame.id, slot), Ty::I16, "copy")
    }

    // Locals in memory.

    /// Makes the variables of a local in memory.
    pub(super) fn slot_cells(&mut self, frame: Frame, slot: SlotId) {
        let Some(object) = self.slot_object(frame, slot) else { return };
        if self.objects.all[object].keeping == Keeping::Summary {
            self.slot_name(frame, slot);
        }
        self.own_cells(frame, object);
    }

    fn slot_object(&self, frame: Frame, slot: SlotId) -> Option<ObjectId> {
        self.analysis.points_to.object(ObjectKind::Slot(frame.instance, slot))
    }

    /// The variables of an object's cells, as the running thread sees it: offset, size, type, variable.
    fn own_cells(&mut self, frame: Frame, object: ObjectId) -> Vec<(i64, i64, VarIx)> {
        let tracked = self.objects.all[object].clone();
        let mut all = Vec::new();
        for span in &tracked.cells {
            let var = match (tracked.keeping, tracked.kind) {
                (Keeping::Summary, _) => continue,
                (Keeping::Shared, _) => self.cells[&(object, span.offset)],
                (Keeping::Own, ObjectKind::Global(global)) => {
                    let name = self.program.globals[global].name.clone();
                    self.local(self.class, LocalKey::ThreadLocal(global, span.offset), span.ty, &name)
                }
                (Keeping::Own, ObjectKind::Slot(_, slot)) => {
                    let name = self.program.functions[frame.func].slots[slot].name.clone();
                    self.local(self.class, LocalKey::Slot(frame.id, slot, span.offset), span.ty, &name)
                }
                (Keeping::Own, ObjectKind::Alloc(..) | ObjectKind::Func(_)) => continue,
            };
            all.push((span.offset, span.size, var));
        }
        all
    }

    pub(super) fn live(&mut self, path: &mut Path, frame: Frame, slot: SlotId) {
        let Some(object) = self.slot_object(frame, slot) else { return };
        for (_, _, var) in self.own_cells(frame, object) {
            let any = self.fresh(self.out.vars[var].ty);
            path.values.insert(var, any);
        }
        self.set_alive(path, object, true);
    }

    pub(super) fn dead(&mut self, path: &mut Path, frame: Frame, slot: SlotId) {
        let Some(object) = self.slot_object(frame, slot) else { return };
        self.set_alive(path, object, false);
    }

    fn set_alive(&mut self, path: &mut Path, object: ObjectId, alive: bool) {
        if let Some(&var) = self.alive.get(&object) {
            let alive = self.terms.bool(alive);
            path.values.insert(var, alive);
        }
    }

    // The heap.

    pub(super) fn allocate(&mut self, path: &mut Path, frame: Frame, size: TermId, zeroed: bool) -> TermId {
        let Some(object) = self.analysis.points_to.object(ObjectKind::Alloc(frame.instance, path.at)) else {
            return self.fresh(Ty::Ptr);
        };
        // The size that accesses are checked against must be that of every execution.
        let known = operators::as_bits(self.terms, size).map(|s| s as u64);
        let tracked = &mut self.objects.all[object];
        tracked.size = match (tracked.size, known) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (_, None) => None,
            (None, Some(_)) => tracked.size,
        };
        if tracked.keeping != Keeping::Shared {
            let copy = self.terms.fresh("copy", Sort::BitVec(16)).expect("a sort");
            return self.address_of_copy(object, copy, 0);
        }
        for (_, _, var) in self.own_cells(frame, object) {
            let ty = self.out.vars[var].ty;
            let value = if zeroed { operators::constant(self.terms, ty, 0) } else { self.fresh(ty) };
            path.values.insert(var, value);
        }
        self.set_alive(path, object, true);
        self.address(object, 0)
    }

    pub(super) fn free(&mut self, from: LocId, path: Path, addr: ExprId, flows: &mut Vec<Flow>) -> Outcome<()> {
        let pointer = self.eval(&path, addr)?;
        let null = self.terms.bv(64, 0);
        let is_null = self.terms.eq(pointer, null);
        let mut nothing = path.clone();
        nothing.guard.push(is_null);
        flows.push(Flow::Next(nothing));
        let mut path = path;
        let given = self.terms.not(is_null);
        path.guard.push(given);
        let locations = self.analysis.points_to.locations(path.top().instance, addr);
        for (mut path, place) in self.resolve(from, path, &locations, pointer, 0)? {
            let zero = self.terms.bv(32, 0);
            let start = self.terms.eq(place.offset, zero);
            let heap = matches!(self.objects.all[place.object].kind, ObjectKind::Alloc(..));
            let right = if heap { start } else { Terms::FALSE };
            self.check(from, &mut path, right, Property::Memory, "a bad pointer is freed")?;
            self.set_alive(&mut path, place.object, false);
            flows.push(Flow::Next(path));
        }
        Ok(())
    }

    // Accesses.

    pub(super) fn load(
        &mut self,
        from: LocId,
        path: Path,
        dst: RegId,
        addr: ExprId,
        ty: Ty,
        flows: &mut Vec<Flow>,
    ) -> Outcome<()> {
        let pointer = self.eval(&path, addr)?;
        let locations = self.analysis.points_to.locations(path.top().instance, addr);
        let len = ty.size(self.program.model) as i64;
        for (mut path, place) in self.resolve(from, path, &locations, pointer, len)? {
            let value = self.read(&path, &place, len, ty);
            self.set_reg(&mut path, dst, value);
            flows.push(Flow::Next(path));
        }
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        from: LocId,
        path: Path,
        addr: ExprId,
        value: TermId,
        ty: Ty,
        flows: &mut Vec<Flow>,
    ) -> Outcome<()> {
        let pointer = self.eval(&path, addr)?;
        let locations = self.analysis.points_to.locations(path.top().instance, addr);
        let len = ty.size(self.program.model) as i64;
        for (mut path, place) in self.resolve(from, path, &locations, pointer, len)? {
            self.write(from, &mut path, &place, len, value, ty)?;
            flows.push(Flow::Next(path));
        }
        Ok(())
    }

    /// A store through an argument of the call at hand.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn store_through(
        &mut self,
        from: LocId,
        path: Path,
        instance: InstanceId,
        pointer: TermId,
        site: StepId,
        argument: usize,
        value: TermId,
        ty: Ty,
    ) -> Outcome<Vec<Path>> {
        let func = self.analysis.points_to.instances[instance].func;
        let locations = match &self.program.functions[func].steps[site].kind {
            StepKind::Call { args, .. } => self.analysis.points_to.locations(instance, args[argument]),
            _ => Vec::new(),
        };
        let len = ty.size(self.program.model) as i64;
        let mut paths = Vec::new();
        for (mut path, place) in self.resolve(from, path, &locations, pointer, len)? {
            self.write(from, &mut path, &place, len, value, ty)?;
            paths.push(path);
        }
        Ok(paths)
    }

    /// `memmove` (with a source) and `memset` (with a byte): what is written becomes arbitrary, or zero.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn copy(
        &mut self,
        from: LocId,
        path: Path,
        dst: ExprId,
        src: Option<ExprId>,
        len: ExprId,
        byte: Option<TermId>,
        flows: &mut Vec<Flow>,
    ) -> Outcome<()> {
        let bytes = self.eval(&path, len)?;
        let Some(len) = operators::as_bits(self.terms, bytes).map(|b| b as i64) else {
            return unsupported("a block of memory of unknown size");
        };
        if len == 0 {
            flows.push(Flow::Next(path));
            return Ok(());
        }
        let instance = path.top().instance;
        let mut ways = vec![path];
        if let Some(src) = src {
            let mut next = Vec::new();
            for path in ways {
                let pointer = self.eval(&path, src)?;
                let locations = self.analysis.points_to.locations(instance, src);
                next.extend(self.resolve(from, path, &locations, pointer, len)?.into_iter().map(|r| r.0));
            }
            ways = next;
        }
        let zero = byte.is_some_and(|b| operators::as_bits(self.terms, b) == Some(0));
        for path in ways {
            let pointer = self.eval(&path, dst)?;
            let locations = self.analysis.points_to.locations(instance, dst);
            for (mut path, place) in self.resolve(from, path, &locations, pointer, len)? {
                let start = operators::as_bits(self.terms, place.offset).map(|b| i64::from(b as u32 as i32));
                let frame = self.frame_of(&path, place.object);
                for (offset, size, var) in self.own_cells(frame, place.object) {
                    let inside = start.is_some_and(|s| s <= offset && offset + size <= s + len);
                    let outside = start.is_some_and(|s| offset + size <= s || s + len <= offset);
                    let ty = self.out.vars[var].ty;
                    if outside {
                        continue;
                    }
                    let value = if inside && zero { operators::constant(self.terms, ty, 0) } else { self.fresh(ty) };
                    path.values.insert(var, value);
                }
                flows.push(Flow::Next(path));
            }
        }
        Ok(())
    }

    /// The call whose local an object is; the running one for all others.
    fn frame_of(&self, path: &Path, object: ObjectId) -> Frame {
        match self.objects.all[object].kind {
            ObjectKind::Slot(instance, _) => {
                *path.stack.iter().rev().find(|f| f.instance == instance).unwrap_or(&path.top())
            }
            ObjectKind::Global(_) | ObjectKind::Alloc(..) | ObjectKind::Func(_) => path.top(),
        }
    }

    /// The objects that a pointer can point to, each in a path of its own; the checks of an access of `len` bytes are made.
    fn resolve(
        &mut self,
        from: LocId,
        path: Path,
        locations: &[Pointee],
        pointer: TermId,
        len: i64,
    ) -> Outcome<Vec<(Path, Place)>> {
        let number = operators::object_of(self.terms, pointer);
        let number = self.terms.extract(31, 16, number);
        let offset = operators::offset_of(self.terms, pointer);
        let mut objects: Vec<ObjectId> = match operators::as_bits(self.terms, number) {
            Some(0) => Vec::new(),
            Some(known) => {
                let object = ObjectId::new(known as usize - 1);
                if object.index() < self.objects.all.len() { vec![object] } else { Vec::new() }
            }
            None => locations.iter().map(|l| l.object).collect(),
        };
        objects.sort_unstable();
        objects.dedup();
        let mut ways = Vec::new();
        for &object in &objects {
            let mine = self.terms.bv(16, object.index() as u64 + 1);
            ways.push((self.terms.eq(number, mine), object));
        }
        let any: Vec<TermId> = ways.iter().map(|w| w.0).collect();
        let right = self.terms.or_all(&any);
        let mut path = path;
        self.check(from, &mut path, right, Property::Memory, "a bad pointer is used")?;
        if right == Terms::FALSE {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for (same, object) in ways {
            let mut path = path.clone();
            path.guard.push(same);
            self.check_place(from, &mut path, object, offset, len)?;
            if self.terms.and_all(&path.guard) == Terms::FALSE {
                continue;
            }
            found.push((path, Place { object, offset }));
        }
        Ok(found)
    }

    /// Bounds and life.
    fn check_place(&mut self, from: LocId, path: &mut Path, object: ObjectId, offset: TermId, len: i64) -> Outcome<()> {
        let tracked = self.objects.all[object].clone();
        let inside = match tracked.size {
            _ if matches!(tracked.kind, ObjectKind::Func(_)) => Terms::FALSE,
            Some(size) if size as i64 >= len => {
                let last = self.terms.bv(32, size - len as u64);
                self.terms.ule(offset, last)
            }
            Some(_) => Terms::FALSE,
            None => self.fresh_bool(),
        };
        self.check(from, path, inside, Property::Memory, "an access out of bounds")?;
        let on_stack = match tracked.kind {
            ObjectKind::Slot(instance, _) => path.stack.iter().any(|f| f.instance == instance),
            ObjectKind::Global(_) | ObjectKind::Alloc(..) | ObjectKind::Func(_) => true,
        };
        let alive = match (tracked.keeping, self.alive.get(&object)) {
            (Keeping::Shared, Some(&var)) => self.value(path, var),
            (Keeping::Shared, None) => Terms::TRUE,
            (Keeping::Own, _) => self.terms.bool(on_stack),
            (Keeping::Summary, _) if tracked.mortal || matches!(tracked.kind, ObjectKind::Slot(..)) => {
                self.fresh_bool()
            }
            (Keeping::Summary, _) => Terms::TRUE,
        };
        self.check(from, path, alive, Property::Memory, "an object is used after its life")
    }

    fn read(&mut self, path: &Path, place: &Place, len: i64, ty: Ty) -> TermId {
        let frame = self.frame_of(path, place.object);
        let known = operators::as_bits(self.terms, place.offset).map(|b| i64::from(b as u32 as i32));
        let cells = self.own_cells(frame, place.object);
        if let Some(at) = known {
            return match cells.iter().find(|c| c.0 == at && c.1 == len) {
                Some(&(_, _, var)) => {
                    let value = self.value(path, var);
                    self.converted(value, self.out.vars[var].ty, ty)
                }
                None => self.fresh(ty),
            };
        }
        let mut value = self.fresh(ty);
        for (at, size, var) in cells {
            if size == len {
                let at = self.terms.bv(32, u64::from(at as i32 as u32));
                let same = self.terms.eq(place.offset, at);
                let held = self.value(path, var);
                let held = self.converted(held, self.out.vars[var].ty, ty);
                value = self.terms.ite(same, held, value);
            }
        }
        value
    }

    fn write(&mut self, from: LocId, path: &mut Path, place: &Place, len: i64, value: TermId, ty: Ty) -> Outcome<()> {
        if self.objects.all[place.object].constant {
            self.check(from, path, Terms::FALSE, Property::Memory, "a constant is written")?;
        }
        let frame = self.frame_of(path, place.object);
        let known = operators::as_bits(self.terms, place.offset).map(|b| i64::from(b as u32 as i32));
        for (at, size, var) in self.own_cells(frame, place.object) {
            let held_ty = self.out.vars[var].ty;
            let new = match known {
                Some(k) if k == at && size == len => self.converted(value, ty, held_ty),
                Some(k) if k + len <= at || at + size <= k => continue,
                Some(_) => self.fresh(held_ty),
                None => {
                    let old = self.value(path, var);
                    let start = self.terms.bv(32, u64::from(at as i32 as u32));
                    let same = self.terms.eq(place.offset, start);
                    let exact = if size == len { self.converted(value, ty, held_ty) } else { self.fresh(held_ty) };
                    // It touches the cell if its first byte lies in [at - len + 1, at + size).
                    let first = self.terms.bv(32, u64::from((at - len + 1) as i32 as u32));
                    let reach = self.terms.bv(32, (size + len - 1) as u64);
                    let distance = self.terms.sub(place.offset, first);
                    let touches = self.terms.ult(distance, reach);
                    let any = self.fresh(held_ty);
                    let partly = self.terms.ite(touches, any, old);
                    self.terms.ite(same, exact, partly)
                }
            };
            path.values.insert(var, new);
        }
        Ok(())
    }

    /// A value as another type of the same size in memory.
    fn converted(&mut self, value: TermId, from: Ty, to: Ty) -> TermId {
        let same = operators::sort(from) == operators::sort(to) && (from == Ty::Ptr) == (to == Ty::Ptr);
        if same {
            return value;
        }
        match (from, to) {
            (Ty::Ptr, Ty::I32 | Ty::I64) => self.integer_of(value, to),
            (Ty::I32 | Ty::I64, Ty::Ptr) => self.pointer_of(value, from),
            _ => self.fresh(to),
        }
    }
}
