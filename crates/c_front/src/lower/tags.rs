//! `struct`, `union` and `enum` specifiers.

use heddle_base::Span;
use rustc_hash::FxHashMap;

use super::declared_types::MAX_TYPE_DEPTH;
use super::scope::Tag;
use super::{Binding, Lower};
use crate::ast::{self, Attr, MemberDecl, TagBody, TagId, TagKind, TagSpec};
use crate::intern::Symbol;
use crate::layout::{Member, RecordAttrs, lay_out};
use crate::types::{ArrayLen, CType, Enum, IntKind, QTy, Record, RecordId};

impl Lower<'_> {
    pub(super) fn tag_type(&mut self, id: TagId) -> QTy {
        let ast = self.ast;
        let spec = &ast.tags[id];
        match spec.kind {
            TagKind::Struct | TagKind::Union => self.record_type(spec),
            TagKind::Enum => self.enum_type(spec),
        }
    }

    fn record_type(&mut self, spec: &TagSpec) -> QTy {
        let record = match self.find_tag(spec) {
            Some(Tag::Record(id, kind)) if kind == spec.kind => id,
            Some(_) => {
                let name = self.name(spec.name.expect("found by name")).to_owned();
                self.error(spec.span, format!("`{name}` defined as the wrong kind of tag"));
                return self.types.common.error;
            }
            None => self.new_record(spec),
        };
        if let Some(TagBody::Record(members)) = &spec.body {
            if self.types.records[record].body.is_some() {
                self.redefined_record(record, spec);
            } else {
                self.define_record(record, spec, members);
            }
        }
        self.types.plain(CType::Record(record))
    }

    fn redefined_record(&mut self, record: RecordId, spec: &TagSpec) {
        let name = spec.name.map_or("<anonymous>".to_owned(), |n| self.name(n).to_owned());
        let note = (self.types.records[record].span, "previous definition is here".to_owned());
        self.diags.error_with_note(spec.span, format!("redefinition of `{name}`"), Some(note));
    }

    /// A specifier with a body, or alone in a declaration, names the tag of this very scope.
    fn find_tag(&self, spec: &TagSpec) -> Option<Tag> {
        let name = spec.name?;
        if spec.body.is_some() { self.scopes.lookup_tag_here(name) } else { self.scopes.lookup_tag(name) }
    }

    fn new_record(&mut self, spec: &TagSpec) -> RecordId {
        let record = Record {
            tag: spec.name,
            is_union: spec.kind == TagKind::Union,
            transparent: spec.attrs.contains(&Attr::TransparentUnion),
            body: None,
            span: spec.span,
        };
        let id = self.types.records.push(record);
        if let Some(name) = spec.name {
            self.scopes.bind_tag(name, Tag::Record(id, spec.kind));
        }
        id
    }

    /// `struct s;` in a block declares a new type even if an outer scope has one.
    pub(super) fn declare_tag_here(&mut self, id: TagId) {
        let ast = self.ast;
        let spec = &ast.tags[id];
        if let (Some(name), None) = (spec.name, &spec.body)
            && spec.kind != TagKind::Enum
            && self.scopes.lookup_tag_here(name).is_none()
        {
            self.new_record(spec);
        }
    }

    fn define_record(&mut self, record: RecordId, spec: &TagSpec, members: &[MemberDecl]) {
        let is_union = spec.kind == TagKind::Union;
        let members = self.members(members, is_union);
        // One of the members may have defined the same tag: the record would hold itself.
        if self.types.records[record].body.is_some() {
            return self.redefined_record(record, spec);
        }
        self.check_duplicate_members(&members);
        let mut attrs = RecordAttrs::default();
        for attr in &spec.attrs {
            match attr {
                Attr::Packed => attrs.packed = true,
                Attr::MaxAlign(n) => attrs.max_align = Some(*n),
                Attr::Aligned(n, span) => attrs.align = attrs.align.max(self.alignment(*n, *span)),
                Attr::ForeignLayout(span) => self.unsupported(*span, "this record layout attribute"),
                Attr::TransparentUnion => self.types.records[record].transparent = true,
                _ => {}
            }
        }
        match lay_out(&self.types, is_union, &members, attrs) {
            Some(body) if body.depth > MAX_TYPE_DEPTH => {
                self.error(spec.span, format!("a type of more than {MAX_TYPE_DEPTH} types inside one another"))
            }
            Some(body) if body.size <= i32::MAX as u64 => self.types.records[record].body = Some(body),
            _ => self.error(spec.span, "the record is too large, or one of its bit-fields too wide"),
        }
        self.types.records[record].span = spec.span;
    }

    fn members(&mut self, decls: &[MemberDecl], is_union: bool) -> Vec<Member> {
        let mut members = Vec::new();
        for decl in decls {
            match decl {
                MemberDecl::StaticAssert(id) => self.declaration(*id),
                MemberDecl::Fields { specs, fields, span } => {
                    let base = self.specs_type(specs);
                    if fields.is_empty() {
                        self.anonymous_member(base, specs, *span, &mut members);
                    }
                    for field in fields {
                        if let Some(member) = self.member(base, specs, field, is_union) {
                            members.push(member);
                        }
                    }
                }
            }
        }
        let last = members.len().wrapping_sub(1);
        for (i, member) in members.iter().enumerate() {
            let flexible = matches!(self.types.get(member.ty), CType::Array(_, ArrayLen::Unknown));
            if flexible && i != last && !is_union {
                let name = member.name.map_or(String::new(), |n| self.session.interner.name(n).to_owned());
                self.session.diags.error(member.span, format!("flexible array member `{name}` not at the end"));
            }
        }
        members
    }

    /// `struct { … };` inside a record: its members belong to the outer record. A tagged or basic type declares nothing,
    /// except with `-fms-extensions`, which nobody asked for.
    fn anonymous_member(&mut self, ty: QTy, specs: &ast::DeclSpecs, span: Span, members: &mut Vec<Member>) {
        let is_anonymous = match specs.ty {
            ast::TypeSpec::Tag(tag) => self.ast.tags[tag].name.is_none(),
            _ => false,
        };
        if is_anonymous && self.types.record(ty).is_some() {
            let (packed, align) = self.member_attributes(specs, &[]);
            members.push(Member { name: None, span, ty, width: None, packed, align });
        } else if !matches!(specs.ty, ast::TypeSpec::Tag(_)) {
            self.warning(span, "declaration does not declare anything");
        }
    }

    fn member_attributes(&mut self, specs: &ast::DeclSpecs, more: &[Attr]) -> (bool, u64) {
        let (mut packed, mut align) = (false, self.alignas(specs));
        for attr in specs.attrs.iter().chain(more) {
            match attr {
                Attr::Packed => packed = true,
                Attr::Aligned(n, span) => align = align.max(self.alignment(*n, *span)),
                _ => {}
            }
        }
        (packed, align)
    }

    fn member(
        &mut self,
        base: QTy,
        specs: &ast::DeclSpecs,
        field: &ast::FieldDeclarator,
        is_union: bool,
    ) -> Option<Member> {
        let span = field.declarator.span;
        let ty = self.declarator_type(base, &field.declarator);
        let ty = self.type_attributes(ty, &field.declarator.attrs);
        let ty = self.type_attributes(ty, &specs.attrs);
        let name = field.declarator.name;
        let (packed, align) = self.member_attributes(specs, &field.declarator.attrs);
        let flexible = matches!(self.types.get(ty), CType::Array(_, ArrayLen::Unknown));
        if matches!(self.types.get(ty), CType::Function(_)) {
            self.error(span, "a member cannot be a function");
            return None;
        }
        if !self.types.is_complete(ty) && !flexible && !self.types.is_error(ty) {
            self.error(span, format!("member has incomplete type `{}`", self.show(ty)));
            return None;
        }
        if self.types.is_variable(ty) {
            self.error(span, "a member cannot have variable length");
            return None;
        }
        let _ = is_union;
        let width = match field.width {
            None => None,
            Some(width) => Some(self.bit_field_width(width, ty, name.is_some(), span)?),
        };
        Some(Member { name, span, ty, width, packed, align })
    }

    fn bit_field_width(&mut self, width: ast::ExprId, ty: QTy, named: bool, span: Span) -> Option<u32> {
        let Some(bits) = self.types.int_kind(ty).map(|k| k.size(self.types.model) * 8) else {
            if !self.types.is_error(ty) {
                self.error(span, "a bit-field needs an integer type");
            }
            return None;
        };
        let bits = if matches!(self.types.get(ty), CType::Bool) { 1 } else { bits };
        let value = self.integer_constant(width, "the width of a bit-field")?;
        if value < 0 || value > bits as i128 {
            self.error(span, format!("the width of the bit-field exceeds its type's {bits} bits"));
            return None;
        }
        if value == 0 && named {
            self.error(span, "a named bit-field has zero width");
            return None;
        }
        Some(value as u32)
    }

    fn check_duplicate_members(&mut self, members: &[Member]) {
        let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
        for member in members {
            for name in self.member_names(member.name, member.ty) {
                if let Some(previous) = seen.insert(name, member.span) {
                    let name = self.name(name).to_owned();
                    let note = (previous, "previous declaration is here".to_owned());
                    self.diags.error_with_note(member.span, format!("duplicate member `{name}`"), Some(note));
                }
            }
        }
    }

    /// The names that a member adds to its record: its own, or those of an anonymous record's members.
    fn member_names(&self, name: Option<Symbol>, ty: QTy) -> Vec<Symbol> {
        if let Some(name) = name {
            return vec![name];
        }
        let body = self.types.record(ty).and_then(|id| self.types.records[id].body.as_ref());
        body.map_or_else(Vec::new, |b| b.fields.iter().flat_map(|f| self.member_names(f.name, f.ty)).collect())
    }

    fn enum_type(&mut self, spec: &TagSpec) -> QTy {
        let id = match self.find_tag(spec) {
            Some(Tag::Enum(id)) => id,
            Some(Tag::Record(..)) => {
                let name = self.name(spec.name.expect("found by name")).to_owned();
                self.error(spec.span, format!("`{name}` defined as the wrong kind of tag"));
                return self.types.common.error;
            }
            None => {
                let id = self.types.enums.push(Enum { tag: spec.name, underlying: None });
                if let Some(name) = spec.name {
                    self.scopes.bind_tag(name, Tag::Enum(id));
                }
                id
            }
        };
        if let Some(TagBody::Enum(constants)) = &spec.body {
            if self.types.enums[id].underlying.is_some() {
                self.redefined_enum(spec);
            } else {
                let packed = spec.attrs.contains(&Attr::Packed);
                let kind = self.define_enum(constants, packed);
                // One of the values may have defined the same tag.
                if self.types.enums[id].underlying.replace(kind).is_some() {
                    self.redefined_enum(spec);
                }
            }
        }
        self.types.plain(CType::Enum(id))
    }

    fn redefined_enum(&mut self, spec: &TagSpec) {
        let name = spec.name.map_or("<anonymous>".to_owned(), |n| self.name(n).to_owned());
        self.error(spec.span, format!("redefinition of `enum {name}`"));
    }

    /// Constants are `int` where their value fits; the enumeration gets the first of `unsigned`, `int`, `unsigned long`,
    /// `long`, … that holds all of them, as gcc does.
    fn define_enum(&mut self, constants: &[ast::Enumerator], packed: bool) -> IntKind {
        let mut next: i128 = 0;
        let mut values = Vec::new();
        for constant in constants {
            if let Some(value) = constant.value {
                next = self.integer_constant(value, "the value of an enumeration constant").unwrap_or(0);
            }
            values.push(next);
            // Visible to the constants that follow.
            let ty = self.constant_type(next);
            if let Some((_, previous)) = self.scopes.lookup_here(constant.name) {
                let name = self.name(constant.name).to_owned();
                let note = (previous, "previous declaration is here".to_owned());
                self.diags.error_with_note(constant.span, format!("redeclaration of `{name}`"), Some(note));
            }
            self.scopes.bind(constant.name, Binding::EnumConst(next, ty), constant.span);
            next += 1;
        }
        let (min, max) = (values.iter().min().copied().unwrap_or(0), values.iter().max().copied().unwrap_or(0));
        let candidates: &[IntKind] =
            if packed { &[IntKind::UChar, IntKind::SChar, IntKind::UShort, IntKind::Short] } else { &[] };
        let wider = [IntKind::UInt, IntKind::Int, IntKind::ULong, IntKind::Long, IntKind::ULongLong, IntKind::LongLong];
        let model = self.types.model;
        let kind = candidates.iter().chain(&wider).copied().find(|&k| holds(k, min, max, model));
        let kind = kind.unwrap_or(IntKind::LongLong);
        if !holds(IntKind::Int, min, max, model) {
            // Once complete, all constants that do not fit `int` have the enumeration's type.
            let ty = self.types.int(kind);
            for (constant, value) in constants.iter().zip(values) {
                if !holds(IntKind::Int, value, value, model) {
                    self.scopes.bind(constant.name, Binding::EnumConst(value, ty), constant.span);
                }
            }
        }
        kind
    }

    fn constant_type(&mut self, value: i128) -> QTy {
        let model = self.types.model;
        let kinds = [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::ULong, IntKind::LongLong, IntKind::ULongLong];
        let kind = kinds.into_iter().find(|&k| holds(k, value, value, model)).unwrap_or(IntKind::LongLong);
        self.types.int(kind)
    }
}

/// Whether a type holds all values from `min` to `max`.
pub(super) fn holds(kind: IntKind, min: i128, max: i128, model: heddle_ir::DataModel) -> bool {
    let bits = kind.size(model) as u32 * 8;
    if kind.signed() {
        bits >= 128 || (min >= -(1i128 << (bits - 1)) && max < 1i128 << (bits - 1))
    } else {
        min >= 0 && (bits >= 127 || max < 1i128 << bits)
    }
}
