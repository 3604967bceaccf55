//! The syntax tree: what the parser saw, before any type is known.
//!
//! All nodes of one file live in the arenas of its [`Ast`]; nodes refer to each other by id. The parser resolves nothing
//! but what it must to parse: which names are typedefs, which keywords make up a basic type, the value of literals.

use heddle_base::{IndexVec, Pos, Span, define_id};

use crate::intern::Symbol;

define_id!(
    /// An expression.
    pub ExprId, "e"
);
define_id!(
    /// A statement.
    pub StmtId, "s"
);
define_id!(
    /// A type name, as in casts and `sizeof`.
    pub TypeNameId, "tn"
);
define_id!(
    /// A declaration.
    pub DeclId, "d"
);
define_id!(
    /// A `struct`, `union` or `enum` specifier.
    pub TagId, "tag"
);
define_id!(
    /// An initialiser.
    pub InitId, "i"
);

/// One parsed file.
#[derive(Default, Debug)]
pub struct Ast {
    /// Expressions.
    pub exprs: IndexVec<ExprId, Expr>,
    /// Statements.
    pub stmts: IndexVec<StmtId, Stmt>,
    /// Type names.
    pub type_names: IndexVec<TypeNameId, TypeName>,
    /// Declarations, at file scope and in blocks.
    pub decls: IndexVec<DeclId, Decl>,
    /// `struct`, `union` and `enum` specifiers.
    pub tags: IndexVec<TagId, TagSpec>,
    /// Initialisers.
    pub inits: IndexVec<InitId, Init>,
    /// What stands at file scope, in order.
    pub items: Vec<Item>,
    /// The first position of the file.
    pub start: Pos,
}

/// What stands at file scope.
#[derive(Debug)]
pub enum Item {
    /// A declaration (also `_Static_assert`).
    Decl(DeclId),
    /// A function definition.
    Function(Box<FunctionDef>),
    /// A top-level `asm("…")`.
    Asm(Span),
}

/// A function definition. GNU nested functions appear as [`StmtKind::NestedFunction`].
#[derive(Debug)]
pub struct FunctionDef {
    /// Storage class, return type and so on.
    pub specs: DeclSpecs,
    /// Name and parameters.
    pub declarator: Declarator,
    /// Declarations of the parameters of an old-style (K&R) definition.
    pub kr_decls: Vec<DeclId>,
    /// The body, a compound statement.
    pub body: StmtId,
    /// The whole definition.
    pub span: Span,
}

/// A declaration.
#[derive(Debug)]
pub enum Decl {
    /// Specifiers and declarators; no declarators in `struct s { … };`.
    Variables {
        /// Specifiers.
        specs: DeclSpecs,
        /// Declarators with initialisers.
        declarators: Vec<InitDeclarator>,
        /// The whole declaration.
        span: Span,
    },
    /// `_Static_assert(cond, "message");`
    StaticAssert {
        /// The condition.
        cond: ExprId,
        /// The message, if any.
        message: Option<String>,
        /// The whole declaration.
        span: Span,
    },
}

/// A declarator with its initialiser.
#[derive(Debug)]
pub struct InitDeclarator {
    /// The declarator.
    pub declarator: Declarator,
    /// The initialiser.
    pub init: Option<InitId>,
}

/// Declaration specifiers.
#[derive(Debug, Clone)]
pub struct DeclSpecs {
    /// `typedef`, `extern`, `static`, `auto`, `register`.
    pub storage: Option<Storage>,
    /// `_Thread_local` or `__thread`.
    pub thread_local: bool,
    /// `inline` in any spelling.
    pub inline: bool,
    /// `_Noreturn` or `__attribute__((noreturn))`.
    pub noreturn: bool,
    /// Qualifiers.
    pub quals: Quals,
    /// The type.
    pub ty: TypeSpec,
    /// `_Alignas` operands.
    pub alignas: Vec<Alignas>,
    /// Attributes among the specifiers that matter to us.
    pub attrs: Vec<Attr>,
    /// The specifiers' place.
    pub span: Span,
}

/// Storage classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// `typedef`
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
    /// `auto`
    Auto,
    /// `register`
    Register,
}

/// Type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Quals {
    /// `const`
    pub is_const: bool,
    /// `volatile`
    pub is_volatile: bool,
    /// `restrict`
    pub is_restrict: bool,
    /// `_Atomic` as a qualifier
    pub is_atomic: bool,
}

/// An operand of `_Alignas`.
#[derive(Debug, Clone, Copy)]
pub enum Alignas {
    /// `_Alignas(type)`
    Type(TypeNameId),
    /// `_Alignas(expression)`
    Expr(ExprId),
}

