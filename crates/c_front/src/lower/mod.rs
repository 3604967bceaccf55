//! Semantic analysis and lowering: syntax tree in, goto program out.
//!
//! One pass over the tree types every expression and emits its steps at once. A [`Session`] lives for the whole run: types,
//! the program so far, the names with external linkage. A [`Lower`] lives for one file: its scopes and the function under
//! construction.
//!
//! Evaluation order, where C leaves it open, is left to right; the right side of an assignment comes before the access to
//! its left side.

use std::ops::{Deref, DerefMut};

use heddle_base::{IndexVec, Loc, Pos, SourceMap, Span};
use heddle_ir::{
    Access, Check, CheckId, ConstValue, ExprId, FuncId, Function, Global, GlobalId, InitItem, Input, InputId,
    InputKind, Layout, LayoutId, LayoutKind, MemOrder, Property, RegId, SlotId, StepKind, Ty,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Options;
use crate::ast::{self, Ast, Item};
use crate::diag::Diagnostics;
use crate::intern::{Interner, Symbol};
use crate::types::{ArrayLen, BitField, CType, QTy, RecordId, Types};

mod arithmetic;
mod asm;
mod asm_idioms;
mod atomic_records;
mod atomics;
mod builder;
mod builtins;
mod call;
mod cleanup_handlers;
mod conditions;
mod convert;
mod decl;
mod declared_types;
mod expr;
mod finish;
mod function;
mod harness;
mod init;
mod intrinsics;
mod output;
mod results;
mod scope;
mod sections;
mod startup;
mod stmt;
mod tags;
mod unsupported;
mod verifiers;

use builder::Builder;
use function::FunctionState;
use scope::{Scopes, SlotScopes};
use startup::{Startup, UnitStartup};

/// What lives for the whole run.
pub struct Session {
    /// Names.
    pub interner: Interner,
    /// Inputs and places.
    pub sources: SourceMap,
    /// Errors and warnings so far.
    pub diags: Diagnostics,
    /// What the user asked for.
    pub options: Options,
    types: Types,
    functions: IndexVec<FuncId, FuncEntry>,
    globals: IndexVec<GlobalId, GlobalEntry>,
    layouts: IndexVec<LayoutId, Layout>,
    layout_cache: FxHashMap<(u32, u64), LayoutId>,
    /// Layouts without names, by what they are: `int` and `unsigned` look the same in memory.
    plain_layouts: FxHashMap<Layout, LayoutId>,
    inputs: IndexVec<InputId, Input>,
    input_names: FxHashMap<String, u32>,
    checks: IndexVec<CheckId, Check>,
    check_cache: FxHashMap<(Property, String), CheckId>,
    strings: FxHashMap<(usize, Vec<u8>), GlobalId>,
    /// Names with external linkage.
    externs: FxHashMap<Symbol, Extern>,
    /// Names of functions and globals that are taken, with how often.
    taken_names: FxHashMap<String, u32>,
    /// Functions that stand for another one's body.
    aliases: Vec<(FuncId, FuncId)>,
    startup: Startup,
    /// Names of all functions that the user's files define.
    user_defined: FxHashSet<Symbol>,
    /// Names of functions that are declared not to return.
    noreturn: FxHashSet<Symbol>,
    /// Where the file that is being lowered begins.
    unit_start: Pos,
    names: Names,
}

/// A function as far as it is known.
struct FuncEntry {
    /// Its name in C.
    symbol: Symbol,
    /// Its type at the last declaration.
    ty: QTy,
    /// The lowered body.
    body: Option<Function>,
    /// Where it was first named.
    span: Span,
    /// Whether it is `static`.
    local: bool,
    /// Where it was first used.
    used: Option<Span>,
    /// Whether the body gives way to another definition: it is `weak`, or `inline` without external linkage.
    replaceable: bool,
}

/// A global as far as it is known.
struct GlobalEntry {
    global: Global,
    ty: QTy,
    defined: Definition,
    span: Span,
}

/// Where a file comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The user.
    Program,
    /// The library: what it reads and writes is the program's own data, so it can race.
    Library,
    /// The library of threads: its accesses implement synchronisation and do not race.
    SyncModel,
}

/// How much of a definition there is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Definition {
    /// `extern int x;`
    Declared,
    /// `int x;` at file scope.
    Tentative,
    /// `int x = 1;`
    Defined,
}

