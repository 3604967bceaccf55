//! C types.
//!
//! Types are hash-consed: equal types have equal ids, but for records and enums, which are equal only to themselves.
//! Qualifiers and an alignment given by a typedef are kept beside the type, in [`QTy`].

use heddle_base::{Id, IndexVec, Span, define_id};
use heddle_ir::{DataModel, Ty};
use rustc_hash::FxHashMap;

use crate::ast::Quals;
use crate::intern::Symbol;

define_id!(
    /// A type.
    pub TyId, "ty"
);
define_id!(
    /// A struct or union.
    pub RecordId, "rec"
);
define_id!(
    /// An enumeration.
    pub EnumId, "enum"
);

/// A type with its qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QTy {
    /// The type.
    pub ty: TyId,
    /// Its qualifiers.
    pub quals: Quals,
    /// The alignment that an `aligned` attribute on a typedef gave it; 0 for the type's own.
    pub align: u32,
}

impl QTy {
    /// The type without qualifiers.
    pub fn plain(ty: TyId) -> QTy {
        QTy { ty, quals: Quals::default(), align: 0 }
    }

    /// The same type without qualifiers or its own alignment.
    pub fn unqualified(self) -> QTy {
        QTy::plain(self.ty)
    }

    /// The same type with more qualifiers.
    pub fn with(self, quals: Quals) -> QTy {
        QTy { quals: union(self.quals, quals), ..self }
    }
}

/// The union of two sets of qualifiers.
pub fn union(a: Quals, b: Quals) -> Quals {
    Quals {
        is_const: a.is_const || b.is_const,
        is_volatile: a.is_volatile || b.is_volatile,
        is_restrict: a.is_restrict || b.is_restrict,
        is_atomic: a.is_atomic || b.is_atomic,
    }
}

/// What a type is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CType {
    /// The type of what could not be typed; an error was reported.
    Error,
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// An integer type.
    Int(IntKind),
    /// A floating type.
    Float(FloatKind),
    /// A complex type: known to declarations only.
    Complex(FloatKind),
    /// A pointer.
    Pointer(QTy),
    /// An array.
    Array(QTy, ArrayLen),
    /// A function.
    Function(FnType),
    /// A struct or union.
    Record(RecordId),
    /// An enumeration.
    Enum(EnumId),
    /// `__builtin_va_list`: a pointer into the variable arguments, in an object of the size that the ABI gives.
    VaList,
    /// A GNU vector of so many bytes: known to declarations only.
    Vector(QTy, u64),
}

/// The number of elements of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLen {
    /// `[n]`
    Known(u64),
    /// `[]`
    Unknown,
    /// A variable length, kept by the function that declares it.
    Variable(u32),
}

/// A function type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnType {
    /// What it returns.
    pub ret: QTy,
    /// Its parameters.
    pub params: Vec<QTy>,
    /// Whether it ends with `...`.
    pub variadic: bool,
    /// Whether it has a prototype; `f()` has none.
    pub prototyped: bool,
}

/// Integer types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

impl IntKind {
    /// All of them.
    pub const ALL: [IntKind; 13] = [
        IntKind::Char,
        IntKind::SChar,
        IntKind::UChar,
        IntKind::Short,
        IntKind::UShort,
        IntKind::Int,
        IntKind::UInt,
        IntKind::Long,
        IntKind::ULong,
        IntKind::LongLong,
        IntKind::ULongLong,
        IntKind::Int128,
        IntKind::UInt128,
    ];

