//! Expressions of the text form: read into a tree first, so that a literal can take its type from what stands beside it.

use heddle_base::IndexVec;
use rustc_hash::FxHashMap;

use super::error::{ParseError, ParseErrorKind};
use super::lex::TokenKind;
use super::names::{id_below, numbered};
use super::parse::{Parser, ty_named};
use crate::expr::{Base, BinOp, CastOp, Expr, ExprId, UnOp};
use crate::program::{Reg, RegId, SlotId};
use crate::ty::Ty;

/// Levels of nesting that an expression may have.
const MAX_DEPTH: u32 = 200;

/// An expression as it is written.
pub(super) struct Tree {
    node: Node,
    depth: u32,
}

enum Node {
    Literal(Literal),
    Leaf(Expr),
    /// A prefix operator by its symbol.
    Prefix(&'static str, Box<Tree>),
    Unary(UnOp, Box<Tree>),
    /// An infix operator by its symbol; what it means depends on the operands' type.
    Infix(&'static str, Box<Tree>, Box<Tree>),
    Binary(BinOp, Box<Tree>, Box<Tree>),
    Cast(CastOp, Ty, Box<Tree>),
    Ite(Box<Tree>, Box<Tree>, Box<Tree>),
}

/// A literal, its type perhaps open.
pub(super) struct Literal {
    value: LiteralValue,
    ty: Option<Ty>,
    pos: usize,
}

enum LiteralValue {
    Int { negative: bool, value: u128 },
    Bits(u128),
    Float { negative: bool, text: String },
}

/// What expressions of a function can name, and where they go.
#[derive(Default)]
pub(super) struct Scope {
    pub regs: IndexVec<RegId, Reg>,
    pub reg_names: FxHashMap<String, RegId>,
    pub slot_names: FxHashMap<String, SlotId>,
    pub exprs: IndexVec<ExprId, Expr>,
    pub interned: FxHashMap<Expr, ExprId>,
}

impl Tree {
    /// Whether a literal that can only be a float decides its type, where nothing else does.
    pub fn has_float(&self) -> bool {
        match &self.node {
            Node::Literal(literal) => matches!(literal.value, LiteralValue::Float { .. }),
            Node::Leaf(_) | Node::Cast(..) => false,
            Node::Prefix(_, arg) | Node::Unary(_, arg) => arg.has_float(),
            Node::Infix(_, left, right) | Node::Binary(_, left, right) | Node::Ite(_, left, right) => {
                left.has_float() || right.has_float()
            }
        }
    }
}

impl Scope {
    pub fn intern(&mut self, expr: Expr) -> ExprId {
        *self.interned.entry(expr).or_insert_with(|| self.exprs.push(expr))
    }

    pub fn reg(&self, handle: &str) -> Option<RegId> {
        let by_number = || numbered(handle, 'r').and_then(|n| id_below(n, self.regs.len()));
        self.reg_names.get(handle).copied().or_else(by_number)
    }
}

type Result_<T> = Result<T, ParseError>;

/// Precedence of infix operators, loosest first, as in C.
fn precedence(symbol: &str) -> Option<u32> {
    Some(match symbol {
        "|" => 1,
        "^" => 2,
        "&" => 3,
        "==" | "!=" => 4,
        "<" | "<=" | ">" | ">=" | "<u" | "<=u" | ">u" | ">=u" => 5,
        "<<" | ">>" | ">>u" => 6,
        "+" | "-" => 7,
        "*" | "/" | "/u" | "%" | "%u" => 8,
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression of the wanted type; `None` takes any.
    pub fn expr(&mut self, scope: &mut Scope, expected: Option<Ty>) -> Result_<ExprId> {
        let tree = self.tree(scope, 0)?;
        self.elaborate(scope, &tree, expected)
    }

    /// An expression as it is written.
    pub fn tree(&mut self, scope: &Scope, depth: u32) -> Result_<Tree> {
        let pos = self.pos();
        let cond = self.infix(scope, 1, depth)?;
        if !self.eat("?") {
            return Ok(cond);
        }
        let then = self.tree(scope, depth + 1)?;
        self.expect(":")?;
        let otherwise = self.tree(scope, depth + 1)?;
        let inner = cond.depth.max(then.depth).max(otherwise.depth);
        self.node(Node::Ite(Box::new(cond), Box::new(then), Box::new(otherwise)), pos, inner)
    }

    fn node(&self, node: Node, pos: usize, inner_depth: u32) -> Result_<Tree> {
        if inner_depth >= MAX_DEPTH {
            return Err(self.error_at(pos, ParseErrorKind::TooDeep));
        }
        Ok(Tree { node, depth: inner_depth + 1 })
    }

    fn infix(&mut self, scope: &Scope, min: u32, depth: u32) -> Result_<Tree> {
        let pos = self.pos();
        let mut left = self.prefix(scope, depth)?;
        while let TokenKind::Sym(symbol) = *self.kind() {
            let Some(level) = precedence(symbol).filter(|&p| p >= min) else { break };
            self.advance();
            let right = self.infix(scope, level + 1, depth + 1)?;
            let inner = left.depth.max(right.depth);
            left = self.node(Node::Infix(symbol, Box::new(left), Box::new(right)), pos, inner)?;
        }
        Ok(left)
    }

    fn prefix(&mut self, scope: &Scope, depth: u32) -> Result_<Tree> {
        let pos = self.pos();
        if depth >= MAX_DEPTH {
            return Err(self.error(ParseErrorKind::TooDeep));
        }
        if let Some(literal) = self.literal()? {
            return self.node(Node::Literal(literal), pos, 0);
        }
        match *self.kind() {
            TokenKind::Sym(symbol @ ("-" | "~" | "!")) => {
                self.advance();
                let arg = self.prefix(scope, depth + 1)?;
                let inner = arg.depth;
                self.node(Node::Prefix(symbol, Box::new(arg)), pos, inner)
            }
            TokenKind::Sym("(") => {
                self.advance();
                let tree = self.tree(scope, depth + 1)?;
                self.expect(")")?;
                Ok(tree)
            }
            TokenKind::Sym("&") => {
                self.advance();
                let addr = self.address(scope)?;
                self.node(Node::Leaf(addr), pos, 0)
            }
            TokenKind::Word(word) if *self.second() == TokenKind::Sym("(") => self.operator(scope, word, depth),
            TokenKind::Word(word) => {
                self.advance();
                let leaf = match word {
                    "self" => Expr::SelfId,
                    "null" => Expr::Const { ty: Ty::Ptr, bits: 0 },
                    "true" => Expr::Const { ty: Ty::Bool, bits: 1 },
                    "false" => Expr::Const { ty: Ty::Bool, bits: 0 },
                    _ => Expr::Reg(scope.reg(word).ok_or_else(|| self.unknown("register", word))?),
                };
                self.node(Node::Leaf(leaf), pos, 0)
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn address(&mut self, scope: &Scope) -> Result_<Expr> {
        let base = if self.eat("::") {
            let name = self.name("a global")?;
            Base::Global(*self.global_names.get(&name).ok_or_else(|| self.unknown("global", &name))?)
        } else if *self.kind() == TokenKind::Word("fn") && *self.second() == TokenKind::Sym("::") {
            self.advance();
            self.advance();
            let name = self.name("a function")?;
            Base::Func(self.function_named(&name)?)
        } else {
            let name = self.name("a name")?;
            let slot = scope.slot_names.get(&name).map(|&s| Base::Slot(s));
            let global = || self.global_names.get(&name).map(|&g| Base::Global(g));
            let func = || self.function_names.get(&name).map(|&f| Base::Func(f));
            slot.or_else(global).or_else(func).ok_or_else(|| self.unknown("object", &name))?
        };
        Ok(Expr::Addr { base, offset: self.offset()? })
    }

    /// An operator called by its name.
    fn operator(&mut self, scope: &Scope, word: &str, depth: u32) -> Result_<Tree> {
        let pos = self.pos();
        self.advance();
        self.advance();
        let first = Box::new(self.tree(scope, depth + 1)?);
        let mut inner = first.depth;
        let cast = word
            .split_once('.')
            .and_then(|(op, ty)| Some((CastOp::ALL.into_iter().find(|c| c.name() == op)?, ty_named(ty)?)));
        let node = if let Some((op, to)) = cast {
            Node::Cast(op, to, first)
        } else if let Some(op) = UnOp::ALL.into_iter().find(|u| u.name() == word) {
            Node::Unary(op, first)
        } else if let Some(op) = BinOp::ALL.into_iter().find(|b| b.name() == word) {
            self.expect(",")?;
            let second = Box::new(self.tree(scope, depth + 1)?);
            inner = inner.max(second.depth);
            Node::Binary(op, first, second)
        } else {
            return Err(self.error_at(pos, ParseErrorKind::Unknown { what: "operator", name: word.to_owned() }));
        };
        self.expect(")")?;
        self.node(node, pos, inner)
    }

    /// A number, if one is next.
    pub fn literal(&mut self) -> Result_<Option<Literal>> {
        let pos = self.pos();
        let negative = *self.kind() == TokenKind::Sym("-");
        if negative {
            self.advance();
            if !self.adjacent() {
                self.seek(pos);
                return Ok(None);
            }
        }
        let value = match *self.kind() {
            TokenKind::Int(value) => LiteralValue::Int { negative, value },
            TokenKind::Hex(bits) if !negative => LiteralValue::Bits(bits),
            TokenKind::Float(text) => LiteralValue::Float { negative, text: text.to_owned() },
            _ => {
                self.seek(pos);
                return Ok(None);
            }
        };
        self.advance();
        let end = self.pos();
        let mut ty = None;
        if self.adjacent() && self.eat(":") && self.adjacent() {
            ty = match *self.kind() {
                TokenKind::Word(word) => ty_named(word),
                _ => None,
            };
        }
        match ty {
            Some(_) => self.advance(),
            None => self.seek(end),
        }
        Ok(Some(Literal { value, ty, pos }))
    }

    /// The type that a tree has whatever its place expects.
    pub fn infer(&self, scope: &Scope, tree: &Tree) -> Option<Ty> {
        match &tree.node {
            Node::Literal(literal) => literal.ty,
            Node::Leaf(Expr::Const { ty, .. }) => Some(*ty),
            Node::Leaf(Expr::Reg(reg)) => Some(scope.regs[*reg].ty),
            Node::Leaf(Expr::SelfId) => Some(Ty::I32),
            Node::Leaf(_) => Some(Ty::Ptr),
            Node::Prefix("!", _) => Some(Ty::Bool),
            Node::Prefix(_, arg) => self.infer(scope, arg),
            Node::Unary(op, _) if op.is_predicate() => Some(Ty::Bool),
            Node::Unary(_, arg) => self.infer(scope, arg),
            Node::Infix(symbol, left, right) => match precedence(symbol) {
                Some(4 | 5) => Some(Ty::Bool),
                _ => {
                    let ty = self.infer(scope, left);
                    let difference = *symbol == "-" && ty == Some(Ty::Ptr);
                    if difference { Some(Ty::I64) } else { ty.or_else(|| self.infer(scope, right)) }
                }
            },
            Node::Binary(BinOp::PtrAdd, ..) => Some(Ty::Ptr),
            Node::Binary(BinOp::PtrDiff, ..) => Some(Ty::I64),
            Node::Binary(op, ..) if op.is_predicate() => Some(Ty::Bool),
            Node::Binary(_, left, right) => self.infer(scope, left).or_else(|| self.infer(scope, right)),
            Node::Cast(_, to, _) => Some(*to),
            Node::Ite(_, then, otherwise) => self.infer(scope, then).or_else(|| self.infer(scope, otherwise)),
        }
    }

    /// Puts a tree into the function's arena.
    pub fn elaborate(&mut self, scope: &mut Scope, tree: &Tree, expected: Option<Ty>) -> Result_<ExprId> {
        let expr = match &tree.node {
            Node::Literal(literal) => {
                let (ty, bits) = literal.value(expected, self)?;
                Expr::Const { ty, bits }
            }
            Node::Leaf(expr) => *expr,
            Node::Prefix("!", arg) => Expr::Unary(UnOp::BoolNot, self.elaborate(scope, arg, Some(Ty::Bool))?),
            Node::Prefix(symbol, arg) => {
                let ty = self.common_type(scope, arg, arg, expected);
                let float = ty.is_some_and(Ty::is_float);
                let op = match (*symbol, float) {
                    ("~", _) => UnOp::Not,
                    (_, true) => UnOp::FNeg,
                    (_, false) => UnOp::Neg,
                };
                Expr::Unary(op, self.elaborate(scope, arg, ty)?)
            }
            Node::Unary(op, arg) => {
                let ty = self.common_type(scope, arg, arg, expected.filter(|_| !op.is_predicate()));
                Expr::Unary(*op, self.elaborate(scope, arg, ty)?)
            }
            Node::Infix(symbol, left, right) => self.elaborate_infix(scope, symbol, left, right, expected)?,
            Node::Binary(op @ (BinOp::PtrAdd | BinOp::PtrDiff), left, right) => {
                let right_ty = if *op == BinOp::PtrAdd { Ty::I64 } else { Ty::Ptr };
                let left = self.elaborate(scope, left, Some(Ty::Ptr))?;
                Expr::Binary(*op, left, self.elaborate(scope, right, Some(right_ty))?)
            }
            Node::Binary(op, left, right) => {
                let ty = self.common_type(scope, left, right, expected.filter(|_| !op.is_predicate()));
                let left = self.elaborate(scope, left, ty)?;
                Expr::Binary(*op, left, self.elaborate(scope, right, ty)?)
            }
            Node::Cast(op, to, arg) => Expr::Cast { op: *op, to: *to, arg: self.elaborate(scope, arg, None)? },
            Node::Ite(cond, then, otherwise) => {
                let ty = self.common_type(scope, then, otherwise, expected);
                let cond = self.elaborate(scope, cond, Some(Ty::Bool))?;
                let then = self.elaborate(scope, then, ty)?;
                Expr::Ite { cond, then, otherwise: self.elaborate(scope, otherwise, ty)? }
            }
        };
        Ok(scope.intern(expr))
    }

    fn common_type(&self, scope: &Scope, left: &Tree, right: &Tree, expected: Option<Ty>) -> Option<Ty> {
        let inferred = self.infer(scope, left).or_else(|| self.infer(scope, right)).or(expected);
        inferred.or_else(|| (left.has_float() || right.has_float()).then_some(Ty::F64))
    }

    fn elaborate_infix(
        &mut self,
        scope: &mut Scope,
        symbol: &'static str,
        left: &Tree,
        right: &Tree,
        expected: Option<Ty>,
    ) -> Result_<Expr> {
        let is_predicate = matches!(precedence(symbol), Some(4 | 5));
        // A pointer plus an offset is the one operator whose operands differ.
        if symbol == "+" && self.infer(scope, left) == Some(Ty::Ptr) {
            let left = self.elaborate(scope, left, Some(Ty::Ptr))?;
            return Ok(Expr::Binary(BinOp::PtrAdd, left, self.elaborate(scope, right, Some(Ty::I64))?));
        }
        let ty = self.common_type(scope, left, right, expected.filter(|_| !is_predicate));
        let (symbol, left, right) = match symbol {
            ">" => ("<", right, left),
            ">=" => ("<=", right, left),
            ">u" => ("<u", right, left),
            ">=u" => ("<=u", right, left),
            other => (other, left, right),
        };
        let op = infix_op(symbol, ty.unwrap_or(Ty::I32));
        let left = self.elaborate(scope, left, ty)?;
        Ok(Expr::Binary(op, left, self.elaborate(scope, right, ty)?))
    }
}

/// What an infix operator means on operands of a type.
fn infix_op(symbol: &str, ty: Ty) -> BinOp {
    let float = ty.is_float();
    let ptr = ty == Ty::Ptr;
    match symbol {
        "+" if float => BinOp::FAdd,
        "-" if float => BinOp::FSub,
        "*" if float => BinOp::FMul,
        "/" if float => BinOp::FDiv,
        "%" if float => BinOp::FRem,
        "==" if float => BinOp::FEq,
        "!=" if float => BinOp::FNe,
        "<" if float => BinOp::FLt,
        "<=" if float => BinOp::FLe,
        "-" if ptr => BinOp::PtrDiff,
        "<" if ptr => BinOp::ULt,
        "<=" if ptr => BinOp::ULe,
        "+" => BinOp::Add,
        "-" => BinOp::Sub,
        "*" => BinOp::Mul,
        "/" => BinOp::SDiv,
        "%" => BinOp::SRem,
        "/u" => BinOp::UDiv,
        "%u" => BinOp::URem,
        "&" => BinOp::And,
        "|" => BinOp::Or,
        "^" => BinOp::Xor,
        "<<" => BinOp::Shl,
        ">>" => BinOp::AShr,
        ">>u" => BinOp::LShr,
        "==" => BinOp::Eq,
        "!=" => BinOp::Ne,
        "<" => BinOp::SLt,
        "<=" => BinOp::SLe,
        "<u" => BinOp::ULt,
        _ => BinOp::ULe,
    }
}

impl Literal {
    /// Type and bits where a value of type `expected` is wanted.
    pub fn value(&self, expected: Option<Ty>, parser: &Parser<'_>) -> Result_<(Ty, u128)> {
        let fallback = if matches!(self.value, LiteralValue::Float { .. }) { Ty::F64 } else { Ty::I32 };
        let ty = self.ty.or(expected).unwrap_or(fallback);
        let (bits, text) = match &self.value {
            LiteralValue::Bits(bits) => (Some(*bits), format!("{bits:#x}")),
            LiteralValue::Int { negative, value } => {
                let text = format!("{}{value}", if *negative { "-" } else { "" });
                let bits = if ty.is_float() { float_bits(&text, ty) } else { int_bits(*negative, *value, ty) };
                (bits, text)
            }
            LiteralValue::Float { negative, text } => {
                let text = format!("{}{text}", if *negative { "-" } else { "" });
                (float_bits(&text, ty), text)
            }
        };
        let bits = bits.ok_or_else(|| parser.error_at(self.pos, ParseErrorKind::BadLiteral(text)))?;
        Ok((ty, bits))
    }
}

fn int_bits(negative: bool, value: u128, ty: Ty) -> Option<u128> {
    if ty == Ty::Ptr {
        return (!negative).then_some(value);
    }
    let width = ty.int_bits()?;
    let mask = if width == 128 { u128::MAX } else { (1 << width) - 1 };
    let limit = 1u128 << (width - 1);
    match negative {
        true => (value <= limit).then(|| value.wrapping_neg() & mask),
        false => (value <= mask).then_some(value),
    }
}

fn float_bits(text: &str, ty: Ty) -> Option<u128> {
    match ty {
        Ty::F32 => Some(u128::from(text.parse::<f32>().ok()?.to_bits())),
        Ty::F64 => Some(u128::from(text.parse::<f64>().ok()?.to_bits())),
        _ => None,
    }
}
