//! Declaration specifiers and type names.

use heddle_base::Span;

use super::declarator::Naming;
use super::{Parsed, Parser};
use crate::ast::{Alignas, Attr, Basic, DeclSpecs, Quals, Storage, TypeName, TypeNameId, TypeSpec};
use crate::token::Tok;

/// The keywords of a basic type met so far.
#[derive(Default)]
struct Words {
    base: Option<Tok>,
    longs: u8,
    short: bool,
    signed: bool,
    unsigned: bool,
    complex: bool,
    any: bool,
    clash: bool,
}

impl Words {
    fn add(&mut self, word: Tok) {
        self.any = true;
        match word {
            Tok::Long => self.longs += 1,
            Tok::Short => self.clash |= std::mem::replace(&mut self.short, true),
            Tok::Signed => self.clash |= std::mem::replace(&mut self.signed, true),
            Tok::Unsigned => self.clash |= std::mem::replace(&mut self.unsigned, true),
            Tok::Complex => self.clash |= std::mem::replace(&mut self.complex, true),
            _ => self.clash |= self.base.replace(word).is_some(),
        }
        self.longs = self.longs.min(3);
    }

    /// Whether `_Complex` is all there is.
    fn only_complex(&self) -> bool {
        self.complex && !self.clash && self.base.is_none() && self.longs == 0 && !self.short
    }

    /// The type that the words make up.
    fn combine(&self) -> Option<TypeSpec> {
        let basic = match (self.base, self.short, self.longs, self.signed, self.unsigned) {
            _ if self.clash => return None,
            (_, true, 1.., ..) | (.., true, true) => return None,
            (Some(Tok::Void), false, 0, false, false) => Basic::Void,
            (Some(Tok::Bool), false, 0, false, false) => Basic::Bool,
            (Some(Tok::Float), false, 0, false, false) => Basic::Float,
            (Some(Tok::Double), false, 0, false, false) => Basic::Double,
            (Some(Tok::Double), false, 1, false, false) => Basic::LongDouble,
            (None, false, 0, false, false) if self.complex => Basic::Double,
            (None, false, 1, false, false) if self.complex => Basic::Long,
            (Some(Tok::Char_), false, 0, false, false) => Basic::Char,
            (Some(Tok::Char_), false, 0, true, false) => Basic::SChar,
            (Some(Tok::Char_), false, 0, false, true) => Basic::UChar,
            (Some(Tok::Int128), false, 0, _, false) => Basic::Int128,
            (Some(Tok::Int128), false, 0, _, true) => Basic::UInt128,
            (None | Some(Tok::Int), true, _, _, false) => Basic::Short,
            (None | Some(Tok::Int), true, _, _, true) => Basic::UShort,
            (None | Some(Tok::Int), false, 0, _, false) => Basic::Int,
            (None | Some(Tok::Int), false, 0, _, true) => Basic::UInt,
            (None | Some(Tok::Int), false, 1, _, false) => Basic::Long,
            (None | Some(Tok::Int), false, 1, _, true) => Basic::ULong,
            (None | Some(Tok::Int), false, 2, _, false) => Basic::LongLong,
            (None | Some(Tok::Int), false, 2, _, true) => Basic::ULongLong,
            _ => return None,
        };
        match basic {
            Basic::Void | Basic::Bool if self.complex => None,
            _ if self.complex => Some(TypeSpec::Complex(basic)),
            _ => Some(TypeSpec::Basic(basic)),
        }
    }
}

/// Whether a token begins specifiers whatever it is followed by.
fn starts_specs(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::Typedef
            | Tok::Extern
            | Tok::Static
            | Tok::Auto
            | Tok::Register
            | Tok::ThreadLocal
            | Tok::Inline
            | Tok::Noreturn
    ) || starts_type(kind)
}

/// The same for type names.
fn starts_type(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::Void
            | Tok::Char_
            | Tok::Short
            | Tok::Int
            | Tok::Long
            | Tok::Float
            | Tok::Double
            | Tok::Signed
            | Tok::Unsigned
            | Tok::Bool
            | Tok::Complex
            | Tok::Int128
            | Tok::Struct
            | Tok::Union
            | Tok::Enum
            | Tok::Typeof
            | Tok::AutoType
            | Tok::Const
            | Tok::Volatile
            | Tok::Restrict
            | Tok::Atomic
            | Tok::Alignas
            | Tok::Attribute
            | Tok::DecimalFloat
    )
}

