//! Expressions.
//!
//! Binary operators by precedence over an explicit stack; prefix operators and casts are collected, then applied from the
//! inside out; chains of `?:` are collected likewise. Only what is in parentheses, brackets or behind `=` recurses, and
//! all of that goes through [`Parser::assignment`], which counts the depth.

use heddle_base::{Pos, Span};

use super::{Parsed, Parser};
use crate::ast::{BinaryOp, ExprId, ExprKind, TypeNameId, UnaryOp};
use crate::token::Tok;

/// A prefix operator whose operand is still to come, and where it begins.
pub(super) enum Prefix {
    Unary(UnaryOp, Pos),
    Cast(TypeNameId, Pos),
    Sizeof(Pos),
    Alignof(Pos),
}

/// Operator and precedence of a binary operator other than assignments.
#[inline]
fn binary_op(kind: Tok) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        Tok::Star => (BinaryOp::Mul, 10),
        Tok::Slash => (BinaryOp::Div, 10),
        Tok::Percent => (BinaryOp::Rem, 10),
        Tok::Plus => (BinaryOp::Add, 9),
        Tok::Minus => (BinaryOp::Sub, 9),
        Tok::Shl => (BinaryOp::Shl, 8),
        Tok::Shr => (BinaryOp::Shr, 8),
        Tok::Lt => (BinaryOp::Lt, 7),
        Tok::Gt => (BinaryOp::Gt, 7),
        Tok::LtEq => (BinaryOp::Le, 7),
        Tok::GtEq => (BinaryOp::Ge, 7),
        Tok::EqEq => (BinaryOp::Eq, 6),
        Tok::BangEq => (BinaryOp::Ne, 6),
        Tok::Amp => (BinaryOp::BitAnd, 5),
        Tok::Caret => (BinaryOp::BitXor, 4),
        Tok::Pipe => (BinaryOp::BitOr, 3),
        Tok::AmpAmp => (BinaryOp::And, 2),
        Tok::PipePipe => (BinaryOp::Or, 1),
        _ => return None,
    })
}

