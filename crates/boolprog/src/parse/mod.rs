//! From text to syntax tree, [BOOLPROG Figs. 1 and 2], by recursive descent.
//!
//! The first error ends it. Nesting is limited ([`MAX_DEPTH`]), so that no text can exhaust the stack, here or in
//! anything that walks over the tree.
//!
//! ```text
//! program    ::= ( declaration | procedure )+
//! declaration::= 'decl' id (',' id)* ';'
//! procedure  ::= [ 'void' | 'bool' | 'bool' '<' n '>' ] id '(' [id (',' id)*] ')' 'begin' declaration* statement* 'end'
//! statement  ::= (id ':')* ( 'skip' | 'goto' id, … | 'return' [e, …] | x, … ':=' e, … ['constrain' e]
//!              | [x, … ':='] f '(' [e, …] ')' | 'lock' id | 'unlock' id | 'assume' '(' e ')' | 'assert' '(' e ')'
//!              | 'start_thread' ( ['goto'] id | f '(' [e, …] ')' ) | 'end_thread' ) ';'
//!              | 'if' '(' e ')' ( 'then' … ('elsif' '(' e ')' 'then' …)* ['else' …] 'fi' | '{' … '}' ['else' …] )
//!              | 'while' '(' e ')' ( 'do' … 'od' | '{' … '}' )
//!              | 'atomic' ( 'begin' … 'end' | '{' … '}' ) | 'atomic_begin' ';' … 'atomic_end' ';'
//! ```
//!
//! Operators, weakest first: `=>`, `|`, `&`, `=` and `!=`, `!`. They have the usual other spellings (`||`, `&&`, `==`, `^`, `~`).

mod expr;

use heddle_base::Span;

use crate::ast::{Name, Procedure, Program, Start, Stmt, StmtKind, Target};
use crate::diagnostic::Diagnostic;
use crate::lex::{Token, TokenKind, lex};

/// How deep statements and expressions may be nested.
pub const MAX_DEPTH: usize = 200;

/// The syntax tree of a text.
pub fn parse(text: &str) -> Result<Program, Diagnostic> {
    let mut parser = Parser { tokens: lex(text)?, at: 0, depth: 0 };
    parser.program()
}

/// Words that cannot be names.
const KEYWORDS: [&str; 28] = [
    "decl",
    "begin",
    "end",
    "skip",
    "goto",
    "return",
    "constrain",
    "lock",
    "unlock",
    "assume",
    "assert",
    "start_thread",
    "end_thread",
    "if",
    "then",
    "elsif",
    "else",
    "fi",
    "while",
    "do",
    "od",
    "atomic",
    "atomic_begin",
    "atomic_end",
    "schoose",
    "void",
    "true",
    "false",
];

struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn kind(&self) -> TokenKind<'t> {
        self.tokens[self.at].kind
    }

    fn kind_behind(&self, ahead: usize) -> TokenKind<'t> {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.kind(), TokenKind::Symbol(s) if s == symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.kind(), TokenKind::Identifier(s) if s == word)
    }

    fn eat_symbol(&mut self, symbol: &str) -> bool {
        let is = self.is_symbol(symbol);
        if is {
            self.advance();
        }
        is
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        if is {
            self.advance();
        }
        is
    }

    fn found(&self) -> String {
        match self.kind() {
            TokenKind::Identifier(s) => format!("`{s}`"),
            TokenKind::Bit(b) => format!("`{}`", u8::from(b)),
            TokenKind::Number(n) => format!("`{n}`"),
            TokenKind::Choice(_) => "`*`".to_owned(),
            TokenKind::Symbol(s) => format!("`{s}`"),
            TokenKind::End => "the end of the file".to_owned(),
        }
    }

    fn expected<T>(&self, what: &str) -> Result<T, Diagnostic> {
        Err(Diagnostic::new(self.span(), format!("expected {what}, found {}", self.found())))
    }

    fn symbol(&mut self, symbol: &str) -> Result<(), Diagnostic> {
        if self.eat_symbol(symbol) { Ok(()) } else { self.expected(&format!("`{symbol}`")) }
    }

    fn word(&mut self, word: &str) -> Result<(), Diagnostic> {
        if self.eat_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    fn name(&mut self, what: &str) -> Result<Name, Diagnostic> {
        match self.kind() {
            TokenKind::Identifier(text) if !KEYWORDS.contains(&text) => {
                let name = Name { text: text.to_owned(), span: self.span() };
                self.advance();
                Ok(name)
            }
            _ => self.expected(what),
        }
    }

    /// One or more names with commas between them.
    fn names(&mut self, what: &str) -> Result<Vec<Name>, Diagnostic> {
        let mut names = vec![self.name(what)?];
        while self.eat_symbol(",") {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// One level deeper while `inside` runs.
    fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Result<T, Diagnostic>) -> Result<T, Diagnostic> {
        if self.depth == MAX_DEPTH {
            return Err(Diagnostic::new(self.span(), format!("nested more than {MAX_DEPTH} deep")));
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    fn program(&mut self) -> Result<Program, Diagnostic> {
        let mut program = Program::default();
        while self.kind() != TokenKind::End {
            if self.is_word("decl") {
                program.globals.extend(self.declaration()?);
            } else {
                program.procedures.push(self.procedure()?);
            }
        }
        if program.procedures.is_empty() {
            return Err(Diagnostic::new(self.span(), "the file has no procedure"));
        }
        Ok(program)
    }

    fn declaration(&mut self) -> Result<Vec<Name>, Diagnostic> {
        self.word("decl")?;
        let names = self.names("the name of a variable")?;
        self.symbol(";")?;
        Ok(names)
    }

    fn procedure(&mut self) -> Result<Procedure, Diagnostic> {
        let returns = self.return_type()?;
        let name = self.name("a declaration or a procedure")?;
        self.symbol("(")?;
        let params = if self.is_symbol(")") { Vec::new() } else { self.names("the name of a parameter")? };
        self.symbol(")")?;
        let braces = self.is_symbol("{");
        if braces {
            self.symbol("{")?
        } else {
            self.word("begin")?
        };
        let mut locals = Vec::new();
        while self.is_word("decl") {
            locals.extend(self.declaration()?);
        }
        let body = self.statements(if braces { &["}"] } else { &["end"] })?;
        self.advance();
        Ok(Procedure { name, params, returns, locals, body })
    }

    fn return_type(&mut self) -> Result<Option<usize>, Diagnostic> {
        if self.eat_word("void") {
            return Ok(Some(0));
        }
        // `bool` is a type only if a name or `<` follows; else somebody's procedure is called so.
        let is_type = matches!(self.kind_behind(1), TokenKind::Identifier(_) | TokenKind::Symbol("<"));
        if !(self.is_word("bool") && is_type) {
            return Ok(None);
        }
        self.advance();
        if !self.eat_symbol("<") {
            return Ok(Some(1));
        }
        let count = match self.kind() {
            TokenKind::Bit(b) => usize::from(b),
            TokenKind::Number(n) => n as usize,
            _ => return self.expected("the number of values that are returned"),
        };
        self.advance();
        self.symbol(">")?;
        Ok(Some(count))
    }

    /// Statements up to one of the given words, which is not consumed.
    fn statements(&mut self, ends: &[&str]) -> Result<Vec<Stmt>, Diagnostic> {
        let mut statements = Vec::new();
        loop {
            match self.kind() {
                TokenKind::Identifier(word) | TokenKind::Symbol(word) if ends.contains(&word) => return Ok(statements),
                TokenKind::End => return self.expected(&format!("a statement or `{}`", ends[ends.len() - 1])),
                _ => statements.push(self.nested(Self::statement)?),
            }
        }
    }

    fn statement(&mut self) -> Result<Stmt, Diagnostic> {
        let mut labels = Vec::new();
        while matches!(self.kind_behind(1), TokenKind::Symbol(":")) {
            labels.push(self.name("a label")?);
            self.symbol(":")?;
        }
        let begin = self.span();
        // A label may stand at the end of a block, before nothing.
        let at_end = ["end", "fi", "od", "else", "elsif", "atomic_end"].iter().any(|w| self.is_word(w));
        if !labels.is_empty() && (at_end || self.is_symbol("}")) {
            return Ok(Stmt { labels, kind: StmtKind::Skip, span: begin });
        }
        let kind = self.statement_kind()?;
        let last = self.tokens[self.at.saturating_sub(1)].span;
        let span = match kind {
            StmtKind::If { .. } | StmtKind::While { .. } | StmtKind::Atomic(_) => begin,
            _ => begin.to(last),
        };
        Ok(Stmt { labels, kind, span })
    }

    fn statement_kind(&mut self) -> Result<StmtKind, Diagnostic> {
        let TokenKind::Identifier(word) = self.kind() else { return self.expected("a statement") };
        let kind = match word {
            "if" => return self.if_statement(),
            "while" => return self.while_statement(),
            "atomic" | "atomic_begin" => return self.atomic(),
            "skip" => self.keyword(StmtKind::Skip),
            "end_thread" => self.keyword(StmtKind::EndThread),
            "goto" => {
                self.advance();
                StmtKind::Goto(self.names("a label")?)
            }
            "return" => {
                self.advance();
                StmtKind::Return(if self.is_symbol(";") { Vec::new() } else { self.expressions()? })
            }
            "lock" => {
                self.advance();
                StmtKind::Lock(self.name("the name of a lock")?)
            }
            "unlock" => {
                self.advance();
                StmtKind::Unlock(self.name("the name of a lock")?)
            }
            "assume" => {
                self.advance();
                StmtKind::Assume(self.condition()?)
            }
            "assert" => {
                self.advance();
                StmtKind::Assert(self.condition()?)
            }
            "start_thread" => {
                self.advance();
                StmtKind::StartThread(self.start()?)
            }
            _ if matches!(self.kind_behind(1), TokenKind::Symbol("(")) => self.call(Vec::new())?,
            _ => self.assignment()?,
        };
        self.symbol(";")?;
        Ok(kind)
    }

    fn keyword(&mut self, kind: StmtKind) -> StmtKind {
        self.advance();
        kind
    }

    fn start(&mut self) -> Result<Start, Diagnostic> {
        if self.eat_word("goto") {
            return Ok(Start::At(self.name("a label")?));
        }
        let name = self.name("a label or a procedure")?;
        if self.is_symbol("(") {
            return Ok(Start::Call { callee: name, args: self.arguments()? });
        }
        Ok(Start::At(name))
    }

    fn call(&mut self, targets: Vec<Target>) -> Result<StmtKind, Diagnostic> {
        let callee = self.name("the name of a procedure")?;
        let args = self.arguments()?;
        Ok(StmtKind::Call { targets, callee, args })
    }

    fn arguments(&mut self) -> Result<Vec<crate::ast::Expr>, Diagnostic> {
        self.symbol("(")?;
        let args = if self.is_symbol(")") { Vec::new() } else { self.expressions()? };
        self.symbol(")")?;
        Ok(args)
    }

    fn assignment(&mut self) -> Result<StmtKind, Diagnostic> {
        let mut targets = vec![self.target()?];
        while self.eat_symbol(",") {
            targets.push(self.target()?);
        }
        self.symbol(":=")?;
        let calls = matches!(self.kind(), TokenKind::Identifier(w) if !KEYWORDS.contains(&w))
            && matches!(self.kind_behind(1), TokenKind::Symbol("("));
        if calls {
            return self.call(targets);
        }
        let values = self.expressions()?;
        let constrain = if self.eat_word("constrain") { Some(self.expression()?) } else { None };
        Ok(StmtKind::Assign { targets, values, constrain })
    }

    fn target(&mut self) -> Result<Target, Diagnostic> {
        let name = self.name("a statement")?;
        let passive = self.eat_symbol("$");
        Ok(Target { name, passive })
    }

    fn if_statement(&mut self) -> Result<StmtKind, Diagnostic> {
        self.advance();
        let condition = self.condition()?;
        if self.is_symbol("{") {
            return self.if_in_braces(condition);
        }
        self.word("then")?;
        let ends = ["elsif", "else", "fi"];
        let mut arms = vec![(condition, self.statements(&ends)?)];
        while self.eat_word("elsif") {
            let condition = self.condition()?;
            self.word("then")?;
            arms.push((condition, self.statements(&ends)?));
        }
        let otherwise = if self.eat_word("else") { self.statements(&["fi"])? } else { Vec::new() };
        self.word("fi")?;
        self.eat_symbol(";");
        Ok(StmtKind::If { arms, otherwise })
    }

    fn if_in_braces(&mut self, condition: crate::ast::Expr) -> Result<StmtKind, Diagnostic> {
        let mut arms = vec![(condition, self.braces()?)];
        let mut otherwise = Vec::new();
        while self.eat_word("else") {
            if self.eat_word("if") {
                let condition = self.condition()?;
                arms.push((condition, self.braces()?));
            } else {
                otherwise = self.braces()?;
                break;
            }
        }
        Ok(StmtKind::If { arms, otherwise })
    }

    fn braces(&mut self) -> Result<Vec<Stmt>, Diagnostic> {
        self.symbol("{")?;
        let body = self.statements(&["}"])?;
        self.symbol("}")?;
        Ok(body)
    }

    fn while_statement(&mut self) -> Result<StmtKind, Diagnostic> {
        self.advance();
        let condition = self.condition()?;
        let body = if self.is_symbol("{") {
            self.braces()?
        } else {
            self.word("do")?;
            let body = self.statements(&["od"])?;
            self.word("od")?;
            self.eat_symbol(";");
            body
        };
        Ok(StmtKind::While { condition, body })
    }

    fn atomic(&mut self) -> Result<StmtKind, Diagnostic> {
        if self.eat_word("atomic_begin") {
            self.symbol(";")?;
            let body = self.statements(&["atomic_end"])?;
            self.word("atomic_end")?;
            self.symbol(";")?;
            return Ok(StmtKind::Atomic(body));
        }
        self.advance();
        if self.is_symbol("{") {
            return Ok(StmtKind::Atomic(self.braces()?));
        }
        self.word("begin")?;
        let body = self.statements(&["end"])?;
        self.word("end")?;
        self.eat_symbol(";");
        Ok(StmtKind::Atomic(body))
    }
}

#[cfg(test)]
mod tests;