/// Type specifiers, keywords already combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeSpec {
    /// No type specifier: `int` with a warning.
    Missing,
    /// A basic type.
    Basic(Basic),
    /// `_Complex` of a basic type.
    Complex(Basic),
    /// A typedef name.
    Typedef(Symbol),
    /// `struct`, `union` or `enum`.
    Tag(TagId),
    /// `typeof(expression)`
    TypeofExpr(ExprId),
    /// `typeof(type)`
    TypeofType(TypeNameId),
    /// `_Atomic(type)`
    Atomic(TypeNameId),
    /// `__auto_type`
    Auto,
    /// `__builtin_va_list`
    VaList,
}

/// Basic types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Basic {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// `char`
    Char,
    /// `signed char`
    SChar,
    /// `unsigned char`
    UChar,
    /// `short`
    Short,
    /// `unsigned short`
    UShort,
    /// `int`
    Int,
    /// `unsigned`
    UInt,
    /// `long`
    Long,
    /// `unsigned long`
    ULong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    ULongLong,
    /// `__int128`
    Int128,
    /// `unsigned __int128`
    UInt128,
    /// `_Float16`
    Float16,
    /// `float`, `_Float32`
    Float,
    /// `double`, `_Float64`, `_Float32x`
    Double,
    /// `long double`, `_Float64x`, `__float80`
    LongDouble,
    /// `_Float128`, `__float128`
    Float128,
}

/// A `struct`, `union` or `enum` specifier.
#[derive(Debug)]
pub struct TagSpec {
    /// Which of the three.
    pub kind: TagKind,
    /// The tag, if any.
    pub name: Option<Symbol>,
    /// The members, if this defines the type.
    pub body: Option<TagBody>,
    /// Attributes before the tag and behind the closing brace.
    pub attrs: Vec<Attr>,
    /// The whole specifier.
    pub span: Span,
}

/// `struct`, `union`, `enum`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagKind {
    /// `struct`
    Struct,
    /// `union`
    Union,
    /// `enum`
    Enum,
}

/// The braces of a tag specifier.
#[derive(Debug)]
pub enum TagBody {
    /// Members of a struct or union.
    Record(Vec<MemberDecl>),
    /// Constants of an enum.
    Enum(Vec<Enumerator>),
}

/// A declaration of members.
#[derive(Debug)]
pub enum MemberDecl {
    /// Specifiers and declarators. No declarators: an anonymous struct or union (or nothing at all).
    Fields {
        /// Specifiers.
        specs: DeclSpecs,
        /// The members.
        fields: Vec<FieldDeclarator>,
        /// The whole declaration.
        span: Span,
    },
    /// `_Static_assert`
    StaticAssert(DeclId),
}

/// A member.
#[derive(Debug)]
pub struct FieldDeclarator {
    /// Name and type; an unnamed bit-field has no name.
    pub declarator: Declarator,
    /// The width of a bit-field.
    pub width: Option<ExprId>,
}

/// A constant of an enum.
#[derive(Debug)]
pub struct Enumerator {
    /// Its name.
    pub name: Symbol,
    /// Its value, if given.
    pub value: Option<ExprId>,
    /// Its place.
    pub span: Span,
}

/// A declarator: the name, and what is derived from the base type.
#[derive(Debug, Clone)]
pub struct Declarator {
    /// The name; none in abstract declarators.
    pub name: Option<Symbol>,
    /// What the name is, read outwards from it: `int *(*f[3])(int)` is array of 3, pointer, function, pointer.
    pub derived: Vec<Derived>,
    /// `asm("name")` behind the declarator.
    pub asm_label: Option<Symbol>,
    /// Attributes behind the declarator that matter to us.
    pub attrs: Vec<Attr>,
    /// Its place: the name if there is one.
    pub span: Span,
}

/// One derivation.
#[derive(Debug, Clone)]
pub enum Derived {
    /// Pointer to …
    Pointer {
        /// Qualifiers of the pointer itself.
        quals: Quals,
    },
    /// Array of …
    Array {
        /// Number of elements.
        size: ArraySize,
        /// Qualifiers between the brackets (parameters only).
        quals: Quals,
    },
    /// Function returning …
    Function(Params),
}

/// The size of an array declarator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArraySize {
    /// `[]`
    Unknown,
    /// `[*]`
    Star,
    /// `[expression]`
    Expr(ExprId),
}

/// Parameters of a function declarator.
#[derive(Debug, Clone)]
pub enum Params {
    /// `()`
    Unspecified,
    /// `(a, b, c)` of an old-style definition.
    Identifiers(Vec<(Symbol, Span)>),
    /// A prototype. `(void)` has no parameters.
    Prototype {
        /// The parameters.
        params: Vec<ParamDecl>,
        /// Whether it ends with `...`.
        variadic: bool,
    },
}

/// A parameter of a prototype.
#[derive(Debug, Clone)]
pub struct ParamDecl {
    /// Specifiers.
    pub specs: DeclSpecs,
    /// Name and derivations.
    pub declarator: Declarator,
}

