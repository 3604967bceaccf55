//! `struct`, `union` and `enum` specifiers.

use heddle_base::Span;

use super::declarator::Naming;
use super::{Failed, Parsed, Parser};
use crate::ast::{Attr, Enumerator, FieldDeclarator, MemberDecl, TagBody, TagId, TagKind, TagSpec};
use crate::token::{Tok, Token};

impl Parser<'_> {
    pub(super) fn tag_spec(&mut self) -> Parsed<TagId> {
        let keyword = self.bump();
        let kind = match keyword.kind {
            Tok::Struct => TagKind::Struct,
            Tok::Union => TagKind::Union,
            _ => TagKind::Enum,
        };
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let name = if self.kind() == Tok::Ident { Some(self.bump().name) } else { None };
        let body = match self.kind() {
            Tok::LBrace => {
                let open = self.bump();
                let body = if kind == TagKind::Enum { self.enum_body(open)? } else { self.record_body(open)? };
                let max_align = self.lexed.packs.at(self.at - 1);
                if kind != TagKind::Enum && max_align != 0 {
                    attrs.push(Attr::MaxAlign(max_align));
                }
                self.attributes(&mut attrs)?;
                Some(body)
            }
            _ if name.is_none() => return Err(self.expected("identifier or `{`")),
            _ => None,
        };
        let span = self.span_from(keyword.lo);
        Ok(self.ast.tags.push(TagSpec { kind, name, body, attrs, span }))
    }

    fn record_body(&mut self, open: Token) -> Parsed<TagBody> {
        let mut members = Vec::new();
        loop {
            match self.kind() {
                Tok::RBrace => break,
                Tok::Eof => return Err(self.unclosed(open)),
                Tok::Semi => {
                    self.bump();
                    continue;
                }
                _ => {}
            }
            let before = self.at;
            match self.member() {
                Ok(member) => members.push(member),
                Err(Failed) => self.skip_statement(),
            }
            if self.at == before {
                self.bump();
            }
        }
        self.bump();
        Ok(TagBody::Record(members))
    }

    fn member(&mut self) -> Parsed<MemberDecl> {
        if self.kind() == Tok::StaticAssert {
            return Ok(MemberDecl::StaticAssert(self.static_assert()?));
        }
        let lo = self.lo();
        let before = self.at;
        let specs = self.specs()?;
        if self.at == before {
            return Err(self.expected("specifier-qualifier-list"));
        }
        let mut fields = Vec::new();
        if !matches!(self.kind(), Tok::Semi | Tok::RBrace) {
            self.fields(&mut fields)?;
        }
        if self.kind() == Tok::RBrace {
            let span = Span::new(self.prev_hi(), self.prev_hi());
            self.diags.warning(span, "no semicolon at end of struct or union");
        } else {
            self.expect_end("`,`, `;` or `}`")?;
        }
        Ok(MemberDecl::Fields { specs, fields, span: self.span_from(lo) })
    }

    fn fields(&mut self, fields: &mut Vec<FieldDeclarator>) -> Parsed<()> {
        loop {
            let mut attrs: Vec<Attr> = Vec::new();
            self.attributes(&mut attrs)?;
            let naming = if self.kind() == Tok::Colon { Naming::Optional } else { Naming::Required };
            let mut declarator = self.declarator(naming)?;
            let width = if self.eat(Tok::Colon) { Some(self.conditional()?) } else { None };
            self.attributes(&mut declarator.attrs)?;
            declarator.attrs.append(&mut attrs);
            fields.push(FieldDeclarator { declarator, width });
            if !self.eat(Tok::Comma) {
                return Ok(());
            }
        }
    }

    fn enum_body(&mut self, open: Token) -> Parsed<TagBody> {
        let mut constants = Vec::new();
        while self.kind() != Tok::RBrace {
            if self.kind() == Tok::Eof {
                return Err(self.unclosed(open));
            }
            let (name, span) = self.expect_ident()?;
            self.attributes(&mut Vec::new())?;
            let value = if self.eat(Tok::Eq) { Some(self.conditional()?) } else { None };
            // Its scope begins behind the enumerator.
            self.names.declare(name, false);
            constants.push(Enumerator { name, value, span });
            if !self.eat(Tok::Comma) && self.kind() != Tok::RBrace {
                return Err(self.expected_behind("`,` or `}`"));
            }
        }
        self.bump();
        Ok(TagBody::Enum(constants))
    }

    /// Reports that the end of input came before the brace that closes `open`.
    #[cold]
    pub(super) fn unclosed(&mut self, open: Token) -> Failed {
        if self.silent {
            return Failed;
        }
        let span = Span::new(self.prev_hi(), self.prev_hi());
        let note = Some((open.span(), "to match this `{`".to_owned()));
        self.diags.error_with_note(span, "expected `}` at end of input", note);
        self.silent = true;
        Failed
    }
}