    /// Bytes.
    pub fn size(self, model: DataModel) -> u64 {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 4,
            IntKind::Long | IntKind::ULong => model.pointer_size(),
            IntKind::LongLong | IntKind::ULongLong => 8,
            IntKind::Int128 | IntKind::UInt128 => 16,
        }
    }

    /// Whether it is signed. Plain `char` is, as on x86.
    pub fn signed(self) -> bool {
        match self {
            IntKind::Char
            | IntKind::SChar
            | IntKind::Short
            | IntKind::Int
            | IntKind::Long
            | IntKind::LongLong
            | IntKind::Int128 => true,
            IntKind::UChar
            | IntKind::UShort
            | IntKind::UInt
            | IntKind::ULong
            | IntKind::ULongLong
            | IntKind::UInt128 => false,
        }
    }

    /// The conversion rank.
    pub fn rank(self) -> u8 {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
            IntKind::Short | IntKind::UShort => 2,
            IntKind::Int | IntKind::UInt => 3,
            IntKind::Long | IntKind::ULong => 4,
            IntKind::LongLong | IntKind::ULongLong => 5,
            IntKind::Int128 | IntKind::UInt128 => 6,
        }
    }

    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => IntKind::UChar,
            IntKind::Short | IntKind::UShort => IntKind::UShort,
            IntKind::Int | IntKind::UInt => IntKind::UInt,
            IntKind::Long | IntKind::ULong => IntKind::ULong,
            IntKind::LongLong | IntKind::ULongLong => IntKind::ULongLong,
            IntKind::Int128 | IntKind::UInt128 => IntKind::UInt128,
        }
    }

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
        }
    }
}

/// Floating types, by increasing rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum FloatKind {
    Float16,
    Float,
    Double,
    LongDouble,
    Float128,
}

impl FloatKind {
    /// The type of values.
    pub fn ty(self) -> Ty {
        match self {
            FloatKind::Float16 => Ty::F16,
            FloatKind::Float => Ty::F32,
            FloatKind::Double => Ty::F64,
            FloatKind::LongDouble => Ty::F80,
            FloatKind::Float128 => Ty::F128,
        }
    }

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            FloatKind::Float16 => "_Float16",
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
            FloatKind::Float128 => "_Float128",
        }
    }

    /// Size and alignment.
    pub fn layout(self, model: DataModel) -> (u64, u64) {
        match (self, model) {
            (FloatKind::Float16, _) => (2, 2),
            (FloatKind::Float, _) => (4, 4),
            (FloatKind::Double, _) => (8, 8),
            (FloatKind::LongDouble, DataModel::Lp64) | (FloatKind::Float128, _) => (16, 16),
            (FloatKind::LongDouble, DataModel::Ilp32) => (12, 4),
        }
    }
}

/// A struct or union.
#[derive(Debug)]
pub struct Record {
    /// Its tag.
    pub tag: Option<Symbol>,
    /// Whether it is a union.
    pub is_union: bool,
    /// Whether arguments of the type are passed like the union's first member.
    pub transparent: bool,
    /// Fields, size and alignment, once it is complete.
    pub body: Option<RecordBody>,
    /// Where it was first seen.
    pub span: Span,
}

/// A complete record.
#[derive(Debug, Clone)]
pub struct RecordBody {
    /// Members in order. Unnamed bit-fields are left out.
    pub fields: Vec<CField>,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// How many types it is made from, one inside the other.
    pub depth: u32,
}

/// A member.
#[derive(Debug, Clone)]
pub struct CField {
    /// Its name; none for an anonymous struct or union.
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: QTy,
    /// Bytes from the start; of the access unit for a bit-field.
    pub offset: u64,
    /// How a bit-field is reached.
    pub bits: Option<BitField>,
    /// The alignment that its type and attributes give it.
    pub align: u64,
}

/// How a bit-field is reached: by loading `unit` bytes at the field's offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BitField {
    /// Bytes of the access unit: 1, 2, 4, 8 or 16 for one access, anything else byte by byte.
    pub unit: u64,
    /// First bit in the unit, from the least significant.
    pub pos: u32,
    /// Number of bits.
    pub width: u32,
}

/// An enumeration.
#[derive(Debug)]
pub struct Enum {
    /// Its tag.
    pub tag: Option<Symbol>,
    /// The integer type it is compatible with, once it is complete.
    pub underlying: Option<IntKind>,
}

/// All types of a run.
#[derive(Debug)]
pub struct Types {
    /// The data model.
    pub model: DataModel,
    map: FxHashMap<CType, TyId>,
    list: IndexVec<TyId, CType>,
    /// How many types each is made from, one inside the other.
    depths: IndexVec<TyId, u32>,
    /// Structs and unions.
    pub records: IndexVec<RecordId, Record>,
    /// Enumerations.
    pub enums: IndexVec<EnumId, Enum>,
    /// Frequently used types.
    pub common: Common,
}

