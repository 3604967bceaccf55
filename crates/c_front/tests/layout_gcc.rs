//! Layout against gcc: random structs and unions must have the sizes, alignments, offsets and bit positions that gcc
//! gives them, on both data models.
//!
//! Sizes and offsets are told to gcc as static assertions. Where a bit-field lies shows in the bytes of a variable in which
//! it alone is set: gcc's are read from the object file, ours from the initial contents of the global.

mod support;

use std::fmt::Write;
use std::process::Command;

use heddle_c_front::render::{RenderConfig, render};
use heddle_c_front::{Options, compile};
use heddle_ir::{ConstValue, DataModel, Global, LayoutKind, Program};
use support::{Random, Scratch, gcc, gcc_takes};

const RECORDS: usize = 300;
/// Bytes that each variable with a bit-field set takes in the object file.
const ROOM: usize = 1024;

const SCALARS: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
    "float",
    "double",
    "long double",
    "void *",
    "enum plain",
    "enum small",
    "enum wide",
    "over16",
    "under2",
    "_Float128",
];
/// Types of bit-fields and how wide they are at most; `long` is as wide as the data model says.
const BIT_TYPES: &[(&str, usize)] = &[
    ("int", 32),
    ("unsigned", 32),
    ("char", 8),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("long", 0),
    ("unsigned long", 0),
    ("long long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
    ("enum plain", 32),
    ("enum small", 8),
];
const PRELUDE: &str = "\
enum plain { P0, P1 };
enum __attribute__((packed)) small { S0, S1 };
enum wide { W0 = 0x100000000ll };
typedef int over16 __attribute__((aligned(16)));
typedef long under2 __attribute__((aligned(2)));
";

/// A record and the names of its members.
struct Generated {
    name: String,
    definition: String,
    members: Vec<String>,
    bit_fields: Vec<String>,
}

#[test]
fn layout_is_gcc_s_on_lp64() {
    check(DataModel::Lp64, "-m64", 1);
}

#[test]
fn layout_is_gcc_s_on_ilp32() {
    check(DataModel::Ilp32, "-m32", 2);
}

fn check(model: DataModel, flag: &str, seed: u64) {
    let scratch = Scratch::new(&format!("layout{flag}"));
    if !gcc_takes(flag, &scratch) {
        return;
    }
    let records = generate(model, seed);
    let text = program_text(&records);
    let program = compile_text(&text, model);
    check_places(&records, &program, flag, &scratch);
    check_bits(&records, &text, &program, flag, &scratch);
}

fn generate(model: DataModel, seed: u64) -> Vec<Generated> {
    let mut random = Random::new(seed);
    let mut records: Vec<Generated> = Vec::new();
    for number in 0..RECORDS {
        let record = record(&mut random, number, &records, model);
        records.push(record);
    }
    records
}

fn record(random: &mut Random, number: usize, earlier: &[Generated], model: DataModel) -> Generated {
    let is_union = random.one_in(4);
    let keyword = if is_union { "union" } else { "struct" };
    let name = format!("{keyword} r{number}");
    let mut generated =
        Generated { name: name.clone(), definition: String::new(), members: Vec::new(), bit_fields: Vec::new() };
    let mut body = String::new();
    let bits_often = random.one_in(2);
    for index in 0..1 + random.below(6) {
        let member = format!("m{index}");
        if random.one_in(if bits_often { 2 } else { 6 }) {
            bit_field(random, &member, model, &mut body, &mut generated);
        } else {
            plain_member(random, &member, earlier, model, &mut body, &mut generated);
        }
    }
    if !is_union && !generated.members.is_empty() && random.one_in(8) {
        let ty = random.pick(&["char", "short", "int", "long long", "double"]);
        let _ = writeln!(body, "\t{ty} flexible[];");
        generated.members.push("flexible".to_owned());
    }
    let attributes = record_attributes(random);
    generated.definition = format!("{name} {{\n{body}}}{attributes};\n");
    if random.one_in(4) {
        let bound = 1 << random.below(5);
        generated.definition = format!("#pragma pack({bound})\n{}#pragma pack()\n", generated.definition);
    }
    generated
}

fn plain_member(
    random: &mut Random,
    member: &str,
    earlier: &[Generated],
    model: DataModel,
    body: &mut String,
    generated: &mut Generated,
) {
    // Nested records without flexible arrays, and not too large.
    let nested = earlier.len().checked_sub(1).filter(|_| random.one_in(5)).map(|last| {
        let from = last.saturating_sub(30);
        &earlier[from + random.below(last - from + 1)]
    });
    let nested = nested.filter(|r| !r.members.iter().any(|m| m == "flexible") && !r.definition.contains(" r"));
    if random.one_in(12) {
        let attributes = record_attributes(random);
        let inner = format!("{member}a");
        let _ = writeln!(body, "\tstruct {{ char {member}c; {} {inner}; }}{attributes};", random.pick(SCALARS));
        generated.members.push(inner);
        return;
    }
    let ty = match nested {
        Some(record) => record.name.as_str(),
        None if model == DataModel::Lp64 && random.one_in(25) => "__int128",
        None => random.pick(SCALARS),
    };
    let array = match random.below(8) {
        // Elements of a type that is aligned to more than its size make no array.
        0 | 1 if !matches!(ty, "over16") => format!("[{}]", random.below(4)),
        _ => String::new(),
    };
    let _ = writeln!(body, "\t{ty} {member}{array}{};", member_attributes(random));
    generated.members.push(member.to_owned());
}

fn bit_field(random: &mut Random, member: &str, model: DataModel, body: &mut String, generated: &mut Generated) {
    let (ty, widest) = random.pick(BIT_TYPES);
    let widest = if widest == 0 { 8 * model.pointer_size() as usize } else { widest };
    let attributes = member_attributes(random);
    if random.one_in(6) {
        let width = if random.one_in(2) { 0 } else { random.below(widest + 1) };
        let _ = writeln!(body, "\t{ty} : {width};");
        return;
    }
    let width = 1 + random.below(widest);
    let _ = writeln!(body, "\t{ty} {member} : {width}{attributes};");
    generated.bit_fields.push(member.to_owned());
}

fn member_attributes(random: &mut Random) -> String {
    match random.below(12) {
        0 => " __attribute__((packed))".to_owned(),
        1 => format!(" __attribute__((aligned({})))", 1 << random.below(6)),
        2 if random.one_in(3) => format!(" __attribute__((packed, aligned({})))", 1 << random.below(5)),
        _ => String::new(),
    }
}

fn record_attributes(random: &mut Random) -> String {
    match random.below(8) {
        0 => " __attribute__((packed))".to_owned(),
        1 => format!(" __attribute__((aligned({})))", 1 << random.below(6)),
        2 => format!(" __attribute__((packed, aligned({})))", 1 << random.below(5)),
        _ => String::new(),
    }
}

/// The records, a variable of each, and for each bit-field a variable in which it is set.
fn program_text(records: &[Generated]) -> String {
    let mut text = PRELUDE.to_owned();
    for (i, record) in records.iter().enumerate() {
        text.push_str(&record.definition);
        let _ = writeln!(text, "{} v{i};", record.name);
        for field in &record.bit_fields {
            let tag = format!("b{i}_{field}");
            let _ = writeln!(
                text,
                "union {tag} {{ {} r; char room[{ROOM}]; }} {tag} __attribute__((aligned({ROOM}))) = {{ .r = {{ .{field} = -1 }} }};",
                record.name
            );
        }
    }
    text.push_str("int main(void) { return 0; }\n");
    text
}

fn compile_text(text: &str, model: DataModel) -> Program {
    let options = Options { data_model: model, ..Options::default() };
    let compiled = compile(vec![("layout.c".to_owned(), text.to_owned())], options);
    let messages: String =
        compiled.diagnostics.iter().map(|d| render(d, &compiled.sources, RenderConfig::default())).collect();
    compiled.program.unwrap_or_else(|| panic!("the generated program does not compile:\n{messages}"))
}

fn global<'a>(program: &'a Program, name: &str) -> &'a Global {
    program.globals.iter().find(|g| g.name == name).unwrap_or_else(|| panic!("no global {name}"))
}

