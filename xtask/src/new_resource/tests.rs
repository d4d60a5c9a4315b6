//! Resources from templates.

use super::*;

fn options(words: &str) -> Result<Options> {
    Options::read(&words.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
}

#[test]
fn names_are_derived() {
    for (one, many) in [
        ("courier", "couriers"),
        ("delivery_region", "delivery_regions"),
        ("category", "categories"),
        ("day", "days"),
        ("box", "boxes"),
    ] {
        assert_eq!(plural(one), many);
    }
    assert_eq!((camel("option_group"), capital("option")), ("OptionGroup".to_owned(), "Option".to_owned()));
    let read = options("person --plural people --crate customers --files-only").unwrap();
    assert_eq!((read.one.as_str(), read.many.as_str(), read.files_only), ("person", "people", true));
}

#[test]
fn invalid_options_are_refused_with_a_sentence() {
    for words in [
        "",
        "supplier",
        "Supplier --crate x",
        "order --crate orders",
        "a-b --crate x",
        "sheep --plural sheep --crate x",
        "x --crate",
        "x --crate y --title Egy",
        "x --crate y --fast",
        "x --crate y --scope moon",
        "x --crate y --scope partner --parent couriers",
    ] {
        assert!(options(words).is_err_and(|sentence| sentence.ends_with(['.', '"', 's'])), "{words}");
    }
}

#[test]
fn every_place_of_a_template_is_filled() {
    let shapes = ["", "--scope partner", "--scope group", "--scope platform", "--parent couriers"];
    let customers = Project::find().root.join("platform/customers/src");
    for (shape, itself) in shapes.into_iter().flat_map(|shape| [(shape, true), (shape, false)]) {
        let options = options(&format!("supplier --crate customers {shape}")).unwrap();
        let reference = Reference { many: "couriers".into(), one: "courier".into(), itself };
        let parent = Parent::find(&customers, &options).unwrap();
        for template in [
            include_str!("../../templates/migration.sql"),
            include_str!("../../templates/resource.rs"),
            include_str!("../../templates/test.rs"),
            include_str!("../../templates/feature.ts"),
            include_str!("../../templates/index.tsx"),
            include_str!("../../templates/hu.ts"),
            include_str!("../../templates/en.ts"),
            include_str!("../../templates/spec.ts"),
        ] {
            let text = filled(template, &options, "Courier", &reference, parent.as_ref(), "People");
            // The rest is an object in TypeScript.
            let left = text.replace("{{ active", "");
            assert!(!left.contains("{{"), "{shape}: {text}");
        }
    }
}

#[test]
fn a_resource_is_registered_in_any_form_of_tuple() {
    let expected =
        |elements: &str| format!("mod a;\nmod b;\n\npub fn api() -> impl OpenApi {{\n    ({elements})\n}}\n");
    for (before, after) in [
        ("()", "b::B, ()"),
        ("(a::A, ())", "a::A, b::B, ()"),
        ("(a::A, x::api())", "a::A, x::api(), b::B"),
        ("(\n        a::A,\n        (),\n    )", "\n        a::A, b::B, ()"),
    ] {
        let lib = format!("mod a;\n\npub fn api() -> impl OpenApi {{\n    {before}\n}}\n");
        assert_eq!(edit::with_resource(&lib, "b", "B").unwrap(), expected(after));
    }
    assert!(edit::with_resource("pub fn api() -> impl OpenApi {\n    a::A\n}\n", "b", "B").is_none());
}

#[test]
fn modules_stand_in_order() {
    let main = edit::with_module(&edit::new_tests("x"), "b");
    assert!(main.ends_with("Postgres.\n\nmod b;\n"), "{main}");
    let main = edit::with_module(&edit::with_module(&main, "c"), "a");
    assert!(main.ends_with("mod a;\nmod b;\nmod c;\n"), "{main}");
    assert_eq!(edit::with_module(&main, "b"), main);
}

#[test]
fn a_crate_has_its_tests_in_a_target_once() {
    let target = "//! x\n\n#[path = \"../../a/tests/http/mod.rs\"]\nmod a;\n\n/// y\nstatic Y: u8 = 1;\n";
    let once = edit::with_tests_of(target, "b");
    let both = "mod a;\n#[path = \"../../b/tests/http/mod.rs\"]\nmod b;\n\n/// y\n";
    assert!(once.contains(both), "{once}");
    assert_eq!(edit::with_tests_of(&once, "b"), once);
}
