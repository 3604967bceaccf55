//! The syntax tree as S-expressions, for tests and debugging: one line an item.
//!
//! A declarator is its name, a colon, and what is derived, read outwards: `int *(*f[3])(int)` is `f:[3]*(int)*`.
//! Recursive; not for trees that are deeper than the stack.

use std::fmt::Write;

use crate::ast::*;
use crate::intern::{Interner, Symbol};

/// Prints all items of `ast`.
pub fn dump(ast: &Ast, interner: &Interner) -> String {
    let mut dumper = Dumper { ast, interner, out: String::new() };
    for item in &ast.items {
        dumper.item(item);
        dumper.out.push('\n');
    }
    dumper.out
}

struct Dumper<'a> {
    ast: &'a Ast,
    interner: &'a Interner,
    out: String,
}

impl Dumper<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn name(&mut self, symbol: Symbol) {
        self.out.push_str(self.interner.name(symbol));
    }

    /// A list in parentheses: the head, then what `body` prints.
    fn list(&mut self, head: &str, body: impl FnOnce(&mut Self)) {
        self.put("(");
        self.put(head);
        body(self);
        self.put(")");
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Decl(decl) => self.decl(*decl),
            Item::Function(function) => self.function(function),
            Item::Asm(_) => self.put("(file-asm)"),
        }
    }

    fn function(&mut self, function: &FunctionDef) {
        self.list("fn ", |d| {
            d.specs(&function.specs);
            d.put(" ");
            d.declarator(&function.declarator);
            for &decl in &function.kr_decls {
                d.put(" ");
                d.decl(decl);
            }
            d.put(" ");
            d.stmt(function.body);
        });
    }

    fn decl(&mut self, decl: DeclId) {
        let ast = self.ast;
        match &ast.decls[decl] {
            Decl::Variables { specs, declarators, .. } => self.list("decl ", |d| {
                d.specs(specs);
                for declarator in declarators {
                    d.put(" ");
                    d.declarator(&declarator.declarator);
                    if let Some(init) = declarator.init {
                        d.put(" = ");
                        d.init(init);
                    }
                }
            }),
            Decl::StaticAssert { cond, message, .. } => self.list("static-assert ", |d| {
                d.expr(*cond);
                if let Some(message) = message {
                    let _ = write!(d.out, " {message:?}");
                }
            }),
        }
    }

    fn specs(&mut self, specs: &DeclSpecs) {
        let storage = match specs.storage {
            None => "",
            Some(Storage::Typedef) => "typedef ",
            Some(Storage::Extern) => "extern ",
            Some(Storage::Static) => "static ",
            Some(Storage::Auto) => "auto ",
            Some(Storage::Register) => "register ",
        };
        self.put(storage);
        for (set, word) in [(specs.thread_local, "thread "), (specs.inline, "inline "), (specs.noreturn, "noreturn ")] {
            self.put(if set { word } else { "" });
        }
        for alignas in &specs.alignas {
            match *alignas {
                Alignas::Type(ty) => self.list("alignas-type ", |d| d.type_name(ty)),
                Alignas::Expr(expr) => self.list("alignas ", |d| d.expr(expr)),
            }
            self.put(" ");
        }
        self.quals(specs.quals, " ");
        self.type_spec(specs.ty);
        self.attrs(&specs.attrs);
    }

    fn quals(&mut self, quals: Quals, behind: &str) {
        for (set, word) in [
            (quals.is_const, "const"),
            (quals.is_volatile, "volatile"),
            (quals.is_restrict, "restrict"),
            (quals.is_atomic, "atomic"),
        ] {
            if set {
                self.put(word);
                self.put(behind);
            }
        }
    }

    fn type_spec(&mut self, ty: TypeSpec) {
        match ty {
            TypeSpec::Missing => self.put("?"),
            TypeSpec::Basic(basic) => self.put(basic_name(basic)),
            TypeSpec::Complex(basic) => {
                self.put("complex ");
                self.put(basic_name(basic));
            }
            TypeSpec::Typedef(name) => {
                self.put("@");
                self.name(name);
            }
            TypeSpec::Tag(tag) => self.tag(tag),
            TypeSpec::TypeofExpr(expr) => self.list("typeof ", |d| d.expr(expr)),
            TypeSpec::TypeofType(ty) => self.list("typeof-type ", |d| d.type_name(ty)),
            TypeSpec::Atomic(ty) => self.list("atomic ", |d| d.type_name(ty)),
            TypeSpec::Auto => self.put("auto-type"),
            TypeSpec::VaList => self.put("va-list"),
        }
    }

    fn tag(&mut self, tag: TagId) {
        let ast = self.ast;
        let tag = &ast.tags[tag];
        let keyword = match tag.kind {
            TagKind::Struct => "struct",
            TagKind::Union => "union",
            TagKind::Enum => "enum",
        };
        self.list(keyword, |d| {
            if let Some(name) = tag.name {
                d.put(" ");
                d.name(name);
            }
            d.attrs(&tag.attrs);
            match &tag.body {
                None => {}
                Some(TagBody::Record(members)) => {
                    d.put(" {");
                    for member in members {
                        d.put(" ");
                        d.member(member);
                    }
                    d.put(" }");
                }
                Some(TagBody::Enum(constants)) => {
                    d.put(" {");
                    for constant in constants {
                        d.put(" ");
                        d.name(constant.name);
                        if let Some(value) = constant.value {
                            d.put("=");
                            d.expr(value);
                        }
                    }
                    d.put(" }");
                }
            }
        });
    }

    fn member(&mut self, member: &MemberDecl) {
        match member {
            MemberDecl::Fields { specs, fields, .. } => self.list("", |d| {
                d.specs(specs);
                for field in fields {
                    d.put(" ");
                    d.declarator(&field.declarator);
                    if let Some(width) = field.width {
                        d.put(" bits ");
                        d.expr(width);
                    }
                }
            }),
            MemberDecl::StaticAssert(decl) => self.decl(*decl),
        }
    }

    fn declarator(&mut self, declarator: &Declarator) {
        if let Some(name) = declarator.name {
            self.name(name);
        }
        if !declarator.derived.is_empty() {
            self.put(":");
        }
        for derived in &declarator.derived {
            self.derived(derived);
        }
        if let Some(label) = declarator.asm_label {
            self.put(" asm:");
            self.name(label);
        }
        self.attrs(&declarator.attrs);
    }

    fn derived(&mut self, derived: &Derived) {
        match derived {
            Derived::Pointer { quals } => {
                self.put("*");
                self.quals(*quals, "");
            }
            Derived::Array { size, quals } => {
                self.put("[");
                self.quals(*quals, " ");
                match size {
                    ArraySize::Unknown => {}
                    ArraySize::Star => self.put("*"),
                    ArraySize::Expr(size) => self.expr(*size),
                }
                self.put("]");
            }
            Derived::Function(params) => self.params(params),
        }
    }

    fn params(&mut self, params: &Params) {
        match params {
            Params::Unspecified => self.put("()"),
            Params::Identifiers(names) => self.list("names", |d| {
                for &(name, _) in names {
                    d.put(" ");
                    d.name(name);
                }
            }),
            Params::Prototype { params, variadic: false } if params.is_empty() => self.put("(void)"),
            Params::Prototype { params, variadic } => self.list("", |d| {
                for (index, param) in params.iter().enumerate() {
                    d.put(if index == 0 { "" } else { ", " });
                    d.specs(&param.specs);
                    if param.declarator.name.is_some() || !param.declarator.derived.is_empty() {
                        d.put(" ");
                    }
                    d.declarator(&param.declarator);
                }
                d.put(if *variadic { ", ..." } else { "" });
            }),
        }
    }

    fn type_name(&mut self, ty: TypeNameId) {
        let ast = self.ast;
        let ty = &ast.type_names[ty];
        self.specs(&ty.specs);
        if !ty.declarator.derived.is_empty() {
            self.put(" ");
        }
        self.declarator(&ty.declarator);
    }

    fn attrs(&mut self, attrs: &[Attr]) {
        for attr in attrs {
            self.put(" #");
            match attr {
                Attr::Packed => self.put("packed"),
                Attr::MaxAlign(n) => self.list("max-align ", |d| d.put(&n.to_string())),
                Attr::Aligned(None, _) => self.put("aligned"),
                Attr::Aligned(Some(value), _) => self.list("aligned ", |d| d.expr(*value)),
                Attr::Mode(mode, _) => self.list("mode ", |d| d.name(*mode)),
                Attr::TransparentUnion => self.put("transparent-union"),
                Attr::VectorSize(size, _) => self.list("vector-size ", |d| d.expr(*size)),
                Attr::Noreturn => self.put("noreturn"),
                Attr::Cleanup(function, _) => self.list("cleanup ", |d| d.name(*function)),
                Attr::Constructor(priority) => self.prioritised("constructor", *priority),
                Attr::Destructor(priority) => self.prioritised("destructor", *priority),
                Attr::Alias(target, _) => self.list("alias ", |d| d.name(*target)),
                Attr::Weak => self.put("weak"),
                Attr::GnuInline => self.put("gnu-inline"),
                Attr::ForeignLayout(_) => self.put("foreign-layout"),
            }
        }
    }

    fn prioritised(&mut self, name: &str, priority: Option<ExprId>) {
        match priority {
            None => self.put(name),
            Some(priority) => self.list(name, |d| d.exprs(&[priority])),
        }
    }

    fn init(&mut self, init: InitId) {
        let ast = self.ast;
        match &ast.inits[init] {
            Init::Expr(value) => self.expr(*value),
            Init::List { items, .. } => {
                self.put("{");
                for (index, item) in items.iter().enumerate() {
                    self.put(if index == 0 { "" } else { ", " });
                    self.path(&item.designators);
                    self.put(if item.designators.is_empty() { "" } else { "=" });
                    self.init(item.init);
                }
                self.put("}");
            }
        }
    }

    fn path(&mut self, designators: &[Designator]) {
        for designator in designators {
            match *designator {
                Designator::Field(name, _) => {
                    self.put(".");
                    self.name(name);
                }
                Designator::Index(index) => {
                    self.put("[");
                    self.expr(index);
                    self.put("]");
                }
                Designator::Range(first, last) => {
                    self.put("[");
                    self.expr(first);
                    self.put("...");
                    self.expr(last);
                    self.put("]");
                }
            }
        }
    }

    fn exprs(&mut self, exprs: &[ExprId]) {
        for &expr in exprs {
            self.put(" ");
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: ExprId) {
        let ast = self.ast;
        match &ast.exprs[expr].kind {
            ExprKind::Ident(name) => self.name(*name),
            ExprKind::Int { value, unsigned, longs, decimal } => {
                let number = if *decimal || *value < 8 { value.to_string() } else { format!("{value:#x}") };
                let (u, l) = (if *unsigned { "u" } else { "" }, "l".repeat(usize::from(*longs)));
                let _ = write!(self.out, "{number}{u}{l}");
            }
            ExprKind::Float { text, ty, imaginary } => {
                self.name(*text);
                self.put(":");
                self.put(basic_name(*ty));
                self.put(if *imaginary { ":i" } else { "" });
            }
            ExprKind::Char { value, encoding } => {
                let _ = write!(self.out, "{}'{value}'", encoding_name(*encoding));
            }
            ExprKind::Str(literal) => {
                self.put(encoding_name(literal.encoding));
                let _ = write!(self.out, "\"{}\"", literal.bytes.escape_ascii());
            }
            ExprKind::Unary(op, operand) => self.list(unary_name(*op), |d| d.exprs(&[*operand])),
            ExprKind::Binary(op, left, right) => self.list(binary_name(*op), |d| d.exprs(&[*left, *right])),
            ExprKind::Assign(op, left, right) => {
                let head = format!("{}=", op.map_or("", binary_name));
                self.list(&head, |d| d.exprs(&[*left, *right]));
            }
            ExprKind::Cond(cond, None, otherwise) => self.list("?:", |d| d.exprs(&[*cond, *otherwise])),
            ExprKind::Cond(cond, Some(then), otherwise) => self.list("?", |d| d.exprs(&[*cond, *then, *otherwise])),
            ExprKind::Comma(left, right) => self.list(",", |d| d.exprs(&[*left, *right])),
            ExprKind::Cast(ty, operand) => self.typed("cast", *ty, &[*operand]),
            ExprKind::Call(function, arguments) => self.list("call", |d| {
                d.exprs(&[*function]);
                d.exprs(arguments);
            }),
            ExprKind::Index(array, index) => self.list("index", |d| d.exprs(&[*array, *index])),
            ExprKind::Member { base, member, arrow, .. } => self.list(if *arrow { "->" } else { "." }, |d| {
                d.exprs(&[*base]);
                d.put(" ");
                d.name(*member);
            }),
            ExprKind::SizeofExpr(operand) => self.list("sizeof", |d| d.exprs(&[*operand])),
            ExprKind::SizeofType(ty) => self.typed("sizeof-type", *ty, &[]),
            ExprKind::AlignofExpr(operand) => self.list("alignof", |d| d.exprs(&[*operand])),
            ExprKind::AlignofType(ty) => self.typed("alignof-type", *ty, &[]),
            ExprKind::GnuAlignofType(ty) => self.typed("gnu-alignof-type", *ty, &[]),
            ExprKind::CompoundLiteral(ty, init) => self.list("literal ", |d| {
                d.type_name(*ty);
                d.put(" ");
                d.init(*init);
            }),
            ExprKind::StmtExpr(block) => self.list("stmt-expr ", |d| d.stmt(*block)),
            ExprKind::Generic(control, arms) => self.list("generic", |d| {
                d.exprs(&[*control]);
                for (ty, value) in arms {
                    d.put(" [");
                    match ty {
                        Some(ty) => d.type_name(*ty),
                        None => d.put("default"),
                    }
                    d.put("]");
                    d.exprs(&[*value]);
                }
            }),
            ExprKind::LabelAddr(label) => self.list("label-addr ", |d| d.name(*label)),
            ExprKind::VaArg(list, ty) => self.typed("va-arg", *ty, &[*list]),
            ExprKind::Offsetof(ty, path) => self.list("offsetof ", |d| {
                d.type_name(*ty);
                d.put(" ");
                d.path(path);
            }),
            ExprKind::TypesCompatible(first, second) => self.list("types-compatible ", |d| {
                d.type_name(*first);
                d.put(", ");
                d.type_name(*second);
            }),
            ExprKind::ChooseExpr(cond, then, otherwise) => {
                self.list("choose", |d| d.exprs(&[*cond, *then, *otherwise]));
            }
            ExprKind::Error => self.put("<error>"),
        }
    }

    fn typed(&mut self, head: &str, ty: TypeNameId, operands: &[ExprId]) {
        self.list(head, |d| {
            d.put(" [");
            d.type_name(ty);
            d.put("]");
            d.exprs(operands);
        });
    }

    fn stmts(&mut self, stmts: &[StmtId]) {
        for &stmt in stmts {
            self.put(" ");
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: StmtId) {
        let ast = self.ast;
        match &ast.stmts[stmt].kind {
            StmtKind::Compound { items, .. } => self.list("block", |d| d.stmts(items)),
            StmtKind::Decl(decl) => self.decl(*decl),
            StmtKind::LocalLabels(labels) => self.list("local-labels", |d| {
                for &label in labels {
                    d.put(" ");
                    d.name(label);
                }
            }),
            StmtKind::Expr(None) => self.put("(empty)"),
            StmtKind::Expr(Some(value)) => self.expr(*value),
            StmtKind::If(cond, then, otherwise) => self.list("if", |d| {
                d.exprs(&[*cond]);
                d.stmts(&[*then]);
                d.stmts(otherwise.as_slice());
            }),
            StmtKind::While(cond, body) => self.list("while", |d| {
                d.exprs(&[*cond]);
                d.stmts(&[*body]);
            }),
            StmtKind::DoWhile(body, cond) => self.list("do", |d| {
                d.stmts(&[*body]);
                d.exprs(&[*cond]);
            }),
            StmtKind::For { init, cond, step, body } => self.list("for ", |d| {
                init.iter().for_each(|&s| d.stmt(s));
                d.put(";");
                d.exprs(cond.as_slice());
                d.put(";");
                d.exprs(step.as_slice());
                d.stmts(&[*body]);
            }),
            StmtKind::Switch(value, body) => self.list("switch", |d| {
                d.exprs(&[*value]);
                d.stmts(&[*body]);
            }),
            StmtKind::Case(first, last, body) => self.list("case", |d| {
                d.exprs(&[*first]);
                d.put(if last.is_some() { " ..." } else { "" });
                d.exprs(last.as_slice());
                d.stmts(&[*body]);
            }),
            StmtKind::Default(body) => self.list("default", |d| d.stmts(&[*body])),
            StmtKind::Label(name, body) => self.list("label ", |d| {
                d.name(*name);
                d.stmts(&[*body]);
            }),
            StmtKind::Goto(label) => self.list("goto ", |d| d.name(*label)),
            StmtKind::GotoComputed(target) => self.list("goto*", |d| d.exprs(&[*target])),
            StmtKind::Break => self.put("(break)"),
            StmtKind::Continue => self.put("(continue)"),
            StmtKind::Return(value) => self.list("return", |d| d.exprs(value.as_slice())),
            StmtKind::Asm(asm) => self.asm(asm),
            StmtKind::NestedFunction(function) => self.function(function),
            StmtKind::Error => self.put("<error>"),
        }
    }

    fn asm(&mut self, asm: &Asm) {
        self.list("asm", |d| {
            let _ = write!(d.out, " \"{}\"", asm.template.escape_ascii());
            for (what, operands) in [("out", &asm.outputs), ("in", &asm.inputs)] {
                for (constraint, value) in operands {
                    let _ = write!(d.out, " {what} {constraint:?}");
                    d.exprs(&[*value]);
                }
            }
            for clobber in &asm.clobbers {
                let _ = write!(d.out, " clobbers {clobber:?}");
            }
            for &label in &asm.labels {
                d.put(" label ");
                d.name(label);
            }
        });
    }
}

fn basic_name(basic: Basic) -> &'static str {
    match basic {
        Basic::Void => "void",
        Basic::Bool => "bool",
        Basic::Char => "char",
        Basic::SChar => "schar",
        Basic::UChar => "uchar",
        Basic::Short => "short",
        Basic::UShort => "ushort",
        Basic::Int => "int",
        Basic::UInt => "uint",
        Basic::Long => "long",
        Basic::ULong => "ulong",
        Basic::LongLong => "llong",
        Basic::ULongLong => "ullong",
        Basic::Int128 => "int128",
        Basic::UInt128 => "uint128",
        Basic::Float16 => "float16",
        Basic::Float => "float",
        Basic::Double => "double",
        Basic::LongDouble => "ldouble",
        Basic::Float128 => "float128",
    }
}

fn encoding_name(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain => "",
        Encoding::Utf8 => "u8",
        Encoding::Wide => "L",
        Encoding::Char16 => "u",
        Encoding::Char32 => "U",
    }
}

fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Minus => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::Not => "!",
        UnaryOp::Deref => "*",
        UnaryOp::AddrOf => "&",
        UnaryOp::PreInc => "++_",
        UnaryOp::PreDec => "--_",
        UnaryOp::PostInc => "_++",
        UnaryOp::PostDec => "_--",
        UnaryOp::Real => "real",
        UnaryOp::Imag => "imag",
    }
}

fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
    }
}
