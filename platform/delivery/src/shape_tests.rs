#![allow(clippy::cast_precision_loss)]

use std::time::Instant;

use geo::Destination;
use proptest::prelude::*;

use super::*;

fn points(places: &[(f64, f64)]) -> Vec<Point> {
    places.iter().map(|(lat, lng)| Point { lat: *lat, lng: *lng }).collect()
}

fn polygon(places: &[(f64, f64)]) -> Shape {
    Shape::polygon(points(places)).unwrap()
}

fn fault(places: &[(f64, f64)]) -> (ShapeFaultKind, Option<(f64, f64)>) {
    let fault = Shape::polygon(points(places)).unwrap_err();
    (fault.kind, fault.at.map(|at| (at.lat, at.lng)))
}

const SQUARE: [(f64, f64); 4] = [(47.0, 19.0), (47.0, 19.5), (47.5, 19.5), (47.5, 19.0)];

#[test]
fn the_border_is_inside() {
    let square = polygon(&SQUARE);
    for (lat, lng, inside) in [
        (47.25, 19.25, true),
        (47.0, 19.25, true),
        (47.25, 19.5, true),
        (47.5, 19.5, true),
        (47.5, 19.500_000_1, false),
        (46.999_999_9, 19.25, false),
        (48.0, 19.25, false),
    ] {
        assert_eq!(square.contains(Point { lat, lng }), inside, "{lat} {lng}");
    }
    // A notch: the box has it, the shape has not.
    let notched = polygon(&[(47.0, 19.0), (47.0, 19.5), (47.5, 19.5), (47.1, 19.25), (47.5, 19.0)]);
    assert!(!notched.contains(Point { lat: 47.4, lng: 19.25 }));
    assert!(notched.contains(Point { lat: 47.1, lng: 19.25 }), "its innermost point");
}

#[test]
fn a_circle_is_round_on_the_earth() {
    let center = Point { lat: 47.5, lng: 19.05 };
    let circle = Shape::circle(center, 3_000).unwrap();
    for bearing in 0..36 {
        let at = |metres: f64| {
            let moved = Geodesic.destination(geo::Point(center.coord()), f64::from(bearing) * 10.0, metres);
            Point::of(moved.0)
        };
        assert!(circle.contains(at(3_000.0)), "the border, {bearing}");
        assert!(!circle.contains(at(3_000.1)), "beside it, {bearing}");
        let far = circle.metres_from(at(3_500.0));
        assert!((far - 500.0).abs() < 0.01, "{far}");
    }
    assert_eq!(circle.area(), 28_274_334);
}

#[test]
fn an_outline_is_refused_with_the_place() {
    use ShapeFaultKind::*;
    let [a, b, c, d] = SQUARE;
    for (places, expected) in [
        (vec![], (TooFewPoints, None)),
        (vec![a, b], (TooFewPoints, None)),
        (vec![a, b, a], (TooFewPoints, None)),
        (vec![a, b, b, c], (Repeated, Some(b))),
        (vec![a, c, b, d], (CrossesItself, Some((47.25, 19.25)))),
        // A spike that goes out and back.
        (vec![a, b, c, (47.8, 19.5), c, d], (CrossesItself, Some(c))),
        // It touches itself in one point.
        (vec![a, b, c, (47.0, 19.2), d], (CrossesItself, Some((47.0, 19.2)))),
        (vec![a, (47.0, 19.2), b], (NoArea, None)),
        (vec![a, (47.000_000_1, 19.0), (47.0, 19.000_000_1)], (NoArea, None)),
        (vec![(10.0, 170.0), (10.0, -170.0), (20.0, 175.0)], (DateLine, Some((10.0, 170.0)))),
        (vec![a, b, (91.0, 19.0)], (NoPlace, None)),
        (vec![a, b, (f64::NAN, 19.0)], (NoPlace, None)),
        (vec![a, b, (47.2, f64::INFINITY)], (NoPlace, None)),
    ] {
        let found = fault(&places);
        assert_eq!(found.0, expected.0, "{places:?}");
        match (found.1, expected.1) {
            (Some(found), Some(wanted)) => {
                assert!((found.0 - wanted.0).abs() < 1e-9 && (found.1 - wanted.1).abs() < 1e-9, "{found:?}");
            }
            (found, wanted) => assert_eq!(found, wanted, "{places:?}"),
        }
    }
    // Closed by hand, or drawn the other way round.
    assert_eq!(polygon(&[a, b, c, d, a]).size(), 4);
    assert_eq!(polygon(&[a, b, c, d]).area(), polygon(&[d, c, b, a]).area());
    for (lat, lng, radius, expected) in [
        (47.0, 19.0, 1, None),
        (47.0, 19.0, 100_000, None),
        (47.0, 19.0, 0, Some(Radius)),
        (47.0, 19.0, -5, Some(Radius)),
        (47.0, 19.0, 100_001, Some(Radius)),
        (f64::NAN, 19.0, 10, Some(NoPlace)),
        (0.0, 179.9, 50_000, Some(DateLine)),
        (89.9, 0.0, 50_000, Some(DateLine)),
    ] {
        let found = Shape::circle(Point { lat, lng }, radius).err().map(|fault| fault.kind);
        assert_eq!(found, expected, "{lat} {lng} {radius}");
    }
}

/// A ring around a place, its points in turn near and far.
fn star(lat: f64, lng: f64, count: usize, size: f64) -> Vec<Point> {
    let at = |index: usize| {
        let (angle, far) = (
            index as f64 / count as f64 * std::f64::consts::TAU,
            if index.is_multiple_of(2) { size } else { size * 0.6 },
        );
        Point { lat: lat + far * angle.sin(), lng: lng + far * angle.cos() }
    };
    (0..count).map(at).collect()
}

