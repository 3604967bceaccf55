//! Random statements: assignments, control flow, memory, library calls, formatted output.

use super::program::{Generator, INTEGERS, LENGTH, Param, Place, Scope};

impl Generator {
    /// Adds a statement; blocks inside of it are at most `depth` deep.
    pub fn statement(&mut self, scope: &mut Scope, depth: usize) {
        let kinds = if depth == 0 { 8 } else { 20 };
        match self.rng.below(kinds) {
            0..=2 => self.assignment(scope),
            3 => self.float_assignment(scope),
            4 => self.print(scope),
            5 => self.library(scope),
            6 => self.record_statement(scope),
            7 => self.formatted(scope),
            8 | 9 => {
                let condition = self.integer(scope, 2);
                self.open(format!("if ({condition}) {{"));
                self.body(scope, depth);
                if self.rng.chance(2) {
                    self.close("} else {");
                    self.depth += 1;
                    self.body(scope, depth);
                }
                self.close("}");
            }
            10 => self.loop_(scope, depth),
            11 => self.switch(scope, depth),
            12 => self.gotos(scope, depth),
            13 => self.pointers(scope),
            14 => self.heap(scope),
            15 => self.variadic(scope),
            16 => self.union_punning(scope),
            17 => self.types(scope),
            18 => self.arrays(scope),
            _ => {
                self.open("{");
                let name = self.name("v");
                let (ty, value) = (self.rng.pick(INTEGERS).0, self.integer(scope, 2));
                self.line(format!("{ty} {name} = {value};"));
                let mut inner = scope.clone();
                inner.integers.push(Place { text: name, fixed: false });
                self.body(&inner, depth);
                self.close("}");
            }
        }
    }

    fn open(&mut self, text: impl AsRef<str>) {
        self.line(text);
        self.depth += 1;
    }

    fn close(&mut self, text: impl AsRef<str>) {
        self.depth -= 1;
        self.line(text);
    }

    fn body(&mut self, scope: &Scope, depth: usize) {
        let mut inner = scope.clone();
        for _ in 0..1 + self.rng.below(2) {
            self.statement(&mut inner, depth.saturating_sub(1));
        }
        if scope.in_loop && self.rng.chance(6) {
            let condition = self.integer(scope, 1);
            let leave = self.rng.pick(&["break", "continue"]);
            self.line(format!("if ({condition}) {leave};"));
        }
    }

    fn assignment(&mut self, scope: &Scope) {
        if self.rng.chance(5)
            && let Some(call) = self.call(scope, Param::Integer, 2, false)
        {
            let place = self.integer_place(scope, 1, true);
            self.line(format!("{{ __auto_type result = {call}; {place} = result; }}"));
            return;
        }
        let place = self.integer_place(scope, 1, true);
        let value = self.integer(scope, 3);
        let line = match self.rng.below(10) {
            0 => format!("{place} = ({value}) % 50, {place}{};", self.rng.pick(&["++", "--"])),
            1 => format!("{place} {}= {value};", self.rng.pick(&["&", "|", "^"])),
            2 => format!("{place} = {place} % 1000; {place} {}= ({value}) % 1000;", self.rng.pick(&["+", "-"])),
            3 => format!("{place} {}= (({value}) & 7) + 1;", self.rng.pick(&["/", "%", ">>"])),
            4 => format!("total += {place} = {value};"),
            5 if self.careless => format!("{place} {}= {value};", self.rng.pick(&["+", "-", "*", "/", "<<"])),
            _ => format!("{place} = {value};"),
        };
        self.line(line);
    }

    fn float_assignment(&mut self, scope: &Scope) {
        let place = self.float_place(scope, 1, true);
        let value = if self.rng.chance(5) { self.call(scope, Param::Float, 2, false) } else { None };
        if let Some(call) = value {
            self.line(format!("{{ double result = {call}; total += (unsigned long)truncated(result); }}"));
        }
        let value = self.floating(scope, 2);
        let operator = self.rng.pick(&["", "", "+", "-", "*"]);
        self.line(format!("{place} {operator}= {value};"));
        // Nothing grows without end, or is no number.
        self.line(format!("if (!({place} > -1e30 && {place} < 1e30)) {place} = 1;"));
    }