/// The operator of an assignment: `Some(None)` is plain `=`.
#[inline]
fn assign_op(kind: Tok) -> Option<Option<BinaryOp>> {
    Some(match kind {
        Tok::Eq => None,
        Tok::StarEq => Some(BinaryOp::Mul),
        Tok::SlashEq => Some(BinaryOp::Div),
        Tok::PercentEq => Some(BinaryOp::Rem),
        Tok::PlusEq => Some(BinaryOp::Add),
        Tok::MinusEq => Some(BinaryOp::Sub),
        Tok::ShlEq => Some(BinaryOp::Shl),
        Tok::ShrEq => Some(BinaryOp::Shr),
        Tok::AmpEq => Some(BinaryOp::BitAnd),
        Tok::CaretEq => Some(BinaryOp::BitXor),
        Tok::PipeEq => Some(BinaryOp::BitOr),
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression with commas.
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        let mut left = self.assignment()?;
        while self.eat(Tok::Comma) {
            let right = self.assignment()?;
            left = self.join(ExprKind::Comma(left, right), left, right);
        }
        Ok(left)
    }

    pub(super) fn assignment(&mut self) -> Parsed<ExprId> {
        self.enter()?;
        let expr = self.assignment_inner();
        self.leave();
        expr
    }

    fn assignment_inner(&mut self) -> Parsed<ExprId> {
        let left = self.conditional()?;
        let Some(op) = assign_op(self.kind()) else { return Ok(left) };
        self.bump();
        let right = self.assignment()?;
        Ok(self.join(ExprKind::Assign(op, left, right), left, right))
    }

    /// A conditional expression, which is also what the grammar calls a constant expression.
    pub(super) fn conditional(&mut self) -> Parsed<ExprId> {
        let first = self.binary()?;
        if self.kind() != Tok::Question { Ok(first) } else { self.conditional_chain(first) }
    }

    fn conditional_chain(&mut self, first: ExprId) -> Parsed<ExprId> {
        let mut arms = Vec::new();
        let mut last = first;
        while self.eat(Tok::Question) {
            let then = if self.kind() == Tok::Colon { None } else { Some(self.expression()?) };
            self.expect(Tok::Colon, "`:`")?;
            arms.push((last, then));
            last = self.binary()?;
        }
        for (cond, then) in arms.into_iter().rev() {
            last = self.join(ExprKind::Cond(cond, then, last), cond, last);
        }
        Ok(last)
    }

    fn binary(&mut self) -> Parsed<ExprId> {
        let first = self.unary()?;
        if binary_op(self.kind()).is_none() {
            return Ok(first);
        }
        let base = self.operators.len();
        let result = self.binary_chain(first, base);
        self.operators.truncate(base);
        result
    }

    fn binary_chain(&mut self, first: ExprId, base: usize) -> Parsed<ExprId> {
        let mut right = first;
        loop {
            let next = binary_op(self.kind());
            let precedence = next.map_or(0, |n| n.1);
            while self.operators.len() > base
                && let Some((op, _, left)) = self.operators.pop_if(|o| o.1 >= precedence)
            {
                right = self.join(ExprKind::Binary(op, left, right), left, right);
            }
            let Some((op, precedence)) = next else { return Ok(right) };
            self.bump();
            self.operators.push((op, precedence, right));
            right = self.unary()?;
        }
    }

    /// Unary and cast expressions.
    fn unary(&mut self) -> Parsed<ExprId> {
        let base = self.prefixes.len();
        let operand = match self.kind() {
            // By far the most frequent.
            Tok::Ident | Tok::Number => self.postfix(),
            _ => self.prefixed(),
        };
        if self.prefixes.len() == base {
            return operand;
        }
        let result = operand.map(|operand| self.apply_prefixes(operand, base));
        self.prefixes.truncate(base);
        result
    }

    fn apply_prefixes(&mut self, operand: ExprId, base: usize) -> ExprId {
        let mut operand = operand;
        let hi = self.expr_span(operand).hi;
        while self.prefixes.len() > base
            && let Some(prefix) = self.prefixes.pop()
        {
            let (kind, lo) = match prefix {
                Prefix::Unary(op, lo) => (ExprKind::Unary(op, operand), lo),
                Prefix::Cast(ty, lo) => (ExprKind::Cast(ty, operand), lo),
                Prefix::Sizeof(lo) => (ExprKind::SizeofExpr(operand), lo),
                Prefix::Alignof(lo) => (ExprKind::AlignofExpr(operand), lo),
            };
            operand = self.add_expr(kind, Span::new(lo, hi));
        }
        operand
    }

    /// Collects prefix operators up to the operand, which it returns.
    fn prefixed(&mut self) -> Parsed<ExprId> {
        loop {
            let token = self.token();
            let prefix = match token.kind {
                Tok::Plus => Prefix::Unary(UnaryOp::Plus, token.lo),
                Tok::Minus => Prefix::Unary(UnaryOp::Minus, token.lo),
                Tok::Tilde => Prefix::Unary(UnaryOp::BitNot, token.lo),
                Tok::Bang => Prefix::Unary(UnaryOp::Not, token.lo),
                Tok::Star => Prefix::Unary(UnaryOp::Deref, token.lo),
                Tok::Amp => Prefix::Unary(UnaryOp::AddrOf, token.lo),
                Tok::PlusPlus => Prefix::Unary(UnaryOp::PreInc, token.lo),
                Tok::MinusMinus => Prefix::Unary(UnaryOp::PreDec, token.lo),
                Tok::Real => Prefix::Unary(UnaryOp::Real, token.lo),
                Tok::Imag => Prefix::Unary(UnaryOp::Imag, token.lo),
                Tok::AmpAmp => {
                    self.bump();
                    let (label, span) = self.expect_ident()?;
                    return Ok(self.add_expr(ExprKind::LabelAddr(label), Span::new(token.lo, span.hi)));
                }
                Tok::Sizeof | Tok::Alignof | Tok::GnuAlignof => {
                    self.bump();
                    if self.kind() == Tok::LParen && self.type_ahead(1) {
                        return self.size_of_type(token.kind, token.lo);
                    }
                    self.prefixes.push(match token.kind {
                        Tok::Sizeof => Prefix::Sizeof(token.lo),
                        _ => Prefix::Alignof(token.lo),
                    });
                    continue;
                }
                Tok::LParen if self.type_ahead(1) => {
                    let ty = self.parenthesised_type()?;
                    if self.kind() == Tok::LBrace {
                        return self.compound_literal(ty, token.lo);
                    }
                    self.prefixes.push(Prefix::Cast(ty, token.lo));
                    continue;
                }
                _ => return self.postfix(),
            };
            self.bump();
            self.prefixes.push(prefix);
        }
    }

    /// `sizeof (type)`, unless a brace follows: then it is `sizeof` of a compound literal.
    fn size_of_type(&mut self, keyword: Tok, lo: Pos) -> Parsed<ExprId> {
        let type_lo = self.lo();
        let ty = self.parenthesised_type()?;
        if self.kind() == Tok::LBrace {
            self.prefixes.push(if keyword == Tok::Sizeof { Prefix::Sizeof(lo) } else { Prefix::Alignof(lo) });
            return self.compound_literal(ty, type_lo);
        }
        let kind = match keyword {
            Tok::Sizeof => ExprKind::SizeofType(ty),
            Tok::GnuAlignof => ExprKind::GnuAlignofType(ty),
            _ => ExprKind::AlignofType(ty),
        };
        let span = self.span_from(lo);
        Ok(self.add_expr(kind, span))
    }

    fn compound_literal(&mut self, ty: TypeNameId, lo: Pos) -> Parsed<ExprId> {
        let init = self.init_list()?;
        let span = self.span_from(lo);
        let literal = self.add_expr(ExprKind::CompoundLiteral(ty, init), span);
        self.postfix_of(literal)
    }

    #[inline]
    fn postfix(&mut self) -> Parsed<ExprId> {
        let base = self.primary()?;
        self.postfix_of(base)
    }

    /// `base` with the calls, subscripts and so on behind it.
    fn postfix_of(&mut self, base: ExprId) -> Parsed<ExprId> {
        let mut base = base;
        loop {
            let kind = match self.kind() {
                Tok::LBracket => {
                    self.bump();
                    let index = self.expression()?;
                    self.expect(Tok::RBracket, "`]`")?;
                    ExprKind::Index(base, index)
                }
                Tok::LParen => {
                    self.bump();
                    ExprKind::Call(base, self.arguments()?)
                }
                kind @ (Tok::Dot | Tok::Arrow) => {
                    self.bump();
                    let (member, span) = self.expect_ident()?;
                    ExprKind::Member { base, member, arrow: kind == Tok::Arrow, member_pos: span.lo }
                }
                Tok::PlusPlus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostInc, base)
                }
                Tok::MinusMinus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostDec, base)
                }
                _ => return Ok(base),
            };
            let span = self.span_from(self.expr_span(base).lo);
            base = self.add_expr(kind, span);
        }
    }

    /// Arguments of a call, the `(` already read.
    fn arguments(&mut self) -> Parsed<Vec<ExprId>> {
        let mut arguments = Vec::new();
        if self.eat(Tok::RParen) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.assignment()?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RParen, "`)`")?;
        Ok(arguments)
    }

    fn primary(&mut self) -> Parsed<ExprId> {
        let token = self.token();
        let kind = match token.kind {
            Tok::Ident => {
                self.bump();
                ExprKind::Ident(token.name)
            }
            Tok::Number => {
                self.bump();
                self.number(token)
            }
            Tok::Char => {
                self.bump();
                self.character(token)
            }
            Tok::Str => ExprKind::Str(Box::new(self.string()?)),
            Tok::LParen => return self.parenthesised(),
            Tok::Generic => self.generic()?,
            Tok::VaArg => {
                self.open_builtin()?;
                let list = self.assignment()?;
                self.expect(Tok::Comma, "`,`")?;
                ExprKind::VaArg(list, self.last_type_argument()?)
            }
            Tok::Offsetof => self.offsetof()?,
            Tok::TypesCompatible => {
                self.open_builtin()?;
                let first = self.type_name()?;
                self.expect(Tok::Comma, "`,`")?;
                ExprKind::TypesCompatible(first, self.last_type_argument()?)
            }
            Tok::ChooseExpr => {
                self.open_builtin()?;
                let cond = self.assignment()?;
                self.expect(Tok::Comma, "`,`")?;
                let then = self.assignment()?;
                self.expect(Tok::Comma, "`,`")?;
                let otherwise = self.assignment()?;
                self.expect(Tok::RParen, "`)`")?;
                ExprKind::ChooseExpr(cond, then, otherwise)
            }
            Tok::ConvertVector => return Err(self.fail(token.span(), "`__builtin_convertvector` is not supported")),
            _ => return Err(self.expected("expression")),
        };
        let span = self.span_from(token.lo);
        Ok(self.add_expr(kind, span))
    }

    /// `( expression )` or `({ … })`.
    fn parenthesised(&mut self) -> Parsed<ExprId> {
        let open = self.bump();
        if self.kind() == Tok::LBrace {
            let block = self.statement()?;
            self.expect(Tok::RParen, "`)`")?;
            let span = self.span_from(open.lo);
            return Ok(self.add_expr(ExprKind::StmtExpr(block), span));
        }
        let inner = self.expression()?;
        self.expect(Tok::RParen, "`)`")?;
        Ok(inner)
    }

    fn generic(&mut self) -> Parsed<ExprKind> {
        self.open_builtin()?;
        let control = self.assignment()?;
        let mut arms = Vec::new();
        while self.eat(Tok::Comma) {
            let ty = if self.eat(Tok::Default) { None } else { Some(self.type_name()?) };
            self.expect(Tok::Colon, "`:`")?;
            arms.push((ty, self.assignment()?));
        }
        self.expect(Tok::RParen, "`)`")?;
        Ok(ExprKind::Generic(control, arms))
    }

    fn offsetof(&mut self) -> Parsed<ExprKind> {
        self.open_builtin()?;
        let ty = self.type_name()?;
        self.expect(Tok::Comma, "`,`")?;
        let (name, span) = self.expect_ident()?;
        let mut path = vec![crate::ast::Designator::Field(name, span)];
        self.designator_chain(&mut path)?;
        self.expect(Tok::RParen, "`)`")?;
        Ok(ExprKind::Offsetof(ty, path))
    }

    /// The keyword of a construct that looks like a call, and its `(`.
    fn open_builtin(&mut self) -> Parsed<()> {
        self.bump();
        self.expect(Tok::LParen, "`(`")?;
        Ok(())
    }

    fn last_type_argument(&mut self) -> Parsed<TypeNameId> {
        let ty = self.type_name()?;
        self.expect(Tok::RParen, "`)`")?;
        Ok(ty)
    }

    /// A node that spans from `first` to `last`.
    #[inline]
    fn join(&mut self, kind: ExprKind, first: ExprId, last: ExprId) -> ExprId {
        let span = self.expr_span(first).to(self.expr_span(last));
        self.add_expr(kind, span)
    }
}
