//! Initialisers: flattened to leaves first, then written out as constants or as stores.

use heddle_base::Span;
use heddle_ir::{Base, ConstValue, Expr, InitItem, StepKind, Ty, eval};
use rustc_hash::FxHashMap;

use super::{Kind, Lower, Place, Value};
use crate::ast::{self, Designator, ExprKind, Init, InitId};
use crate::types::{ArrayLen, BitField, CType, IntKind, QTy, TyId};

/// One scalar, record or string that an initialiser gives, and where it goes.
#[derive(Debug, Clone, Copy)]
struct Leaf {
    offset: u64,
    ty: QTy,
    bits: Option<BitField>,
    expr: ast::ExprId,
}

/// What an initialiser gives, in the order written.
#[derive(Debug, Default)]
struct Leaves {
    list: Vec<Leaf>,
    /// The member that each union (by place and type) was given.
    members: FxHashMap<(u64, TyId), u64>,
    /// Where the last leaf ends: a designator may go back before it.
    end: u64,
    /// Whether a range repeats expressions, which are evaluated once.
    repeats: bool,
}

/// The contents of a global.
pub(super) struct StaticInit {
    pub(super) items: Vec<InitItem>,
    /// Where the last of them ends: beyond the type's size for flexible array members.
    pub(super) end: u64,
}

/// An aggregate on the way to the subobject that comes next.
#[derive(Debug, Clone, Copy)]
struct Frame {
    ty: QTy,
    offset: u64,
    index: u64,
    len: u64,
}

/// Ranges in designators are written out; more elements than this are not.
const MAX_RANGE: u64 = 1 << 20;

