//! Expressions, [BOOLPROG Fig. 1].

use crate::ast::Expr;
use crate::diagnostic::Diagnostic;
use crate::lex::TokenKind;

use super::Parser;

impl Parser<'_> {
    /// `( e )`
    pub(super) fn condition(&mut self) -> Result<Expr, Diagnostic> {
        self.symbol("(")?;
        let condition = self.expression()?;
        self.symbol(")")?;
        Ok(condition)
    }

    /// One or more expressions with commas between them.
    pub(super) fn expressions(&mut self) -> Result<Vec<Expr>, Diagnostic> {
        let mut expressions = vec![self.expression()?];
        while self.eat_symbol(",") {
            expressions.push(self.expression()?);
        }
        Ok(expressions)
    }

    pub(super) fn expression(&mut self) -> Result<Expr, Diagnostic> {
        self.nested(|p| {
            let left = p.disjunction()?;
            if p.eat_symbol("=>") {
                // To the right: a => b => c is a => (b => c).
                return Ok(Expr::Implies(Box::new(left), Box::new(p.expression()?)));
            }
            Ok(left)
        })
    }

    fn disjunction(&mut self) -> Result<Expr, Diagnostic> {
        let mut operands = vec![self.conjunction()?];
        while self.eat_symbol("|") {
            operands.push(self.conjunction()?);
        }
        Ok(if operands.len() == 1 { operands.remove(0) } else { Expr::Or(operands) })
    }

    fn conjunction(&mut self) -> Result<Expr, Diagnostic> {
        let mut operands = vec![self.equation()?];
        while self.eat_symbol("&") {
            operands.push(self.equation()?);
        }
        Ok(if operands.len() == 1 { operands.remove(0) } else { Expr::And(operands) })
    }

    /// `=` and `!=` between truth values are associative, so a row of them may lean to the right.
    fn equation(&mut self) -> Result<Expr, Diagnostic> {
        let left = self.unary()?;
        let equal = self.is_symbol("=");
        if !equal && !self.is_symbol("!=") {
            return Ok(left);
        }
        self.advance();
        let (a, b) = (Box::new(left), Box::new(self.nested(Self::equation)?));
        Ok(if equal { Expr::Equal(a, b) } else { Expr::Differs(a, b) })
    }

    fn unary(&mut self) -> Result<Expr, Diagnostic> {
        if self.eat_symbol("!") {
            return self.nested(|p| Ok(p.unary()?.negated()));
        }
        if self.eat_symbol("(") {
            let inside = self.expression()?;
            self.symbol(")")?;
            return Ok(inside);
        }
        if self.eat_symbol("?") {
            return Ok(Expr::Choice(None));
        }
        match self.kind() {
            TokenKind::Bit(value) => {
                self.advance();
                Ok(Expr::Const(value))
            }
            TokenKind::Choice(number) => {
                self.advance();
                Ok(Expr::Choice(number))
            }
            TokenKind::Identifier("true") => {
                self.advance();
                Ok(Expr::Const(true))
            }
            TokenKind::Identifier("false") => {
                self.advance();
                Ok(Expr::Const(false))
            }
            TokenKind::Identifier("schoose") => self.schoose(),
            TokenKind::Identifier(_) => {
                let name = self.name("an expression")?;
                // Both `x$'` and `x'$` are written.
                let before = self.eat_symbol("'");
                let passive = self.eat_symbol("$");
                let primed = before || self.eat_symbol("'");
                Ok(Expr::Var { name, primed, passive })
            }
            TokenKind::Number(_) | TokenKind::Symbol(_) | TokenKind::End => self.expected("an expression"),
        }
    }

    fn schoose(&mut self) -> Result<Expr, Diagnostic> {
        self.advance();
        let close = if self.eat_symbol("(") {
            ")"
        } else {
            self.symbol("[")?;
            "]"
        };
        let yes = self.expression()?;
        self.symbol(",")?;
        let no = self.expression()?;
        self.symbol(close)?;
        Ok(Expr::Schoose(Box::new(yes), Box::new(no)))
    }
}
