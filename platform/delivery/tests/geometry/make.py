"""Makes points.txt: 10,000 places, and whether they lie in a shape as shapely and pyproj see it.

    python3 -m venv /tmp/geometry && /tmp/geometry/bin/pip install shapely==2.2.0 pyproj==3.7.2
    /tmp/geometry/bin/python platform/delivery/tests/geometry/make.py

A polygon's sides are straight in degrees; a circle is geodesic on WGS 84. Places within a millimetre of a border
are left out: a circle's border is exact to that, and the two may round differently. All numbers are whole 1e-9 degrees (0.1 mm), so both sides calculate with
the same places.
"""

import math
import pathlib
import random

import pyproj
import shapely

UNIT = 1e9
# Around Hungary.
SOUTH, NORTH, WEST, EAST = 45.8, 48.5, 16.2, 22.8
MARGIN_M = 0.0011
PLACES = 10_000
PER_SHAPE = 50

chance = random.Random(20260601)
earth = pyproj.Geod(ellps="WGS84")


def whole(degrees):
    return round(degrees * UNIT)


def somewhere():
    return whole(chance.uniform(SOUTH, NORTH)), whole(chance.uniform(WEST, EAST))


def star(lat, lng):
    """Points around a centre at any distance: concave as a rule, and never crossing itself."""
    angles = sorted(chance.uniform(0, math.tau) for _ in range(chance.randint(3, 24)))
    size = 10 ** chance.uniform(-3.5, -0.5)
    at = [(a, size * chance.uniform(0.15, 1)) for a in angles]
    return [(lat + whole(far * math.sin(a)), lng + whole(far * math.cos(a))) for a, far in at]


def untangled(lat, lng):
    """Any points in any order, until no two sides cross: each crossing is turned round."""
    size = 10 ** chance.uniform(-3.5, -0.5)
    spread = lambda middle: middle + whole(chance.uniform(-size, size))
    ring = [(spread(lat), spread(lng)) for _ in range(chance.randint(4, 16))]
    found = True
    while found:
        found = False
        for i in range(len(ring) - 1):
            for j in range(i + 2, len(ring) - (i == 0)):
                sides = [(ring[i], ring[i + 1]), (ring[j], ring[(j + 1) % len(ring)])]
                if shapely.LineString(sides[0]).intersects(shapely.LineString(sides[1])):
                    ring[i + 1 : j + 1] = reversed(ring[i + 1 : j + 1])
                    found = True
    return ring


def places(polygon, centre, reach):
    """Half of them anywhere around, half close to the border."""
    for at in range(PER_SHAPE):
        if polygon is not None and at % 2:
            near = polygon.exterior.interpolate(chance.random(), normalized=True)
            jitter = 10 ** chance.uniform(1.5, 5)
            yield round(near.y + chance.uniform(-jitter, jitter)), round(near.x + chance.uniform(-jitter, jitter))
        else:
            yield tuple(round(c + chance.uniform(-reach, reach)) for c in centre)


def polygon_lines(ring):
    polygon = shapely.Polygon([(lng, lat) for lat, lng in ring])
    if not polygon.is_valid or polygon.area < 1e10:
        return None
    low_lng, low_lat, high_lng, high_lat = polygon.bounds
    centre = ((low_lat + high_lat) / 2, (low_lng + high_lng) / 2)
    reach = 0.6 * max(high_lat - low_lat, high_lng - low_lng)
    found = []
    for lat, lng in places(polygon, centre, reach):
        point = shapely.Point(lng, lat)
        # A unit is at most 0.12 mm.
        if polygon.exterior.distance(point) * 0.00007 > MARGIN_M:
            found.append((lat, lng, polygon.contains(point)))
    return ["p " + " ".join(f"{lat},{lng}" for lat, lng in ring)], found


def circle_lines(centre):
    radius = round(10 ** chance.uniform(0.5, 5))
    found = []
    for at in range(PER_SHAPE):
        far = radius * (1 + (0.4 if at % 2 else 1e-5) * chance.uniform(-1, 1)) + chance.uniform(-0.05, 0.05)
        lng, lat, _ = earth.fwd(centre[1] / UNIT, centre[0] / UNIT, chance.uniform(0, 360), abs(far))
        place = (whole(lat), whole(lng))
        metres = earth.inv(centre[1] / UNIT, centre[0] / UNIT, place[1] / UNIT, place[0] / UNIT)[2]
        if abs(metres - radius) > MARGIN_M:
            found.append((*place, metres < radius))
    return [f"c {centre[0]},{centre[1]} {radius}"], found


def main():
    lines = [
        f"# make.py: shapely {shapely.__version__} (GEOS {shapely.geos_version_string}), "
        f"pyproj {pyproj.__version__} (PROJ {pyproj.proj_version_str})"
    ]
    count = shapes = 0
    while count < PLACES:
        shapes += 1
        centre = somewhere()
        made = [star, untangled, None][shapes % 3]
        answer = polygon_lines(made(*centre)) if made else circle_lines(centre)
        if answer is None:
            continue
        shape, found = answer
        found = found[: PLACES - count]
        count += len(found)
        origin = tuple(map(int, shape[0].split()[1].split(",")))
        lines += shape
        # As differences to the shape's first place: inside, and outside.
        for sign, inside in [("+", True), ("-", False)]:
            of = [f"{lat - origin[0]},{lng - origin[1]}" for lat, lng, yes in found if yes == inside]
            lines.append(" ".join([sign, *of]))
    pathlib.Path(__file__).with_name("points.txt").write_text("\n".join(lines) + "\n")


main()
