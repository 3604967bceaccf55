use expect_test::{Expect, expect};

use super::parse;

fn round(text: &str, expected: Expect) {
    let program = parse(text).unwrap_or_else(|e| panic!("{}", e.render("t.bp", text)));
    let printed = program.to_string();
    expected.assert_eq(&printed);
    assert_eq!(parse(&printed).as_ref(), Ok(&program), "printing and parsing again gives the same tree");
}

fn refused(text: &str, expected: Expect) {
    let error = parse(text).expect_err("it is refused");
    expected.assert_eq(&error.render("t.bp", text));
}

#[test]
fn every_statement_is_printed_and_read_back() {
    round(
        "decl a, b; /* two */ decl l; // a lock
         bool<2> f(x, y) begin decl z; z := x & y | !x; return z, schoose[x, y]; end
         void main() begin
           decl p;
           L1: M: skip; goto L1, N; N: p, a := *, *1 constrain a' = *1 | p => b;
           if (a) then skip; elsif (b != 1) then p := 0; else lock l; unlock l; fi
           while (*) do assume(a == b); assert(!p); od
           atomic begin a := 1; b := 0; end
           a, b := f(p, 1); f(0, 0);
           start_thread L1; start_thread f(a, b); end_thread; return;
         end",
        expect![[r#"
            decl a, b, l;

            bool<2> f(x, y) begin
              decl z;
              z := (x & y) | !x;
              return z, schoose[x, y];
            end

            void main() begin
              decl p;
              L1: M: skip;
              goto L1, N;
              N: p, a := *, *1 constrain ((a' = *1) | p) => b;
              if (a) then
                skip;
              elsif (b != 1) then
                p := 0;
              else
                lock l;
                unlock l;
              fi
              while (*) do
                assume(a = b);
                assert(!p);
              od
              atomic begin
                a := 1;
                b := 0;
              end
              a, b := f(p, 1);
              f(0, 0);
              start_thread L1;
              start_thread f(a, b);
              end_thread;
              return;
            end
        "#]],
    );
}

#[test]
fn other_spellings() {
    round(
        "decl a; main() { if (a && !a || a -> true) { skip; } else if (a ^ 0) { skip; } else { L: }
           while (~a) { atomic { a := false; } } atomic_begin; a := ?; atomic_end; start_thread goto L; }",
        expect![[r#"
            decl a;

            main() begin
              if (((a & !a) | a) => 1) then
                skip;
              elsif (a != 0) then
                skip;
              else
                L: skip;
              fi
              while (!a) do
                atomic begin
                  a := 0;
                end
              od
              atomic begin
                a := *;
              end
              start_thread L;
            end
        "#]],
    );
}

#[test]
fn passive_variables() {
    round(
        "main() begin decl x; x, x$ := 1, x$ & *2 constrain x$' => x'; end",
        expect![[r#"

            main() begin
              decl x;
              x, x$ := 1, x$ & *2 constrain x$' => x';
            end
        "#]],
    );
}

#[test]
fn errors_have_a_place() {
    refused(
        "decl a;\nmain() begin\n\ta := ;\nend",
        expect![[r#"
            t.bp:3:7: error: expected an expression, found `;`
              3 | 	a := ;
                | 	     ^
        "#]],
    );
    refused(
        "",
        expect![[r#"
            t.bp:1:1: error: the file has no procedure
              1 | 
                | ^
        "#]],
    );
    refused(
        "main() begin x := y $$",
        expect![[r#"
            t.bp:1:22: error: expected `;`, found `$`
              1 | main() begin x := y $$
                |                      ^
        "#]],
    );
    refused(
        "main() begin skip; /* …",
        expect![[r#"
            t.bp:1:20: error: this comment has no end
              1 | main() begin skip; /* …
                |                    ^~
        "#]],
    );
    refused(
        "decl begin;",
        expect![[r#"
            t.bp:1:6: error: expected the name of a variable, found `begin`
              1 | decl begin;
                |      ^~~~~
        "#]],
    );
    refused(
        "main() begin a := #; end",
        expect![[r##"
            t.bp:1:19: error: `#` is no part of a Boolean program
              1 | main() begin a := #; end
                |                   ^
        "##]],
    );
}

#[test]
fn deep_nesting_is_an_error_and_long_chains_are_not() {
    let deep = format!("main() begin assume({}a{}); end", "(".repeat(100_000), ")".repeat(100_000));
    assert!(parse(&deep).is_err_and(|e| e.message == "nested more than 200 deep"));
    let deep = format!("main() begin {} skip; {} end", "if (a) then ".repeat(100_000), "fi ".repeat(100_000));
    assert!(parse(&deep).is_err_and(|e| e.message == "nested more than 200 deep"));
    let deep = format!("main() begin assume({}a); end", "!".repeat(100_000));
    assert!(parse(&deep).is_err_and(|e| e.message == "nested more than 200 deep"));
    let deep = format!("main() begin assume(a{}); end", " = a".repeat(100_000));
    assert!(parse(&deep).is_err_and(|e| e.message == "nested more than 200 deep"));
    let long = format!("decl a; main() begin assume(a{}); end", " & a".repeat(100_000));
    assert!(parse(&long).is_ok());
}
