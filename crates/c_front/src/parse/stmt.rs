//! Statements and blocks.

use heddle_base::{Pos, Span};

use super::decl::Declaration;
use super::{Failed, Parsed, Parser};
use crate::ast::{Asm, ExprId, StmtId, StmtKind};
use crate::intern::Symbol;
use crate::token::Tok;

/// A label in front of a statement, and where it begins.
enum Label {
    Named(Symbol, Pos),
    Case(ExprId, Option<ExprId>, Pos),
    Default(Pos),
}

impl Parser<'_> {
    /// `{ … }` in a scope of its own.
    pub(super) fn block(&mut self) -> Parsed<StmtId> {
        self.in_scope(Self::block_in_scope)
    }

    /// `{ … }` in the scope that is open.
    pub(super) fn block_in_scope(&mut self) -> Parsed<StmtId> {
        let open = self.expect(Tok::LBrace, "`{`")?;
        let mut items = Vec::new();
        loop {
            match self.kind() {
                Tok::RBrace => break,
                Tok::Eof => return Err(self.unclosed(open)),
                _ => {}
            }
            let before = self.at;
            match self.block_item() {
                Ok(item) => items.push(item),
                Err(Failed) => {
                    let lo = self.lexed.tokens[before].lo;
                    self.skip_statement();
                    let span = self.span_from(lo);
                    items.push(self.add_stmt(StmtKind::Error, span));
                }
            }
            if self.at == before {
                self.bump();
            }
        }
        let close = self.bump();
        Ok(self.add_stmt(StmtKind::Compound { items, end: close.lo }, Span::new(open.lo, close.hi)))
    }

    fn block_item(&mut self) -> Parsed<StmtId> {
        match self.kind() {
            Tok::Label => self.local_labels(),
            _ if self.declares() => self.declaration_statement(),
            _ => self.statement(),
        }
    }

    /// Whether a declaration begins here. A name before a colon is a label, whatever else it may be.
    fn declares(&self) -> bool {
        match self.kind() {
            Tok::Ident => {
                let next = self.peek(1);
                next != Tok::Colon && (self.specs_ahead(0) || next == Tok::Ident)
            }
            Tok::StaticAssert => true,
            Tok::LBracket => self.at_attribute(),
            _ => self.specs_ahead(0),
        }
    }

    fn declaration_statement(&mut self) -> Parsed<StmtId> {
        let lo = self.lo();
        let mut attrs = Vec::new();
        if self.at_attribute() {
            self.attributes(&mut attrs)?;
            // `__attribute__((fallthrough));`
            if !self.declares() {
                return self.statement();
            }
        }
        let kind = match self.declaration(attrs)? {
            Declaration::Decl(decl) => StmtKind::Decl(decl),
            Declaration::Function(function) => StmtKind::NestedFunction(function),
        };
        let span = self.span_from(lo);
        Ok(self.add_stmt(kind, span))
    }

    fn local_labels(&mut self) -> Parsed<StmtId> {
        let lo = self.bump().lo;
        let mut labels = Vec::new();
        loop {
            labels.push(self.expect_ident()?.0);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect_semi()?;
        let span = self.span_from(lo);
        Ok(self.add_stmt(StmtKind::LocalLabels(labels), span))
    }

    pub(super) fn statement(&mut self) -> Parsed<StmtId> {
        self.enter()?;
        let statement = self.labelled();
        self.leave();
        statement
    }

    /// A statement and the labels before it, of which machine-written programs have thousands in a row.
    fn labelled(&mut self) -> Parsed<StmtId> {
        let mut labels = Vec::new();
        while let Some(label) = self.label()? {
            labels.push(label);
        }
        let mut stmt = if labels.is_empty() {
            self.unlabelled()?
        } else if self.kind() == Tok::RBrace {
            let lo = self.lo();
            self.add_stmt(StmtKind::Expr(None), Span::new(lo, lo))
        } else if self.declares() {
            self.declaration_statement()?
        } else {
            self.unlabelled()?
        };
        let hi = self.ast.stmts[stmt].span.hi;
        for label in labels.into_iter().rev() {
            let (kind, lo) = match label {
                Label::Named(name, lo) => (StmtKind::Label(name, stmt), lo),
                Label::Case(first, last, lo) => (StmtKind::Case(first, last, stmt), lo),
                Label::Default(lo) => (StmtKind::Default(stmt), lo),
            };
            stmt = self.add_stmt(kind, Span::new(lo, hi));
        }
        Ok(stmt)
    }

    fn label(&mut self) -> Parsed<Option<Label>> {
        let token = self.token();
        let label = match token.kind {
            Tok::Ident if self.peek(1) == Tok::Colon => {
                self.bump();
                Label::Named(token.name, token.lo)
            }
            Tok::Case => {
                self.bump();
                let first = self.conditional()?;
                let last = if self.eat(Tok::Ellipsis) { Some(self.conditional()?) } else { None };
                Label::Case(first, last, token.lo)
            }
            Tok::Default => {
                self.bump();
                Label::Default(token.lo)
            }
            _ => return Ok(None),
        };
        self.expect(Tok::Colon, "`:`")?;
        if self.kind() == Tok::Attribute {
            self.attributes(&mut Vec::new())?;
        }
        Ok(Some(label))
    }

    fn unlabelled(&mut self) -> Parsed<StmtId> {
        let token = self.token();
        let lo = token.lo;
        let kind = match token.kind {
            Tok::LBrace => return self.block(),
            Tok::Semi => {
                self.bump();
                StmtKind::Expr(None)
            }
            Tok::If => return self.if_chain(),
            Tok::While => {
                self.bump();
                let cond = self.condition()?;
                StmtKind::While(cond, self.statement()?)
            }
            Tok::Do => self.do_while()?,
            Tok::For => self.in_scope(Self::for_loop)?,
            Tok::Switch => {
                self.bump();
                let value = self.condition()?;
                StmtKind::Switch(value, self.statement()?)
            }
            Tok::Goto => self.goto()?,
            Tok::Break | Tok::Continue => {
                self.bump();
                self.expect_semi()?;
                if token.kind == Tok::Break { StmtKind::Break } else { StmtKind::Continue }
            }
            Tok::Return => {
                self.bump();
                let value = if self.kind() == Tok::Semi { None } else { Some(self.expression()?) };
                self.expect_semi()?;
                StmtKind::Return(value)
            }
            Tok::Asm => self.asm()?,
            Tok::Else => return Err(self.fail(token.span(), "`else` without a previous `if`")),
            _ => {
                let value = self.expression()?;
                self.expect_semi()?;
                StmtKind::Expr(Some(value))
            }
        };
        let span = self.span_from(lo);
        Ok(self.add_stmt(kind, span))
    }

    /// `( expression )` of a statement's head. An error in it does not hide those of the body.
    fn condition(&mut self) -> Parsed<ExprId> {
        self.expect(Tok::LParen, "`(`")?;
        let lo = self.lo();
        let cond = self.expression().and_then(|cond| self.expect(Tok::RParen, "`)`").map(|_| cond));
        Ok(cond.unwrap_or_else(|Failed| {
            self.skip_parens();
            let span = self.span_from(lo);
            self.add_expr(crate::ast::ExprKind::Error, span)
        }))
    }

    /// `if` with all `else if` that follow, which may be thousands.
    fn if_chain(&mut self) -> Parsed<StmtId> {
        let mut arms: Vec<(Pos, ExprId, StmtId)> = Vec::new();
        let mut otherwise = None;
        loop {
            let lo = self.bump().lo;
            let cond = self.condition()?;
            arms.push((lo, cond, self.statement()?));
            if !self.eat(Tok::Else) {
                break;
            }
            if self.kind() != Tok::If {
                otherwise = Some(self.statement()?);
                break;
            }
        }
        let hi = self.prev_hi();
        for (lo, cond, then) in arms.into_iter().rev() {
            otherwise = Some(self.add_stmt(StmtKind::If(cond, then, otherwise), Span::new(lo, hi)));
        }
        otherwise.ok_or(Failed)
    }

    fn do_while(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let body = self.statement()?;
        self.expect(Tok::While, "`while`")?;
        let cond = self.condition()?;
        self.expect_semi()?;
        Ok(StmtKind::DoWhile(body, cond))
    }

    fn for_loop(&mut self) -> Parsed<StmtKind> {
        self.bump();
        self.expect(Tok::LParen, "`(`")?;
        let (init, cond, step) = self.for_head().unwrap_or_else(|Failed| {
            self.skip_parens();
            (None, None, None)
        });
        let body = self.statement()?;
        Ok(StmtKind::For { init, cond, step, body })
    }

    fn for_head(&mut self) -> Parsed<(Option<StmtId>, Option<ExprId>, Option<ExprId>)> {
        let init = if self.eat(Tok::Semi) {
            None
        } else if self.declares() {
            Some(self.declaration_statement()?)
        } else {
            let value = self.expression()?;
            let span = self.expr_span(value);
            self.expect(Tok::Semi, "`;`")?;
            Some(self.add_stmt(StmtKind::Expr(Some(value)), span))
        };
        let cond = if self.kind() == Tok::Semi { None } else { Some(self.expression()?) };
        self.expect(Tok::Semi, "`;`")?;
        let step = if self.kind() == Tok::RParen { None } else { Some(self.expression()?) };
        self.expect(Tok::RParen, "`)`")?;
        Ok((init, cond, step))
    }

    fn goto(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let kind = if self.eat(Tok::Star) {
            StmtKind::GotoComputed(self.expression()?)
        } else if self.kind() == Tok::Ident {
            StmtKind::Goto(self.bump().name)
        } else {
            return Err(self.expected("identifier or `*`"));
        };
        self.expect_semi()?;
        Ok(kind)
    }

    fn asm(&mut self) -> Parsed<StmtKind> {
        self.bump();
        while matches!(self.kind(), Tok::Volatile | Tok::Inline | Tok::Goto | Tok::Const) {
            self.bump();
        }
        self.expect(Tok::LParen, "`(`")?;
        let mut asm = Asm {
            template: self.string_bytes()?,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
        };
        if self.eat(Tok::Colon) {
            asm.outputs = self.asm_operands()?;
        }
        if self.eat(Tok::Colon) {
            asm.inputs = self.asm_operands()?;
        }
        if self.eat(Tok::Colon) {
            while self.kind() == Tok::Str {
                asm.clobbers.push(self.string_text()?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        if self.eat(Tok::Colon) {
            while self.kind() == Tok::Ident {
                asm.labels.push(self.bump().name);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        self.expect(Tok::RParen, "`:` or `)`")?;
        self.expect_semi()?;
        Ok(StmtKind::Asm(Box::new(asm)))
    }

    /// `[name] "constraint" (expression), …`
    fn asm_operands(&mut self) -> Parsed<Vec<(String, ExprId)>> {
        let mut operands = Vec::new();
        while matches!(self.kind(), Tok::Str | Tok::LBracket) {
            if self.eat(Tok::LBracket) {
                self.expect_ident()?;
                self.expect(Tok::RBracket, "`]`")?;
            }
            let constraint = self.string_text()?;
            self.expect(Tok::LParen, "`(`")?;
            let value = self.expression()?;
            self.expect(Tok::RParen, "`)`")?;
            operands.push((constraint, value));
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        Ok(operands)
    }
}
