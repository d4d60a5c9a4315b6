// Groups of files, from the build's manifest.

/**
 * Files of these modules, or of files by their name in GROUPS of vite.config.ts, with all they import statically. With
 * `assets`, their fonts and pictures too.
 */
export function closure(manifest, keys, assets = true) {
  const files = new Set();
  const seen = new Set();
  const visit = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    const chunk = manifest[key] ?? Object.values(manifest).find(({ name }) => name === key);
    if (!chunk) throw new Error(`not in the manifest: ${key}`);
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(assets ? (chunk.assets ?? []) : [])])
      files.add(file);
    for (const next of chunk.imports ?? []) visit(next);
  };
  keys.forEach(visit);
  return files;
}

/** The pages of guest TVs and kiosks: nothing of the application's. */
const DEVICES = ['tv.html', 'kiosk.html'];

/** Every file of the application. */
export const all = (manifest) =>
  closure(
    manifest,
    Object.keys(manifest).filter((key) => !DEVICES.includes(key)),
  );

/**
 * What the counter needs while the service is away: the shell, the fresh orders and an order, in both
 * languages.
 */
export const ahead = [
  'index.html',
  'src/app/start.tsx',
  'src/app/Notices.tsx',
  'src/app/GoTo.tsx',
  'src/app/RestaurantSelect.tsx',
  'src/app/Shortcuts.tsx',
  'src/app/SignInDialog.tsx',
  'long-work',
  'src/features/order/slip/print.tsx',
  'src/features/fresh-orders/Announcer.tsx',
  // The screens of orders, with their texts.
  'orders',
  'src/lib/texts/hu.ts',
  'src/lib/texts/en.ts',
];
