//! Shapes on the map: polygons and circles. Pure. See `docs/decisions/delivery.md#shapes`.
//!
//! A polygon's sides are straight on a map of degrees; distances and areas are those on the Earth (WGS 84).

use geo::{
    Coord, Distance, Geodesic, GeodesicArea, Line, LineString, Polygon,
    coordinate_position::{CoordPos, coord_pos_relative_to_ring},
    line_intersection::{LineIntersection, line_intersection},
};

/// The fewest and the most points of a polygon.
pub(crate) const FEWEST_POINTS: usize = 3;
pub(crate) const MOST_POINTS: usize = 10_000;
/// The largest radius of a circle in metres; the smallest is 1.
pub(crate) const LARGEST_RADIUS: i32 = 100_000;
/// A degree of latitude is nowhere shorter, in metres: boxes around circles are a little too large.
const DEGREE: f64 = 110_000.0;
/// What calculating may be wrong by, in metres: a place on the border is inside.
const EXACT_TO: f64 = 0.001;

/// A place in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    pub lat: f64,
    pub lng: f64,
}

impl Point {
    /// A place on the Earth; none for what is none.
    pub fn new(lat: f64, lng: f64) -> Option<Self> {
        ((-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lng)).then_some(Self { lat, lng })
    }

    fn coord(self) -> Coord<f64> {
        Coord { x: self.lng, y: self.lat }
    }

    fn of(coord: Coord<f64>) -> Self {
        Self { lat: coord.y, lng: coord.x }
    }

    pub fn metres_to(self, other: Self) -> f64 {
        Geodesic.distance(geo::Point(self.coord()), geo::Point(other.coord()))
    }
}

/// The box around a shape in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    pub min_lat: f64,
    pub max_lat: f64,
    pub min_lng: f64,
    pub max_lng: f64,
}

impl Bounds {
    fn contains(&self, at: Point) -> bool {
        (self.min_lat..=self.max_lat).contains(&at.lat) && (self.min_lng..=self.max_lng).contains(&at.lng)
    }
}

/// A closed line that does not cross itself.
#[derive(Debug, Clone)]
pub(crate) struct Ring {
    /// The first point stands at the end again.
    line: LineString<f64>,
    bounds: Bounds,
}

/// Part of a map.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    Polygon(Ring),
    Circle { center: Point, radius: i32 },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ShapeFault {
    pub kind: ShapeFaultKind,
    /// Where, as far as it is at one place.
    pub at: Option<Point>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShapeFaultKind {
    TooFewPoints,
    TooManyPoints,
    /// A number that is no place.
    NoPlace,
    /// The same point twice in a row.
    Repeated,
    CrossesItself,
    DateLine,
    NoArea,
    Radius,
}

impl ShapeFaultKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::TooFewPoints => "too_few_points",
            Self::TooManyPoints => "too_many_points",
            Self::NoPlace => "no_place",
            Self::Repeated => "repeated_point",
            Self::CrossesItself => "crosses_itself",
            Self::DateLine => "date_line",
            Self::NoArea => "no_area",
            Self::Radius => "radius",
        }
    }

    pub const fn words(self) -> &'static str {
        match self {
            Self::TooFewPoints => "a polygon has at least 3 points",
            Self::TooManyPoints => "a polygon has at most 10000 points",
            Self::NoPlace => "a point lies nowhere on the map",
            Self::Repeated => "a point stands twice in a row",
            Self::CrossesItself => "the outline crosses or touches itself",
            Self::DateLine => "the shape reaches across the date line or a pole",
            Self::NoArea => "the shape has no area",
            Self::Radius => "the radius is 1 to 100000 whole metres",
        }
    }

    fn at(self, at: Point) -> ShapeFault {
        ShapeFault { kind: self, at: Some(at) }
    }

    fn nowhere(self) -> ShapeFault {
        ShapeFault { kind: self, at: None }
    }
}

