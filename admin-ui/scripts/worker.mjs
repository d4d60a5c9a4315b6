// Writes dist/sw.js: the service worker with the names of this build's files.
import { readFileSync, writeFileSync } from 'node:fs';
import { all, ahead, closure } from './manifest.mjs';

const dist = new URL('../dist/', import.meta.url).pathname;
const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, 'utf8'));
const paths = (files) =>
  JSON.stringify(
    [...files]
      .filter((file) => file.startsWith('assets/'))
      .map((file) => `/${file}`)
      .sort(),
  );
const template = readFileSync(new URL('./worker.js', import.meta.url), 'utf8');
const worker = template
  .replace('__FILES__', paths(all(manifest)))
  .replace('__AHEAD__', paths(closure(manifest, ahead)))
  .replace('__ENTRY__', JSON.stringify(`/${manifest['index.html'].file}`));
writeFileSync(`${dist}sw.js`, worker);
console.log(`service worker: ${closure(manifest, ahead).size} files ahead of ${all(manifest).size}`);
