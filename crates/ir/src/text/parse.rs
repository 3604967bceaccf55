//! The parser of the text form: files, layouts, globals, inputs, functions. Never panics on bad text.

use heddle_base::{Id, IndexVec, Loc, SourceMap};
use rustc_hash::FxHashMap;

use super::error::{ParseError, ParseErrorKind};
use super::lex::{Token, TokenKind, lex};
use super::names::{id_below, name_of_handle, numbered};
use super::parse_step::parse_body;
use crate::layout::{Field, Layout, LayoutId, LayoutKind};
use crate::program::{
    Check, CheckId, ConstValue, FuncId, Function, Global, GlobalId, InitItem, Input, InputId, InputKind, Program, Reg,
    RegId,
};
use crate::property::Property;
use crate::ty::{DataModel, Ty};

/// Reads a program.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let tokens = lex(text)?;
    let mut parser = Parser::new(&tokens);
    parser.items()?;
    parser.layouts()?;
    parser.globals()?;
    for body in std::mem::take(&mut parser.bodies) {
        parse_body(&mut parser, body)?;
    }
    parser.finish()
}

/// State of the parser. Items are read in passes, since what they name may come later.
pub(super) struct Parser<'a> {
    tokens: &'a [Token<'a>],
    pos: usize,
    pub model: DataModel,
    entry: Option<(usize, String)>,
    pub sources: SourceMap,
    pub layouts: IndexVec<LayoutId, Layout>,
    record_names: FxHashMap<String, LayoutId>,
    /// Arrays and records whose elements and fields are still to be read.
    arrays: Vec<(LayoutId, usize)>,
    records: Vec<(LayoutId, usize)>,
    global_bodies: Vec<usize>,
    pub globals: IndexVec<GlobalId, Global>,
    pub global_names: FxHashMap<String, GlobalId>,
    pub inputs: IndexVec<InputId, Input>,
    pub input_names: FxHashMap<String, InputId>,
    /// Checks with a number, and those without, which get theirs at the end.
    checks: FxHashMap<usize, Check>,
    new_checks: Vec<Check>,
    pub functions: IndexVec<FuncId, Function>,
    pub function_names: FxHashMap<String, FuncId>,
    bodies: Vec<BodyStart<'a>>,
}

/// A function whose body is still to be read.
pub(super) struct BodyStart<'a> {
    pub id: FuncId,
    /// What its registers are called.
    pub handles: Vec<&'a str>,
    /// The first token behind the header and the registers.
    pub pos: usize,
}

/// First number of checks that have none in the text; [`Parser::finish`] moves them behind the others.
const NEW_CHECKS: usize = 1 << 30;

type Result_<T> = Result<T, ParseError>;