/// Frequently used types.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub struct Common {
    pub error: QTy,
    pub void: QTy,
    pub bool: QTy,
    pub char: QTy,
    pub int: QTy,
    pub uint: QTy,
    pub long: QTy,
    pub ulong: QTy,
    pub double: QTy,
    pub void_ptr: QTy,
    pub char_ptr: QTy,
    pub va_list: QTy,
}

impl Types {
    /// The types of a data model.
    pub fn new(model: DataModel) -> Self {
        let dummy = QTy::plain(TyId::new(0));
        let common = Common {
            error: dummy,
            void: dummy,
            bool: dummy,
            char: dummy,
            int: dummy,
            uint: dummy,
            long: dummy,
            ulong: dummy,
            double: dummy,
            void_ptr: dummy,
            char_ptr: dummy,
            va_list: dummy,
        };
        let mut types = Types {
            model,
            map: FxHashMap::default(),
            list: IndexVec::new(),
            depths: IndexVec::new(),
            records: IndexVec::new(),
            enums: IndexVec::new(),
            common,
        };
        let void = types.plain(CType::Void);
        let char = types.int(IntKind::Char);
        types.common = Common {
            error: types.plain(CType::Error),
            void,
            bool: types.plain(CType::Bool),
            char,
            int: types.int(IntKind::Int),
            uint: types.int(IntKind::UInt),
            long: types.int(IntKind::Long),
            ulong: types.int(IntKind::ULong),
            double: types.plain(CType::Float(FloatKind::Double)),
            void_ptr: types.pointer(void),
            char_ptr: types.pointer(char),
            va_list: types.plain(CType::VaList),
        };
        types
    }

    /// The id of a type.
    pub fn intern(&mut self, ty: CType) -> TyId {
        if let Some(&id) = self.map.get(&ty) {
            return id;
        }
        let depth = self.depth_of(&ty);
        let id = self.list.push(ty.clone());
        self.depths.push(depth);
        self.map.insert(ty, id);
        id
    }

    fn depth_of(&self, ty: &CType) -> u32 {
        match ty {
            CType::Pointer(inner) | CType::Array(inner, _) => 1 + self.depth(*inner),
            CType::Function(f) => 1 + f.params.iter().fold(self.depth(f.ret), |max, p| max.max(self.depth(*p))),
            CType::Error
            | CType::Void
            | CType::Bool
            | CType::Int(_)
            | CType::Float(_)
            | CType::Complex(_)
            | CType::Record(_)
            | CType::Enum(_)
            | CType::VaList
            | CType::Vector(..) => 0,
        }
    }

    /// How many types this one is made from, one inside the other; members of records count where they are held by value.
    pub fn depth(&self, ty: QTy) -> u32 {
        match self.get(ty) {
            CType::Record(id) => self.records[*id].body.as_ref().map_or(0, |body| body.depth),
            _ => self.depths[ty.ty],
        }
    }

    /// An unqualified type.
    pub fn plain(&mut self, ty: CType) -> QTy {
        QTy::plain(self.intern(ty))
    }

    /// An integer type.
    pub fn int(&mut self, kind: IntKind) -> QTy {
        self.plain(CType::Int(kind))
    }

    /// Pointer to `target`.
    pub fn pointer(&mut self, target: QTy) -> QTy {
        self.plain(CType::Pointer(target))
    }

    /// What a type is.
    pub fn get(&self, ty: QTy) -> &CType {
        &self.list[ty.ty]
    }

    /// `size_t`.
    pub fn size_t(&mut self) -> QTy {
        match self.model {
            DataModel::Lp64 => self.common.ulong,
            DataModel::Ilp32 => self.common.uint,
        }
    }

    /// `ptrdiff_t`.
    pub fn ptrdiff_t(&mut self) -> QTy {
        match self.model {
            DataModel::Lp64 => self.common.long,
            DataModel::Ilp32 => self.common.int,
        }
    }

