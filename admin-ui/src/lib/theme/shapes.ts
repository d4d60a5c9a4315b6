/**
 * Colours of shapes on maps, whose pictures are light in both themes; to be told apart by who sees few colours.
 * Apart from the palette, because only maps have them.
 */
const SHAPES = [
  '#0072B2',
  '#D55E00',
  '#009E73',
  '#CC79A7',
  '#7A5C00',
  '#56B4E9',
  '#6A3D9A',
  '#5A5A5A',
] as const;
/** Of a shape that belongs to nothing yet. */
const NEW = '#B3261E';

/** How many there are; then they begin again. */
export const SHAPE_COLOURS = SHAPES.length;

let installed = false;

/** Makes them custom properties of the page: `--shape-0` and so on, and `--shape-new`. */
export function installShapeColours(): void {
  if (installed) return;
  installed = true;
  const sheet = new CSSStyleSheet();
  const values = SHAPES.map((colour, index) => `--shape-${index}:${colour}`);
  sheet.replaceSync(`:root{${values.join(';')};--shape-new:${NEW}}`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