impl<'a> Parser<'a> {
    fn new(tokens: &'a [Token<'a>]) -> Self {
        Parser {
            tokens,
            pos: 0,
            model: DataModel::Lp64,
            entry: None,
            sources: SourceMap::new(),
            layouts: IndexVec::new(),
            record_names: FxHashMap::default(),
            arrays: Vec::new(),
            records: Vec::new(),
            global_bodies: Vec::new(),
            globals: IndexVec::new(),
            global_names: FxHashMap::default(),
            inputs: IndexVec::new(),
            input_names: FxHashMap::default(),
            checks: FxHashMap::default(),
            new_checks: Vec::new(),
            functions: IndexVec::new(),
            function_names: FxHashMap::default(),
            bodies: Vec::new(),
        }
    }

    /// First pass: declares everything that has a name, remembers where the rest stands.
    fn items(&mut self) -> Result_<()> {
        loop {
            self.newlines();
            if *self.kind() == TokenKind::Eof {
                return Ok(());
            }
            match self.word("an item")? {
                "program" => {
                    let name = self.word("a data model")?;
                    let found = [DataModel::Lp64, DataModel::Ilp32].into_iter().find(|m| m.name() == name);
                    self.model = found.ok_or_else(|| self.unknown("data model", name))?;
                }
                "entry" => self.entry = Some((self.pos, self.name("a function")?)),
                "file" => {
                    let name = self.text()?;
                    self.sources.file_named(&name);
                }
                "layout" => self.declare_layout()?,
                "global" => {
                    self.global_bodies.push(self.pos);
                    let name = self.name("a global")?;
                    self.skip_line();
                    let id = GlobalId::new(self.global_bodies.len() - 1);
                    if self.global_names.insert(name.clone(), id).is_some() {
                        return Err(self.error(ParseErrorKind::Duplicate { what: "global", name }));
                    }
                    continue;
                }
                "input" => self.input()?,
                "check" => {
                    self.check()?;
                }
                "fn" => self.declare_function()?,
                other => return Err(self.error_before(unexpected(other, "an item"))),
            }
            self.end_of_line()?;
        }
    }

    fn declare_layout(&mut self) -> Result_<()> {
        let name = self.word("a layout number")?;
        if numbered(name, 't') != Some(self.layouts.len()) {
            return Err(self.error_before(unexpected(name, "the next layout number")));
        }
        self.expect("=")?;
        let start = self.pos;
        let id = self.layouts.next_id();
        let is_record = matches!(self.kind(), TokenKind::Word("struct" | "union"));
        let layout = match *self.kind() {
            // Arrays once all others are known, since others may call them by what they are.
            TokenKind::Sym("[") => {
                self.arrays.push((id, start));
                Layout { size: UNKNOWN_SIZE, align: 1, kind: LayoutKind::Bytes }
            }
            _ if is_record => {
                self.pos += 1;
                let name = self.text()?;
                self.record_names.entry(name).or_insert(id);
                self.records.push((id, start));
                let mut layout = Layout { size: 0, align: 1, kind: LayoutKind::Bytes };
                self.extent(&mut layout)?;
                layout
            }
            _ => self.simple_layout()?,
        };
        self.layouts.push(layout);
        while !matches!(self.kind(), TokenKind::Eof) {
            match self.kind() {
                TokenKind::Sym("}") => {
                    self.pos += 1;
                    break;
                }
                TokenKind::Newline if !is_record => break,
                _ => self.pos += 1,
            }
        }
        Ok(())
    }

    fn simple_layout(&mut self) -> Result_<Layout> {
        let word = self.word("a layout")?;
        let mut layout = match ty_named(word) {
            Some(ty) => Layout::scalar(ty, self.model),
            None if word == "bytes" => Layout { size: 0, align: 1, kind: LayoutKind::Bytes },
            None => return Err(self.error_before(unexpected(word, "a layout"))),
        };
        self.extent(&mut layout)?;
        Ok(layout)
    }

    /// Second pass over layouts: what they are made of.
    fn layouts(&mut self) -> Result_<()> {
        let mut arrays = std::mem::take(&mut self.arrays);
        // An array of arrays waits for its element's size; what waits for itself keeps size 0.
        while !arrays.is_empty() {
            let before = arrays.len();
            let mut waiting = Vec::new();
            for (id, start) in arrays {
                self.pos = start;
                let layout = self.array()?;
                if layout.size == UNKNOWN_SIZE {
                    waiting.push((id, start));
                } else {
                    self.layouts[id] = layout;
                }
            }
            if waiting.len() == before {
                waiting.iter().for_each(|&(id, _)| self.layouts[id].size = 0);
            }
            arrays = waiting;
        }
        for (id, start) in std::mem::take(&mut self.records) {
            self.pos = start;
            let overlapping = self.word("a record")? == "union";
            self.layouts[id] = self.record(overlapping)?;
        }
        Ok(())
    }

    fn array(&mut self) -> Result_<Layout> {
        self.expect("[")?;
        let len = self.int()?;
        self.keyword("x")?;
        let elem = self.layout_ref()?;
        self.expect("]")?;
        let mut layout = self.array_of(elem, len)?;
        self.extent(&mut layout)?;
        Ok(layout)
    }

    fn record(&mut self, overlapping: bool) -> Result_<Layout> {
        let name = self.text()?;
        let mut layout = Layout { size: 0, align: 1, kind: LayoutKind::Bytes };
        self.extent(&mut layout)?;
        self.expect("{")?;
        let mut fields = Vec::new();
        loop {
            self.newlines();
            if self.eat("}") {
                break;
            }
            let offset = self.int()?;
            self.expect(":")?;
            let shape = self.layout_ref()?;
            let name = self.name("a field name")?;
            let bits = if self.eat_word("bits") { Some((self.int_u32()?, self.int_u32()?)) } else { None };
            fields.push(Field { name, offset, layout: shape, bits });
        }
        layout.kind = LayoutKind::Record { name, overlapping, fields };
        Ok(layout)
    }

    fn extent(&mut self, layout: &mut Layout) -> Result_<()> {
        if self.eat_word("size") {
            layout.size = self.int()?;
        }
        if self.eat_word("align") {
            layout.align = self.int()?;
        }
        Ok(())
    }

    fn array_of(&mut self, elem: LayoutId, len: u64) -> Result_<Layout> {
        let inner = self.layouts.get(elem).ok_or_else(|| self.unknown("layout", &elem.to_string()))?;
        let size = if inner.size == UNKNOWN_SIZE { Some(UNKNOWN_SIZE) } else { inner.size.checked_mul(len) };
        let size = size.ok_or_else(|| self.error(ParseErrorKind::TooLarge))?;
        Ok(Layout { size, align: self.layouts[elem].align, kind: LayoutKind::Array { elem, len } })
    }

    /// A layout where it is used: by number, by what it is, or made here.
    pub fn layout_ref(&mut self) -> Result_<LayoutId> {
        if self.eat("[") {
            let len = self.int()?;
            self.keyword("x")?;
            let elem = self.layout_ref()?;
            self.expect("]")?;
            let layout = self.array_of(elem, len)?;
            return Ok(self.intern_layout(layout));
        }
        let word = self.word("a layout")?;
        if word == "bytes" {
            let size = self.int()?;
            return Ok(self.intern_layout(Layout { size, align: 1, kind: LayoutKind::Bytes }));
        }
        if matches!(word, "struct" | "union") {
            let name = format!("{word} {}", self.word("the name of a record")?);
            return self.record_names.get(&name).copied().ok_or_else(|| self.unknown("layout", &name));
        }
        if let Some(number) = numbered(word, 't') {
            return id_below(number, self.layouts.len()).ok_or_else(|| self.unknown("layout", word));
        }
        let ty = ty_named(word).ok_or_else(|| self.unknown("layout", word))?;
        let layout = Layout::scalar(ty, self.model);
        Ok(self.intern_layout(layout))
    }

    fn intern_layout(&mut self, layout: Layout) -> LayoutId {
        match self.layouts.iter().position(|l| *l == layout) {
            Some(i) => LayoutId::new(i),
            None => self.layouts.push(layout),
        }
    }

    /// Second pass over globals: functions and other globals are known by now.
    fn globals(&mut self) -> Result_<()> {
        for start in std::mem::take(&mut self.global_bodies) {
            self.pos = start;
            let global = self.global()?;
            self.globals.push(global);
        }
        Ok(())
    }

    fn global(&mut self) -> Result_<Global> {
        let name = self.name("a global")?;
        self.expect(":")?;
        let layout = self.layout_ref()?;
        let shape = &self.layouts[layout];
        let mut extent = Layout { size: shape.size, align: shape.align, kind: LayoutKind::Bytes };
        let scalar = if let LayoutKind::Scalar(ty) = shape.kind { Some(ty) } else { None };
        self.extent(&mut extent)?;
        let thread_local = self.eat_word("thread_local");
        let constant = self.eat_word("const");
        let external = self.eat_word("extern");
        let model = self.eat_word("model");
        let init = if self.eat("=") { self.init(scalar)? } else { Vec::new() };
        let loc = self.place()?;
        self.end_of_line()?;
        let Layout { size, align, .. } = extent;
        Ok(Global { name, layout, size, align, init, thread_local, constant, external, loc, model })
    }

    fn init(&mut self, scalar: Option<Ty>) -> Result_<Vec<InitItem>> {
        if !self.eat("{") {
            return Ok(vec![InitItem { offset: 0, value: self.const_value(scalar)? }]);
        }
        let mut items = Vec::new();
        while !self.eat("}") {
            let offset = self.int()?;
            self.expect(":")?;
            items.push(InitItem { offset, value: self.const_value(None)? });
            if *self.kind() != TokenKind::Sym("}") {
                self.expect(",")?;
            }
        }
        Ok(items)
    }

    fn const_value(&mut self, expected: Option<Ty>) -> Result_<ConstValue> {
        if let TokenKind::Str(bytes) = self.kind() {
            let bytes = bytes.clone();
            self.pos += 1;
            return Ok(ConstValue::Bytes(bytes));
        }
        for (word, ty, bits) in [("null", Ty::Ptr, 0), ("true", Ty::Bool, 1), ("false", Ty::Bool, 0)] {
            if self.eat_word(word) {
                return Ok(ConstValue::Scalar { ty, bits });
            }
        }
        if !self.eat("&") {
            let (ty, bits) = self.literal()?.ok_or_else(|| self.unexpected("a constant"))?.value(expected, self)?;
            return Ok(ConstValue::Scalar { ty, bits });
        }
        if self.eat_word("fn") {
            self.expect("::")?;
            let name = self.name("a function")?;
            return Ok(ConstValue::Func(self.function_named(&name)?));
        }
        let name = self.name("a global")?;
        match self.global_names.get(&name) {
            Some(&global) => Ok(ConstValue::Global { global, offset: self.offset()? }),
            None => Ok(ConstValue::Func(self.function_named(&name)?)),
        }
    }

    fn input(&mut self) -> Result_<()> {
        let name = self.name("an input")?;
        self.expect(":")?;
        let ty = self.ty()?;
        let kind = self.one_of("kind of input", &InputKind::ALL, InputKind::name)?;
        let loc = self.place()?;
        let id = self.inputs.push(Input { name: name.clone(), ty, kind, loc });
        match self.input_names.insert(name.clone(), id) {
            Some(_) => Err(self.error(ParseErrorKind::Duplicate { what: "input", name })),
            None => Ok(()),
        }
    }

    /// `c7 memory "message"`; the number may be missing.
    pub fn check(&mut self) -> Result_<CheckId> {
        let number = match self.kind() {
            TokenKind::Word(word) => numbered(word, 'c'),
            _ => None,
        };
        self.pos += usize::from(number.is_some());
        let property = self.one_of("property", &Property::ALL, Property::name)?;
        let message = self.text()?;
        let check = Check { property, message };
        match number {
            None => {
                self.new_checks.push(check);
                Ok(CheckId::new(NEW_CHECKS + self.new_checks.len() - 1))
            }
            Some(n) if *self.checks.entry(n).or_insert_with(|| check.clone()) == check => Ok(CheckId::new(n)),
            Some(n) => Err(self.error_before(ParseErrorKind::Duplicate { what: "check", name: format!("c{n}") })),
        }
    }

    fn declare_function(&mut self) -> Result_<()> {
        let name = self.name("a function")?;
        let mut function = Function {
            name: name.clone(),
            params: Vec::new(),
            variadic: false,
            ret: None,
            regs: IndexVec::new(),
            slots: IndexVec::new(),
            exprs: IndexVec::new(),
            steps: IndexVec::new(),
            loc: Loc::nowhere(),
            model: false,
            external: false,
        };
        self.expect("(")?;
        let mut handles = Vec::new();
        let mut later = Vec::new();
        while !self.eat(")") {
            function.variadic |= self.eat("...");
            let handle = self.word("a parameter")?;
            if self.eat(":") {
                let reg = self.reg_type(handle)?;
                function.params.push(function.regs.push(reg));
                handles.push(handle);
            } else {
                later.push(handle);
            }
            if *self.kind() != TokenKind::Sym(")") {
                self.expect(",")?;
            }
        }
        if self.eat("->") {
            function.ret = Some(self.ty()?);
        }
        function.model = self.eat_word("model");
        function.external = self.eat_word("extern");
        self.expect("{")?;
        function.loc = self.place()?;
        // Callers need the types of parameters before any body is read.
        self.regs(&mut function.regs, &mut handles)?;
        for name in later {
            let reg = handles.iter().position(|h| *h == name).ok_or_else(|| self.unknown("register", name))?;
            function.params.push(RegId::new(reg));
        }
        let id = self.functions.push(function);
        self.bodies.push(BodyStart { id, handles, pos: self.pos });
        if self.function_names.insert(name.clone(), id).is_some() {
            return Err(self.error(ParseErrorKind::Duplicate { what: "function", name }));
        }
        while !matches!(self.kind(), TokenKind::Sym("}") | TokenKind::Eof) {
            self.pos += 1;
        }
        self.expect("}")
    }

    /// The `regs` lines of a function.
    fn regs(&mut self, regs: &mut IndexVec<RegId, Reg>, handles: &mut Vec<&'a str>) -> Result_<()> {
        self.newlines();
        while *self.kind() == TokenKind::Word("regs") && matches!(self.second(), TokenKind::Word(_)) {
            self.pos += 1;
            loop {
                let handle = self.word("a register")?;
                self.expect(":")?;
                regs.push(self.reg_type(handle)?);
                handles.push(handle);
                if !self.eat(",") {
                    break;
                }
            }
            self.end_of_line()?;
            self.newlines();
        }
        Ok(())
    }

    /// What follows `name:` in the declaration of a register.
    pub fn reg_type(&mut self, handle: &str) -> Result_<Reg> {
        let ty = self.ty()?;
        let name = match self.kind() {
            TokenKind::Str(_) => Some(self.text()?),
            _ => name_of_handle(handle, 'r').map(str::to_owned),
        };
        Ok(Reg { ty, name })
    }

    fn finish(mut self) -> Result_<Program> {
        if self.functions.is_empty() {
            return Err(self.error(ParseErrorKind::NoFunction));
        }
        let entry = match self.entry.take() {
            Some((pos, name)) => {
                self.pos = pos;
                self.function_named(&name)?
            }
            None => self.function_names.get("main").copied().unwrap_or(FuncId::new(0)),
        };
        let mut checks: IndexVec<CheckId, Check> = IndexVec::new();
        for n in 0..self.checks.len() {
            let check = self.checks.remove(&n).ok_or_else(|| self.unknown("check", &format!("c{n}")))?;
            checks.push(check);
        }
        let numbered = checks.len();
        checks.raw_mut().append(&mut self.new_checks);
        for step in self.functions.iter_mut().flat_map(|f| f.steps.iter_mut()) {
            if let crate::step::StepKind::Assert { check, .. } = &mut step.kind
                && check.index() >= NEW_CHECKS
            {
                *check = CheckId::new(check.index() - NEW_CHECKS + numbered);
            }
        }
        Ok(Program {
            model: self.model,
            functions: self.functions,
            globals: self.globals,
            layouts: self.layouts,
            inputs: self.inputs,
            checks,
            entry,
            sources: self.sources,
        })
    }
}

