"""Draws docs/architecture.svg from the manifests of our crates: python3 docs/architecture.py

A crate stands one row above the highest crate that it depends on. Plug-ins stand at the right. Arrows that
follow from others are left out, and those of the server, which depends on all but `pricing`.
"""

import pathlib
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["platform/*", "tenants", "migrations", "integrations/*"]
# Tools for tests and development stand beside the service, not in it.
LEFT_OUT = {"testkit", "sandbox"}
WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 118, 34, 16, 50, 24
SUBTITLES = {
    "server": "binary, routing, sockets",
    "kernel": "types, errors, no I/O",
    "tenants": "door to the data",
    "access": "scope, rights, kit",
    "accounts": "sign-in, people",
    "work": "jobs, events, mail",
    "pricing": "pure calculation",
}


def crates():
    """Name and path of each crate, with the crates of ours that it depends on."""
    manifests = [m for f in FOLDERS for m in ROOT.glob(f + "/Cargo.toml")]
    found = {}
    for manifest in sorted(manifests):
        content = tomllib.loads(manifest.read_text())
        name = content["package"]["name"]
        if name not in LEFT_OUT:
            found[name] = (manifest.parent.relative_to(ROOT).parts[0], set(content.get("dependencies", {})))
    return {name: (folder, needs & found.keys()) for name, (folder, needs) in found.items()}


def all_below(name, graph):
    below = set(graph[name][1])
    for one in graph[name][1]:
        below |= all_below(one, graph)
    return below


def rows(graph):
    """The row of each crate, counted from below."""
    level = {}

    def of(name):
        if name not in level:
            level[name] = max((of(one) + 1 for one in graph[name][1]), default=0)
        return level[name]

    for name in graph:
        of(name)
    return level


def draw(graph):
    level = rows(graph)
    arrows = [
        (name, one)
        for name in graph
        for one in graph[name][1]
        if not any(one in all_below(other, graph) for other in graph[name][1] - {one})
    ]
    arrows = [(upper, lower) for upper, lower in arrows if upper != "server"]
    aside = {name for name in graph if graph[name][0] == "integrations"}
    layers = [[n for n in sorted(graph) if level[n] == row] for row in range(max(level.values()) + 1)]
    widest = max(len(set(names) - aside) for names in layers)
    inner = widest * (WIDTH + GAP_X) - GAP_X
    width = inner + 2 * MARGIN + (max(len(set(names) & aside) for names in layers) + 1) * (WIDTH + GAP_X)
    height = len(layers) * (HEIGHT + GAP_Y) - GAP_Y + 2 * MARGIN
    place = {}
    for turn in range(6):
        for names in layers:
            if turn:
                near = {
                    n: [place[b if a == n else a] for a, b in arrows if n in (a, b)] or [place[n]]
                    for n in names
                }
                names.sort(key=lambda n: sum(near[n]) / len(near[n]))
            middle = [n for n in names if n not in aside]
            used = len(middle) * (WIDTH + GAP_X) - GAP_X
            for index, name in enumerate(middle):
                place[name] = MARGIN + (inner - used) / 2 + index * (WIDTH + GAP_X)
            right = [n for n in names if n in aside]
            # Plug-ins leave the place above `contract` free for the arrows of those who call them.
            for index, name in enumerate(right, start=len(right) > 1):
                place[name] = MARGIN + inner + GAP_X + index * (WIDTH + GAP_X)
    at = {n: (place[n], height - MARGIN - HEIGHT - level[n] * (HEIGHT + GAP_Y)) for n in graph}
    parts = []
    for upper, lower in sorted(arrows):
        x1, y1 = at[upper][0] + WIDTH / 2, at[upper][1] + HEIGHT
        x2, y2 = at[lower][0] + WIDTH / 2, at[lower][1]
        bend = max((y2 - y1) / 2, 20)
        parts.append(
            f'<path class="arrow" marker-end="url(#head)" d="M{x1:.0f} {y1:.0f} C{x1:.0f} {y1 + bend:.0f} '
            f'{x2:.0f} {y2 - bend:.0f} {x2:.0f} {y2 - 3:.0f}"/>'
        )
    for name, (folder, _) in sorted(graph.items()):
        x, y = at[name]
        under = SUBTITLES.get(name)
        parts.append(
            f'<rect class="{folder}" x="{x:.0f}" y="{y:.0f}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
        )
        parts.append(
            f'<text x="{x + WIDTH / 2:.0f}" y="{y + (15 if under else 21):.0f}" class="name">{name}</text>'
        )
        if under:
            parts.append(f'<text x="{x + WIDTH / 2:.0f}" y="{y + 27:.0f}" class="under">{under}</text>')
    style = """
svg { background: #ffffff; font-family: system-ui, sans-serif; }
rect { fill: #eef3fb; stroke: #3d5a80; }
.integrations { fill: #fdf3e1; stroke: #8a6116; }
.migrations, .tenants { fill: #e7f5ec; stroke: #2c6e49; }
.name { font-size: 13px; font-weight: 600; text-anchor: middle; fill: #14213d; }
.under { font-size: 9px; text-anchor: middle; fill: #3c4a5e; }
.arrow { fill: none; stroke: #6b7a90; stroke-width: 1.2; }
.tip { fill: #6b7a90; }
@media (prefers-color-scheme: dark) {
  svg { background: #0d1117; }
  rect { fill: #17263c; stroke: #7aa2d6; }
  .integrations { fill: #33260d; stroke: #d6a75a; }
  .migrations, .tenants { fill: #12301f; stroke: #74c69d; }
  .name { fill: #f0f4fa; }
  .under { fill: #c3cede; }
  .arrow { stroke: #8fa0b8; }
  .tip { fill: #8fa0b8; }
}"""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img">\n'
        f"<title>Crates of the service; arrows show what depends on what</title>\n<style>{style}\n</style>\n"
        '<defs><marker id="head" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6" markerHeight="6" '
        'orient="auto"><path class="tip" d="M0 0 6 3 0 6z"/></marker></defs>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


if __name__ == "__main__":
    (ROOT / "docs/architecture.svg").write_text(draw(crates()))