/// What a name with external linkage stands for.
#[derive(Clone, Copy, Debug)]
enum Extern {
    Func { ty: QTy, id: Option<FuncId>, span: Span, model: bool },
    Global { ty: QTy, id: Option<GlobalId>, span: Span, model: bool },
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
enum Binding {
    Typedef(QTy),
    EnumConst(i128, QTy),
    /// A variable in a register.
    Reg(RegId, QTy),
    /// A variable in memory.
    Slot(SlotId, QTy),
    /// A variable-length array: the register holds its address.
    Vla(RegId, QTy),
    /// A variable of static storage without external linkage.
    Global(GlobalId, QTy),
    /// A function without external linkage.
    Func(FuncId, QTy),
    /// Something with external linkage, to be looked up there.
    Extern(QTy),
}

/// Where an lvalue is.
#[derive(Clone, Copy, Debug)]
enum Place {
    Reg(RegId),
    Mem(ExprId),
    Bits(ExprId, BitField),
}

/// The result of an expression.
#[derive(Clone, Copy, Debug)]
struct Value {
    kind: Kind,
    ty: QTy,
}

/// What kind of result it is.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Nothing: a `void` expression, or an expression in error.
    Nothing,
    /// A scalar.
    Scalar(ExprId),
    /// An lvalue of any type but function.
    Place(Place),
    /// A record that is no lvalue, in memory at this address.
    Record(ExprId),
    /// A function, by its address.
    Function(ExprId),
}

impl Value {
    fn scalar(expr: ExprId, ty: QTy) -> Value {
        Value { kind: Kind::Scalar(expr), ty: ty.unqualified() }
    }

    fn place(place: Place, ty: QTy) -> Value {
        Value { kind: Kind::Place(place), ty }
    }

    fn nothing(ty: QTy) -> Value {
        Value { kind: Kind::Nothing, ty }
    }
}

/// Names that lowering looks for.
struct Names {
    main: Symbol,
    func: [Symbol; 3],
}

/// One file being lowered.
struct Lower<'a> {
    session: &'a mut Session,
    ast: &'a Ast,
    scopes: Scopes,
    b: Builder,
    /// The function under construction; a scratch one at file scope.
    f: FunctionState,
    slot_scopes: SlotScopes,
    startup: UnitStartup,
    /// Whether this is a library model.
    model: bool,
    /// Whether accesses are a synchronisation primitive's own.
    internal: bool,
    /// Depth of operands that are not evaluated.
    unevaluated: u32,
    /// Whether what is lowered must be constant and may read objects that never change.
    reads_constants: bool,
    /// Memory orders that are computed, and which of their values is being lowered.
    decided_orders: Vec<(ast::ExprId, heddle_ir::MemOrder)>,
    /// Depth of expressions inside one another.
    nesting: u32,
    /// Places where a variable's address is taken: name and position, sorted.
    address_taken: Vec<(Symbol, Pos)>,
    last_loc: (Pos, Loc),
}

impl Deref for Lower<'_> {
    type Target = Session;

    fn deref(&self) -> &Session {
        self.session
    }
}

impl DerefMut for Lower<'_> {
    fn deref_mut(&mut self) -> &mut Session {
        self.session
    }
}

impl Session {
    /// A session with nothing in it.
    pub fn new(options: Options) -> Session {
        let mut interner = Interner::default();
        let names = Names {
            main: interner.intern("main"),
            func: ["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"].map(|n| interner.intern(n)),
        };
        Session {
            interner,
            sources: SourceMap::new(),
            diags: Diagnostics::default(),
            types: Types::new(options.data_model),
            options,
            functions: IndexVec::new(),
            globals: IndexVec::new(),
            layouts: IndexVec::new(),
            layout_cache: FxHashMap::default(),
            plain_layouts: FxHashMap::default(),
            inputs: IndexVec::new(),
            input_names: FxHashMap::default(),
            checks: IndexVec::new(),
            check_cache: FxHashMap::default(),
            strings: FxHashMap::default(),
            externs: FxHashMap::default(),
            taken_names: FxHashMap::default(),
            aliases: Vec::new(),
            startup: Startup::default(),
            user_defined: FxHashSet::default(),
            noreturn: FxHashSet::default(),
            unit_start: 0,
            names,
        }
    }

    /// Notes which functions a file defines; to be done for all of the user's files before the first is lowered.
    pub fn note_definitions(&mut self, ast: &Ast) {
        let names = ast.items.iter().filter_map(|item| match item {
            Item::Function(def) => def.declarator.name,
            Item::Decl(_) | Item::Asm(_) => None,
        });
        self.user_defined.extend(names);
    }