/// A type name.
#[derive(Debug)]
pub struct TypeName {
    /// Specifiers.
    pub specs: DeclSpecs,
    /// An abstract declarator.
    pub declarator: Declarator,
    /// Its place.
    pub span: Span,
}

/// An attribute that matters to us; all others are dropped by the parser.
#[derive(Debug, Clone, PartialEq)]
pub enum Attr {
    /// `packed`
    Packed,
    /// `#pragma pack(n)` where a record is defined
    MaxAlign(u64),
    /// `aligned` or `aligned(n)`
    Aligned(Option<ExprId>, Span),
    /// `mode(…)`: the mode without underscores, such as `DI`
    Mode(Symbol, Span),
    /// `transparent_union`
    TransparentUnion,
    /// `vector_size(n)`
    VectorSize(ExprId, Span),
    /// `noreturn`
    Noreturn,
    /// `cleanup(function)`
    Cleanup(Symbol, Span),
    /// `constructor(priority)`
    Constructor(Option<ExprId>),
    /// `destructor(priority)`
    Destructor(Option<ExprId>),
    /// `alias("target")`
    Alias(Symbol, Span),
    /// `weak`
    Weak,
    /// `gnu_inline`
    GnuInline,
    /// `ms_struct` and other layout changes we do not follow: an error where it matters
    ForeignLayout(Span),
}

/// An initialiser.
#[derive(Debug)]
pub enum Init {
    /// An expression.
    Expr(ExprId),
    /// Braces.
    List {
        /// The elements with their designators.
        items: Vec<InitItem>,
        /// The whole list.
        span: Span,
    },
}

/// An element of an initialiser list.
#[derive(Debug)]
pub struct InitItem {
    /// `.name`, `[index]`, `[lo ... hi]`; GNU's old `name:` is `.name`.
    pub designators: Vec<Designator>,
    /// The value.
    pub init: InitId,
}

/// A designator; also a step of `__builtin_offsetof`.
#[derive(Debug, Clone, Copy)]
pub enum Designator {
    /// `.name`
    Field(Symbol, Span),
    /// `[index]`
    Index(ExprId),
    /// `[lo ... hi]`
    Range(ExprId, ExprId),
}

/// An expression and its place.
#[derive(Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The whole expression.
    pub span: Span,
}

/// Expressions. Parentheses leave no trace.
#[derive(Debug)]
pub enum ExprKind {
    /// A name.
    Ident(Symbol),
    /// An integer constant.
    Int {
        /// Its value; larger ones are an error of the lexer.
        value: u64,
        /// Whether it has a `u`.
        unsigned: bool,
        /// Number of `l` (0, 1, 2).
        longs: u8,
        /// Whether it is decimal (which changes the types it can have).
        decimal: bool,
    },
    /// A floating constant: its spelling without suffix, and its type.
    Float {
        /// The digits, as Rust's or a hexadecimal parser can read them.
        text: Symbol,
        /// `Float`, `Double`, `LongDouble`, `Float16` or `Float128`.
        ty: Basic,
        /// Whether it has an `i` or `j` suffix.
        imaginary: bool,
    },
    /// A character constant.
    Char {
        /// Its value as its type has it.
        value: i64,
        /// Its prefix.
        encoding: Encoding,
    },
    /// A string literal, adjacent ones joined.
    Str(Box<StrLit>),
    /// A unary operation.
    Unary(UnaryOp, ExprId),
    /// A binary operation.
    Binary(BinaryOp, ExprId, ExprId),
    /// An assignment, `op` for `+=` and the like.
    Assign(Option<BinaryOp>, ExprId, ExprId),
    /// `cond ? then : otherwise`; GNU's `cond ?: otherwise` has no `then`.
    Cond(ExprId, Option<ExprId>, ExprId),
    /// `left, right`
    Comma(ExprId, ExprId),
    /// A cast.
    Cast(TypeNameId, ExprId),
    /// A call.
    Call(ExprId, Vec<ExprId>),
    /// `array[index]`
    Index(ExprId, ExprId),
    /// `base.member` or, with `arrow`, `base->member`.
    Member {
        /// The record or pointer.
        base: ExprId,
        /// The member.
        member: Symbol,
        /// Whether it is `->`.
        arrow: bool,
        /// The place of the member's name.
        member_pos: Pos,
    },
    /// `sizeof expression`
    SizeofExpr(ExprId),
    /// `sizeof(type)`
    SizeofType(TypeNameId),
    /// `_Alignof expression` (GNU), the same as `__alignof__ expression`
    AlignofExpr(ExprId),
    /// `_Alignof(type)`: the least alignment that an object of the type has, inside records too
    AlignofType(TypeNameId),
    /// `__alignof__(type)`: the alignment that the type prefers
    GnuAlignofType(TypeNameId),
    /// `(type){ … }`
    CompoundLiteral(TypeNameId, InitId),
    /// `({ … })`
    StmtExpr(StmtId),
    /// `_Generic(control, type: expression, …)`; no type name is `default`.
    Generic(ExprId, Vec<(Option<TypeNameId>, ExprId)>),
    /// `&&label`
    LabelAddr(Symbol),
    /// `__builtin_va_arg(list, type)`
    VaArg(ExprId, TypeNameId),
    /// `__builtin_offsetof(type, member)`
    Offsetof(TypeNameId, Vec<Designator>),
    /// `__builtin_types_compatible_p(type, type)`
    TypesCompatible(TypeNameId, TypeNameId),
    /// `__builtin_choose_expr(cond, then, otherwise)`
    ChooseExpr(ExprId, ExprId, ExprId),
    /// What could not be parsed; an error was reported.
    Error,
}

