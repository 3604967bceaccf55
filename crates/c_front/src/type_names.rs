//! Types as a person reads them in messages.

use crate::intern::Interner;
use crate::types::{ArrayLen, CType, QTy, Types};

/// The type in C's own notation, more or less: `int *`, `struct node`, `int (*)(void *)`.
pub fn display(types: &Types, interner: &Interner, ty: QTy) -> String {
    let mut out = String::new();
    write(types, interner, ty, String::new(), &mut out);
    out
}

/// Writes `ty` around the declarator `inner`.
fn write(types: &Types, interner: &Interner, ty: QTy, inner: String, out: &mut String) {
    let spaced = |name: &str, inner: &str| if inner.is_empty() { name.to_owned() } else { format!("{name} {inner}") };
    let quals = {
        let q = ty.quals;
        let mut text = String::new();
        for (set, name) in [(q.is_const, "const "), (q.is_volatile, "volatile "), (q.is_atomic, "_Atomic ")] {
            if set {
                text.push_str(name);
            }
        }
        text
    };
    let tagged = |keyword: &str, tag: Option<crate::intern::Symbol>| match tag {
        Some(tag) => format!("{keyword} {}", interner.name(tag)),
        None => format!("{keyword} <anonymous>"),
    };
    let base = match types.get(ty) {
        CType::Pointer(target) => {
            let needs_parens = matches!(types.get(*target), CType::Array(..) | CType::Function(_));
            let star = format!("*{quals}{inner}");
            let inner = if needs_parens { format!("({star})") } else { star };
            return write(types, interner, *target, inner, out);
        }
        CType::Array(elem, len) => {
            let suffix = match len {
                ArrayLen::Known(n) => format!("{inner}[{n}]"),
                ArrayLen::Unknown => format!("{inner}[]"),
                ArrayLen::Variable(_) => format!("{inner}[*]"),
            };
            return write(types, interner, *elem, suffix, out);
        }
        CType::Function(f) => {
            let mut params: Vec<String> = f.params.iter().map(|&p| display(types, interner, p)).collect();
            if f.variadic {
                params.push("...".to_owned());
            } else if f.prototyped && params.is_empty() {
                params.push("void".to_owned());
            }
            return write(types, interner, f.ret, format!("{inner}({})", params.join(", ")), out);
        }
        CType::Error => "<error>".to_owned(),
        CType::Void => "void".to_owned(),
        CType::Bool => "_Bool".to_owned(),
        CType::Int(kind) => kind.name().to_owned(),
        CType::Float(kind) => kind.name().to_owned(),
        CType::Complex(kind) => format!("{} _Complex", kind.name()),
        CType::Record(id) => {
            let record = &types.records[*id];
            tagged(if record.is_union { "union" } else { "struct" }, record.tag)
        }
        CType::Enum(id) => tagged("enum", types.enums[*id].tag),
        CType::VaList => "va_list".to_owned(),
        CType::Vector(elem, bytes) => format!("vector({bytes}) of {}", display(types, interner, *elem)),
    };
    out.push_str(&format!("{quals}{}", spaced(&base, &inner)));
}
