//! Attributes: GNU's `__attribute__((…))` and C2x's `[[…]]`. What has no bearing on a program's meaning is skipped.

use heddle_base::Span;

use super::{Parsed, Parser};
use crate::ast::{Attr, ExprId};
use crate::intern::Symbol;
use crate::token::Tok;

impl Parser<'_> {
    #[inline]
    pub(super) fn at_attribute(&self) -> bool {
        match self.kind() {
            Tok::Attribute => true,
            Tok::LBracket => self.peek(1) == Tok::LBracket,
            _ => false,
        }
    }

    /// All attributes that stand here.
    #[inline]
    pub(super) fn attributes(&mut self, attrs: &mut Vec<Attr>) -> Parsed<()> {
        while self.at_attribute() {
            self.attribute_list(attrs)?;
        }
        Ok(())
    }

    fn attribute_list(&mut self, attrs: &mut Vec<Attr>) -> Parsed<()> {
        let gnu = self.bump().kind == Tok::Attribute;
        let (open, close, text) =
            if gnu { (Tok::LParen, Tok::RParen, "`)`") } else { (Tok::LBracket, Tok::RBracket, "`]`") };
        if gnu {
            self.expect(open, "`(`")?;
        }
        self.expect(open, if gnu { "`(`" } else { "`[`" })?;
        loop {
            if self.eat(Tok::Comma) {
                continue;
            }
            if self.kind() == close {
                break;
            }
            self.attribute(attrs)?;
            if !matches!(self.kind(), Tok::Comma) && self.kind() != close {
                return Err(self.expected_behind(text));
            }
        }
        self.expect(close, text)?;
        self.expect(close, text)?;
        Ok(())
    }

    fn attribute(&mut self, attrs: &mut Vec<Attr>) -> Parsed<()> {
        let token = self.token();
        // Attributes may be named by keywords, such as `const`.
        if token.kind != Tok::Ident && !is_keyword(token.kind) {
            return Err(self.expected("attribute name"));
        }
        self.bump();
        // C2x: `gnu::packed`.
        let mut name = token.name;
        if self.kind() == Tok::Colon && self.peek(1) == Tok::Colon {
            self.bump();
            self.bump();
            name = self.expect_ident()?.0;
        }
        self.attribute_named(name, token.span(), attrs)
    }

    fn attribute_named(&mut self, name: Symbol, span: Span, attrs: &mut Vec<Attr>) -> Parsed<()> {
        match bare(self.interner.name(name)) {
            "packed" => attrs.push(Attr::Packed),
            "transparent_union" => attrs.push(Attr::TransparentUnion),
            "noreturn" | "_Noreturn" => attrs.push(Attr::Noreturn),
            "weak" => attrs.push(Attr::Weak),
            "gnu_inline" => attrs.push(Attr::GnuInline),
            "constructor" => {
                attrs.push(Attr::Constructor(self.attribute_value()?));
                return Ok(());
            }
            "destructor" => {
                attrs.push(Attr::Destructor(self.attribute_value()?));
                return Ok(());
            }
            "ms_struct" | "scalar_storage_order" | "address_space" => attrs.push(Attr::ForeignLayout(span)),
            "aligned" => {
                let value = self.attribute_value()?;
                attrs.push(Attr::Aligned(value, self.span_from(span.lo)));
                return Ok(());
            }
            "vector_size" => {
                self.expect(Tok::LParen, "`(`")?;
                let value = self.assignment()?;
                self.expect(Tok::RParen, "`)`")?;
                attrs.push(Attr::VectorSize(value, self.span_from(span.lo)));
                return Ok(());
            }
            "mode" => {
                let mode = self.attribute_ident()?;
                let mode = bare(self.interner.name(mode)).to_owned();
                let mode = self.interner.intern(&mode);
                attrs.push(Attr::Mode(mode, self.span_from(span.lo)));
                return Ok(());
            }
            "cleanup" => {
                let function = self.attribute_ident()?;
                attrs.push(Attr::Cleanup(function, self.span_from(span.lo)));
                return Ok(());
            }
            "alias" | "weakref" if self.kind() == Tok::LParen => {
                self.bump();
                let target = self.string_symbol()?;
                self.expect(Tok::RParen, "`)`")?;
                attrs.push(Attr::Alias(target, self.span_from(span.lo)));
                return Ok(());
            }
            _ => {}
        }
        if self.eat(Tok::LParen) {
            return self.skip_attribute_arguments();
        }
        Ok(())
    }

    /// `(expression)`, `()` or nothing
    fn attribute_value(&mut self) -> Parsed<Option<ExprId>> {
        if !self.eat(Tok::LParen) || self.eat(Tok::RParen) {
            return Ok(None);
        }
        let value = self.assignment()?;
        self.expect(Tok::RParen, "`)`")?;
        Ok(Some(value))
    }

    /// `(name)`
    fn attribute_ident(&mut self) -> Parsed<Symbol> {
        self.expect(Tok::LParen, "`(`")?;
        let (name, _) = self.expect_ident()?;
        self.expect(Tok::RParen, "`)`")?;
        Ok(name)
    }

    fn skip_attribute_arguments(&mut self) -> Parsed<()> {
        let mut depth = 1u32;
        while depth > 0 {
            match self.kind() {
                Tok::LParen => depth += 1,
                Tok::RParen => depth -= 1,
                Tok::Eof | Tok::Semi | Tok::LBrace | Tok::RBrace => return Err(self.expected("`)`")),
                _ => {}
            }
            self.bump();
        }
        Ok(())
    }
}

fn is_keyword(kind: Tok) -> bool {
    kind as u8 >= Tok::Auto as u8
}

/// An attribute's name without the underscores around it.
fn bare(name: &str) -> &str {
    name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(name)
}