/// Prefixes of character constants and string literals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// None.
    Plain,
    /// `u8`
    Utf8,
    /// `L`
    Wide,
    /// `u`
    Char16,
    /// `U`
    Char32,
}

impl Encoding {
    /// Bytes of a character.
    pub fn char_size(self) -> usize {
        match self {
            Encoding::Plain | Encoding::Utf8 => 1,
            Encoding::Char16 => 2,
            Encoding::Wide | Encoding::Char32 => 4,
        }
    }
}

/// A string literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrLit {
    /// Its prefix.
    pub encoding: Encoding,
    /// Its characters, each in [`Encoding::char_size`] bytes, little end first, without the terminator.
    pub bytes: Vec<u8>,
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `~`
    BitNot,
    /// `!`
    Not,
    /// `*`
    Deref,
    /// `&`
    AddrOf,
    /// `++x`
    PreInc,
    /// `--x`
    PreDec,
    /// `x++`
    PostInc,
    /// `x--`
    PostDec,
    /// `__real__`
    Real,
    /// `__imag__`
    Imag,
}

/// Binary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// A statement and its place.
#[derive(Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// The whole statement.
    pub span: Span,
}

/// Statements.
#[derive(Debug)]
pub enum StmtKind {
    /// `{ … }`; `end` is the place of the closing brace.
    Compound {
        /// Statements and declarations.
        items: Vec<StmtId>,
        /// The closing brace.
        end: Pos,
    },
    /// A declaration in a block.
    Decl(DeclId),
    /// `__label__ a, b;`
    LocalLabels(Vec<Symbol>),
    /// An expression, or `;`.
    Expr(Option<ExprId>),
    /// `if`
    If(ExprId, StmtId, Option<StmtId>),
    /// `while`
    While(ExprId, StmtId),
    /// `do … while`
    DoWhile(StmtId, ExprId),
    /// `for`
    For {
        /// The first clause: a declaration or expression statement.
        init: Option<StmtId>,
        /// The condition.
        cond: Option<ExprId>,
        /// The third clause.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
    },
    /// `switch`
    Switch(ExprId, StmtId),
    /// `case lo:` or `case lo ... hi:`
    Case(ExprId, Option<ExprId>, StmtId),
    /// `default:`
    Default(StmtId),
    /// `label:`
    Label(Symbol, StmtId),
    /// `goto label;`
    Goto(Symbol),
    /// `goto *expression;`
    GotoComputed(ExprId),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return`
    Return(Option<ExprId>),
    /// `asm`
    Asm(Box<Asm>),
    /// A GNU nested function.
    NestedFunction(Box<FunctionDef>),
    /// What could not be parsed; an error was reported.
    Error,
}

impl StmtKind {
    /// Whether it has no statements inside, those of statement expressions aside.
    pub fn is_simple(&self) -> bool {
        match self {
            StmtKind::Decl(_)
            | StmtKind::Expr(_)
            | StmtKind::Goto(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Asm(_)
            | StmtKind::NestedFunction(_)
            | StmtKind::LocalLabels(_)
            | StmtKind::Error => true,
            StmtKind::Compound { .. }
            | StmtKind::If(..)
            | StmtKind::While(..)
            | StmtKind::DoWhile(..)
            | StmtKind::For { .. }
            | StmtKind::Switch(..)
            | StmtKind::Case(..)
            | StmtKind::Default(_)
            | StmtKind::Label(..) => false,
        }
    }
}

/// An `asm` statement.
#[derive(Debug)]
pub struct Asm {
    /// The template.
    pub template: Vec<u8>,
    /// Outputs: constraint and place.
    pub outputs: Vec<(String, ExprId)>,
    /// Inputs: constraint and value.
    pub inputs: Vec<(String, ExprId)>,
    /// Clobbers, such as `memory`.
    pub clobbers: Vec<String>,
    /// Labels of `asm goto`.
    pub labels: Vec<Symbol>,
}
