// Writes src/generated from the service's document: the client (orval), the resources and the texts of error
// codes, and the fonts. Does nothing when what is there was made from the same document by the same
// generators.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const STAMP = 'src/generated/.stamp';
const inputs = [
  process.env.PULT_OPENAPI ?? '../openapi/openapi.json',
  '../openapi/errors.json',
  'orval.config.ts',
  'package-lock.json',
  'scripts/gen-resources.mjs',
  'scripts/fonts.mjs',
  'scripts/generate.mjs',
];
const hash = createHash('sha256');
for (const file of inputs) hash.update(readFileSync(file));
const wanted = hash.digest('hex');

if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== wanted) {
  rmSync(STAMP, { force: true });
  const { generate } = await import('orval'); // a second to load: only when needed
  await generate('orval.config.ts');
  await import('./gen-resources.mjs');
  await import('./fonts.mjs');
  writeFileSync(STAMP, wanted);
}