/// The size of an array whose element is not known yet.
const UNKNOWN_SIZE: u64 = u64::MAX;

/// Tokens.
impl<'a> Parser<'a> {
    pub fn seek(&mut self, pos: usize) {
        self.pos = pos;
    }

    pub fn pos(&self) -> usize {
        self.pos
    }

    pub fn token(&self) -> &'a Token<'a> {
        // The last token is the end, and nothing steps over it for long.
        &self.tokens[self.pos.min(self.tokens.len() - 1)]
    }

    pub fn kind(&self) -> &'a TokenKind<'a> {
        &self.token().kind
    }

    /// The kind of the token after the next.
    pub fn second(&self) -> &'a TokenKind<'a> {
        &self.tokens[(self.pos + 1).min(self.tokens.len() - 1)].kind
    }

    /// Whether no space separates the next token from the one before.
    pub fn adjacent(&self) -> bool {
        self.pos > 0 && self.pos < self.tokens.len() && self.tokens[self.pos - 1].end == self.tokens[self.pos].start
    }

    pub fn advance(&mut self) {
        self.pos += 1;
    }

    pub fn error(&self, kind: ParseErrorKind) -> ParseError {
        self.error_at(self.pos, kind)
    }

    pub fn error_at(&self, pos: usize, kind: ParseErrorKind) -> ParseError {
        let token = &self.tokens[pos.min(self.tokens.len() - 1)];
        ParseError { line: token.line, col: token.col, kind }
    }

