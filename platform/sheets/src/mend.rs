//! One bad cell makes no file broken: where a workbook cannot be read, its cells that hold no value of their kind
//! become texts that are faults. Read by its kind alone, such a cell would end the whole file.

use std::io::{BufRead, BufReader, Cursor, Read, Write};

use quick_xml::{
    Reader, Writer,
    events::{BytesEnd, BytesStart, BytesText, Event, attributes::Attribute},
};
use zip::{ZipArchive, ZipWriter, write::SimpleFileOptions};

use super::{SheetFault, UNREADABLE};

/// The archive with each sheet written anew. The guard has measured it before.
pub(super) fn archive(bytes: &[u8]) -> Result<Vec<u8>, SheetFault> {
    let mut parts = ZipArchive::new(Cursor::new(bytes)).map_err(|_| SheetFault::Broken)?;
    let mut mended = ZipWriter::new(Cursor::new(Vec::new()));
    let texts = shared_texts(&mut parts);
    for at in 0..parts.len() {
        let part = parts.by_index(at).map_err(|_| SheetFault::Broken)?;
        let name = part.name().map_err(|_| SheetFault::Broken)?.into_owned();
        let lower = name.to_ascii_lowercase();
        let workbook = lower.contains("worksheets/") && lower.ends_with(".xml");
        if !workbook && lower != "content.xml" {
            mended.raw_copy_file(part).map_err(|_| SheetFault::Broken)?;
            continue;
        }
        mended.start_file(name, SimpleFileOptions::default()).map_err(|_| SheetFault::Broken)?;
        let from = BufReader::new(part);
        let sheet = if workbook { sheet(from, texts)? } else { document(from)? };
        mended.write_all(&sheet).map_err(|_| SheetFault::Broken)?;
    }
    Ok(mended.finish().map_err(|_| SheetFault::Broken)?.into_inner())
}

/// How many texts the sheets of a workbook share.
fn shared_texts(parts: &mut ZipArchive<Cursor<&[u8]>>) -> usize {
    let name = |name: &str| name.to_ascii_lowercase().ends_with("sharedstrings.xml");
    let at = parts.file_names().position(|one| one.is_ok_and(|one| name(&one)));
    let mut text = String::new();
    let part = at.and_then(|at| parts.by_index(at).ok());
    let read = part.and_then(|mut part| part.read_to_string(&mut text).ok());
    read.map_or(0, |_| {
        text.matches("<si>").count() + text.matches("<si ").count() + text.matches("<si/>").count()
    })
}

/// Writes events into memory, where nothing can fail.
struct Sheet(Writer<Vec<u8>>);

impl Sheet {
    fn put(&mut self, event: Event<'_>) -> Result<(), SheetFault> {
        self.0.write_event(event).map_err(|_| SheetFault::Broken)
    }
}

fn next<'a>(xml: &mut Reader<impl BufRead>, buffer: &'a mut Vec<u8>) -> Result<Event<'a>, SheetFault> {
    buffer.clear();
    xml.read_event_into(buffer).map_err(|_| SheetFault::Broken)
}

fn sheet(from: impl BufRead, texts: usize) -> Result<Vec<u8>, SheetFault> {
    let (mut xml, mut buffer) = (Reader::from_reader(from), Vec::new());
    let mut sheet = Sheet(Writer::new(Vec::new()));
    loop {
        match next(&mut xml, &mut buffer)? {
            Event::Eof => return Ok(sheet.0.into_inner()),
            Event::Start(tag) if tag.local_name().as_ref() == "c" => {
                let tag = tag.into_owned();
                cell(&mut xml, &tag, texts, &mut sheet)?;
            }
            // Nothing needs what a sheet says about its own size.
            Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == "dimension" => {}
            Event::End(tag) if tag.local_name().as_ref() == "dimension" => {}
            event => sheet.put(event)?,
        }
    }
}

/// The attribute of a tag, by its name without a prefix.
fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.attributes().flatten().find(|one| one.key.as_ref() == name)?;
    Some(found.value.trim().to_owned())
}