    /// The integer kind of an integer type, enumeration or `_Bool` (as `unsigned char`).
    pub fn int_kind(&self, ty: QTy) -> Option<IntKind> {
        match self.get(ty) {
            CType::Int(kind) => Some(*kind),
            CType::Bool => Some(IntKind::UChar),
            CType::Enum(id) => Some(self.enums[*id].underlying.unwrap_or(IntKind::UInt)),
            _ => None,
        }
    }

    /// Whether values of the type are integers.
    pub fn is_integer(&self, ty: QTy) -> bool {
        self.int_kind(ty).is_some()
    }

    /// Whether it is a floating type.
    pub fn is_float(&self, ty: QTy) -> bool {
        matches!(self.get(ty), CType::Float(_))
    }

    /// Whether it is an integer or floating type.
    pub fn is_arithmetic(&self, ty: QTy) -> bool {
        self.is_integer(ty) || self.is_float(ty)
    }

    /// Whether it is a pointer.
    pub fn is_pointer(&self, ty: QTy) -> bool {
        matches!(self.get(ty), CType::Pointer(_))
    }

    /// Whether it is a scalar.
    pub fn is_scalar(&self, ty: QTy) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }

    /// Whether it is `void`.
    pub fn is_void(&self, ty: QTy) -> bool {
        matches!(self.get(ty), CType::Void)
    }

    /// Whether it is the type of something that was already complained about.
    pub fn is_error(&self, ty: QTy) -> bool {
        matches!(self.get(ty), CType::Error)
    }

    /// Whether the type is known to declarations only.
    pub fn is_unsupported(&self, ty: QTy) -> bool {
        matches!(self.get(ty), CType::Complex(_) | CType::Vector(..))
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: QTy) -> Option<QTy> {
        match self.get(ty) {
            CType::Pointer(target) => Some(*target),
            _ => None,
        }
    }

    /// The element type and length of an array.
    pub fn array(&self, ty: QTy) -> Option<(QTy, ArrayLen)> {
        match self.get(ty) {
            CType::Array(elem, len) => Some((*elem, *len)),
            _ => None,
        }
    }

    /// The function type, of a function or of a pointer to one.
    pub fn function(&self, ty: QTy) -> Option<&FnType> {
        match self.get(ty) {
            CType::Function(f) => Some(f),
            CType::Pointer(target) => match self.get(*target) {
                CType::Function(f) => Some(f),
                _ => None,
            },
            _ => None,
        }
    }

    /// The record.
    pub fn record(&self, ty: QTy) -> Option<RecordId> {
        match self.get(ty) {
            CType::Record(id) => Some(*id),
            _ => None,
        }
    }

    /// The register type of a scalar.
    pub fn scalar(&self, ty: QTy) -> Option<Ty> {
        match self.get(ty) {
            CType::Float(kind) => Some(kind.ty()),
            CType::Pointer(_) => Some(Ty::Ptr),
            _ => self.int_kind(ty).and_then(|kind| Ty::int(kind.size(self.model) as u32 * 8)),
        }
    }

    /// Whether an integer type is signed; pointers and floats are not.
    pub fn is_signed(&self, ty: QTy) -> bool {
        self.int_kind(ty).is_some_and(IntKind::signed)
    }

    /// Bytes of the type, where they are known: not for incomplete types, functions and arrays of variable length.
    /// `void` and functions count one byte, as in GNU C's pointer arithmetic, only in [`Types::step_size`].
    pub fn size_of(&self, ty: QTy) -> Option<u64> {
        Some(match self.get(ty) {
            CType::Error => 4,
            CType::Void | CType::Function(_) => return None,
            CType::Bool => 1,
            CType::Int(kind) => kind.size(self.model),
            CType::Float(kind) => kind.layout(self.model).0,
            CType::Complex(kind) => 2 * kind.layout(self.model).0,
            CType::Pointer(_) => self.model.pointer_size(),
            CType::Array(elem, ArrayLen::Known(n)) => self.size_of(*elem)?.checked_mul(*n)?,
            CType::Array(_, ArrayLen::Unknown | ArrayLen::Variable(_)) => return None,
            CType::Record(id) => self.records[*id].body.as_ref()?.size,
            CType::Enum(id) => self.enums[*id].underlying?.size(self.model),
            CType::VaList => match self.model {
                DataModel::Lp64 => 24,
                DataModel::Ilp32 => 4,
            },
            CType::Vector(_, bytes) => *bytes,
        })
    }

    /// Bytes that pointer arithmetic on a pointer to `ty` steps over: 1 for `void` and functions.
    pub fn step_size(&self, ty: QTy) -> Option<u64> {
        match self.get(ty) {
            CType::Void | CType::Function(_) => Some(1),
            _ => self.size_of(ty),
        }
    }

    /// Alignment in bytes; 1 where the type is incomplete.
    pub fn align_of(&self, ty: QTy) -> u64 {
        if ty.align != 0 {
            return ty.align as u64;
        }
        match self.get(ty) {
            CType::Error | CType::Void | CType::Function(_) | CType::Bool => 1,
            CType::Int(kind) => kind.size(self.model),
            CType::Float(kind) | CType::Complex(kind) => kind.layout(self.model).1,
            CType::Pointer(_) => self.model.pointer_size(),
            CType::Array(elem, _) => self.align_of(*elem),
            CType::Record(id) => self.records[*id].body.as_ref().map_or(1, |b| b.align),
            CType::Enum(id) => self.enums[*id].underlying.map_or(4, |k| k.size(self.model)),
            CType::VaList => self.model.pointer_size(),
            CType::Vector(_, bytes) => *bytes,
        }
    }

    /// The alignment as `_Alignof` gives it: on ILP32 8-byte scalars lie on 4 bytes in records.
    pub fn min_align_of(&self, ty: QTy) -> u64 {
        if ty.align == 0 && self.is_wide_on_ilp32(ty) { 4 } else { self.align_of(ty) }
    }

    /// Whether i386 aligns the type less inside a record than outside: `double`, `long long` and arrays of them.
    pub fn is_wide_on_ilp32(&self, ty: QTy) -> bool {
        if self.model != DataModel::Ilp32 || ty.quals.is_atomic || ty.align != 0 {
            return false;
        }
        match self.get(ty) {
            CType::Array(elem, _) => self.is_wide_on_ilp32(*elem),
            CType::Float(kind) | CType::Complex(kind) => *kind == FloatKind::Double,
            _ => self.int_kind(ty).is_some_and(|k| k.size(self.model) == 8),
        }
    }

    /// Whether the type has a size or will get one at run time.
    pub fn is_complete(&self, ty: QTy) -> bool {
        match self.get(ty) {
            CType::Array(_, ArrayLen::Variable(_)) => true,
            CType::Array(elem, ArrayLen::Known(_)) => self.is_complete(*elem),
            _ => self.size_of(ty).is_some(),
        }
    }

    /// Whether the size is known only at run time.
    pub fn is_variable(&self, ty: QTy) -> bool {
        match self.get(ty) {
            CType::Array(elem, len) => matches!(len, ArrayLen::Variable(_)) || self.is_variable(*elem),
            _ => false,
        }
    }

    /// Whether the type is made from one whose size is known only at run time.
    pub fn is_variably_modified(&self, ty: QTy) -> bool {
        match self.get(ty) {
            CType::Pointer(target) => self.is_variably_modified(*target),
            CType::Array(elem, len) => matches!(len, ArrayLen::Variable(_)) || self.is_variably_modified(*elem),
            CType::Function(f) => self.is_variably_modified(f.ret),
            _ => false,
        }
    }

    /// Finds a member by name, through anonymous members. Returns the sum of the offsets on the way and the member.
    pub fn find_field(&self, record: RecordId, name: Symbol) -> Option<(u64, CField)> {
        let body = self.records[record].body.as_ref()?;
        body.fields.iter().find_map(|field| match field.name {
            Some(n) => (n == name).then(|| (field.offset, field.clone())),
            None => {
                let inner = self.record(field.ty)?;
                let (offset, found) = self.find_field(inner, name)?;
                Some((field.offset + offset, CField { ty: found.ty.with(field.ty.quals), ..found }))
            }
        })
    }

    /// Whether two types are compatible, qualifiers included.
    pub fn compatible(&self, a: QTy, b: QTy) -> bool {
        let quals = |q: Quals| Quals { is_restrict: false, ..q };
        quals(a.quals) == quals(b.quals) && self.compatible_ignoring_quals(a, b)
    }

    /// Whether two types are compatible, their outermost qualifiers left aside.
    pub fn compatible_ignoring_quals(&self, a: QTy, b: QTy) -> bool {
        if a.ty == b.ty {
            return true;
        }
        match (self.get(a), self.get(b)) {
            (CType::Error, _) | (_, CType::Error) => true,
            (CType::Pointer(x), CType::Pointer(y)) => self.compatible(*x, *y),
            (CType::Array(x, n), CType::Array(y, m)) => {
                self.compatible(*x, *y)
                    && match (n, m) {
                        (ArrayLen::Known(n), ArrayLen::Known(m)) => n == m,
                        _ => true,
                    }
            }
            (CType::Function(f), CType::Function(g)) => self.compatible_functions(f, g),
            (CType::Enum(_), CType::Int(kind)) => self.int_kind(a) == Some(*kind),
            (CType::Int(kind), CType::Enum(_)) => self.int_kind(b) == Some(*kind),
            (CType::Record(x), CType::Record(y)) => self.same_record(*x, *y),
            (CType::Enum(x), CType::Enum(y)) => {
                let (x, y) = (&self.enums[*x], &self.enums[*y]);
                // Those of different files; within one, two enumerations without a tag differ, but nothing hangs on it.
                x.tag == y.tag && x.underlying == y.underlying
            }
            _ => false,
        }
    }

    fn compatible_functions(&self, f: &FnType, g: &FnType) -> bool {
        if !self.compatible_ignoring_quals(f.ret, g.ret) {
            return false;
        }
        if !f.prototyped || !g.prototyped {
            return true;
        }
        f.variadic == g.variadic
            && f.params.len() == g.params.len()
            && f.params.iter().zip(&g.params).all(|(&p, &q)| self.compatible_ignoring_quals(p, q))
    }

    /// Records of different files are the same if they look the same. Members are compared by name and place only, so
    /// that records which refer to themselves do not send us in circles.
    fn same_record(&self, a: RecordId, b: RecordId) -> bool {
        let (x, y) = (&self.records[a], &self.records[b]);
        if x.is_union != y.is_union || x.tag != y.tag {
            return false;
        }
        match (&x.body, &y.body) {
            (Some(p), Some(q)) => {
                p.size == q.size
                    && p.fields.len() == q.fields.len()
                    && p.fields.iter().zip(&q.fields).all(|(f, g)| {
                        f.name == g.name
                            && f.offset == g.offset
                            && f.bits == g.bits
                            && self.size_of(f.ty) == self.size_of(g.ty)
                    })
            }
            _ => x.tag.is_some(),
        }
    }

    /// What two declarations of one thing say together: the array length or prototype that one of them has.
    pub fn composite(&mut self, a: QTy, b: QTy) -> QTy {
        if a.ty == b.ty {
            return a;
        }
        let ty = match (self.get(a).clone(), self.get(b).clone()) {
            (CType::Array(x, n), CType::Array(y, m)) => {
                let elem = self.composite(x, y);
                let len = if n == ArrayLen::Unknown { m } else { n };
                self.intern(CType::Array(elem, len))
            }
            (CType::Function(f), CType::Function(g)) if !f.prototyped && g.prototyped => b.ty,
            (CType::Function(f), CType::Function(g)) if f.params.len() == g.params.len() && g.prototyped => {
                let params = f.params.iter().zip(&g.params).map(|(&p, &q)| self.composite(p, q)).collect();
                let ret = self.composite(f.ret, g.ret);
                self.intern(CType::Function(FnType { ret, params, ..f }))
            }
            (CType::Pointer(x), CType::Pointer(y)) => {
                let target = self.composite(x, y);
                self.intern(CType::Pointer(QTy { quals: x.quals, ..target }))
            }
            // What one file leaves incomplete another may define.
            (CType::Record(_), CType::Record(_)) if !self.is_complete(a) => b.ty,
            _ => a.ty,
        };
        QTy { ty, ..a }
    }
}
