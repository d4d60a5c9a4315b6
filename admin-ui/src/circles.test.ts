import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const sources: Record<string, string> = Object.fromEntries(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => [`./${file}`, readFileSync(`src/${file}`, 'utf8')]),
);

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
/** Those of types and lazy ones count too: whoever reads one file of a circle has to read all of them. */
const IMPORT = /(?:\bfrom|^import|\bimport\()\s*'(\.[^']+)'/gm;

/** The file that `name` means in `from`; undefined for one that is no script. */
function resolve(from: string, name: string): string | undefined {
  const path = new URL(name, `file:///${from.slice(2)}`).pathname.replace(/^\//, './');
  return ['', '.ts', '.tsx', '/index.ts', '/index.tsx'].map((end) => path + end).find((at) => at in sources);
}

const imports = new Map(
  Object.entries(sources).map(([file, text]) => [
    file,
    [...text.replace(COMMENT, '').matchAll(IMPORT)].flatMap(([, name]) => resolve(file, name!) ?? []),
  ]),
);

/** Circles of files, each once, from the first file that leads into it. */
function circles(): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]) => {
    const at = path.indexOf(file);
    if (at >= 0) found.push([...path.slice(at), file].join(' → '));
    if (at >= 0 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return found;
}

it('no files import each other in a circle', () => {
  expect(circles()).toEqual([]);
  // Fails when the patterns find no imports any more.
  expect([...imports.values()].flat().length).toBeGreaterThan(imports.size);
});
