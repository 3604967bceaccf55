//! The parser: tokens to [`Ast`] by recursive descent.
//!
//! The one thing C's grammar asks of a parser beyond syntax is which names are typedefs; `names` tracks them through
//! block scopes. Everything else is left to semantic analysis.
//!
//! A syntax error is reported where it is found and unwinds as `Failed` to the statement, declaration or parenthesised
//! head around it, where parsing goes on. What can be long in real programs (operator chains, `else if`, `case` labels,
//! prefix operators) is parsed by loops; what nests is limited by [`MAX_DEPTH`], so that no input can overflow the stack.

mod attr;
mod decl;
mod declarator;
mod expr;
mod literal;
mod names;
mod specs;
mod stmt;
mod tag;

use heddle_base::{Pos, SourceMap, Span};

use crate::ast::{Ast, BinaryOp, Expr, ExprId, ExprKind, Stmt, StmtId, StmtKind};
use crate::diag::Diagnostics;
use crate::intern::{Interner, Symbol};
use crate::lex::{Lexed, lex};
use crate::token::{Tok, Token};
use names::Names;

/// How deep constructs may nest. Sized so that an unoptimised build stays within the 2 MiB stack of a test thread.
pub const MAX_DEPTH: u32 = 256;

/// Parses the input that begins at `start`, which must be the newest input of `sources`.
///
/// The line markers of the text are added to `sources`. Errors go to `diags`; the tree then has holes
/// ([`ExprKind::Error`], [`StmtKind::Error`]) or lacks declarations, but is well-formed.
pub fn parse_unit(sources: &mut SourceMap, start: Pos, interner: &mut Interner, diags: &mut Diagnostics) -> Ast {
    let file = sources.file_name(sources.loc(start).file);
    let mut lexed = lex(sources.text(start), start, file, interner, diags);
    let markers = std::mem::take(&mut lexed.markers);
    let ast = Parser::new(&lexed, interner, diags).unit();
    for marker in markers {
        sources.add_marker(marker.pos, &marker.file, marker.line);
        if marker.system {
            sources.mark_system(&marker.file);
        }
    }
    Ast { start, ..ast }
}

/// A syntax error was reported; the construct could not be parsed.
struct Failed;

type Parsed<T> = Result<T, Failed>;

struct Parser<'a> {
    lexed: &'a Lexed<'a>,
    at: usize,
    interner: &'a mut Interner,
    diags: &'a mut Diagnostics,
    ast: Ast,
    names: Names,
    depth: u32,
    /// After an error behind which there is nothing to parse, further ones would only be its echo.
    silent: bool,
    /// Pending binary operators of all expressions being parsed, innermost last.
    operators: Vec<(BinaryOp, u8, ExprId)>,
    /// Pending prefix operators, likewise.
    prefixes: Vec<expr::Prefix>,
}

impl<'a> Parser<'a> {
    fn new(lexed: &'a Lexed<'a>, interner: &'a mut Interner, diags: &'a mut Diagnostics) -> Self {
        let names = Names::new(interner.len());
        Parser {
            lexed,
            at: 0,
            interner,
            diags,
            ast: Ast::default(),
            names,
            depth: 0,
            silent: false,
            operators: Vec::new(),
            prefixes: Vec::new(),
        }
    }

    fn unit(mut self) -> Ast {
        while self.kind() != Tok::Eof {
            let before = self.at;
            if self.external_declaration().is_err() {
                self.skip_declaration();
            }
            if self.at == before {
                self.bump();
            }
        }
        self.ast
    }

    // Tokens.

    #[inline]
    fn token(&self) -> Token {
        self.lexed.tokens[self.at]
    }

    #[inline]
    fn kind(&self) -> Tok {
        self.lexed.tokens[self.at].kind
    }

    /// The kind of a token ahead; 0 is the current one.
    #[inline]
    fn peek(&self, ahead: usize) -> Tok {
        self.lexed.tokens.get(self.at + ahead).map_or(Tok::Eof, |t| t.kind)
    }