    /// Lowers one file.
    pub fn lower_unit(&mut self, ast: &Ast, origin: Origin) {
        self.unit_start = ast.start;
        let data_model = self.options.data_model;
        let mut lower = Lower {
            session: self,
            ast,
            scopes: Scopes::new(),
            b: Builder::new(data_model),
            f: FunctionState::default(),
            slot_scopes: SlotScopes::default(),
            startup: UnitStartup::default(),
            model: origin != Origin::Program,
            internal: origin == Origin::SyncModel,
            unevaluated: 0,
            reads_constants: false,
            decided_orders: Vec::new(),
            nesting: 0,
            address_taken: collect_address_taken(ast),
            last_loc: (Pos::MAX, Loc::nowhere()),
        };
        lower.unit();
    }

    fn name(&self, symbol: Symbol) -> &str {
        self.interner.name(symbol)
    }

    /// A name for a function or global that no other has.
    fn unique_name(&mut self, name: &str) -> String {
        let count = self.taken_names.entry(name.to_owned()).or_insert(0);
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name}.{count}") }
    }

    fn check(&mut self, property: Property, message: &str) -> CheckId {
        if let Some(&id) = self.check_cache.get(&(property, message.to_owned())) {
            return id;
        }
        let id = self.checks.push(Check { property, message: message.to_owned() });
        self.check_cache.insert((property, message.to_owned()), id);
        id
    }

    fn input(&mut self, name: &str, ty: Ty, kind: InputKind, loc: Loc) -> InputId {
        let count = self.input_names.entry(name.to_owned()).or_insert(0);
        *count += 1;
        let name = if *count == 1 { name.to_owned() } else { format!("{name}.{count}") };
        self.inputs.push(Input { name, ty, kind, loc })
    }

    /// The layout of a type that has a size. `len` is the length of an array whose type does not tell it.
    fn layout(&mut self, ty: QTy) -> LayoutId {
        self.layout_with_len(ty, 0)
    }

    fn layout_with_len(&mut self, ty: QTy, flexible_len: u64) -> LayoutId {
        use heddle_base::Id;
        let key = (ty.ty.index() as u32, flexible_len);
        if let Some(&id) = self.layout_cache.get(&key) {
            return id;
        }
        let kind = match self.types.get(ty).clone() {
            CType::Array(elem, len) => {
                let len = match len {
                    ArrayLen::Known(n) => n,
                    ArrayLen::Unknown | ArrayLen::Variable(_) => flexible_len,
                };
                LayoutKind::Array { elem: self.layout(elem), len }
            }
            CType::Record(id) => self.record_layout(id),
            CType::VaList => {
                let (elem, size) = (self.types.common.void_ptr, self.types.size_of(ty).unwrap_or(0));
                let len = size / self.types.model.pointer_size();
                LayoutKind::Array { elem: self.layout(elem), len }
            }
            CType::Complex(kind) => {
                let elem = self.types.plain(CType::Float(kind));
                LayoutKind::Array { elem: self.layout(elem), len: 2 }
            }
            _ => match self.types.scalar(ty) {
                Some(scalar) => LayoutKind::Scalar(scalar),
                None => LayoutKind::Bytes,
            },
        };
        let size = match &kind {
            LayoutKind::Array { elem, len } => self.layouts[*elem].size.saturating_mul(*len),
            _ => self.types.size_of(ty).unwrap_or(0),
        };
        let align = self.types.align_of(ty.unqualified());
        let layout = Layout { size, align, kind };
        let id = match layout.kind {
            LayoutKind::Record { .. } => self.layouts.push(layout),
            _ => *self.plain_layouts.entry(layout.clone()).or_insert_with(|| self.layouts.push(layout)),
        };
        self.layout_cache.insert(key, id);
        id
    }

    fn record_layout(&mut self, id: RecordId) -> LayoutKind {
        let record = &self.types.records[id];
        let overlapping = record.is_union;
        let keyword = if overlapping { "union" } else { "struct" };
        let name = match record.tag {
            Some(tag) => format!("{keyword} {}", self.interner.name(tag)),
            None => keyword.to_owned(),
        };
        let fields = record.body.as_ref().map_or_else(Vec::new, |b| b.fields.clone());
        let fields = fields
            .into_iter()
            .map(|field| heddle_ir::Field {
                name: field.name.map_or_else(String::new, |n| self.interner.name(n).to_owned()),
                offset: field.offset,
                layout: self.field_layout(field.ty, field.bits),
                bits: field.bits.map(|b| (b.pos, b.width)),
            })
            .collect();
        LayoutKind::Record { name, overlapping, fields }
    }

    fn field_layout(&mut self, ty: QTy, bits: Option<BitField>) -> LayoutId {
        use crate::types::IntKind;
        match bits.map(|b| b.unit) {
            None => self.layout(ty),
            Some(unit) => {
                let byte = self.types.int(IntKind::UChar);
                let unit_ty = match unit {
                    1 => byte,
                    2 => self.types.int(IntKind::UShort),
                    4 => self.types.int(IntKind::UInt),
                    8 => self.types.int(IntKind::ULongLong),
                    _ => self.types.plain(CType::Array(byte, ArrayLen::Known(unit))),
                };
                self.layout(unit_ty)
            }
        }
    }

    /// The global that holds a string literal. Equal literals share one.
    fn string_global(&mut self, elem: QTy, mut bytes: Vec<u8>, loc: Loc, span: Span) -> (GlobalId, QTy) {
        let char_size = self.types.size_of(elem).unwrap_or(1) as usize;
        bytes.extend(std::iter::repeat_n(0, char_size));
        let len = bytes.len() / char_size;
        let ty = self.types.plain(CType::Array(elem, ArrayLen::Known(len as u64)));
        let key = (char_size, bytes);
        if let Some(&id) = self.strings.get(&key) {
            return (id, ty);
        }
        let layout = self.layout(ty);
        let global = Global {
            name: format!("str.{}", self.strings.len()),
            layout,
            size: key.1.len() as u64,
            align: char_size as u64,
            init: vec![InitItem { offset: 0, value: ConstValue::Bytes(key.1.clone()) }],
            thread_local: false,
            constant: true,
            external: false,
            loc,
            model: false,
        };
        let id = self.globals.push(GlobalEntry { global, ty, defined: Definition::Defined, span });
        self.strings.insert(key, id);
        (id, ty)
    }
}