impl Shape {
    /// A polygon of these points; the first may stand at the end again.
    pub fn polygon(mut points: Vec<Point>) -> Result<Self, ShapeFault> {
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        if points.len() < FEWEST_POINTS {
            return Err(ShapeFaultKind::TooFewPoints.nowhere());
        }
        if points.len() > MOST_POINTS {
            return Err(ShapeFaultKind::TooManyPoints.nowhere());
        }
        if points.iter().any(|point| Point::new(point.lat, point.lng).is_none()) {
            return Err(ShapeFaultKind::NoPlace.nowhere());
        }
        points.push(points[0]);
        for pair in points.windows(2) {
            if pair[0] == pair[1] {
                return Err(ShapeFaultKind::Repeated.at(pair[0]));
            }
            if (pair[0].lng - pair[1].lng).abs() > 180.0 {
                return Err(ShapeFaultKind::DateLine.at(pair[0]));
            }
        }
        let ring = Ring::trusted(points);
        if ring.is_straight() {
            return Err(ShapeFaultKind::NoArea.nowhere());
        }
        if let Some(at) = ring.crossing() {
            return Err(ShapeFaultKind::CrossesItself.at(at));
        }
        let shape = Self::Polygon(ring);
        if shape.area() < 1 { Err(ShapeFaultKind::NoArea.nowhere()) } else { Ok(shape) }
    }

    pub fn circle(center: Point, radius: i32) -> Result<Self, ShapeFault> {
        if Point::new(center.lat, center.lng).is_none() {
            return Err(ShapeFaultKind::NoPlace.nowhere());
        }
        if !(1..=LARGEST_RADIUS).contains(&radius) {
            return Err(ShapeFaultKind::Radius.nowhere());
        }
        let shape = Self::Circle { center, radius };
        let Bounds { min_lat, max_lat, min_lng, max_lng } = shape.bounds();
        let beyond = min_lat < -90.0 || max_lat > 90.0 || min_lng < -180.0 || max_lng > 180.0;
        if beyond { Err(ShapeFaultKind::DateLine.at(center)) } else { Ok(shape) }
    }

    /// The shape of a row, which was checked before it was written: latitude and longitude by turns.
    pub fn stored(points: &[f64], circle: Option<(Point, i32)>) -> Self {
        if let Some((center, radius)) = circle {
            return Self::Circle { center, radius };
        }
        let points = points.chunks_exact(2).map(|pair| Point { lat: pair[0], lng: pair[1] });
        let mut points: Vec<Point> = points.collect();
        points.extend(points.first().copied());
        Self::Polygon(Ring::trusted(points))
    }

    /// The box around it.
    pub fn bounds(&self) -> Bounds {
        match self {
            Self::Polygon(ring) => ring.bounds,
            Self::Circle { center, radius } => {
                let height = f64::from(*radius) / DEGREE;
                let narrowest = (center.lat.abs() + height).min(90.0).to_radians().cos().max(1e-6);
                let width = height / narrowest;
                Bounds {
                    min_lat: center.lat - height,
                    max_lat: center.lat + height,
                    min_lng: center.lng - width,
                    max_lng: center.lng + width,
                }
            }
        }
    }

    /// Whole square metres.
    #[allow(clippy::cast_possible_truncation, reason = "the Earth has 5.1e14 of them")]
    pub fn area(&self) -> i64 {
        let area = match self {
            Self::Polygon(ring) => Polygon::new(ring.line.clone(), vec![]).geodesic_area_signed().abs(),
            Self::Circle { radius, .. } => std::f64::consts::PI * f64::from(*radius).powi(2),
        };
        area.round() as i64
    }

    /// Whether a place lies in it or on its border.
    pub fn contains(&self, at: Point) -> bool {
        match self {
            Self::Polygon(ring) => {
                ring.bounds.contains(at)
                    && coord_pos_relative_to_ring(at.coord(), &ring.line) != CoordPos::Outside
            }
            Self::Circle { center, radius } => {
                self.bounds().contains(at) && center.metres_to(at) <= f64::from(*radius) + EXACT_TO
            }
        }
    }

    /// Metres from a place to it; 0 in it.
    pub fn metres_from(&self, at: Point) -> f64 {
        if self.contains(at) {
            return 0.0;
        }
        match self {
            Self::Polygon(ring) => at.metres_to(ring.nearest_to(at)),
            Self::Circle { center, radius } => (center.metres_to(at) - f64::from(*radius)).max(0.0),
        }
    }