    fn print(&mut self, scope: &Scope) {
        let value = self.integer(scope, 3);
        self.line(format!("printf(\"%s %lld\\n\", TYPE({value}), (long long)({value}));"));
    }

    /// An output with flags, widths and precisions.
    fn formatted(&mut self, scope: &Scope) {
        let flags = self.rng.pick(&["", "", "-", "+", " ", "0", "#", "+0", "-+"]);
        let width = self.rng.pick(&["", "", "5", "12", "*"]);
        let precision = self.rng.pick(&["", "", ".3", ".0", ".10", ".*"]);
        let mut stars = String::new();
        for text in [width, precision] {
            if text.contains('*') {
                stars += &format!("{}, ", self.rng.below(9));
            }
        }
        let (conversion, argument) = match self.rng.below(8) {
            0..=2 => {
                let (ty, letter) = self.rng.pick(&INTEGERS[1..13]);
                let letters: String = match self.rng.below(3) {
                    0 => letter.to_owned(),
                    _ => letter.replace(['d', 'u'], self.rng.pick(&["x", "o", "X", "u", "d", "i"])),
                };
                let value = self.integer(scope, 2);
                (letters, format!("({ty})({value})"))
            }
            3 => ("zu".to_owned(), "sizeof(long)".to_owned()),
            4 => {
                let string = scope.strings[self.rng.below(scope.strings.len())].clone();
                ("s".to_owned(), string)
            }
            5 => {
                let value = self.integer(scope, 1);
                ("c".to_owned(), format!("'a' + (int)((unsigned)({value}) % 20u)"))
            }
            _ => {
                let place = self.float_place(scope, 0, false);
                let letter = self.rng.pick(&["f", "e", "g", "G", "E", "a"]);
                (letter.to_owned(), place)
            }
        };
        // What the standard leaves undefined: `#` and `0` with some conversions, precisions with characters.
        let last = conversion.chars().last().unwrap_or('d');
        let flags: String = flags
            .chars()
            .filter(|flag| match flag {
                '#' => "xXofeEgGa".contains(last),
                '0' => !"sc".contains(last),
                '+' | ' ' => "difeEgGa".contains(last),
                _ => true,
            })
            .collect();
        let (precision, stars) = if last == 'c' {
            ("", if width == "*" { "7, ".to_owned() } else { String::new() })
        } else {
            (precision, stars)
        };
        self.line(format!("printf(\"|%{flags}{width}{precision}{conversion}|\\n\", {stars}{argument});"));
    }

    fn loop_(&mut self, scope: &Scope, depth: usize) {
        let name = self.name("i");
        let rounds = 1 + self.rng.below(4);
        let mut inner = scope.clone();
        inner.integers.push(Place { text: name.clone(), fixed: true });
        inner.in_loop = true;
        match self.rng.below(3) {
            0 => {
                self.open(format!("for (int {name} = {rounds}; {name} > 0; {name}--) {{"));
                self.body(&inner, depth);
                self.close("}");
            }
            1 => {
                let ty = self.rng.pick(&["unsigned char", "long", "short"]);
                self.open(format!("for ({ty} {name} = 0; {name} < {rounds}; {name}++) {{"));
                self.body(&inner, depth);
                self.close("}");
            }
            _ => {
                self.open("{");
                self.line(format!("int {name} = 0;"));
                self.open("do {");
                self.body(&inner, depth);
                self.close(format!("}} while (++{name} < {rounds});"));
                self.close("}");
            }
        }
    }