impl Lower<'_> {
    fn unit(&mut self) {
        let ast = self.ast;
        for item in &ast.items {
            match item {
                Item::Decl(decl) => self.declaration(*decl),
                Item::Function(def) => self.function_definition(def),
                // Directives and code for the assembler: nothing that a thread executes.
                Item::Asm(_) => {}
            }
        }
        self.finish_tentative_definitions();
        self.end_startup();
    }

    /// Reports an error. What the compiler takes in a function of a system header is not wrong but unknown here.
    fn error(&mut self, span: Span, message: impl Into<String>) {
        if !self.model && self.f.ret.is_some() && self.session.sources.is_system(span.lo) {
            return self.f.unsupported.push((span, message.into()));
        }
        self.session.diags.error(span, message);
    }

    fn warning(&mut self, span: Span, message: impl Into<String>) {
        if self.unevaluated == 0 && !self.model && !self.session.sources.is_system(span.lo) {
            self.session.diags.warning(span, message);
        }
    }

    /// The value of an expression in error, which suppresses follow-up errors.
    fn error_value(&mut self) -> Value {
        Value::nothing(self.types.common.error)
    }

    /// Steps that follow come from here.
    fn at(&mut self, span: Span) {
        if self.last_loc.0 != span.lo {
            self.last_loc = (span.lo, self.sources.loc(span.lo));
        }
        self.b.loc = Some(self.last_loc.1);
        self.b.pos = span.lo;
    }

    fn loc(&mut self, span: Span) -> Loc {
        self.at(span);
        self.last_loc.1
    }

    /// How an access to an object of this type counts.
    fn access(&self, ty: QTy) -> Access {
        let order = if ty.quals.is_atomic { MemOrder::SeqCst } else { MemOrder::Plain };
        Access { order, internal: self.internal }
    }

    /// Emits a check that `cond` holds, unless it surely does.
    fn emit_assert(&mut self, cond: ExprId, property: Property, message: &str) {
        if self.b.const_bits(cond) != Some(1) {
            let check = self.check(property, message);
            self.b.emit(StepKind::Assert { cond, check });
        }
    }

    fn show(&self, ty: QTy) -> String {
        crate::type_names::display(&self.session.types, &self.session.interner, ty)
    }
}

/// All places where a variable's address is taken, by name and position.
fn collect_address_taken(ast: &Ast) -> Vec<(Symbol, Pos)> {
    let mut taken: Vec<(Symbol, Pos)> = ast
        .exprs
        .iter()
        .filter_map(|expr| match expr.kind {
            ast::ExprKind::Unary(ast::UnaryOp::AddrOf, operand) => match ast.exprs[operand].kind {
                ast::ExprKind::Ident(name) => Some((name, expr.span.lo)),
                _ => None,
            },
            _ => None,
        })
        .collect();
    taken.sort_unstable();
    taken
}