/// The tag with these attributes instead of its own ones of the same name; none takes one away.
fn with(tag: &BytesStart<'_>, changes: &[(&str, Option<&str>)]) -> BytesStart<'static> {
    let kept: Vec<Attribute<'_>> = tag
        .attributes()
        .flatten()
        .filter(|one| changes.iter().all(|(name, _)| one.key.as_ref() != *name))
        .collect();
    let mut changed = tag.to_owned();
    changed.clear_attributes();
    for one in kept {
        changed.push_attribute(one);
    }
    for (name, value) in changes {
        if let Some(value) = value {
            changed.push_attribute((*name, *value));
        }
    }
    changed
}

/// Writes a cell of a workbook as it is, or as a text that is a fault. Formulas and extensions are left out.
fn cell(
    xml: &mut Reader<impl BufRead>, tag: &BytesStart<'static>, texts: usize, sheet: &mut Sheet,
) -> Result<(), SheetFault> {
    let kind = attribute(tag, "t");
    let (mut inline, mut value, mut within) = (Vec::new(), None::<String>, Vec::<String>::new());
    let mut buffer = Vec::new();
    loop {
        let event = next(xml, &mut buffer)?;
        match &event {
            Event::Eof => return Err(SheetFault::Broken),
            Event::Start(tag) => within.push(tag.local_name().as_ref().to_owned()),
            Event::End(_) if within.is_empty() => break,
            _ => {}
        }
        match within.first().map(String::as_str) {
            Some("is") => inline.push(event.clone().into_owned()),
            Some("v") => {
                let value = value.get_or_insert_default();
                match &event {
                    Event::Text(text) => value.push_str(&text.xml10_content()),
                    Event::CData(text) => value.push_str(&text.xml10_content()),
                    Event::GeneralRef(sign) => {
                        let sign = format!("&{};", sign.xml10_content());
                        value.push_str(&quick_xml::escape::unescape(&sign).unwrap_or_default());
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        if matches!(event, Event::End(_)) {
            within.pop();
        }
    }
    let readable = value.as_deref().map(str::trim).is_none_or(|value| match kind.as_deref() {
        Some("s") => value.is_empty() || value.parse::<usize>().is_ok_and(|at| at < texts),
        Some("b") => matches!(value.to_ascii_lowercase().as_str(), "" | "0" | "1" | "true" | "false"),
        Some("n") => value.is_empty() || value.parse::<f64>().is_ok(),
        Some("d" | "str" | "inlineStr" | "is") | None => true,
        // An error, or a kind that does not exist.
        Some(_) => false,
    });
    let end = BytesEnd::new(tag.name().as_ref().to_owned());
    sheet.put(Event::Start(if readable { tag.clone() } else { with(tag, &[("t", Some("str"))]) }))?;
    for event in inline {
        sheet.put(event)?;
    }
    if let Some(value) = value {
        let mark = if readable { String::new() } else { UNREADABLE.to_string() };
        sheet.put(Event::Start(BytesStart::new("v")))?;
        sheet.put(Event::Text(BytesText::new(&format!("{mark}{value}"))))?;
        sheet.put(Event::End(BytesEnd::new("v")))?;
    }
    sheet.put(Event::End(end))
}

/// The content of an ods. A number that is none goes, and what the cell shows is read.
fn document(from: impl BufRead) -> Result<Vec<u8>, SheetFault> {
    let (mut xml, mut buffer) = (Reader::from_reader(from), Vec::new());
    let mut sheet = Sheet(Writer::new(Vec::new()));
    let mended = |tag: &BytesStart<'_>| {
        let cell = matches!(tag.local_name().as_ref(), "table-cell" | "covered-table-cell");
        let bad = attribute(tag, "office:value").is_some_and(|value| value.parse::<f64>().is_err());
        (cell && bad).then(|| with(tag, &[("office:value", None), ("office:value-type", Some("string"))]))
    };
    loop {
        match next(&mut xml, &mut buffer)? {
            Event::Eof => return Ok(sheet.0.into_inner()),
            Event::Start(tag) => {
                let changed = mended(&tag);
                sheet.put(Event::Start(changed.unwrap_or(tag)))?;
            }
            Event::Empty(tag) => {
                let changed = mended(&tag);
                sheet.put(Event::Empty(changed.unwrap_or(tag)))?;
            }
            event => sheet.put(event)?,
        }
    }
}