    /// How many points it has; none for a circle.
    pub fn size(&self) -> usize {
        match self {
            Self::Polygon(ring) => ring.line.0.len() - 1,
            Self::Circle { .. } => 0,
        }
    }
}

impl Ring {
    /// Points of which the last is the first again.
    fn trusted(points: Vec<Point>) -> Self {
        let mut bounds = Bounds {
            min_lat: f64::INFINITY,
            max_lat: f64::NEG_INFINITY,
            min_lng: f64::INFINITY,
            max_lng: f64::NEG_INFINITY,
        };
        for point in &points {
            bounds.min_lat = bounds.min_lat.min(point.lat);
            bounds.max_lat = bounds.max_lat.max(point.lat);
            bounds.min_lng = bounds.min_lng.min(point.lng);
            bounds.max_lng = bounds.max_lng.max(point.lng);
        }
        Self { line: LineString(points.into_iter().map(Point::coord).collect()), bounds }
    }

    /// Its points, each once.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        self.line.0.iter().take(self.line.0.len() - 1).map(|coord| Point::of(*coord))
    }

    /// All its points lie on one line.
    fn is_straight(&self) -> bool {
        let [first, second, ..] = self.line.0[..] else { return true };
        self.line.0.iter().all(|third| {
            use geo::{Kernel, Orientation, kernels::RobustKernel};
            RobustKernel::orient2d(first, second, *third) == Orientation::Collinear
        })
    }

    /// Where two of its sides meet that should not.
    fn crossing(&self) -> Option<Point> {
        let sides: Vec<Line<f64>> = self.line.lines().collect();
        let mut order: Vec<usize> = (0..sides.len()).collect();
        let west = |at: usize| sides[at].start.x.min(sides[at].end.x);
        let east = |at: usize| sides[at].start.x.max(sides[at].end.x);
        let reach = |at: usize| {
            let Line { start, end } = sides[at];
            (start.y.min(end.y), start.y.max(end.y))
        };
        order.sort_by(|a, b| west(*a).total_cmp(&west(*b)));
        // From west to east: only sides that reach this far can meet the next one.
        let mut open: Vec<usize> = Vec::new();
        for at in order {
            let (south, north) = reach(at);
            open.retain(|other| east(*other) >= west(at));
            for other in &open {
                let (low, high) = reach(*other);
                if low <= north
                    && south <= high
                    && let Some(place) = meeting(&sides, at, *other)
                {
                    return Some(place);
                }
            }
            open.push(at);
        }
        None
    }

    /// The place on its border that is nearest to another one, on a map that is flat around that.
    fn nearest_to(&self, at: Point) -> Point {
        let shrunk = at.lat.to_radians().cos().max(1e-6);
        let flat = |coord: Coord<f64>| ((coord.x - at.lng) * shrunk, coord.y - at.lat);
        let mut best = (f64::INFINITY, at);
        for side in self.line.lines() {
            let ((x1, y1), (x2, y2)) = (flat(side.start), flat(side.end));
            let (dx, dy) = (x2 - x1, y2 - y1);
            let share = (-(x1 * dx + y1 * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
            let (x, y) = (x1 + share * dx, y1 + share * dy);
            let far = x * x + y * y;
            if far < best.0 {
                best = (far, Point { lat: at.lat + y, lng: at.lng + x / shrunk });
            }
        }
        best.1
    }
}

/// Where two sides of a ring meet, other than where one ends and the next begins.
fn meeting(sides: &[Line<f64>], one: usize, other: usize) -> Option<Point> {
    let (first, second) = (one.min(other), one.max(other));
    let neighbours = second == first + 1 || (first == 0 && second + 1 == sides.len());
    match line_intersection(sides[first], sides[second])? {
        LineIntersection::SinglePoint { intersection, .. } => (!neighbours).then(|| Point::of(intersection)),
        // Neighbours that lie on each other are a spike.
        LineIntersection::Collinear { intersection } => {
            (!neighbours || intersection.start != intersection.end).then(|| Point::of(intersection.start))
        }
    }
}

#[cfg(test)]
#[path = "shape_tests.rs"]
mod tests;
