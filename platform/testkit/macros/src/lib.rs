//! `#[testkit::test]`; see `testkit::run`.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// A test: an `async fn` that shares the service, its pool and its threads with the others of its process.
///
/// `#[testkit::test(alone)]` has a process of its own. It is for one that changes or measures its process: the
/// clock, the log, memory, what is counted.
#[proc_macro_attribute]
pub fn test(words: TokenStream, function: TokenStream) -> TokenStream {
    let alone = match words.to_string().as_str() {
        "" => false,
        "alone" => true,
        _ => return parsed("compile_error!(\"only `alone` can stand here\");"),
    };
    let (attributes, function) = split(function);
    let mut tokens = function.clone().into_iter();
    let named = tokens.by_ref().any(|token| token.to_string() == "fn");
    let Some(TokenTree::Ident(name)) = tokens.next().filter(|_| named) else {
        return parsed("compile_error!(\"a test is a function\");");
    };
    let long = attributes.to_string().contains("ignore");
    let run = format!(
        "::testkit::run(::testkit::Test {{ name: concat!(module_path!(), \"::{name}\"), alone: {alone}, \
         long: {long} }}, {name})"
    );
    let body = Group::new(Delimiter::Brace, [function, parsed(&run)].into_iter().collect());
    [
        parsed("#[::core::prelude::v1::test]"),
        attributes,
        parsed(&format!("fn {name}()")),
        TokenTree::Group(body).into(),
    ]
    .into_iter()
    .collect()
}

/// The attributes before a function, and the rest.
fn split(function: TokenStream) -> (TokenStream, TokenStream) {
    let (mut attributes, mut rest) = (TokenStream::new(), function.into_iter().peekable());
    while rest.peek().is_some_and(|token| token.to_string() == "#") {
        attributes.extend(rest.by_ref().take(2));
    }
    (attributes, rest.collect())
}

fn parsed(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}