impl Lower<'_> {
    /// The number of elements that an initialiser gives an array of unknown length.
    pub(super) fn initialiser_len(&mut self, elem: QTy, init: InitId) -> u64 {
        let ast = self.ast;
        if let Some(len) = self.string_len(elem, init) {
            return len;
        }
        match &ast.inits[init] {
            Init::Expr(expr) => {
                let ty = self.type_of_expr(*expr);
                match self.types.array(ty) {
                    Some((_, ArrayLen::Known(n))) => n,
                    _ => 1,
                }
            }
            Init::List { items, span } => {
                let ty = self.types.plain(CType::Array(elem, ArrayLen::Unknown));
                let mut leaves = Leaves::default();
                self.unevaluated(|this| this.flatten_list(ty, 0, items, *span, &mut leaves))
            }
        }
    }

    /// The length of a string literal that initialises a character array, braces or not.
    fn string_len(&mut self, elem: QTy, init: InitId) -> Option<u64> {
        let size = self.char_size(elem)?;
        let lit = self.string_in(init)?;
        (lit.encoding.char_size() == size).then(|| (lit.bytes.len() / size) as u64 + 1)
    }

    fn char_size(&self, elem: QTy) -> Option<usize> {
        self.types.int_kind(elem).map(|k| k.size(self.types.model) as usize)
    }

    fn string_in(&self, init: InitId) -> Option<&ast::StrLit> {
        match &self.ast.inits[init] {
            Init::Expr(expr) => match &self.ast.exprs[*expr].kind {
                ExprKind::Str(lit) => Some(lit),
                _ => None,
            },
            Init::List { items, .. } if items.len() == 1 && items[0].designators.is_empty() => {
                self.string_in(items[0].init)
            }
            Init::List { .. } => None,
        }
    }

    // ---- flattening --------------------------------------------------------------------------------------------------

    fn flatten(&mut self, ty: QTy, offset: u64, bits: Option<BitField>, init: InitId, leaves: &mut Leaves) {
        let ast = self.ast;
        match &ast.inits[init] {
            Init::Expr(expr) => {
                // A parenthesised compound literal may initialise an array of its type.
                leaves.list.push(Leaf { offset, ty, bits, expr: *expr });
                let size = bits.map_or_else(|| self.types.size_of(ty).unwrap_or(0), |b| b.unit);
                leaves.end = leaves.end.max(offset.saturating_add(size));
            }
            Init::List { items, span } => {
                if self.types.is_scalar(ty) {
                    if let Some(item) = items.first() {
                        self.flatten(ty, offset, bits, item.init, leaves);
                    }
                    if items.len() > 1 {
                        self.warning(*span, "excess elements in scalar initialiser");
                    }
                } else if let (Some((elem, _)), true) = (self.types.array(ty), self.string_in(init).is_some())
                    && self.string_len(elem, init).is_some()
                {
                    self.flatten(ty, offset, bits, items[0].init, leaves);
                } else {
                    self.flatten_list(ty, offset, items, *span, leaves);
                }
            }
        }
    }

    /// Flattens the elements of a braced list for an aggregate. Returns the number of elements given.
    fn flatten_list(&mut self, ty: QTy, offset: u64, items: &[ast::InitItem], span: Span, leaves: &mut Leaves) -> u64 {
        let ast = self.ast;
        let Some(root) = self.frame(ty, offset) else {
            if !self.types.is_error(ty) {
                let name = self.show(ty);
                if self.types.is_unsupported(ty) {
                    self.unsupported(span, &format!("a value of type `{name}`"));
                } else {
                    self.error(span, format!("`{name}` cannot be initialised with a list"));
                }
            }
            return 0;
        };
        let mut frames = vec![root];
        let mut longest = 0;
        for item in items {
            let mut repeat = 1;
            if item.designators.is_empty() {
                while frames.len() > 1 && frames[frames.len() - 1].index >= frames[frames.len() - 1].len {
                    frames.pop();
                }
            } else {
                frames.truncate(1);
                match self.designate(&mut frames, &item.designators, span, leaves) {
                    Some(count) => repeat = count,
                    None => continue,
                }
                leaves.repeats |= repeat > 1;
                self.forget_overridden(frames[frames.len() - 1], repeat, leaves);
            }
            let last = frames.len() - 1;
            if frames[last].index >= frames[last].len {
                let place = self.init_span(item.init);
                self.warning(place, "excess elements in initialiser");
                continue;
            }
            for _ in 0..repeat {
                self.place_item(&mut frames, item.init, ast, leaves);
            }
            longest = longest.max(frames[0].index);
        }
        longest
    }

    /// Puts one element at the next subobject, going down into aggregates that have no braces of their own.
    fn place_item(&mut self, frames: &mut Vec<Frame>, init: InitId, ast: &ast::Ast, leaves: &mut Leaves) {
        loop {
            let last = frames.len() - 1;
            let frame = frames[last];
            let Some((ty, offset, bits)) = self.subobject(frame) else { return };
            self.choose_member(frame, leaves);
            frames[last].index = if self.is_union(frame.ty) { frame.len } else { frame.index + 1 };
            let takes_all = match &ast.inits[init] {
                Init::List { .. } => true,
                Init::Expr(expr) => self.expr_fills(*expr, ty),
            };
            if takes_all {
                return self.flatten(ty, offset, bits, init, leaves);
            }
            match self.frame(ty, offset) {
                Some(inner) if inner.len > 0 => frames.push(inner),
                _ => return,
            }
        }
    }

    /// Whether an expression initialises a subobject of this type as a whole.
    fn expr_fills(&mut self, expr: ast::ExprId, ty: QTy) -> bool {
        if let Some((elem, _)) = self.types.array(ty) {
            return match &self.ast.exprs[expr].kind {
                ExprKind::Str(lit) => self.char_size(elem) == Some(lit.encoding.char_size()),
                _ => false,
            };
        }
        if self.types.record(ty).is_some() {
            return match self.ast.exprs[expr].kind {
                ExprKind::Int { .. } | ExprKind::Float { .. } | ExprKind::Char { .. } | ExprKind::Str(_) => false,
                _ => {
                    let from = self.type_of_rvalue(expr);
                    self.types.compatible_ignoring_quals(from, ty)
                }
            };
        }
        true
    }

    fn is_union(&self, ty: QTy) -> bool {
        self.types.record(ty).is_some_and(|id| self.types.records[id].is_union)
    }

    fn frame(&self, ty: QTy, offset: u64) -> Option<Frame> {
        let len = match self.types.get(ty) {
            CType::Array(_, ArrayLen::Known(n)) => *n,
            CType::Array(_, ArrayLen::Unknown) => u64::MAX,
            CType::Record(id) => self.types.records[*id].body.as_ref()?.fields.len() as u64,
            _ => return None,
        };
        Some(Frame { ty, offset, index: 0, len })
    }

    /// Type, offset and bits of the frame's next subobject.
    fn subobject(&self, frame: Frame) -> Option<(QTy, u64, Option<BitField>)> {
        match self.types.get(frame.ty) {
            CType::Array(elem, _) => {
                let size = self.types.size_of(*elem)?;
                Some((*elem, frame.offset.checked_add(frame.index.checked_mul(size)?)?, None))
            }
            CType::Record(id) => {
                let field = self.types.records[*id].body.as_ref()?.fields.get(frame.index as usize)?;
                Some((field.ty, frame.offset + field.offset, field.bits))
            }
            _ => None,
        }
    }

    /// Follows designators; the last frame then stands at the subobject named. Returns how many elements a range has.
    fn designate(
        &mut self,
        frames: &mut Vec<Frame>,
        designators: &[Designator],
        span: Span,
        leaves: &mut Leaves,
    ) -> Option<u64> {
        let mut count = 1;
        for (i, designator) in designators.iter().enumerate() {
            if i > 0 {
                self.choose_member(frames[frames.len() - 1], leaves);
                let (ty, offset, _) = self.subobject(frames[frames.len() - 1])?;
                let last = frames.len() - 1;
                // What follows the designated subobject is the next one of the outer aggregate.
                frames[last].index =
                    if self.is_union(frames[last].ty) { frames[last].len } else { frames[last].index + 1 };
                let Some(frame) = self.frame(ty, offset) else {
                    self.error(span, "a designator goes into something that is no aggregate");
                    return None;
                };
                frames.push(frame);
            }
            count = match *designator {
                Designator::Field(name, place) => self.designate_field(frames, name, place, leaves)?,
                Designator::Index(index) => self.designate_index(frames, index, index)?,
                Designator::Range(lo, hi) => self.designate_index(frames, lo, hi)?,
            };
        }
        Some(count)
    }

    /// A union holds the last member it was given: what others were given is forgotten.
    fn choose_member(&mut self, frame: Frame, leaves: &mut Leaves) {
        if !self.is_union(frame.ty) {
            return;
        }
        let previous = leaves.members.insert((frame.offset, frame.ty.ty), frame.index);
        if previous.is_some_and(|p| p != frame.index) {
            let size = self.types.size_of(frame.ty).unwrap_or(0);
            self.forget(frame.offset, size, leaves);
        }
    }

    /// A designated subobject that was initialised before is initialised anew, as a whole.
    fn forget_overridden(&mut self, frame: Frame, repeat: u64, leaves: &mut Leaves) {
        let Some((ty, offset, None)) = self.subobject(frame) else { return };
        if offset < leaves.end {
            let size = self.types.size_of(ty).unwrap_or(0).saturating_mul(repeat);
            self.forget(offset, size, leaves);
        }
    }

    fn forget(&mut self, offset: u64, size: u64, leaves: &mut Leaves) {
        let types = &self.session.types;
        leaves.list.retain(|leaf| {
            let leaf_size = leaf.bits.map_or_else(|| types.size_of(leaf.ty).unwrap_or(0), |b| b.unit);
            leaf.offset < offset || leaf.offset + leaf_size > offset + size
        });
    }

    fn designate_field(
        &mut self,
        frames: &mut Vec<Frame>,
        name: crate::intern::Symbol,
        span: Span,
        leaves: &mut Leaves,
    ) -> Option<u64> {
        let last = frames.len() - 1;
        let Some(record) = self.types.record(frames[last].ty) else {
            self.error(span, "a field designator is used for something that is no struct or union");
            return None;
        };
        let fields = self.types.records[record].body.as_ref()?.fields.clone();
        if let Some(i) = fields.iter().position(|f| f.name == Some(name)) {
            frames[last].index = i as u64;
            return Some(1);
        }
        // The member may belong to an anonymous one.
        for (i, field) in fields.iter().enumerate().filter(|(_, f)| f.name.is_none()) {
            let Some(inner) = self.types.record(field.ty) else { continue };
            if self.types.find_field(inner, name).is_some() {
                self.choose_member(Frame { index: i as u64, ..frames[last] }, leaves);
                frames[last].index = if self.is_union(frames[last].ty) { frames[last].len } else { i as u64 + 1 };
                let frame = self.frame(field.ty, frames[last].offset + field.offset)?;
                frames.push(frame);
                return self.designate_field(frames, name, span, leaves);
            }
        }
        let text = self.name(name).to_owned();
        self.error(span, format!("no member named `{text}` in `{}`", self.show(frames[last].ty)));
        None
    }

    fn designate_index(&mut self, frames: &mut [Frame], lo: ast::ExprId, hi: ast::ExprId) -> Option<u64> {
        let last = frames.len() - 1;
        let span = self.ast.exprs[lo].span;
        if self.types.array(frames[last].ty).is_none() {
            self.error(span, "an index designator is used for something that is no array");
            return None;
        }
        let from = self.integer_constant(lo, "a designator")?;
        let to = if lo == hi { from } else { self.integer_constant(hi, "a designator")? };
        if from < 0 || to < from || to as u64 >= frames[last].len {
            self.error(span, "the designator is out of the array's bounds");
            return None;
        }
        let count = (to - from) as u64 + 1;
        if count > MAX_RANGE {
            self.unsupported(span, "a designated range of more than a million elements");
            return None;
        }
        frames[last].index = from as u64;
        Some(count)
    }

    fn init_span(&self, init: InitId) -> Span {
        match &self.ast.inits[init] {
            Init::Expr(expr) => self.ast.exprs[*expr].span,
            Init::List { span, .. } => *span,
        }
    }

    // ---- at run time -------------------------------------------------------------------------------------------------

    /// Initialises an aggregate in memory: zeros first, then the leaves in order.
    pub(super) fn initialise_from_list(&mut self, place: Place, ty: QTy, init: InitId) {
        let mut leaves = Leaves::default();
        self.flatten(ty, 0, None, init, &mut leaves);
        if let Place::Reg(_) = place {
            let value = match leaves.list.first() {
                Some(leaf) => {
                    let value = self.rvalue(leaf.expr);
                    self.convert_assign(value, ty, self.ast.exprs[leaf.expr].span, "initialisation")
                }
                None => {
                    let scalar = self.types.scalar(ty).unwrap_or(Ty::I32);
                    let zero = self.b.constant(scalar, 0);
                    Value::scalar(zero, ty)
                }
            };
            self.store(place, ty, value);
            return;
        }
        let Place::Mem(base) = place else { return };
        let span = self.init_span(init);
        self.at(span);
        if !self.covers(ty, &leaves.list) {
            self.fill_zero(base, ty);
        }
        let mut values = FxHashMap::default();
        for leaf in leaves.list {
            self.store_leaf(base, leaf, leaves.repeats.then_some(&mut values));
        }
    }

    /// Whether the leaves write every byte, so that no zeros are needed first. A cheap test that may say no.
    fn covers(&self, ty: QTy, leaves: &[Leaf]) -> bool {
        let size = self.types.size_of(ty).unwrap_or(u64::MAX);
        let mut next = 0;
        for leaf in leaves {
            let leaf_size = self.types.size_of(leaf.ty).unwrap_or(0);
            if leaf.bits.is_some() || leaf.offset != next {
                return false;
            }
            next += leaf_size;
        }
        next == size
    }

    fn fill_zero(&mut self, dst: heddle_ir::ExprId, ty: QTy) {
        let Some(size) = self.types.size_of(ty).filter(|s| *s > 0) else { return };
        let byte = self.b.constant(Ty::I8, 0);
        let len = self.b.constant(Ty::I64, size as u128);
        let layout = Some(self.layout(ty.unqualified()));
        self.b.emit(StepKind::Fill { dst, byte, len, layout });
    }

    /// `values` keeps what expressions of ranges gave, so that they are evaluated once.
    fn store_leaf(&mut self, base: heddle_ir::ExprId, leaf: Leaf, values: Option<&mut FxHashMap<ast::ExprId, Value>>) {
        let span = self.ast.exprs[leaf.expr].span;
        let addr = self.b.offset(base, leaf.offset);
        if self.types.array(leaf.ty).is_some() {
            return self.store_array_leaf(addr, leaf, span);
        }
        let value = match values {
            None => self.rvalue(leaf.expr),
            Some(values) => match values.get(&leaf.expr) {
                Some(value) => *value,
                None => {
                    let value = self.rvalue(leaf.expr);
                    values.insert(leaf.expr, value);
                    value
                }
            },
        };
        self.at(span);
        if self.types.record(leaf.ty).is_some() {
            self.check_record_assign(leaf.ty, value.ty, span);
            return self.copy_record(Value::place(Place::Mem(addr), leaf.ty), value);
        }
        let value = self.convert_assign(value, leaf.ty, span, "initialisation");
        let place = match leaf.bits {
            Some(bits) => Place::Bits(addr, bits),
            None => Place::Mem(addr),
        };
        self.store_initial(place, leaf.ty, value);
    }

    /// A string, or a compound literal of array type, fills an array.
    fn store_array_leaf(&mut self, addr: heddle_ir::ExprId, leaf: Leaf, span: Span) {
        let value = self.expr(leaf.expr);
        let elems = self.types.array(value.ty).zip(self.types.array(leaf.ty)).map(|(from, to)| (from.0, to.0));
        let fits = elems.is_some_and(|(from, to)| match self.ast.exprs[leaf.expr].kind {
            ExprKind::Str(_) => self.types.is_integer(to) && self.types.size_of(from) == self.types.size_of(to),
            _ => self.types.compatible_ignoring_quals(from, to),
        });
        let source = match value.kind {
            Kind::Place(Place::Mem(source)) if fits => source,
            _ if elems.is_some() => {
                return self.error(span, "the string or array does not fit the array's element type");
            }
            _ => {
                if !self.types.is_error(value.ty) {
                    self.error(span, "an array is initialised with something that is no list or string");
                }
                return;
            }
        };
        self.at(span);
        let (Some(have), Some(room)) = (self.types.size_of(value.ty), self.types.size_of(leaf.ty)) else { return };
        let bytes = have.min(room);
        let elem_size = elems.and_then(|e| self.types.size_of(e.0)).unwrap_or(1);
        // The terminator may be left out.
        if have > room + elem_size {
            self.warning(span, "the string is too long for the array");
        }
        let len = self.b.constant(Ty::I64, bytes as u128);
        let layout = (bytes == have).then(|| self.layout(value.ty.unqualified()));
        self.b.emit(StepKind::Copy { dst: addr, src: source, len, layout });
        if bytes < room {
            let dst = self.b.offset(addr, bytes);
            let byte = self.b.constant(Ty::I8, 0);
            let len = self.b.constant(Ty::I64, (room - bytes) as u128);
            self.b.emit(StepKind::Fill { dst, byte, len, layout: None });
        }
    }

    // ---- at compile time ---------------------------------------------------------------------------------------------

    /// The contents that an initialiser gives a variable of static storage.
    pub(super) fn static_initialiser(&mut self, ty: QTy, init: InitId) -> StaticInit {
        let mut leaves = Leaves::default();
        self.flatten(ty, 0, None, init, &mut leaves);
        let mut result = StaticInit { items: Vec::new(), end: 0 };
        for leaf in leaves.list {
            let mark = self.b.mark();
            self.static_leaf(leaf, &mut result);
            self.b.rewind(mark);
        }
        result
    }

    fn static_leaf(&mut self, leaf: Leaf, result: &mut StaticInit) {
        let ast = self.ast;
        let span = ast.exprs[leaf.expr].span;
        let mark = self.b.mark();
        let size = self.types.size_of(leaf.ty).unwrap_or(0);
        result.end = result.end.max(leaf.offset + size);
        match (&ast.exprs[leaf.expr].kind, self.types.array(leaf.ty)) {
            (ExprKind::Str(lit), Some((elem, len))) => {
                if self.char_size(elem) != Some(lit.encoding.char_size()) {
                    return self.error(span, "the string or array does not fit the array's element type");
                }
                let mut bytes = lit.bytes.clone();
                match len {
                    ArrayLen::Known(n) => {
                        let room = (n as usize).saturating_mul(lit.encoding.char_size());
                        if bytes.len() > room {
                            self.warning(span, "the string is too long for the array");
                        }
                        bytes.truncate(room);
                    }
                    // A flexible array member gets the terminator too.
                    ArrayLen::Unknown | ArrayLen::Variable(_) => {
                        bytes.extend(std::iter::repeat_n(0, lit.encoding.char_size()));
                    }
                }
                result.end = result.end.max(leaf.offset + bytes.len() as u64);
                result.items.push(InitItem { offset: leaf.offset, value: ConstValue::Bytes(bytes) });
            }
            (ExprKind::CompoundLiteral(name, init), _) if self.types.scalar(leaf.ty).is_none() => {
                let ty = self.type_name(*name);
                self.check_record_assign(leaf.ty, ty, span);
                let inner = self.static_initialiser(ty, *init);
                result
                    .items
                    .extend(inner.items.into_iter().map(|item| InitItem { offset: item.offset + leaf.offset, ..item }));
            }
            _ if self.types.scalar(leaf.ty).is_some() => {
                let value = self.constant_rvalue(leaf.expr);
                if self.types.is_error(value.ty) {
                    return;
                }
                let value = self.convert_assign(value, leaf.ty, span, "initialisation");
                let constant = if self.b.nothing_since(mark) { self.const_value(value) } else { None };
                match constant {
                    Some(value) => self.add_static(leaf, value, result),
                    None => self.error(span, "the initialiser is not a constant"),
                }
            }
            (_, Some(_)) => self.error(span, "an array is initialised with something that is no list or string"),
            _ => match self.constant_record(leaf) {
                Some(items) => {
                    result
                        .items
                        .extend(items.into_iter().map(|item| InitItem { offset: item.offset + leaf.offset, ..item }));
                }
                None => self.error(span, "the initialiser is not a constant"),
            },
        }
    }

    /// An expression in which objects that never change may be read, as gcc has it: `"abc"[0]`, `const` variables.
    fn constant_rvalue(&mut self, expr: ast::ExprId) -> Value {
        let before = std::mem::replace(&mut self.reads_constants, true);
        let value = self.rvalue(expr);
        self.reads_constants = before;
        value
    }

    /// What a scalar of an object that never changes holds, if it is known by now.
    pub(super) fn constant_contents(&self, addr: heddle_ir::ExprId, ty: Ty) -> Option<u128> {
        let Expr::Addr { base: Base::Global(id), offset } = self.b.exprs[addr] else { return None };
        let global = &self.globals[id].global;
        let model = self.types.model;
        let (size, offset) = (ty.size(model), u64::try_from(offset).ok()?);
        if !global.constant || global.init.is_empty() || offset.checked_add(size)? > global.size {
            return None;
        }
        // The one item that holds all of it; zero if no item touches it.
        let mut found = Some(0);
        for item in &global.init {
            let len = match &item.value {
                ConstValue::Bytes(bytes) => bytes.len() as u64,
                ConstValue::Scalar { ty, .. } => ty.size(model),
                ConstValue::Global { .. } | ConstValue::Func(_) => model.pointer_size(),
            };
            if item.offset >= offset + size || item.offset + len <= offset {
                continue;
            }
            found = match &item.value {
                ConstValue::Scalar { ty: own, bits } if *own == ty && item.offset == offset => Some(*bits),
                ConstValue::Bytes(bytes) if item.offset <= offset && offset + size <= item.offset + len => {
                    let start = (offset - item.offset) as usize;
                    let whole = &bytes[start..start + size as usize];
                    Some(whole.iter().rev().fold(0, |sum, byte| sum << 8 | *byte as u128))
                }
                _ => return None,
            };
        }
        found
    }

    /// The contents of a constant record that another one is initialised with (a GNU extension).
    fn constant_record(&mut self, leaf: Leaf) -> Option<Vec<InitItem>> {
        let value = self.expr(leaf.expr);
        self.check_record_assign(leaf.ty, value.ty, self.ast.exprs[leaf.expr].span);
        let Kind::Place(Place::Mem(addr)) = value.kind else { return None };
        match self.b.exprs[addr] {
            Expr::Addr { base: Base::Global(id), offset: 0 } if self.globals[id].global.constant => {
                Some(self.globals[id].global.init.clone())
            }
            _ => None,
        }
    }

    fn add_static(&mut self, leaf: Leaf, value: ConstValue, result: &mut StaticInit) {
        let Some(bits) = leaf.bits else {
            // A later initialiser of the same place wins.
            result.items.retain(|item| item.offset != leaf.offset || matches!(item.value, ConstValue::Bytes(_)));
            result.items.push(InitItem { offset: leaf.offset, value });
            return;
        };
        let ConstValue::Scalar { bits: field, .. } = value else { return };
        let mut unit = vec![0u8; bits.unit as usize];
        let range = (leaf.offset, leaf.offset + bits.unit);
        // Units of packed bit-fields overlap: this one begins with what earlier ones left in its bytes.
        result.items.retain(|item| {
            let ConstValue::Bytes(old) = &item.value else { return true };
            let end = item.offset + old.len() as u64;
            for at in range.0.max(item.offset)..range.1.min(end) {
                unit[(at - range.0) as usize] = old[(at - item.offset) as usize];
            }
            (item.offset, end) != range
        });
        let mask = eval::mask(bits.width);
        let mut whole = unit.iter().rev().fold(0u128, |sum, byte| sum << 8 | *byte as u128);
        whole = whole & !(mask << bits.pos) | (field & mask) << bits.pos;
        for (i, byte) in unit.iter_mut().enumerate() {
            *byte = (whole >> (8 * i)) as u8;
        }
        result.items.push(InitItem { offset: leaf.offset, value: ConstValue::Bytes(unit) });
    }

    /// A folded value as a constant in memory.
    pub(super) fn const_value(&self, value: Value) -> Option<ConstValue> {
        let Kind::Scalar(expr) = value.kind else { return None };
        self.const_of_expr(expr)
    }

    fn const_of_expr(&self, expr: heddle_ir::ExprId) -> Option<ConstValue> {
        match self.b.exprs[expr] {
            Expr::Const { ty, bits } => Some(ConstValue::Scalar { ty, bits }),
            Expr::Addr { base: Base::Global(global), offset } if !self.globals[global].global.thread_local => {
                Some(ConstValue::Global { global, offset })
            }
            Expr::Addr { base: Base::Func(func), offset: 0 } => Some(ConstValue::Func(func)),
            // An address stored as an integer of its size.
            Expr::Cast { op: heddle_ir::CastOp::PtrToInt, arg, .. } => self.const_of_expr(arg),
            _ => None,
        }
    }

    /// The element type of a string literal.
    pub(super) fn string_elem(&mut self, encoding: ast::Encoding) -> QTy {
        let kind = match encoding {
            ast::Encoding::Plain | ast::Encoding::Utf8 => IntKind::Char,
            ast::Encoding::Wide => IntKind::Int,
            ast::Encoding::Char16 => IntKind::UShort,
            ast::Encoding::Char32 => IntKind::UInt,
        };
        self.types.int(kind)
    }
}
