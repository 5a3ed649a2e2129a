use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::{property, translate};
use crate::schema::dialect::Dialect;
use crate::schema::engine::{Checks, Match};

/// What we say of texts; `None` where the engine gives up. No one to ask where the pattern is refused.
fn ours(pattern: &str) -> Option<impl Fn(&str) -> Option<bool>> {
    let mut checks = Checks::new(Dialect::Draft7);
    checks.add_pattern("/pattern", pattern).ok()?;
    Some(move |text: &str| match checks.matches(pattern, text) {
        Match::Yes => Some(true),
        Match::No => Some(false),
        Match::Unfinished => None,
    })
}

/// What another reader of ECMA-262 says: with flag `u`, or without where that refuses it.
fn theirs(pattern: &str) -> Option<impl Fn(&str) -> bool> {
    let strict = regress::Regex::with_flags(pattern, "u");
    let read = strict.or_else(|_| regress::Regex::new(pattern)).ok()?;
    Some(move |text: &str| read.find(text).is_some())
}

/// Whether flag `u` forbids it, and it has pieces that mean other characters without.
fn is_mixed(pattern: &str) -> bool {
    [r"\p", r"\P", r"\u"].iter().any(|piece| pattern.contains(piece))
        && regress::Regex::with_flags(pattern, "u").is_err()
}

#[test]
fn patterns_mean_what_ecma_262_says() {
    for (pattern, matched, others) in [
        ("^a$", &["a"][..], &["a\n", "\na", "b\na\nc", ""][..]),
        ("^.$", &["a", "\u{85}", "\u{b}", "\u{1f600}"], &["\n", "\r", "\u{2028}", "\u{2029}", ""]),
        ("^(?=.).$", &["a", "\u{85}"], &["\n", "\r", "\u{2028}"]),
        (r"^\d$", &["7"], &["\u{661}", "a"]),
        (r"^(?!x)\d$", &["7"], &["\u{661}", "a"]),
        (r"^\w$", &["_", "Z"], &["\u{e9}", "-"]),
        (r"^(?!x)[\w]$", &["_", "Z"], &["\u{e9}", "-"]),
        (r"^\s$", &[" ", "\u{feff}", "\u{a0}", "\u{2029}", "\u{b}"], &["\u{85}", "\u{200b}", "\u{180e}", "\u{1c}"]),
        (r"^(?!x)\s$", &["\u{feff}", "\u{3000}"], &["\u{85}", "\u{1c}"]),
        (r"^[\S]$", &["\u{85}", "a"], &["\u{feff}", " "]),
        (r"^[^\D\W]$", &["1"], &["a", "\u{661}"]),
        (r"\bo", &["o", "-o", "\u{e9}o"], &["no", ""]),
        (r"e\B", &["es", "e_"], &["e", "e\u{e9}", "e-"]),
        ("^[^]$", &["\n", "a"], &["", "ab"]),
        ("[]|^b$", &["b"], &["", "a"]),
        (r"^\0$", &["\0"], &["0"]),
        (r"^[\b]$", &["\u{8}"], &["b"]),
        (r"^\cA\cz$", &["\u{1}\u{1a}"], &["cAcz"]),
        (r"^\/\-\_\@\<\'$", &["/-_@<'"], &["/-_@'"]),
        (r"^[\w-z]$", &["-", "a"], &["+"]),
        (r"^[a-\d]$", &["-", "a", "5"], &["b"]),
        (r"^[+--]$", &["+", ",", "-"], &["."]),
        (r"^[a-c&&b]+$", &["a&b"], &["d"]),
        ("^[~~a]$", &["~", "a"], &["b"]),
        ("^[[a]$", &["[", "a"], &["b"]),
        ("^[^a^]$", &["b"], &["^", "a"]),
        ("^{a}{}$", &["{a}{}"], &["a"]),
        ("^a{2}b{1,}c{0,1}?$", &["aab", "aabbc"], &["ab", "aa"]),
        (r"^\u{1f600}\ud83d\ude00\u0041\x41$", &["\u{1f600}\u{1f600}AA"], &["AA"]),
        (r"^[\u{1f600}-\u{1f64f}]$", &["\u{1f601}"], &["a"]),
        (r"^\p{Lu}\P{L}[\p{Script=Greek}\P{Any}]$", &["A1\u{3b1}"], &["a1\u{3b1}", "A1a"]),
        (r"^(a|b)\1$", &["aa", "bb"], &["ab", "a"]),
        (r"^(?<q>['`])x\k<q>$", &["'x'"], &["'x`"]),
        (r"^(?:(a|b)\1)+$", &["aabb"], &["ab"]),
        (r"^(a)\1(?:0)$", &["aa0"], &["a0"]),
        (r"(?<=\$)\d+(?!\.)$", &["$12"], &["12", "$12."]),
        (r"(?<!a|bc)d", &["cd", "d"], &["ad", "bcd"]),
        // Look-arounds and groups in look-behinds; groups there are counted, whoever is told of them.
        (r"(?<=a(?!b)(a+))", &["aa"], &["a"]),
        (r"(?<=(?=b)(a+))", &[], &["ab", "ba"]),
        (r"(?<=(?!a)(a+))", &[], &["a"]),
        (r"(?<!(?!^)(b+))a", &["ba"], &["bba"]),
        (r"(?<!(?<=b)(a)*.|a)b", &["abb"], &["ab"]),
        (r"(?<=(x)(?<y>y))(a)(b)\4\3$", &["xyabba"], &["xyabab", "xyabbb"]),
        (r"(a)(?<!(x)b)(c)\3\1$", &["acca"], &["accc"]),
        ("^(?:a|b)*?c|(d)$", &["abcd", "d"], &["e"]),
        ("", &["", "a"], &[]),
        ("a|", &["", "b"], &[]),
    ] {
        let (ours, theirs) = (ours(pattern).expect(pattern), theirs(pattern).expect(pattern));
        for (text, expected) in matched.iter().map(|it| (it, true)).chain(others.iter().map(|it| (it, false))) {
            assert_eq!(theirs(text), expected, "the example is wrong: {pattern} {text:?}");
            assert_eq!(ours(text), Some(expected), "{pattern} {text:?}");
        }
    }
}