    /// An error at the token just read.
    pub fn error_before(&self, kind: ParseErrorKind) -> ParseError {
        self.error_at(self.pos.saturating_sub(1), kind)
    }

    pub fn unknown(&self, what: &'static str, name: &str) -> ParseError {
        self.error_before(ParseErrorKind::Unknown { what, name: name.to_owned() })
    }

    pub fn unexpected(&self, expected: &'static str) -> ParseError {
        let found = match self.kind() {
            TokenKind::Newline => "end of line".to_owned(),
            TokenKind::Eof => "end of text".to_owned(),
            TokenKind::Word(w) => format!("`{w}`"),
            TokenKind::Sym(s) => format!("`{s}`"),
            TokenKind::Int(n) => format!("`{n}`"),
            TokenKind::Hex(n) => format!("`{n:#x}`"),
            TokenKind::Float(t) => format!("`{t}`"),
            TokenKind::Str(_) => "a string".to_owned(),
            TokenKind::At(_) => "a place".to_owned(),
        };
        self.error(ParseErrorKind::Unexpected { found, expected })
    }

    pub fn newlines(&mut self) {
        while *self.kind() == TokenKind::Newline && self.pos < self.tokens.len() {
            self.pos += 1;
        }
    }

    fn skip_line(&mut self) {
        while !matches!(self.kind(), TokenKind::Newline | TokenKind::Eof) {
            self.pos += 1;
        }
    }

