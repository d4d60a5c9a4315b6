//! The words that mean a category of the tax report. Words are folded (lower case, without accents) and
//! compared with the heads of a name's words: Hungarian compounds and plurals end in what they are
//! (`gulyásleves`, `levesek`), while endings such as `-val` mark what a dish comes with.
//!
//! | written | means |
//! |---|---|
//! | `leves` | a word that ends so |
//! | `=tea` | the whole word |
//! | `rantott*` | a word that begins so |
//! | `jeges tea` | these words next to each other |

/// A category of the report by its two words.
pub(super) type Pair = (&'static str, &'static str);

/// How much a word says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// In a product's name it counts more than the name of its category, if both are of one kind.
    Strong,
    /// The name of a category counts more.
    Plain,
    /// Of a category whose products may be anything of the kind.
    Weak,
}

/// Words that mean one category.
pub(super) struct Rule {
    pub pair: Pair,
    pub weight: Weight,
    /// A main course that may come with a side dish.
    pub sides: bool,
    pub words: &'static [&'static str],
}

const fn rule(pair: Pair, weight: Weight, words: &'static [&'static str]) -> Rule {
    Rule { pair, weight, sides: false, words }
}

const fn with_sides(weight: Weight, words: &'static [&'static str]) -> Rule {
    Rule { pair: ("ETEL", "FOETEL"), weight, sides: true, words }
}

const ON_SITE: &str = "ALKMENTESITAL_HELYBEN";
const BOTTLED: &str = "ALKMENTESITAL_NEM_HELYBEN";
const ALCOHOL: &str = "ALKOHOLOSITAL";
use Weight::{Plain, Strong, Weak};