    fn switch(&mut self, scope: &Scope, depth: usize) {
        let value = self.integer(scope, 2);
        let mut inner = scope.clone();
        // `continue` alone would be right; `break` means the switch.
        inner.in_loop = false;
        let mask = self.rng.pick(&[3, 7, 15]);
        self.open(format!("switch (({value}) & {mask}) {{"));
        let mut label = 0;
        for _ in 0..2 + self.rng.below(3) {
            let end = label + self.rng.below(3);
            if end > label {
                self.line(format!("case {label} ... {end}:"));
            } else {
                self.line(format!("case {label}:"));
            }
            label = end + 1 + self.rng.below(2);
            self.depth += 1;
            self.body(&inner, depth);
            if !self.rng.chance(3) {
                self.line("break;");
            }
            self.depth -= 1;
        }
        if self.rng.chance(2) {
            self.line("default:");
            self.depth += 1;
            self.body(&inner, depth);
            self.depth -= 1;
        }
        self.line(";");
        self.close("}");
    }

    fn gotos(&mut self, scope: &Scope, depth: usize) {
        let (label, count) = (self.name("label"), self.name("n"));
        let condition = self.integer(scope, 1);
        let mut inner = scope.clone();
        inner.in_loop = false;
        match self.rng.below(4) {
            0 => {
                self.open("{");
                self.line(format!("int {count} = 0;"));
                self.line(format!("{label}:;"));
                self.body(&inner, depth);
                self.line(format!("if (++{count} < 3) goto {label};"));
                self.close("}");
            }
            1 => {
                self.line(format!("if ({condition}) goto {label};"));
                self.body(&inner, depth);
                self.line(format!("{label}:;"));
            }
            2 => {
                // Out of two loops at once.
                let (i, j) = (self.name("i"), self.name("i"));
                self.open(format!("for (int {i} = 0; {i} < 3; {i}++) {{"));
                self.open(format!("for (int {j} = 0; {j} < 3; {j}++) {{"));
                self.line(format!("if ({i} * 3 + {j} > (int)((unsigned)({condition}) % 9u)) goto {label};"));
                self.body(&inner, 0);
                self.close("}");
                self.close("}");
                self.line(format!("{label}:;"));
            }
            _ => {
                let other = self.name("label");
                self.open("{");
                self.line(format!("void *targets[] = {{ &&{label}, &&{other} }};"));
                self.line(format!("goto *targets[({condition}) & 1];"));
                self.line(format!("{label}:;"));
                self.body(&inner, 0);
                self.line(format!("{other}:;"));
                self.close("}");
            }
        }
    }

    fn pointers(&mut self, scope: &Scope) {
        let (p, q) = (self.name("p"), self.name("p"));
        let (a, b) = (self.index(scope, LENGTH, 2), self.index(scope, LENGTH, 2));
        let value = self.integer(scope, 2);
        self.open("{");
        match self.rng.below(5) {
            0 => {
                self.line(format!("int *{p} = numbers + ({a}), *{q} = &numbers[{b}];"));
                self.line(format!("*{p} = ({value}) % 100;"));
                self.line(format!("show(\"distance\", {q} - {p}); show(\"before\", {p} < {q}); show(\"at\", *{q});"));
            }
            1 => {
                self.line(format!("int *{p} = numbers, **{q} = &{p};"));
                self.line(format!("**{q} = ({value}) % 100; ++*{q}; (*{q})[1] ^= 3;"));
                self.line(format!("show(\"moved\", {p} - numbers); show(\"at\", *{p}++); show(\"next\", *{p});"));
            }
            2 => {
                self.line(format!("unsigned char *{p} = (unsigned char *)&numbers[{a}];"));
                self.line(format!("{p}[(unsigned)({value}) & 3] ^= 0x5a;"));
                self.line(format!("for (int i = 0; i < 4; i++) show(\"byte\", {p}[i]);"));
            }
            3 => {
                self.line(format!("unsigned long {p} = (unsigned long)&numbers[{a}];"));
                self.line(format!("int *{q} = (int *){p};"));
                self.line(format!("*{q} += 1 - 2 * (*{q} > 5); show(\"back\", {q} == &numbers[{a}]); show(\"aligned\", {p} % sizeof(int));"));
            }
            _ => {
                self.line(format!("int (*{p})[3] = (int (*)[3])numbers;"));
                self.line(format!(
                    "{p}[1][({value}) & 1] = 77; show(\"row\", {p}[1][0] + {p}[0][2]); show(\"size\", sizeof *{p});"
                ));
                self.line(format!("int (*{q})(const void *, const void *) = by_value; show(\"called\", (*{q})(&numbers[0], &numbers[{b}]));"));
            }
        }
        self.close("}");
    }