#[test]
fn ten_thousand_points_are_checked_and_one_more_is_refused() {
    let began = Instant::now();
    assert!(Shape::polygon(star(47.5, 19.0, 10_000, 0.2)).is_ok());
    // Sides that all lie above each other: the slowest outline there is.
    let comb = (0..10_000).map(|index: u32| {
        let east = if index.is_multiple_of(2) { 0.0 } else { 1.0 };
        Point { lat: 47.0 + f64::from(index) * 1e-5, lng: 19.0 + east + f64::from(index) * 1e-7 }
    });
    let _ = Shape::polygon(comb.collect());
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
    let many = Shape::polygon(star(47.5, 19.0, 10_001, 0.2)).unwrap_err();
    assert_eq!(many.kind, ShapeFaultKind::TooManyPoints);
}

#[test]
fn a_point_in_two_hundred_regions_takes_a_millisecond() {
    let shapes: Vec<Shape> = (0..200).map(|_| Shape::polygon(star(47.5, 19.0, 100, 0.2)).unwrap()).collect();
    let at = Point { lat: 47.51, lng: 19.02 };
    let best = (0..20).map(|_| {
        let began = Instant::now();
        assert_eq!(shapes.iter().filter(|shape| shape.contains(at)).count(), 200);
        began.elapsed()
    });
    let best = best.min().unwrap();
    // Without optimisation it may take longer.
    let most = if cfg!(debug_assertions) { 50 } else { 1 };
    assert!(best.as_millis() < most, "{best:?}");
}

/// Places and what shapely and pyproj say of them, made by `tests/geometry/make.py`.
const POINTS: &str = include_str!("../tests/geometry/points.txt");

/// Two whole numbers with a comma between.
fn pair(text: &str) -> (i64, i64) {
    let (lat, lng) = text.split_once(',').unwrap();
    (lat.parse().unwrap(), lng.parse().unwrap())
}

fn place((lat, lng): (i64, i64)) -> Point {
    Point { lat: lat as f64 / 1e9, lng: lng as f64 / 1e9 }
}

#[test]
fn ten_thousand_places_lie_where_another_geometry_says() {
    let began = Instant::now();
    let (mut shape, mut origin, mut counts) = (None, (0, 0), [0; 4]);
    for line in POINTS.lines().skip(1) {
        let (sign, rest) = line.split_once(' ').unwrap_or((line, ""));
        if sign == "p" || sign == "c" {
            origin = pair(rest.split(' ').next().unwrap());
            let made = match rest.split_once(' ').filter(|_| sign == "c") {
                Some((_, radius)) => Shape::circle(place(origin), radius.parse().unwrap()),
                None => Shape::polygon(rest.split(' ').map(|at| place(pair(at))).collect()),
            };
            shape = Some(made.unwrap());
            continue;
        }
        let shape = shape.as_ref().unwrap();
        for far in rest.split(' ').filter(|far| !far.is_empty()).map(pair) {
            let at = place((origin.0 + far.0, origin.1 + far.1));
            assert_eq!(shape.contains(at), sign == "+", "{at:?} in {shape:?}");
            counts[usize::from(sign == "+") + 2 * usize::from(matches!(shape, Shape::Circle { .. }))] += 1;
        }
    }
    assert_eq!(counts.iter().sum::<i32>(), 10_000);
    assert!(counts.iter().all(|count| *count > 1_000), "{counts:?}");
    assert!(began.elapsed().as_secs() < 2, "{:?}", began.elapsed());
}

proptest! {
    /// A star is drawn as it is stored, its centre lies in it, and what is far from it does not.
    #[test]
    fn stars(lat in -60.0..60.0_f64, lng in -170.0..170.0_f64, count in 2_usize..60, size in 0.001..1.0_f64) {
        let drawn = Shape::polygon(star(lat, lng, count * 2, size)).unwrap();
        let Shape::Polygon(ring) = &drawn else { unreachable!() };
        let flat: Vec<f64> = ring.points().flat_map(|point| [point.lat, point.lng]).collect();
        let stored = Shape::stored(&flat, None);
        prop_assert_eq!(stored.bounds(), drawn.bounds());
        prop_assert_eq!(stored.area(), drawn.area());
        for point in ring.points() {
            prop_assert!(stored.contains(point));
        }
        if count > 2 {
            let center = Point { lat, lng };
            prop_assert!(stored.contains(center));
        }
        let far = Point { lat: lat + size * 1.5, lng };
        prop_assert!(!stored.contains(far));
        let metres = stored.metres_from(far);
        prop_assert!(metres > size * 0.4 * 110_000.0 && metres < size * 1.6 * 112_000.0, "{}", metres);
    }

    /// Whatever lies in a circle lies in its box.
    #[test]
    fn boxes(lat in -80.0..80.0_f64, lng in -170.0..170.0_f64, radius in 1_i32..100_000, bearing in 0.0..360.0_f64) {
        let center = Point { lat, lng };
        let circle = Shape::circle(center, radius);
        prop_assume!(circle.is_ok());
        let circle = circle.unwrap();
        let edge = Geodesic.destination(geo::Point(center.coord()), bearing, f64::from(radius));
        prop_assert!(circle.bounds().contains(Point::of(edge.0)));
        prop_assert!(circle.contains(Point::of(edge.0)));
    }
}
