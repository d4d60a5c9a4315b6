// Sums the files of a cold visit (the import closure in vite's manifest, gzip -9, 1 kB = 1000 bytes) and fails over
// budget. What a page requests until it stands, calls of the service too, is counted by e2e/first-load.spec.ts.
import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { closure } from './manifest.mjs';

const dist = new URL('../dist/', import.meta.url).pathname;
const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, 'utf8'));
const size = (file) =>
  file.endsWith('.woff2')
    ? readFileSync(dist + file).length
    : gzipSync(readFileSync(dist + file), { level: 9 }).length;

const entry = ['index.html'];
const fonts = manifest['index.html'].css.flatMap((css) =>
  [...readFileSync(dist + css, 'utf8').matchAll(/\/(assets\/latin[\w-]*\.woff2)/g)].map(([, file]) => file),
);
const shell = [...entry, 'src/app/start.tsx', 'src/lib/texts/hu.ts'];
const list = [...shell, 'couriers'];
// As the browser sees them: page, scripts, styles, fonts. What the service answers is not among them.
const extra = ['index.html', ...fonts];
const budgets = [
  { name: 'login', keys: entry, extra, kB: 130, requests: 6 },
  { name: 'signed-in shell', keys: shell, extra, kB: 369, requests: 8 },
  { name: 'list page', keys: list, extra, kB: 525, requests: 11 },
  // Pages of devices are loaded by whatever browser the device has, perhaps over a weak network.
  { name: 'guest TV', keys: ['tv.html'], extra: [], kB: 9, requests: 4 },
  { name: 'kiosk', keys: ['kiosk.html'], extra: [], kB: 9, requests: 4 },
];
let failed = false;
for (const { name, keys, extra, kB, requests } of budgets) {
  const files = [...closure(manifest, keys, false), ...extra];
  for (const file of files) if (!existsSync(dist + file)) throw new Error(`missing: ${file}`);
  const total = files.reduce((sum, file) => sum + size(file), 0) / 1000;
  const over = total > kB || (requests !== undefined && files.length > requests);
  failed ||= over;
  console.log(
    `${over ? 'OVER  ' : 'ok    '} ${name.padEnd(16)} ${total.toFixed(1).padStart(6)} of ${kB} kB gz, ${files.length}${requests ? ` of ${requests}` : ''} requests`,
  );
}
process.exit(failed ? 1 : 0);