    fn heap(&mut self, scope: &Scope) {
        let p = self.name("h");
        let value = self.integer(scope, 2);
        let index = self.index(scope, 4, 1);
        self.open("{");
        match self.rng.below(3) {
            0 => {
                self.line(format!("int *{p} = calloc(4, sizeof *{p});"));
                self.line(format!("{p}[{index}] = {value}; {p} = realloc({p}, 8 * sizeof *{p}); {p}[7] = 1;"));
                self.line(format!("show(\"kept\", {p}[0] + {p}[3] % 10LL);"));
            }
            1 => {
                self.line(format!("struct node {{ struct node *next; long value; }} *{p} = 0;"));
                self.line(format!("for (int i = 0; i < 4; i++) {{ struct node *fresh = malloc(sizeof *fresh); *fresh = (struct node){{ {p}, i + (({value}) & 7) }}; {p} = fresh; }}"));
                self.line(format!("while ({p}) {{ struct node *gone = {p}; show(\"node\", {p}->value); {p} = {p}->next; free(gone); }}"));
            }
            _ => {
                let text = self.literal();
                self.line(format!("char *{p} = malloc(strlen({text}) + 1);"));
                self.line(format!("strcpy({p}, {text}); printf(\"<%s>\\n\", {p});"));
            }
        }
        let forgotten = self.careless && self.rng.chance(6);
        if !forgotten {
            self.line(format!("free({p});"));
        }
        if self.careless && self.rng.chance(6) {
            self.line(format!("free({p});"));
        }
        self.close("}");
    }

    fn variadic(&mut self, scope: &Scope) {
        let (a, b) = (self.integer(scope, 2), self.integer(scope, 2));
        let f = self.floating(scope, 1);
        let text = self.literal();
        let line = match self.rng.below(4) {
            0 => format!("show(\"gather\", gather(\"iisd\", (int)({a}), (short)({b}), {text}, (float)({f})));"),
            1 => format!("show(\"gather\", gather(\"lLp\", (long)({a}), (long long)({b}), numbers + 2));"),
            2 => format!(
                "show(\"gather\", gather(\"ird\", (char)({a}), (struct pair){{ 1, ({b}) & 31 }}, (double)({f})));"
            ),
            _ => {
                let string = scope.strings[self.rng.below(scope.strings.len())].clone();
                format!("format({string}, 40, \"%d/%s/%5.1f\", (int)({a}), {text}, fmod_one({f}, 1000));")
            }
        };
        self.line(line);
    }

    fn union_punning(&mut self, scope: &Scope) {
        let u = self.name("u");
        let value = self.integer(scope, 2);
        let f = self.floating(scope, 1);
        self.open("{");
        self.line(format!("union {{ long long whole; int half[2]; unsigned char byte[8]; double real; float single; struct {{ unsigned low : 5, middle : 11; signed high : 16; }}; }} {u} = {{ 0 }};"));
        match self.rng.below(3) {
            0 => self.line(format!("{u}.whole = {value};")),
            1 => self.line(format!("{u}.real = {f}; if ({u}.real != {u}.real) {u}.real = 1;")),
            _ => self.line(format!("{u}.single = {f}; {u}.high = {value}; {u}.byte[5] = {value};")),
        }
        self.line(format!("show(\"half\", {u}.half[0]); show(\"low\", {u}.low); show(\"middle\", {u}.middle); show(\"high\", {u}.high); show(\"byte\", {u}.byte[6]);"));
        self.close("}");
    }

