//! Declarators, named and abstract, and parameter lists.

use heddle_base::Span;
use smallvec::SmallVec;

use super::{Parsed, Parser};
use crate::ast::{ArraySize, Basic, Declarator, Derived, ParamDecl, Params, Quals, TypeSpec};
use crate::token::Tok;

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// In declarations and of members.
    Required,
    /// In parameters, and of bit-fields.
    Optional,
    /// In type names.
    Forbidden,
}

impl Parser<'_> {
    pub(super) fn declarator(&mut self, naming: Naming) -> Parsed<Declarator> {
        let lo = self.lo();
        let span = Span::new(lo, lo);
        let mut declarator = Declarator { name: None, derived: Vec::new(), asm_label: None, attrs: Vec::new(), span };
        self.enter()?;
        let parsed = self.declarator_into(&mut declarator, naming);
        self.leave();
        parsed?;
        if declarator.name.is_none() {
            declarator.span = self.span_from(lo);
        }
        Ok(declarator)
    }

    fn declarator_into(&mut self, out: &mut Declarator, naming: Naming) -> Parsed<()> {
        // The pointer nearest to the name is the last one, and all of them come behind arrays and functions.
        let mut pointers = SmallVec::<[Quals; 8]>::new();
        while self.eat(Tok::Star) {
            let mut quals = Quals::default();
            loop {
                self.qualifiers(&mut quals);
                if !self.at_attribute() {
                    break;
                }
                self.attributes(&mut out.attrs)?;
            }
            pointers.push(quals);
        }
        self.direct_declarator(out, naming)?;
        out.derived.extend(pointers.into_iter().rev().map(|quals| Derived::Pointer { quals }));
        Ok(())
    }

    fn direct_declarator(&mut self, out: &mut Declarator, naming: Naming) -> Parsed<()> {
        match self.kind() {
            Tok::Ident if naming != Naming::Forbidden => {
                let token = self.bump();
                out.name = Some(token.name);
                out.span = token.span();
            }
            Tok::LParen if naming == Naming::Required || self.groups() => {
                self.bump();
                self.attributes(&mut out.attrs)?;
                self.enter()?;
                let inner = self.declarator_into(out, naming);
                self.leave();
                inner?;
                self.attributes(&mut out.attrs)?;
                self.expect(Tok::RParen, "`)`")?;
            }
            _ if naming == Naming::Required => return Err(self.expected("identifier or `(`")),
            _ => {}
        }
        self.suffixes(out)
    }

    /// Whether the `(` here groups an abstract declarator, rather than beginning parameters.
    fn groups(&self) -> bool {
        match self.peek(1) {
            Tok::RParen | Tok::Ellipsis => false,
            // `(__attribute__((…)) *f)`: only what follows the attribute could tell; a pointer is what programs mean.
            Tok::Attribute => true,
            _ => !self.specs_ahead(1),
        }
    }

    fn suffixes(&mut self, out: &mut Declarator) -> Parsed<()> {
        loop {
            let derived = match self.kind() {
                Tok::LBracket if self.peek(1) == Tok::LBracket => {
                    self.attributes(&mut out.attrs)?;
                    continue;
                }
                Tok::LBracket => self.array()?,
                Tok::LParen => {
                    self.bump();
                    self.names.open_scope();
                    let params = self.params();
                    self.names.close_scope();
                    Derived::Function(params?)
                }
                _ => return Ok(()),
            };
            out.derived.push(derived);
        }
    }

    fn array(&mut self) -> Parsed<Derived> {
        self.bump();
        let mut quals = Quals::default();
        // `static` only promises something to the compiler.
        self.eat(Tok::Static);
        self.qualifiers(&mut quals);
        self.eat(Tok::Static);
        let size = match self.kind() {
            Tok::RBracket => ArraySize::Unknown,
            Tok::Star if self.peek(1) == Tok::RBracket => {
                self.bump();
                ArraySize::Star
            }
            _ => ArraySize::Expr(self.assignment()?),
        };
        self.expect(Tok::RBracket, "`]`")?;
        Ok(Derived::Array { size, quals })
    }

    /// Parameters, the `(` already read.
    fn params(&mut self) -> Parsed<Params> {
        match self.kind() {
            Tok::RParen => {
                self.bump();
                return Ok(Params::Unspecified);
            }
            Tok::Ident if !self.specs_ahead(0) && matches!(self.peek(1), Tok::Comma | Tok::RParen) => {
                return self.identifier_list();
            }
            _ => {}
        }
        let mut params = Vec::new();
        let mut variadic = false;
        loop {
            if self.eat(Tok::Ellipsis) {
                variadic = true;
                break;
            }
            params.push(self.param()?);
            if self.kind() == Tok::Semi {
                // GNU forward declarations of parameters: those behind the `;` count.
                self.bump();
                params.clear();
            } else if !self.eat(Tok::Comma) {
                break;
            }
        }
        if self.kind() != Tok::RParen {
            return Err(self.expected_behind(if variadic { "`)`" } else { "`;`, `,` or `)`" }));
        }
        self.bump();
        if let [only] = &params[..]
            && !variadic
            && is_void(only)
        {
            params.clear();
        }
        Ok(Params::Prototype { params, variadic })
    }

    fn param(&mut self) -> Parsed<ParamDecl> {
        let before = self.at;
        let specs = self.specs()?;
        if self.at == before {
            if self.kind() == Tok::Ident {
                self.unknown_type();
                return Err(super::Failed);
            }
            return Err(self.expected("declaration specifiers or `...`"));
        }
        let mut declarator = self.declarator(Naming::Optional)?;
        self.attributes(&mut declarator.attrs)?;
        if let Some(name) = declarator.name {
            self.names.declare(name, false);
        }
        Ok(ParamDecl { specs, declarator })
    }

    fn identifier_list(&mut self) -> Parsed<Params> {
        let mut names = Vec::new();
        loop {
            names.push(self.expect_ident()?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RParen, "`)`")?;
        Ok(Params::Identifiers(names))
    }
}

/// Whether a parameter is the `void` of `(void)`.
fn is_void(param: &ParamDecl) -> bool {
    param.specs.ty == TypeSpec::Basic(Basic::Void)
        && param.specs.quals == Quals::default()
        && param.declarator.name.is_none()
        && param.declarator.derived.is_empty()
}
