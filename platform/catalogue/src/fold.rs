//! Comparing names: accents and case are ignored.

/// Lower case without accents, with single blanks: names of which this is equal are the same name.
#[must_use]
pub fn fold(text: &str) -> String {
    let plain = text.chars().flat_map(char::to_lowercase).map(|c| match c {
        'á' | 'à' | 'â' | 'ä' | 'ă' | 'ą' | 'å' | 'ã' => 'a',
        'é' | 'è' | 'ê' | 'ë' | 'ě' | 'ę' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'ő' | 'õ' => 'o',
        'ú' | 'ù' | 'û' | 'ü' | 'ű' | 'ů' => 'u',
        'ç' | 'č' | 'ć' => 'c',
        'ñ' | 'ň' | 'ń' => 'n',
        'š' | 'ś' | 'ş' | 'ș' => 's',
        'ž' | 'ź' | 'ż' => 'z',
        'ř' => 'r',
        'ť' | 'ţ' | 'ț' => 't',
        'ď' => 'd',
        'ľ' | 'ł' => 'l',
        'ý' => 'y',
        '’' | '‘' | '`' => '\'',
        '„' | '”' | '“' => '"',
        '–' | '—' => '-',
        other => other,
    });
    plain.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}
