// Writes .br and .gz beside every text file of the build but the pages, into which the service writes: it
// sends them as they are and compresses nothing itself.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url).pathname;
let saved = 0;
for (const name of readdirSync(dist, { recursive: true })) {
  if (!/\.(js|css|svg|json)$/.test(name) || name.startsWith('.vite')) continue;
  const data = readFileSync(dist + name);
  if (data.length < 1000) continue;
  const br = brotliCompressSync(data, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: data.length },
  });
  writeFileSync(`${dist}${name}.br`, br);
  writeFileSync(`${dist}${name}.gz`, gzipSync(data, { level: 9 }));
  saved += data.length - br.length;
}
console.log(`compressed: ${Math.round(saved / 1000)} kB less to send`);
