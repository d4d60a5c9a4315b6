import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { csv } from './download';

const file = (name: string) => `../platform/menu_import/tests/files/${name}`;

// The service's tests read the same file and must find the same texts
// (platform/menu_import/src/round_trip.rs).
test('texts that look like formulas are written as texts, so that an import finds them as they were', async () => {
  const rows = JSON.parse(readFileSync(file('formulas.json'), 'utf8')) as string[][];
  const written = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await csv(rows).arrayBuffer());
  if (process.env.PULT_GOLDEN === 'write') writeFileSync(file('formulas.csv'), written);
  expect(written).toBe(readFileSync(file('formulas.csv'), 'utf8'));
  expect(written.startsWith('\ufeff')).toBe(true);
  expect(written).not.toMatch(/(^|[;\n])"?[=+\-@]/);
});
