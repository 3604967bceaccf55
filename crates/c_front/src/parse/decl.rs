//! Declarations, function definitions, initialisers.

use heddle_base::{Pos, Span};

use super::declarator::Naming;
use super::{Failed, Parsed, Parser};
use crate::ast::{
    Attr, Decl, DeclId, DeclSpecs, Declarator, Derived, Designator, FunctionDef, Init, InitDeclarator, InitId,
    InitItem, Item, Params, Storage,
};
use crate::token::Tok;

/// What begins with declaration specifiers.
pub(super) enum Declaration {
    Decl(DeclId),
    Function(Box<FunctionDef>),
}

impl Parser<'_> {
    pub(super) fn external_declaration(&mut self) -> Parsed<()> {
        let item = match self.kind() {
            Tok::Semi => {
                self.bump();
                return Ok(());
            }
            Tok::Asm => self.file_asm()?,
            Tok::RBrace => return Err(self.expected("identifier or `(`")),
            _ => match self.declaration(Vec::new())? {
                Declaration::Decl(decl) => Item::Decl(decl),
                Declaration::Function(function) => Item::Function(function),
            },
        };
        self.ast.items.push(item);
        Ok(())
    }

    fn file_asm(&mut self) -> Parsed<Item> {
        let lo = self.bump().lo;
        while matches!(self.kind(), Tok::Volatile | Tok::Inline) {
            self.bump();
        }
        self.expect(Tok::LParen, "`(`")?;
        self.string_bytes()?;
        self.expect(Tok::RParen, "`)`")?;
        let span = self.span_from(lo);
        self.expect_semi()?;
        Ok(Item::Asm(span))
    }

    /// A declaration or function definition; `attrs` stood before it.
    pub(super) fn declaration(&mut self, attrs: Vec<Attr>) -> Parsed<Declaration> {
        let lo = self.lo();
        if self.kind() == Tok::StaticAssert {
            return Ok(Declaration::Decl(self.static_assert()?));
        }
        let before = self.at;
        let mut specs = self.specs()?;
        if !attrs.is_empty() {
            specs.noreturn |= attrs.contains(&Attr::Noreturn);
            specs.attrs.splice(..0, attrs);
        }
        if self.at == before && !matches!(self.kind(), Tok::Ident | Tok::LParen | Tok::Star) {
            return Err(self.expected("identifier or `(`"));
        }
        let mut declarators = Vec::new();
        if self.kind() != Tok::Semi {
            // `struct s { … }` without its `;`: what follows on the next line is a declaration of its own.
            if self.at > before && self.behind_record() && self.specs_ahead(0) {
                self.expected_behind("`;`, identifier or `(`");
                let span = self.span_from(lo);
                let decl = self.ast.decls.push(Decl::Variables { specs, declarators, span });
                return Ok(Declaration::Decl(decl));
            }
            let first = self.first_declarator(&specs)?;
            if self.begins_body(&first) {
                return Ok(Declaration::Function(self.function(specs, first, lo)?));
            }
            self.init_declarators(&specs, first, &mut declarators)?;
        }
        self.expect_end(if declarators.is_empty() { "`;`" } else { "`=`, `,`, `;`, `asm` or `__attribute__`" })?;
        let span = self.span_from(lo);
        Ok(Declaration::Decl(self.ast.decls.push(Decl::Variables { specs, declarators, span })))
    }

    /// A declarator with what stands between it and its initialiser; its name is in scope from then on.
    fn first_declarator(&mut self, specs: &DeclSpecs) -> Parsed<Declarator> {
        let mut declarator = self.declarator(Naming::Required)?;
        self.declarator_tail(&mut declarator)?;
        if let Some(name) = declarator.name {
            self.names.declare(name, specs.storage == Some(Storage::Typedef));
        }
        Ok(declarator)
    }

    fn declarator_tail(&mut self, declarator: &mut Declarator) -> Parsed<()> {
        loop {
            if self.at_attribute() {
                self.attributes(&mut declarator.attrs)?;
            } else if self.kind() == Tok::Asm {
                self.bump();
                self.expect(Tok::LParen, "`(`")?;
                declarator.asm_label = Some(self.string_symbol()?);
                self.expect(Tok::RParen, "`)`")?;
            } else {
                return Ok(());
            }
        }
    }

    fn init_declarators(
        &mut self,
        specs: &DeclSpecs,
        first: Declarator,
        declarators: &mut Vec<InitDeclarator>,
    ) -> Parsed<()> {
        let mut declarator = first;
        loop {
            let init = if self.eat(Tok::Eq) { Some(self.initializer()?) } else { None };
            declarators.push(InitDeclarator { declarator, init });
            if !self.eat(Tok::Comma) {
                return Ok(());
            }
            let mut attrs = Vec::new();
            self.attributes(&mut attrs)?;
            declarator = self.first_declarator(specs)?;
            declarator.attrs.append(&mut attrs);
        }
    }

    /// Whether a function's body, or the parameters of an old-style definition, follow its declarator.
    fn begins_body(&self, declarator: &Declarator) -> bool {
        let Some(Derived::Function(params)) = declarator.derived.first() else { return false };
        match params {
            Params::Identifiers(_) => self.kind() == Tok::LBrace || self.specs_ahead(0),
            Params::Unspecified | Params::Prototype { .. } => self.kind() == Tok::LBrace,
        }
    }

    fn function(&mut self, specs: DeclSpecs, declarator: Declarator, lo: Pos) -> Parsed<Box<FunctionDef>> {
        self.enter()?;
        let parsed = self.in_scope(|parser| {
            parser.declare_params(&declarator);
            let kr_decls = parser.old_style_params()?;
            if parser.kind() != Tok::LBrace {
                return Err(parser.expected("`{`"));
            }
            // The parameters' scope is the body's.
            Ok((kr_decls, parser.block_in_scope()?))
        });
        self.leave();
        let (kr_decls, body) = parsed?;
        Ok(Box::new(FunctionDef { specs, declarator, kr_decls, body, span: self.span_from(lo) }))
    }

    fn declare_params(&mut self, declarator: &Declarator) {
        match declarator.derived.first() {
            Some(Derived::Function(Params::Prototype { params, .. })) => {
                for name in params.iter().filter_map(|p| p.declarator.name) {
                    self.names.declare(name, false);
                }
            }
            Some(Derived::Function(Params::Identifiers(names))) => {
                for &(name, _) in names {
                    self.names.declare(name, false);
                }
            }
            _ => {}
        }
    }

    fn old_style_params(&mut self) -> Parsed<Vec<DeclId>> {
        let mut decls = Vec::new();
        while self.specs_ahead(0) {
            match self.declaration(Vec::new())? {
                Declaration::Decl(decl) => decls.push(decl),
                Declaration::Function(function) => {
                    return Err(self.fail(function.declarator.span, "a parameter cannot be a function definition"));
                }
            }
        }
        Ok(decls)
    }

    pub(super) fn static_assert(&mut self) -> Parsed<DeclId> {
        let lo = self.bump().lo;
        self.expect(Tok::LParen, "`(`")?;
        let cond = self.conditional()?;
        let message = if self.eat(Tok::Comma) { Some(self.string_text()?) } else { None };
        self.expect(Tok::RParen, "`)`")?;
        self.expect_semi()?;
        let span = self.span_from(lo);
        Ok(self.ast.decls.push(Decl::StaticAssert { cond, message, span }))
    }

    pub(super) fn initializer(&mut self) -> Parsed<InitId> {
        if self.kind() == Tok::LBrace {
            return self.init_list();
        }
        let value = self.assignment()?;
        Ok(self.ast.inits.push(Init::Expr(value)))
    }

    /// `{ … }`
    pub(super) fn init_list(&mut self) -> Parsed<InitId> {
        self.enter()?;
        let items = self.init_items();
        self.leave();
        let (items, span) = items?;
        Ok(self.ast.inits.push(Init::List { items, span }))
    }

    fn init_items(&mut self) -> Parsed<(Vec<InitItem>, Span)> {
        let open = self.bump();
        let mut items = Vec::new();
        while self.kind() != Tok::RBrace {
            let designators = self.designators()?;
            let init = self.initializer()?;
            items.push(InitItem { designators, init });
            if !self.eat(Tok::Comma) && self.kind() != Tok::RBrace {
                if self.kind() == Tok::Eof {
                    return Err(self.unclosed(open));
                }
                return Err(self.expected_behind("`,` or `}`"));
            }
        }
        self.bump();
        Ok((items, self.span_from(open.lo)))
    }

    fn designators(&mut self) -> Parsed<Vec<Designator>> {
        let mut designators = Vec::new();
        if self.kind() == Tok::Ident && self.peek(1) == Tok::Colon {
            let token = self.bump();
            self.bump();
            designators.push(Designator::Field(token.name, token.span()));
            return Ok(designators);
        }
        self.designator_chain(&mut designators)?;
        if designators.is_empty() || self.eat(Tok::Eq) {
            return Ok(designators);
        }
        // GNU takes `[index] value`, but not `.member value`.
        if let [Designator::Index(_) | Designator::Range(..)] = designators[..] {
            return Ok(designators);
        }
        Err(self.expected_behind("`=`"))
    }

    /// `.member`, `[index]` and `[first ... last]`, as many as stand here.
    pub(super) fn designator_chain(&mut self, designators: &mut Vec<Designator>) -> Parsed<()> {
        loop {
            match self.kind() {
                Tok::Dot => {
                    self.bump();
                    let (name, span) = self.expect_ident()?;
                    designators.push(Designator::Field(name, span));
                }
                Tok::LBracket => {
                    self.bump();
                    let first = self.assignment()?;
                    let designator = if self.eat(Tok::Ellipsis) {
                        Designator::Range(first, self.assignment()?)
                    } else {
                        Designator::Index(first)
                    };
                    self.expect(Tok::RBracket, "`]`")?;
                    designators.push(designator);
                }
                _ => return Ok(()),
            }
        }
    }
}

impl Parser<'_> {
    /// Parses something in a scope of its own, which is closed whatever happens.
    pub(super) fn in_scope<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, Failed>) -> Parsed<T> {
        let depth = self.names.scope_depth();
        self.names.open_scope();
        let result = parse(self);
        self.names.close_to(depth);
        result
    }
}