    pub fn end_of_line(&mut self) -> Result_<()> {
        if *self.kind() == TokenKind::Newline {
            self.pos += 1;
            return Ok(());
        }
        // The token before may have been the end of the line, as behind a layout's body.
        let ended = self.pos > 0 && matches!(self.tokens[self.pos - 1].kind, TokenKind::Newline);
        if ended || matches!(self.kind(), TokenKind::Eof | TokenKind::Sym("}")) {
            Ok(())
        } else {
            Err(self.unexpected("the end of the line"))
        }
    }

    pub fn eat(&mut self, symbol: &'static str) -> bool {
        let found = matches!(self.kind(), TokenKind::Sym(s) if *s == symbol);
        self.pos += usize::from(found);
        found
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.kind(), TokenKind::Word(w) if *w == word);
        self.pos += usize::from(found);
        found
    }

    pub fn expect(&mut self, symbol: &'static str) -> Result_<()> {
        if self.eat(symbol) {
            return Ok(());
        }
        Err(self.unexpected(match symbol {
            "=" => "`=`",
            ":" => "`:`",
            "," => "`,`",
            "(" => "`(`",
            ")" => "`)`",
            "]" => "`]`",
            "{" => "`{`",
            "}" => "`}`",
            _ => "a symbol",
        }))
    }

    pub fn keyword(&mut self, word: &'static str) -> Result_<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.unexpected(word)) }
    }

    pub fn word(&mut self, expected: &'static str) -> Result_<&'a str> {
        match self.kind() {
            TokenKind::Word(word) => {
                self.pos += 1;
                Ok(word)
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// A word or a quoted name.
    pub fn name(&mut self, expected: &'static str) -> Result_<String> {
        match self.kind() {
            TokenKind::Str(_) => self.text(),
            _ => self.word(expected).map(str::to_owned),
        }
    }

    pub fn text(&mut self) -> Result_<String> {
        match self.kind() {
            TokenKind::Str(bytes) => {
                let text = String::from_utf8(bytes.clone()).map_err(|_| self.error(ParseErrorKind::NotText))?;
                self.pos += 1;
                Ok(text)
            }
            _ => Err(self.unexpected("a string")),
        }
    }

    pub fn int(&mut self) -> Result_<u64> {
        match *self.kind() {
            TokenKind::Int(value) => {
                let value = value.try_into().map_err(|_| self.error(ParseErrorKind::BadLiteral(value.to_string())))?;
                self.pos += 1;
                Ok(value)
            }
            _ => Err(self.unexpected("a number")),
        }
    }

    fn int_u32(&mut self) -> Result_<u32> {
        let value = self.int()?;
        value.try_into().map_err(|_| self.error_before(ParseErrorKind::BadLiteral(value.to_string())))
    }

    pub fn ty(&mut self) -> Result_<Ty> {
        let word = self.word("a type")?;
        ty_named(word).ok_or_else(|| self.unknown("type", word))
    }

    pub fn one_of<T: Copy>(&mut self, what: &'static str, all: &[T], name: fn(T) -> &'static str) -> Result_<T> {
        let word = self.word(what)?;
        all.iter().copied().find(|&t| name(t) == word).ok_or_else(|| self.unknown(what, word))
    }

    pub fn function_named(&self, name: &str) -> Result_<FuncId> {
        self.function_names.get(name).copied().ok_or_else(|| self.unknown("function", name))
    }

    /// `+8` or `-8` right behind a name.
    pub fn offset(&mut self) -> Result_<i64> {
        let negative = match self.kind() {
            TokenKind::Sym("+") => false,
            TokenKind::Sym("-") => true,
            _ => return Ok(0),
        };
        let touches = self.adjacent();
        self.pos += 1;
        if !touches || !self.adjacent() || !matches!(self.kind(), TokenKind::Int(_)) {
            self.pos -= 1;
            return Ok(0);
        }
        let TokenKind::Int(value) = *self.kind() else { return Ok(0) };
        let signed = i128::try_from(value).ok().map(|v| if negative { -v } else { v });
        let offset = signed.and_then(|v| i64::try_from(v).ok());
        let offset = offset.ok_or_else(|| self.error(ParseErrorKind::BadLiteral(value.to_string())))?;
        self.pos += 1;
        Ok(offset)
    }

    /// An optional place at the end of the line.
    pub fn place(&mut self) -> Result_<Loc> {
        let TokenKind::At(text) = *self.kind() else { return Ok(Loc::nowhere()) };
        let loc = parse_place(text, &mut self.sources).ok_or_else(|| self.unexpected("`@ file:line:column`"))?;
        self.pos += 1;
        Ok(loc)
    }
}

fn parse_place(text: &str, sources: &mut SourceMap) -> Option<Loc> {
    let (rest, col) = text.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    let (line, col) = (line.parse().ok()?, col.parse().ok()?);
    let file = if file.starts_with('"') {
        match lex(file).ok()?.swap_remove(0).kind {
            TokenKind::Str(bytes) => sources.file_named(&String::from_utf8(bytes).ok()?),
            _ => return None,
        }
    } else {
        sources.file_named(file)
    };
    Some(Loc { file, line, col })
}

pub(super) fn ty_named(name: &str) -> Option<Ty> {
    Ty::ALL.into_iter().find(|t| t.name() == name)
}

fn unexpected(found: &str, expected: &'static str) -> ParseErrorKind {
    ParseErrorKind::Unexpected { found: format!("`{found}`"), expected }
}