/// Sizes, alignments and offsets.
fn check_places(records: &[Generated], program: &Program, flag: &str, scratch: &Scratch) {
    let mut text = PRELUDE.to_owned();
    // Which record and what of it each line of the text asserts.
    let mut claims = Vec::new();
    let mut lines = text.lines().count();
    for (i, record) in records.iter().enumerate() {
        text.push_str(&record.definition);
        lines += record.definition.lines().count();
        let layout = &program.layouts[global(program, &format!("v{i}")).layout];
        let mut claim = |what: String, value: u64| {
            lines += 1;
            claims.push((lines, format!("{what} == {value}\n{}", record.definition)));
            let _ = writeln!(text, "_Static_assert({what} == {value}, \"\");");
        };
        claim(format!("sizeof({})", record.name), layout.size);
        claim(format!("_Alignof({})", record.name), layout.align);
        for member in &record.members {
            let offset = offset_of(program, &layout.kind, member);
            claim(format!("__builtin_offsetof({}, {member})", record.name), offset);
        }
    }
    let file = scratch.write("asserts.c", &text);
    let output = gcc(&[flag, "-w", "-fsyntax-only", "-fmax-errors=0"], &file).expect("gcc was there before");
    let messages = String::from_utf8_lossy(&output.stderr);
    let wrong: Vec<&str> = claims
        .iter()
        .filter(|(line, _)| messages.contains(&format!("asserts.c:{line}:")))
        .map(|(_, claim)| claim.as_str())
        .collect();
    assert!(wrong.is_empty(), "gcc {flag} disagrees with {} claims:\n{}", wrong.len(), wrong.join("\n"));
    assert!(output.status.success(), "{messages}");
}