impl Parser<'_> {
    /// Whether the token `ahead` begins declaration specifiers.
    #[inline]
    pub(super) fn specs_ahead(&self, ahead: usize) -> bool {
        match self.lexed.tokens.get(self.at + ahead) {
            Some(token) if token.kind == Tok::Ident => self.names.is_typedef(token.name),
            Some(token) => starts_specs(token.kind),
            None => false,
        }
    }

    /// Whether the token `ahead` begins a type name.
    #[inline]
    pub(super) fn type_ahead(&self, ahead: usize) -> bool {
        match self.lexed.tokens.get(self.at + ahead) {
            Some(token) if token.kind == Tok::Ident => self.names.is_typedef(token.name),
            Some(token) => starts_type(token.kind),
            None => false,
        }
    }

    /// All declaration specifiers that stand here, maybe none.
    pub(super) fn specs(&mut self) -> Parsed<DeclSpecs> {
        self.enter()?;
        let specs = self.specs_inner();
        self.leave();
        specs
    }

    fn specs_inner(&mut self) -> Parsed<DeclSpecs> {
        let lo = self.lo();
        let mut specs = DeclSpecs {
            storage: None,
            thread_local: false,
            inline: false,
            noreturn: false,
            quals: Quals::default(),
            ty: TypeSpec::Missing,
            alignas: Vec::new(),
            attrs: Vec::new(),
            span: Span::new(lo, lo),
        };
        let mut words = Words::default();
        let mut named = false;
        loop {
            let token = self.token();
            match token.kind {
                Tok::Typedef | Tok::Extern | Tok::Static | Tok::Auto | Tok::Register => self.storage(&mut specs),
                Tok::ThreadLocal => specs.thread_local = true,
                Tok::Inline => specs.inline = true,
                Tok::Noreturn => specs.noreturn = true,
                Tok::Atomic if self.peek(1) == Tok::LParen => {
                    self.bump();
                    let ty = self.parenthesised_type()?;
                    self.set_type(&mut specs, TypeSpec::Atomic(ty), token.span(), &mut named);
                    continue;
                }
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => {
                    self.qualifiers(&mut specs.quals);
                    continue;
                }
                Tok::Void
                | Tok::Char_
                | Tok::Short
                | Tok::Int
                | Tok::Long
                | Tok::Float
                | Tok::Double
                | Tok::Signed
                | Tok::Unsigned
                | Tok::Bool
                | Tok::Complex
                | Tok::Int128
                | Tok::Struct
                | Tok::Union
                | Tok::Enum
                    if named && self.behind_record() =>
                {
                    break;
                }
                Tok::Void
                | Tok::Char_
                | Tok::Short
                | Tok::Int
                | Tok::Long
                | Tok::Float
                | Tok::Double
                | Tok::Signed
                | Tok::Unsigned
                | Tok::Bool
                | Tok::Complex
                | Tok::Int128 => words.add(token.kind),
                Tok::Struct | Tok::Union | Tok::Enum => {
                    let tag = self.tag_spec()?;
                    self.set_type(&mut specs, TypeSpec::Tag(tag), token.span(), &mut named);
                    continue;
                }
                Tok::Typeof => {
                    self.bump();
                    let ty = self.typeof_operand()?;
                    self.set_type(&mut specs, ty, token.span(), &mut named);
                    continue;
                }
                Tok::AutoType => self.set_type(&mut specs, TypeSpec::Auto, token.span(), &mut named),
                Tok::DecimalFloat => {
                    self.error(token.span(), "decimal floating types are not supported");
                    self.set_type(&mut specs, TypeSpec::Basic(Basic::Double), token.span(), &mut named);
                }
                Tok::Attribute | Tok::LBracket if self.at_attribute() => {
                    self.attributes(&mut specs.attrs)?;
                    continue;
                }
                Tok::Alignas => {
                    self.bump();
                    let operand = self.alignas()?;
                    specs.alignas.push(operand);
                    continue;
                }
                Tok::Ident if named => break,
                Tok::Ident => match self.names.type_of(token.name) {
                    Some(ty @ TypeSpec::Basic(_)) if words.only_complex() => {
                        self.set_type(&mut specs, ty, token.span(), &mut named);
                    }
                    _ if words.any => break,
                    Some(ty) => self.set_type(&mut specs, ty, token.span(), &mut named),
                    None if matches!(self.peek(1), Tok::Ident | Tok::Star) => {
                        self.unknown_type();
                        self.set_type(&mut specs, TypeSpec::Basic(Basic::Int), token.span(), &mut named);
                    }
                    None => break,
                },
                _ => break,
            }
            self.bump();
        }
        specs.span = self.span_from(lo);
        self.finish_type(&mut specs, &words, named);
        specs.noreturn |= specs.attrs.contains(&Attr::Noreturn);
        Ok(specs)
    }

    /// Whether a brace ends the line before: then a type that follows begins a declaration of its own, and what is
    /// missing is a `;`.
    pub(super) fn behind_record(&self) -> bool {
        self.at > 0 && self.lexed.tokens[self.at - 1].kind == Tok::RBrace && self.on_new_line()
    }

    fn storage(&mut self, specs: &mut DeclSpecs) {
        let token = self.token();
        let storage = match token.kind {
            Tok::Typedef => Storage::Typedef,
            Tok::Extern => Storage::Extern,
            Tok::Static => Storage::Static,
            Tok::Auto => Storage::Auto,
            _ => Storage::Register,
        };
        match specs.storage.replace(storage) {
            None => {}
            Some(before) if before == storage => {
                let spelling = self.lexed.spelling(token).to_owned();
                self.error(token.span(), format!("duplicate `{spelling}`"));
            }
            Some(_) => self.error(token.span(), "multiple storage classes in declaration specifiers"),
        }
    }

    #[cold]
    pub(super) fn unknown_type(&mut self) {
        let token = self.token();
        let name = self.interner.name(token.name).to_owned();
        self.error(token.span(), format!("unknown type name `{name}`"));
    }

    fn set_type(&mut self, specs: &mut DeclSpecs, ty: TypeSpec, span: Span, named: &mut bool) {
        if std::mem::replace(named, true) {
            self.error(span, "two or more data types in declaration specifiers");
        } else {
            specs.ty = ty;
        }
    }

    fn finish_type(&mut self, specs: &mut DeclSpecs, words: &Words, named: bool) {
        if !words.any {
            return;
        }
        if let TypeSpec::Basic(basic) = specs.ty
            && words.only_complex()
        {
            // `_Complex _Float32`, in either order.
            specs.ty = TypeSpec::Complex(basic);
            return;
        }
        if named {
            self.error(specs.span, "two or more data types in declaration specifiers");
            return;
        }
        specs.ty = words.combine().unwrap_or_else(|| {
            self.error(specs.span, "these type specifiers do not go together");
            TypeSpec::Basic(Basic::Int)
        });
    }

    /// Qualifiers, as many as stand here.
    pub(super) fn qualifiers(&mut self, quals: &mut Quals) {
        loop {
            match self.kind() {
                Tok::Const => quals.is_const = true,
                Tok::Volatile => quals.is_volatile = true,
                Tok::Restrict => quals.is_restrict = true,
                Tok::Atomic if self.peek(1) != Tok::LParen => quals.is_atomic = true,
                _ => return,
            }
            self.bump();
        }
    }

    fn typeof_operand(&mut self) -> Parsed<TypeSpec> {
        self.expect(Tok::LParen, "`(`")?;
        let ty = if self.type_ahead(0) {
            TypeSpec::TypeofType(self.type_name()?)
        } else {
            TypeSpec::TypeofExpr(self.expression()?)
        };
        self.expect(Tok::RParen, "`)`")?;
        Ok(ty)
    }

    fn alignas(&mut self) -> Parsed<Alignas> {
        self.expect(Tok::LParen, "`(`")?;
        let operand =
            if self.type_ahead(0) { Alignas::Type(self.type_name()?) } else { Alignas::Expr(self.conditional()?) };
        self.expect(Tok::RParen, "`)`")?;
        Ok(operand)
    }

    /// `( type-name )`
    pub(super) fn parenthesised_type(&mut self) -> Parsed<TypeNameId> {
        self.expect(Tok::LParen, "`(`")?;
        let ty = self.type_name()?;
        self.expect(Tok::RParen, "`)`")?;
        Ok(ty)
    }

    pub(super) fn type_name(&mut self) -> Parsed<TypeNameId> {
        let lo = self.lo();
        let before = self.at;
        let specs = self.specs()?;
        if self.at == before {
            return Err(self.expected("type name"));
        }
        let declarator = self.declarator(Naming::Forbidden)?;
        let span = self.span_from(lo);
        Ok(self.ast.type_names.push(TypeName { specs, declarator, span }))
    }
}