    #[inline]
    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != Tok::Eof {
            self.at += 1;
        }
        token
    }

    #[inline]
    fn eat(&mut self, kind: Tok) -> bool {
        let found = self.kind() == kind;
        if found {
            self.bump();
        }
        found
    }

    /// Where the current token begins.
    #[inline]
    fn lo(&self) -> Pos {
        self.token().lo
    }

    /// Where the token before the current one ends.
    #[inline]
    fn prev_hi(&self) -> Pos {
        self.at.checked_sub(1).map_or(self.token().lo, |i| self.lexed.tokens[i].hi)
    }

    #[inline]
    fn span_from(&self, lo: Pos) -> Span {
        Span::new(lo, self.prev_hi().max(lo))
    }

    /// The current token must be `kind`, written `what` in messages.
    #[inline]
    fn expect(&mut self, kind: Tok, what: &str) -> Parsed<Token> {
        if self.kind() == kind {
            return Ok(self.bump());
        }
        Err(self.expected_behind(what))
    }

    fn expect_ident(&mut self) -> Parsed<(Symbol, Span)> {
        if self.kind() == Tok::Ident {
            let token = self.bump();
            return Ok((token.name, token.span()));
        }
        Err(self.expected("identifier"))
    }

    /// The end of a statement or declaration. A missing one is reported, and parsing goes on if a new line begins here.
    fn expect_semi(&mut self) -> Parsed<()> {
        self.expect_end("`;`")
    }

    fn expect_end(&mut self, what: &str) -> Parsed<()> {
        if self.eat(Tok::Semi) {
            return Ok(());
        }
        let failed = self.expected_behind(what);
        if self.kind() == Tok::RBrace || self.on_new_line() { Ok(()) } else { Err(failed) }
    }

    fn on_new_line(&self) -> bool {
        let Some(before) = self.at.checked_sub(1) else { return true };
        let gap = Token { lo: self.lexed.tokens[before].hi, hi: self.token().lo, ..self.token() };
        self.lexed.spelling(gap).contains('\n')
    }

    // Errors.

    /// Reports that `what` should stand before the current token, at that token.
    #[cold]
    fn expected(&mut self, what: &str) -> Failed {
        let span = self.token().span();
        self.expected_at(what, span)
    }

    /// The same, at the end of the token before.
    #[cold]
    fn expected_behind(&mut self, what: &str) -> Failed {
        let hi = self.prev_hi();
        self.expected_at(what, Span::new(hi, hi))
    }

    #[cold]
    fn expected_at(&mut self, what: &str, span: Span) -> Failed {
        if self.behind_open_literal() {
            return Failed;
        }
        let found = self.describe();
        self.fail(span, format!("expected {what} {found}"))
    }

    /// Whether the lexer could not close the literal before the current token, and has said so: what is missing here
    /// may stand in it.
    fn behind_open_literal(&self) -> bool {
        let before = self.at.checked_sub(1).map(|i| self.lexed.tokens[i]);
        before.is_some_and(|t| matches!(t.kind, Tok::Str | Tok::Char) && t.lo == t.hi)
    }

    /// The current token for "expected …".
    fn describe(&self) -> String {
        match self.kind() {
            Tok::Eof => "at end of input".to_owned(),
            Tok::Number => "before numeric constant".to_owned(),
            Tok::Char => "before character constant".to_owned(),
            Tok::Str => "before string constant".to_owned(),
            _ => {
                let spelling = self.lexed.spelling(self.token());
                let clipped: String = spelling.chars().take(60).collect();
                format!("before `{clipped}`")
            }
        }
    }

    #[cold]
    fn fail(&mut self, span: Span, message: impl Into<String>) -> Failed {
        self.error(span, message);
        Failed
    }

    #[cold]
    fn error(&mut self, span: Span, message: impl Into<String>) {
        if !self.silent {
            self.diags.error(span, message);
        }
    }

    /// Begins a construct that may nest in itself.
    #[inline]
    fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.too_deep()) } else { Ok(()) }
    }

    #[inline]
    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// There is no use in what follows: parsing ends here.
    #[cold]
    fn too_deep(&mut self) -> Failed {
        self.depth -= 1;
        let span = self.token().span();
        self.error(span, format!("nested too deeply (more than {MAX_DEPTH} levels)"));
        self.silent = true;
        self.at = self.lexed.tokens.len() - 1;
        Failed
    }

    // Recovery.

    /// Skips the rest of a statement: behind the next `;`, behind a block, or before the `}` that ends this block.
    fn skip_statement(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.kind() {
                Tok::Eof => return,
                Tok::Semi if depth == 0 => {
                    self.bump();
                    return;
                }
                Tok::LBrace => depth += 1,
                Tok::RBrace if depth == 0 => return,
                Tok::RBrace => {
                    depth -= 1;
                    if depth == 0 {
                        self.bump();
                        return;
                    }
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips the rest of a declaration at file scope.
    fn skip_declaration(&mut self) {
        self.skip_statement();
        // `struct s { … } x;` may have broken inside of the braces.
        while self.kind() == Tok::RBrace {
            self.bump();
            self.eat(Tok::Semi);
        }
    }

    /// Skips behind the `)` that closes a parenthesis already open; stops at braces.
    fn skip_parens(&mut self) {
        let mut depth = 1u32;
        while !matches!(self.kind(), Tok::Eof | Tok::LBrace | Tok::RBrace) {
            let token = self.bump();
            match token.kind {
                Tok::LParen => depth += 1,
                Tok::RParen => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    // Nodes.

    #[inline]
    fn add_expr(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.ast.exprs.push(Expr { kind, span })
    }

    #[inline]
    fn expr_span(&self, expr: ExprId) -> Span {
        self.ast.exprs[expr].span
    }

    #[inline]
    fn add_stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.ast.stmts.push(Stmt { kind, span })
    }
}

#[cfg(test)]
mod tests;