/// The offset of a member, also of an anonymous one's.
fn offset_of(program: &Program, kind: &LayoutKind, member: &str) -> u64 {
    find_member(program, kind, member).unwrap_or_else(|| panic!("no member {member}"))
}

fn find_member(program: &Program, kind: &LayoutKind, member: &str) -> Option<u64> {
    let LayoutKind::Record { fields, .. } = kind else { return None };
    fields.iter().find_map(|field| match field.name.as_str() {
        "" => find_member(program, &program.layouts[field.layout].kind, member).map(|offset| field.offset + offset),
        name => (name == member).then_some(field.offset),
    })
}

/// Places of bit-fields.
fn check_bits(records: &[Generated], text: &str, program: &Program, flag: &str, scratch: &Scratch) {
    let file = scratch.write("bits.c", text);
    let (object, data) = (scratch.path("bits.o"), scratch.path("bits.bin"));
    let object_name = object.to_str().expect("UTF-8");
    let flags =
        [flag, "-w", "-c", "-fno-toplevel-reorder", "-fno-zero-initialized-in-bss", "-fcommon", "-o", object_name];
    let output = gcc(&flags, &file).expect("gcc was there before");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let copied = Command::new("objcopy").args(["-O", "binary", "-j", ".data"]).arg(&object).arg(&data).status();
    if !copied.is_ok_and(|status| status.success()) {
        return;
    }
    let bytes = std::fs::read(&data).expect("objcopy wrote it");
    let mut wrong = Vec::new();
    let fields = records.iter().enumerate().flat_map(|(i, r)| r.bit_fields.iter().map(move |f| (i, r, f)));
    for (number, (i, record, field)) in fields.enumerate() {
        let theirs = &bytes[number * ROOM..(number + 1) * ROOM];
        let ours = contents(global(program, &format!("b{i}_{field}")));
        if ours != theirs {
            let shown = |bytes: &[u8]| bytes[..32].iter().map(|b| format!("{b:02x}")).collect::<String>();
            wrong.push(format!("{field}: ours {} gcc {}\n{}", shown(&ours), shown(theirs), record.definition));
        }
    }
    assert!(wrong.is_empty(), "gcc {flag} puts {} bit-fields elsewhere:\n{}", wrong.len(), wrong.join("\n"));
}

/// The initial bytes of a global without addresses in it.
fn contents(global: &Global) -> Vec<u8> {
    let mut bytes = vec![0; global.size as usize];
    for item in &global.init {
        let at = item.offset as usize;
        match &item.value {
            ConstValue::Bytes(data) => bytes[at..at + data.len()].copy_from_slice(data),
            other => panic!("a bit-field's initial value is {other:?}"),
        }
    }
    bytes
}