    /// What types C gives to expressions.
    fn types(&mut self, scope: &Scope) {
        let a = self.integer_place(scope, 1, false);
        let b = self.integer_place(scope, 1, false);
        let f = self.float_place(scope, 0, false);
        let expression = match self.rng.below(8) {
            0 => format!("{a} + {b}"),
            1 => format!("{a} << 1u"),
            2 => format!("1 ? {a} : {b}"),
            3 => format!("{a} * {f}"),
            4 => format!("~{a}"),
            // What type a bit-field has behind a comma is left open.
            5 => format!("({a}, {})", scope.integers[self.rng.below(scope.integers.len())].text),
            6 => format!("{a} == {b}"),
            _ => format!("+{a}"),
        };
        self.line(format!("puts(TYPE({expression}));"));
        self.line(format!("show(\"size\", sizeof({expression}));"));
    }

    fn arrays(&mut self, scope: &Scope) {
        let (t, n) = (self.name("t"), self.name("n"));
        let value = self.integer(scope, 1);
        self.open("{");
        match self.rng.below(4) {
            0 => {
                self.line(format!("int {n} = 2 + (int)(({value}) & 3);"));
                self.line(format!("short {t}[{n}][{n} + 1];"));
                self.line(format!(
                    "for (int i = 0; i < {n}; i++) for (int j = 0; j <= {n}; j++) {t}[i][j] = (short)(i * 10 + j);"
                ));
                self.line(format!(
                    "show(\"corner\", {t}[{n} - 1][{n}]); show(\"size\", sizeof {t}); show(\"row\", sizeof {t}[0]);"
                ));
            }
            1 => {
                self.line(format!("int {t}[6]; memcpy({t}, numbers, sizeof {t});"));
                self.line(format!("{t}[({value}) & 3] = -2; qsort({t}, 6, sizeof *{t}, by_value);"));
                self.line(format!("int {n} = {t}[2]; int *found = bsearch(&{n}, {t}, 6, sizeof *{t}, by_value); show(\"found\", *found);"));
                self.line(format!("for (int i = 0; i < 6; i++) show(\"sorted\", {t}[i]);"));
            }
            2 => {
                self.line(format!("struct {{ char tag; int list[]; }} *{t} = malloc(sizeof *{t} + 3 * sizeof(int));"));
                self.line(format!("{t}->tag = 'x'; {t}->list[({value}) & 1] = 8; {t}->list[2] = sizeof *{t};"));
                self.line(format!("show(\"flexible\", {t}->list[2] + {t}->tag); free({t});"));
                self.line(format!("int {n} = 1; total += {n};"));
            }
            _ => {
                self.line(format!("static const struct {{ const char *word; int weight[2]; }} {t}[] = {{ {{ \"one\", {{ 1 }} }}, [2] = {{ .weight = {{ [1] = 5 }}, .word = \"three\" }} }};"));
                self.line(format!("int {n} = ({value}) % 2 ? 2 : 0; printf(\"%s %d %zu\\n\", {t}[{n}].word, {t}[{n}].weight[1], sizeof {t} / sizeof *{t});"));
            }
        }
        self.close("}");
    }

    fn record_statement(&mut self, scope: &Scope) {
        let at = self.rng.below(scope.records.len());
        let (record, text) = scope.records[at].clone();
        let name = self.records[record].name.clone();
        let same: Vec<String> = scope.records.iter().filter(|(r, _)| *r == record).map(|(_, t)| t.clone()).collect();
        let other = same[self.rng.below(same.len())].clone();
        match self.rng.below(5) {
            0 => self.line(format!("{text} = {other};")),
            1 => {
                let value = self.call(scope, Param::Record(record), 1, false);
                let value = value.unwrap_or_else(|| format!("({name}){{ 0 }}"));
                self.line(format!("{{ {name} result = {value}; {text} = result; }}"));
            }
            2 => self.line(format!("memcpy(&{text}, &({name}){{ 0 }}, sizeof {text});")),
            3 => {
                let value = self.integer(scope, 1);
                self.line(format!("{text} = ({value}) & 1 ? {text} : {other};"));
            }
            _ => {
                let copy = self.name("copy");
                self.line(format!(
                    "{{ {name} {copy}[2] = {{ {text}, {other} }}; {copy}[0] = {copy}[1]; {text} = {copy}[0]; }}"
                ));
            }
        }
    }