#[test]
fn what_ecma_262_does_not_know_is_refused() {
    for (piece, patterns) in [
        (r"\A", &[r"\Aa", r"b|\A", r"(?=\A)"][..]),
        (r"\z", &[r"a\z", r"^\z", r"[\z]"]),
        (r"\Z", &[r"a\Z", r"(a\Z)", r"[\Z]"]),
        (r"\h", &[r"\h", r"[\h]", r"(?!x)\h"]),
        (r"\G", &[r"\Ga", r"(\G)", r"(?=\Ga)"]),
        (r"\K", &[r"a\Kb", r"\K", r"(?=a)\K"]),
        (r"\R", &[r"\R", r"a\R+", r"(?=\R)"]),
        (r"\Q", &[r"\Qa\E", r"a\Q", r"[\Q]"]),
        (r"\a", &[r"\a", r"[\a]", r"(?=\a)"]),
        (r"\e", &[r"\e", r"[\e]", r"(?=\e)"]),
        (r"\08", &[r"\08", r"[\08]", r"(\08)"]),
        (r"\x", &[r"\x{41}", r"[\x{41}]", r"\xg1"]),
        (r"\u{110000}", &[r"\u{110000}", r"[\u{110000}]", r"(?=\u{110000})"]),
        (r"\u", &[r"\u12", r"[\uzzzz]", r"\u"]),
        (r"\ud800", &[r"\ud800", r"[\ud800]", r"\ud800a"]),
        (r"\udc00", &[r"\udc00", r"[\udc00]", r"a\udc00"]),
        (r"\c1", &[r"\c1", r"[\c1]", r"a\c1"]),
        (r"\pL", &[r"\pL", r"[\pL]", r"(?=\pL)"]),
        (r"\p{greek}", &[r"\p{greek}", r"[\p{greek}]", r"(?=\p{greek})"]),
        (r"\p{Greek}", &[r"\p{Greek}", r"[\p{Greek}]", r"\p{Greek}+"]),
        (r"\p{sc=greek}", &[r"\p{sc=greek}", r"[\p{sc=greek}]", r"a\p{sc=greek}"]),
        (r"\b{start}", &[r"\b{start}", r"a|\b{start}", r"(?=a)\b{start}"]),
        ("(?i", &["(?i)a", "(?i:a)", "a(?i)b"]),
        ("(?m", &["(?m)^a", "(?m:^a)", "(?ms)^a"]),
        ("(?x", &["(?x) a", "(?x: a)", "b|(?x)a"]),
        ("(?s", &["(?s).", "(?s:.)", "(?s-i:.)"]),
        ("(?-", &["(?-i)a", "(?-i:a)", "(?-u:a)"]),
        ("(?P", &["(?P<n>a)", "(?P=n)", "(?P>n)"]),
        ("(?>", &["(?>a)", "a(?>b|c)", "(?=(?>a))"]),
        ("(?#", &["(?#a)", "a(?#b)c", "((?#))"]),
        ("(?(", &["(a)?(?(1)b|c)", "(?(?=a)a|b)", "(?(DEFINE)a)"]),
        ("(?R", &["(?R)", "a(?R)?b", "((?R))"]),
        ("(?1", &["(a)(?1)", "(?1)", "((?1))"]),
        ("(?&", &["(?&n)", "(?<n>a)(?&n)", "((?&n))"]),
        ("(?|", &["(?|a|b)", "((?|a))", "x(?|(a)|(b))"]),
        ("(?~", &["(?~a)", "x(?~a)", "((?~a))"]),
        ("(?'", &["(?'n'a)", "((?'n'a))", "b(?'n'a)"]),
        ("(?<", &["(?<>a)", "(?<-a>b)", "(?<"]),
        ("*", &["*a", "(*FAIL)", "a|*"]),
        ("++", &["a++", "(a)++", "[a]++"]),
        ("*+", &["a*+", "(a)*+", "[a]*+"]),
        ("?+", &["a?+", "(a)?+", "[a]?+"]),
        ("{2}+", &["a{2}+", "(a){2}+", "[a]{2}+"]),
        ("**", &["a**", "(a)**", "[a]**"]),
        ("{2}{3}", &["a{2}{3}", "(a){2}{3}", "[a]{2}{3}"]),
        ("{2}", &["{2}", "a|{2}", "({2})"]),
        ("{,3}", &["a{,3}", "{,3}", "(a){,3}"]),
        ("{1, 3}", &["a{1, 3}", "{1, 3}", "(a){1, 3}"]),
        ("{ 2 }", &["a{ 2 }", "{ 2 }", "(a){ 2 }"]),
        ("{2", &["a{2", "{2", "(?=a){2"]),
        ("{3,2}", &["a{3,2}", "(a){3,2}", "[a]{3,2}"]),
        ("{1,4294967296}", &["a{1,4294967296}", "(a){1,4294967296}", "[a]{1,4294967296}"]),
        ("^*", &["^*", "a|^*", "(^*)"]),
        ("(?=a)*", &["(?=a)*", "b(?=a)*", "((?=a)*)"]),
        (r"\b+", &[r"\b+", r"a\b+", r"(\b+)"]),
        ("[:alpha:]", &["[[:alpha:]]", "[a[:alpha:]b]", "[^[:alpha:]]"]),
        ("[:^digit:]", &["[[:^digit:]]", "[a[:^digit:]b]", "[^[:^digit:]]"]),
        ("]", &["^[]a]$", "[a-z&&[^b]]", "[[a]]"]),
        ("z-a", &["[z-a]", "[0z-a]", "[^z-a]"]),
        ("[a", &["[a", "b|[a", "(b)[a"]),
        ("(a", &["(a", "b|(a", "[)](a"]),
        (")", &["a)", ")", "(a))"]),
        (r"\", &["a\\", "[a\\", "(\\"]),
        (r"\10", &[r"(a)\10", r"\10", r"(?=a)(b)\10"]),
        (r"\1", &[r"\1(a)", r"(a\1)", r"(a)|\1"]),
        (r"\1", &[r"(a)?\1", r"(?:(a)|b)\1", r"(?!(a))\1"]),
        (r"\1", &[r"(?:(a*))*\1", r"(?:(a|))+\1", r"(?:(a)|b)*\1"]),
        (r"\1", &[r"(a)(?<=\1)", r"(?<=(a))\1", r"(?<=\1(a))"]),
        (r"\1", &[r"(?=(?:|a)*(b?))\1", r"(a){0}\1", r"(?:(a)|b\1)*"]),
        (r"\2", &[r"(a)\2", r"(a)(b)?\2", r"(a)\2(b)"]),
        (r"\k<n>", &[r"\k<n>", r"\k<n>(?<n>a)", r"(?<m>a)\k<n>"]),
        (r"\k", &[r"\k", r"[\k]", r"(?<n>a)\k"]),
        (r"\u{d83d}", &[r"\u{d83d}\ude00", r"[\u{d83d}\ude00]", r"a\u{d83d}\ude00"]),
        (r"\p{L}-", &[r"[\p{L}-z]", r"[x\p{L}-\d]", r"[^\p{L}-\p{N}]"]),
        ("a-", &[r"[a-\p{L}]", r"[^a-\P{N}]", r"[_a-\p{L}-]"]),
        ("(?<n>", &["(?<n>a)(?<n>b)", "(?<n>a)|(?<n>b)", "((?<n>a))|(?<n>b)"]),
    ] {
        for pattern in patterns {
            let refusal = translate(pattern).expect_err(pattern);
            assert!(refusal.problem.contains(&format!(" `{piece}")), "{pattern}: {refusal:?}");
            assert!(!refusal.remedy.is_empty(), "{pattern}");
        }
    }
}

#[test]
fn groups_nest_so_deep_and_no_deeper() {
    for open in ["(", "(?:", "(?=", "(?<!"] {
        let nested = |depth: usize| format!("{}{}{}", open.repeat(depth), r"\ba", ")".repeat(depth));
        assert!(ours(&nested(40)).is_some(), "{open}");
        assert!(ours(&nested(41)).is_none(), "{open}");
        assert!(translate(&open.repeat(100_000)).is_err(), "{open}");
    }
}

#[test]
fn every_property_is_the_one_of_its_name() {
    for name in property::names() {
        let pattern = format!(r"\p{{{name}}}");
        let (ours, theirs) = (ours(&pattern).expect(&name), theirs(&pattern).expect(&name));
        for text in ["a", "Z", "5", " ", "-", "$", "\0", "\u{e9}", "\u{3b1}", "\u{5d0}", "\u{4e2d}", "\u{1f600}"] {
            assert_eq!(ours(text), Some(theirs(text)), "{name} {text:?}");
        }
    }
}

/// Pieces of patterns, many of which mean something else to other readers or nothing at all.
const PIECES: [&str; 72] = [
    "a",
    "b",
    "c",
    "-",
    "_",
    "0",
    "1",
    " ",
    "\n",
    "\u{e9}",
    "\u{1f600}",
    ".",
    "^",
    "$",
    "|",
    "(",
    "(",
    ")",
    ")",
    "(?:",
    "(?=",
    "(?!",
    "(?<=",
    "(?<!",
    "(?<n>",
    "*",
    "+",
    "?",
    "{2}",
    "{1,}",
    "{0,2}",
    "{",
    "}",
    "[",
    "[^",
    "[",
    "]",
    "]",
    "a-c",
    "-]",
    "&&",
    "--",
    "~~",
    "[:alpha:]",
    r"\d",
    r"\D",
    r"\w",
    r"\W",
    r"\s",
    r"\S",
    r"\b",
    r"\B",
    r"\1",
    r"\2",
    r"\k<n>",
    r"\0",
    r"\n",
    r"\cA",
    r"\x41",
    r"\u0061",
    r"\u{1f600}",
    r"\ud83d\ude00",
    r"\-",
    r"\_",
    r"\/",
    r"\]",
    r"\p{Lu}",
    r"\P{L}",
    r"\A",
    r"\h",
    "(?i)",
    "(?P<n>",
];

/// Patterns that are whole.
fn whole() -> impl Strategy<Value = String> {
    let atoms = select(vec![
        "a", "b", "c", "-", "_", ".", "[a-b]", "[^a]", r"\w", r"\W", r"[\s\d]", r"[^\S]", r"\b", r"\B", "^", "$", "()",
        r"\1", r"\2", "[]", "[^]", r"[\w-b]",
    ]);
    let leaf = atoms.prop_map(str::to_owned);
    leaf.prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            vec(inner.clone(), 1..4).prop_map(|parts| format!("(?:{})", parts.join("|"))),
            (inner.clone(), select(vec!["*", "+", "?", "{2}", "{0,2}", "*?", "+?", "??"]))
                .prop_map(|(part, often)| format!("(?:{part}){often}")),
            (select(vec!["(", "(", "(", "(?=", "(?!", "(?<=", "(?<!"]), inner)
                .prop_map(|(begin, part)| format!("{begin}{part})")),
        ]
    })
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    let characters =
        select(vec!["a", "b", "c", "-", "_", "A", "1", " ", "\n", "\r", "\u{2028}", "\u{e9}", "\u{1f600}", "]"]);
    vec(vec(characters, 0..6).prop_map(|parts| parts.concat()), 8)
}

