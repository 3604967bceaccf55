//! What a file defines and what it needs from others: as much as a linker knows.

use heddle_base::SourceMap;
use rustc_hash::FxHashSet;

use crate::ast::{Ast, Decl, Derived, ExprKind, Item, Storage};
use crate::diag::Diagnostics;
use crate::intern::{Interner, Symbol};
use crate::parse::parse_unit;

/// Names with external linkage in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Functions and variables that it defines.
    pub defines: Vec<String>,
    /// Functions and variables that it declares, does not define, and names in an expression.
    pub uses: Vec<String>,
}

/// Reads a preprocessed text. What cannot be parsed is left out: the errors are reported when the file is compiled.
pub fn outline(name: &str, text: String) -> Outline {
    let (mut sources, mut interner, mut diags) = (SourceMap::new(), Interner::default(), Diagnostics::default());
    let Some(start) = sources.add_input(name, text) else { return Outline::default() };
    let ast = parse_unit(&mut sources, start, &mut interner, &mut diags);
    let (defines, declares) = file_scope(&ast);
    let named: FxHashSet<Symbol> = ast
        .exprs
        .iter()
        .filter_map(|expr| match expr.kind {
            ExprKind::Ident(name) => Some(name),
            _ => None,
        })
        .collect();
    let is_used = |name: &Symbol| !defines.contains(name) && named.contains(name);
    let texts = |names: &mut dyn Iterator<Item = Symbol>| {
        let mut texts: Vec<String> = names.map(|name| interner.name(name).to_owned()).collect();
        texts.sort_unstable();
        texts
    };
    Outline { defines: texts(&mut defines.iter().copied()), uses: texts(&mut declares.iter().copied().filter(is_used)) }
}

/// The names with external linkage that are defined, and those that are declared.
fn file_scope(ast: &Ast) -> (FxHashSet<Symbol>, FxHashSet<Symbol>) {
    let (mut defines, mut declares) = (FxHashSet::default(), FxHashSet::default());
    for item in &ast.items {
        match item {
            Item::Function(def) if def.specs.storage != Some(Storage::Static) => defines.extend(def.declarator.name),
            Item::Function(_) | Item::Asm(_) => {}
            Item::Decl(decl) => {
                let Decl::Variables { specs, declarators, .. } = &ast.decls[*decl] else { continue };
                if matches!(specs.storage, Some(Storage::Static | Storage::Typedef)) {
                    continue;
                }
                for one in declarators {
                    let is_function = matches!(one.declarator.derived.first(), Some(Derived::Function(_)));
                    let is_extern = specs.storage == Some(Storage::Extern) && one.init.is_none();
                    let names = if is_function || is_extern { &mut declares } else { &mut defines };
                    names.extend(one.declarator.name);
                }
            }
        }
    }
    (defines, declares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_and_uses() {
        let text = "typedef int t; int used(void), unused(int); extern int there; int here; static int own(void) { return 1; }\n\
                    int f(int unused) { return used() + there + here + own() + unused; }";
        let found = outline("a.c", text.to_owned());
        assert_eq!(found.defines, ["f", "here"]);
        assert_eq!(found.uses, ["there", "unused", "used"]);
    }
}