/// The first rule with a word of the name counts.
pub(super) const RULES: &[Rule] = &[
    // What is no food and no drink.
    rule(
        ("EGYEB", "KISZALLITASI_DIJ"),
        Strong,
        &["kiszallitas", "kiszallitasi dij", "szallitasi dij", "delivery fee"],
    ),
    rule(("EGYEB", "MUANYAG_CSOMAGOLAS"), Strong, &["muanyag csomagolas", "muanyag doboz", "muanyag pohar"]),
    rule(
        ("EGYEB", "KORNYEZETBARAT_CSOMAGOLAS"),
        Strong,
        &["csomagolas", "csomagolasi dij", "=doboz", "elviteles doboz", "papirdoboz"],
    ),
    rule(("EGYEB", "SZERVIZDIJ"), Strong, &["szervizdij", "service fee"]),
    rule(("EGYEB", "BORRAVALO"), Strong, &["borravalo"]),
    rule(("EGYEB", "NEM_VENDEGLATAS"), Strong, &["ajandekutalvany", "utalvany", "gift card", "gift voucher"]),
    // Drinks without alcohol.
    rule((ON_SITE, "TEA_FORROCSOKOLADE"), Strong, &["hazi jeges tea", "hazi jegestea", "hazi ice tea"]),
    rule(
        (BOTTLED, "SZENSAVMENTES_UDITO"),
        Strong,
        &[
            "ice tea", "icetea", "iced tea", "jeges tea", "jegestea", "fuzetea", "fuze tea", "nestea",
            "=lipton",
        ],
    ),
    rule(
        (ON_SITE, "TEA_FORROCSOKOLADE"),
        Strong,
        &[
            "forro csoki", "forrocsoki", "forro csokolade", "forrocsokolade", "hot chocolate", "kakao",
            "=tea", "=tee", "gyumolcstea", "gyogytea", "=chai", "turmix", "milkshake", "=shake", "=tej",
            "rizstej", "zabtej", "mandulatej", "szojatej", "kokusztej", "matcha latte",
        ],
    ),
    rule(
        (ON_SITE, "LIMONADE_SZORP_FACSART"),
        Strong,
        &["limonade", "lemonade", "szorp", "facsart", "fresh juice", "smoothie"],
    ),
    rule((ON_SITE, "VIZ"), Strong, &["szodaviz", "=szoda", "csapviz", "kancso viz"]),
    rule((BOTTLED, "SZENSAVAS_UDITO"), Strong, &["gyombersor", "ginger beer", "ginger ale"]),
    rule(
        (ON_SITE, "KAVE"),
        Strong,
        &[
            "kave", "espresso", "eszpresszo", "presszo", "ristretto", "americano", "cappuccino", "kapucsino",
            "=latte", "macchiato", "melange", "doppio", "flat white", "frappe", "lungo", "cortado",
            "=coffee", "=coffees",
        ],
    ),
    // Drinks with alcohol.
    rule(
        (ALCOHOL, "PEZSGO"),
        Strong,
        &[
            "pezsgo", "prosecco", "champagne", "frizzante", "=cava", "=sekt", "gyongyozobor",
            "gyongyozo bor", "habzobor", "=torley", "cremant", "=brut", "sparkling wine",
        ],
    ),
    rule(
        (ALCOHOL, "KOKTEL"),
        Strong,
        &[
            "koktel", "cocktail", "cocktails", "spritz", "spitz", "mojito", "negroni", "daiquiri", "=hugo",
            "gin tonik", "gin tonic", "cuba libre", "pina colada", "bloody mary", "caipirinha", "long drink",
            "long drinks", "longdrink", "kevert ital", "puncs", "sangria", "moscow mule",
        ],
    ),
    rule(
        (ALCOHOL, "LIKOR"),
        Plain,
        &[
            "likor", "keseru", "unicum", "jagermeister", "baileys", "bailey", "amaretto", "limoncello",
            "sambuca", "cointreau", "kahlua", "campari", "aperol", "grand marnier", "becherovka", "hubertus",
            "liqueur", "liqueurs",
        ],
    ),
    rule(
        (ALCOHOL, "PARLAT"),
        Plain,
        &[
            "palinka", "whisky", "whiskey", "vodka", "=rum", "=gin", "tequila", "brandy", "cognac", "konyak",
            "grappa", "parlat", "absinth", "=ouzo", "bourbon", "mezcal", "calvados", "armagnac", "spirits",
        ],
    ),
    rule((ALCOHOL, "PARLAT"), Weak, &["rovidital", "rovid ital", "=rovid"]),
    rule(
        (ALCOHOL, "BOR"),
        Plain,
        &[
            "bor", "=roze", "=rose", "merlot", "cabernet", "chardonnay", "sauvignon", "rizling", "riesling",
            "furmint", "harslevelu", "kekfrankos", "bikaver", "cuvee", "muskotaly", "=irsai", "portugieser",
            "kadarka", "=pinot", "malbec", "syrah", "aszu", "vermut", "=wine", "=wines", "traminer",
            "zweigelt", "froccs", "hosszulepes", "martini bianco", "martini rosso", "cinzano",
            "kiralyleanyka",
        ],
    ),
    rule(
        (ALCOHOL, "SOR"),
        Plain,
        &[
            "sor", "=ale", "=ipa", "lager", "pils", "pilsner", "bier", "=beer", "=beers", "=stout",
            "heineken", "dreher", "soproni", "borsodi", "kobanyai", "arany aszok", "staropramen", "guinness",
            "hoegaarden", "paulaner", "krombacher", "=corona",
        ],
    ),
    // Bottled drinks without alcohol.
    rule(
        (BOTTLED, "VIZ"),
        Plain,
        &[
            "viz", "mineral water", "=water", "szentkiralyi", "naturaqua", "=evian", "perrier",
            "san benedetto",
        ],
    ),
    rule((BOTTLED, "SZENSAVMENTES_UDITO"), Plain, &["szensavmentes*"]),
    rule(
        (BOTTLED, "ROSTOS_UDITO"),
        Plain,
        &[
            "rostos*", "gyumolcsle", "almale", "narancsle", "ananaszle", "paradicsomle", "baracknektar",
            "nektar", "=juice", "=juices", "granini", "cappy", "happy day", "=rauch", "toppjoy",
        ],
    ),
    rule(
        (BOTTLED, "SZENSAVAS_UDITO"),
        Plain,
        &[
            "szensavas*", "kola", "=cola", "coca", "pepsi", "fanta", "sprite", "tonik", "tonic", "schweppes",
            "energiaital", "red bull", "orangina", "=gyomber", "traubi", "soft drink", "soft drinks",
            "alma froccs", "almafroccs",
        ],
    ),
    rule((BOTTLED, "SZENSAVAS_UDITO"), Weak, &["udito", "uditoital"]),
    // Food.
    rule(
        ("ETEL", "REGGELI"),
        Plain,
        &[
            "reggeli", "breakfast", "rantotta", "omlett", "omelette", "bundas kenyer", "bundaskenyer",
            "ham and eggs", "muzli", "granola", "zabkasa", "shakshuka",
        ],
    ),
    rule(
        ("ETEL", "LEVES"),
        Plain,
        &[
            "leves", "gulyas", "halaszle", "=soup", "=soups", "ramen", "=pho", "minestrone", "gazpacho",
            "consomme",
        ],
    ),
    rule(
        ("ETEL", "SZENDVICS"),
        Plain,
        &[
            "szendvics", "sandwich", "sandwiches", "burger", "burgers", "hot dog", "hotdog", "=wrap",
            "panini", "=bagel", "=toast", "burrito", "gyros pitaban",
        ],
    ),
    rule(
        ("ETEL", "ELOETEL"),
        Plain,
        &[
            "eloetel", "starter", "starters", "appetizer", "appetizers", "bruschetta", "carpaccio", "=tapas",
            "antipasti", "antipasto", "pastetom", "tatar*",
        ],
    ),
    rule(
        ("ETEL", "PEKSUTEMENY"),
        Plain,
        &[
            "peksutemeny", "pekaru", "=kenyer", "zsemle", "kifli", "pogacsa", "croissant", "bagett",
            "baguette", "perec", "bakery",
        ],
    ),
    rule(
        ("ETEL", "DESSZERT"),
        Plain,
        &[
            "desszert", "dessert", "desserts", "edesseg", "torta", "sutemeny", "palacsinta", "somloi*",
            "gesztenyepure", "gesztenye pure", "fagylalt", "fagyi", "jegkrem", "ice cream", "tiramisu",
            "panna cotta", "creme brulee", "brownie", "muffin", "cheesecake", "turogomboc", "szilvasgomboc",
            "szilvas gomboc", "madartej", "retes", "profiterol", "=cookie", "gofri", "waffle", "churros",
            "mousse", "beigli", "kalacs", "macaron", "gyumolcssalata", "gyumolcs salata", "=cake",
        ],
    ),
    rule(
        ("ETEL", "SNACK"),
        Plain,
        &["snack", "snacks", "chips", "=mogyoro", "nachos", "popcorn", "olajbogyo", "=ropi"],
    ),
    rule(
        ("ETEL", "FOETEL"),
        Plain,
        &[
            "pizza", "pizzas", "calzone", "lepeny", "spagetti", "spaghetti", "penne", "tagliatelle",
            "lasagne", "lasagna", "teszta", "makaroni", "csusza", "sztrapacska", "nokedli", "rizotto",
            "risotto", "gnocchi", "ravioli", "carbonara", "fozelek", "langos", "rakott krumpli",
            "rakott burgonya", "paprikas krumpli", "=pasta", "=pastas",
        ],
    ),
    rule(
        ("ETEL", "SAVANYUSAG_SALATA"),
        Plain,
        &[
            "salata", "savanyusag", "uborka", "csalamade", "=salad", "=salads", "coleslaw", "vegyesvagott",
            "pickles",
        ],
    ),
    rule(
        ("ETEL", "EGYEB"),
        Strong,
        &[
            "martas", "ketchup", "mustar", "majonez", "ontet", "szosz", "=dip", "dresszing", "=mez",
            "=sauce", "=sauces",
        ],
    ),
    rule(
        ("ETEL", "KORET"),
        Plain,
        &[
            "koret", "burgonya", "krumpli", "rizs", "rizi bizi", "galuska", "krokett", "=pure",
            "burgonyapure", "krumplipure", "kuszkusz", "bulgur", "parolt zoldseg", "grillzoldseg",
            "grillezett zoldseg", "side dish", "side dishes", "=sides", "=fries",
        ],
    ),
    with_sides(Plain, &["foetel", "fo etel", "main course", "main courses", "=mains"]),
    with_sides(
        Plain,
        &[
            "steak", "porkolt", "=becsi", "borda", "csirkemell", "csulok", "tokany", "ragu", "szelet",
            "file", "comb", "fatanyeros", "oldalas", "paprikas csirke", "rantott*", "grillezett*", "=tal",
            "harcsa", "lazac", "pisztrang", "pecsenye",
        ],
    ),
    with_sides(Weak, &["etel", "frissensult", "keszetel", "specialitas"]),
];

/// How side dishes begin. In a description they make a main course one with a side, and so they do in its name where
/// it comes with them (`hasábburgonyával`, `rizzsel`).
pub(super) const SIDES: [&str; 20] = [
    "burgony", "hasabburgony", "steakburgony", "edesburgony", "tortburgony", "sultburgony", "krumpli",
    "hasabkrumpli", "rizs", "rizzsel", "jazminriz", "pure", "nudli", "koret", "vegyeskoret", "galusk",
    "ceruzabab", "zoldseg", "krokett", "nokedli",
];