fn check(pattern: &str, texts: &[String]) -> Result<(), TestCaseError> {
    let Some(ours) = ours(pattern).filter(|_| !is_mixed(pattern)) else { return Ok(()) };
    let Some(theirs) = theirs(pattern) else { return Err(TestCaseError::fail(format!("only we accept {pattern}"))) };
    for text in texts {
        if let Some(said) = ours(text) {
            prop_assert_eq!(said, theirs(text), "{} {:?} {:?}", pattern, text, translate(pattern));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn another_reader_says_the_same_of_any_text(pieces in vec(select(PIECES.to_vec()), 0..8), texts in texts()) {
        check(&pieces.concat(), &texts)?;
    }

    #[test]
    fn another_reader_says_the_same_of_whole_patterns(pattern in whole(), texts in texts()) {
        check(&pattern, &texts)?;
    }
}

/// A reference is taken where its group is sure to hold what ECMA-262 says, and nowhere else.
#[test]
fn what_a_group_is_sure_to_hold_is_followed_through_quantifiers_and_looks() {
    for (pattern, matched, other) in
        [(r"^(a?){1}\1$", "aa", "a"), (r"^(?<=x|^)(a)\1$", "aa", "ab"), (r"^(?=(b)(?:x|c))\1", "bx", "x")]
    {
        let ours = ours(pattern).expect(pattern);
        assert_eq!((ours(matched), ours(other)), (Some(true), Some(false)), "{pattern}");
    }
    for pattern in [
        r"(a?){2}\1",
        r"(a?)*\1",
        r"(a)?\1",
        r"(?=(b)(?:x|(?:c?)*))\1",
        r"(?=(b)(?=(?:c?)*))\1",
        r"(?=(b)(?:(?:c?)*|x))\1",
    ] {
        let refusal = translate(pattern).unwrap_err();
        assert!(
            refusal.problem.ends_with(r"`\1` refers to a group that may hold nothing there"),
            "{}",
            refusal.problem
        );
    }
    // Groups that follow one another are not nested.
    assert!(translate(&"(a)".repeat(100)).is_ok());
    assert!(translate(&("(".repeat(41) + "a" + &")".repeat(41))).is_err());
}

#[test]
fn a_refusal_says_what_to_write_instead() {
    for (pattern, remedy) in [
        (r"\Aa", "write `^`, the start of the text"),
        (r"a\z", "write `$`, the end of the text"),
        (r"a\Z", "write `$`, the end of the text"),
        (r"\Ga", "write `^`; each match begins at the start or anywhere"),
        (r"\h", r"write `[ \t]` for blanks, or `[0-9a-fA-F]` for hexadecimal digits"),
        (r"\R", r"write `(?:\r\n|\n|\r)`"),
        (r"\N", "write `.`"),
        (r"a\Kb", "write a look-behind, `(?<=…)`"),
        (r"\Qa\E", "escape the characters one by one"),
        (r"a\E", "escape the characters one by one"),
        (r"\a", r"write `\x07` for the bell, or the letter without the backslash"),
        (r"\e", r"write `\x1b` for escape, or the letter without the backslash"),
        (r"[\B]", "move the word boundary out of the class"),
        (r"[\k]", "move the back-reference out of the class"),
        (r"\U", r"write the code point as `\u{…}`"),
        (r"\y", "write the letter without the backslash, if it stands for itself"),
        ("(?P=n)", r"write `\k<name>`"),
        ("(?P<n>a)", "write `(?<name>…)`"),
        ("(?>a)", "write `(?:…)`: ECMA-262 always gives back what it took when that is needed to match"),
        ("(?#a)", "put the comment into `$comment`"),
        ("(?i)a", "write both cases, such as `[aA]`"),
        ("(?m)a", r"write the ends of lines, such as `(?:^|\n)`"),
        ("(?s).", r"write `[^]` for any character"),
        ("(?x)a", "write it without blanks and comments"),
        ("(?R)", "write it with `(?:…)`, `(?<name>…)`, `(?=…)`, `(?!…)`, `(?<=…)` or `(?<!…)`"),
        ("(?<ä>a)", "write `(?<name>…)` with a name of letters from `a` to `z` and digits"),
        ("a{2 }", r"write `{2}`, `{2,}` or `{0,2}` without blanks, or `\{` for the character"),
        ("a{,3}", r"write `{2}`, `{2,}` or `{0,2}` without blanks, or `\{` for the character"),
        ("a{1,b}", r"write `{2}`, `{2,}` or `{0,2}` without blanks, or `\{` for the character"),
    ] {
        assert_eq!(translate(pattern).unwrap_err().remedy, remedy, "{pattern}");
    }
}
