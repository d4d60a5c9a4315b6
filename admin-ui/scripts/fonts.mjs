// Writes src/generated/fonts: the letters that Hungarian and English need, in the weights that are used. The
// whole files, from which the browser takes other letters, weigh six times as much.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import subsetFont from 'subset-font';

const FROM = 'node_modules/@fontsource-variable/inter/files';
const TO = 'src/generated/fonts';
const range = (from, to) =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, at) => from + at));

// Each letter stands in the unicode-range of lib/theme/fonts.css too.
const HUNGARIAN = 'ÁÉÍÓÖÚÜáéíóöúü';
/** Of other languages, what dishes are called with: crème, jalapeño, Käse. */
const DISHES = 'ßàâäçèêëîïñôùû';
const SIGNS = '£\u00a7©«®°±·»¼½¾×÷–—‘’‚“”„•…‰‹›€←↑→↓−≈≠≤≥\u00a0\u2007\u2009\u200b\u202f';
const FILES = {
  latin: range(0x20, 0x7e) + HUNGARIAN + DISHES + SIGNS,
  'latin-ext': 'ŐőŰű',
};
/** Kerning, and figures of one width. What else Inter has are other shapes, which nobody needs. */
const FEATURES = ['kern', 'tnum'];

mkdirSync(TO, { recursive: true });
for (const [name, text] of Object.entries(FILES)) {
  const whole = readFileSync(`${FROM}/inter-${name}-wght-normal.woff2`);
  const font = await subsetFont(whole, text, {
    targetFormat: 'woff2',
    keepFeatures: FEATURES,
    variationAxes: { wght: { min: 400, max: 700 } },
  });
  writeFileSync(`${TO}/${name}.woff2`, font);
}