    fn library(&mut self, scope: &Scope) {
        let at = self.rng.below(scope.strings.len());
        let s = scope.strings[at].clone();
        let other = scope.strings[1 - at.min(1)].clone();
        let (text, more) = (self.literal(), self.literal());
        let n = self.index(scope, 9, 1);
        let line = match self.rng.below(22) {
            0 => format!("strcpy({s}, {text});"),
            1 => format!("if (strlen({s}) < 20) strcat({s}, {text});"),
            2 => format!("strncpy({s}, {text}, {n}); {s}[39] = 0;"),
            3 => format!("if (strlen({s}) < 20) strncat({s}, {text}, {n});"),
            4 => format!("memmove({s} + 1, {s}, 10); {s}[11] = 0;"),
            5 => format!("memset({s}, 'q', {n});"),
            6 => format!(
                "show(\"compare\", strcmp({s}, {text}) < 0); show(\"compare\", strncmp({s}, {other}, {n}) > 0);"
            ),
            7 => format!(
                "{{ char *at = strchr({s}, 'e'); show(\"at\", at ? at - {s} : -1); at = strrchr({s}, 'z'); show(\"last\", at ? at - {s} : -1); }}"
            ),
            8 => format!("{{ char *at = strstr({s}, {text}); show(\"at\", at ? at - {s} : -1); }}"),
            9 => format!("snprintf({s}, {n} + 1, \"%s-%d\", {text}, (int)({n}) * 7);"),
            10 => format!(
                "show(\"number\", atoi({text})); show(\"number\", strtol({more}, 0, {}));",
                self.rng.pick(&["0", "10", "16", "8"])
            ),
            11 => format!("{{ char *end; show(\"number\", (long)strtoul({text}, &end, 0)); show(\"rest\", *end); }}"),
            12 => format!("show(\"span\", strspn({s}, \"abcdefwpt\")); show(\"none\", strcspn({s}, {text}));"),
            13 => format!(
                "{{ char copy[40]; strcpy(copy, {s}); for (char *part = strtok(copy, \" ,;ae\"); part; part = strtok(0, \" ,;ae\")) puts(part); }}"
            ),
            14 => format!("show_double(\"real\", strtod({text}, 0)); show_double(\"real\", atof({more}));"),
            15 => format!(
                "{{ int a = 0; char b[40] = \"\"; show(\"scanned\", sscanf({s}, \"%d %5s\", &a, b)); show(b, a); }}"
            ),
            16 => {
                format!("show(\"memory\", memcmp({s}, {other}, {n}) == 0); show(\"chr\", memchr({s}, 'f', 40) != 0);")
            }
            17 => format!(
                "for (char *c = {s}; *c; c++) *c = (char)({}((unsigned char)*c));",
                self.rng.pick(&["toupper", "tolower"])
            ),
            18 => format!(
                "{{ div_t d = div((int)({n}) - 4, 3); show(\"div\", d.quot * 10 + d.rem); ldiv_t l = ldiv(-17L, 5L); show(\"ldiv\", l.rem); show(\"abs\", labs(-9L)); }}"
            ),
            19 => format!(
                "putchar('a' + (int)({n})); puts({s}); fputs({text}, stdout); fprintf(stdout, \"%%%c\\n\", 'k');"
            ),
            20 => format!(
                "{{ int e; double m = frexp({}, &e); show(\"exponent\", e); show_double(\"mantissa\", m); double whole; show_double(\"part\", modf(-3.75, &whole)); }}",
                self.float_place(scope, 0, false)
            ),
            _ => format!(
                "{{ char out[64]; int length = sprintf(out, \"%-6.3s|%+d|%#x\", {s}, (int)({n}), 255); show(\"length\", length); puts(out); }}"
            ),
        };
        self.line(line);
    }
}
