import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const service = process.env.PULT_URL ?? 'http://localhost:8080';

const own = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A module's path contains one of these patterns. */
const either = (...patterns: string[]) => new RegExp(patterns.join('|'));
/** Parts of antd with what they are made of. */
const antd = (...parts: string[]) => `/(antd/es|@rc-component)/(${parts.join('|')})/`;

/** The pages without an account. The application behind them goes on with what they have loaded. */
const SIGN_IN = either(
  `${own('./index.html')}$`,
  'src/main\\.ts',
  'src/features/public/',
  'src/lib/(session|events|http|underWay|language)\\.ts',
  'src/lib/theme/(nonce|palette|prefs|base|fonts)',
  'src/generated/client/session/',
  'src/(app|lib)/.*\\.css',
  'src/features/(categories-and-products/catalogue|audit/audit)\\.css',
  'vite/preload-helper',
  // With a module of CommonJS comes the code that all of them need; alone it would be a file.
  '__vite-browser-external',
);
/** Pages of devices have nothing of the application. */
const DEVICES = either('src/(tv|kiosk|device)/', 'src/generated/device-addresses');
const TABLE = either(
  antd('table', 'pagination', 'spin', 'tree', 'context'),
  'src/lib/crud/(Resource(List|Page|Rows)|PlainRows|RowCard|ListTools|listParts|useListState|useRows|ActiveSwitch)',
);
const CALENDAR = either(
  antd('picker', 'date-picker', 'time-picker', 'calendar'),
  'node_modules/dayjs/(locale|plugin|esm)/',
  'src/lib/fields/Da(y|te)',
);
/** The map of all screens that have one, without the drawing tools. */
const MAP = either('node_modules/(leaflet|react-leaflet|@react-leaflet)/', 'src/lib/map/');
/** What only a form needs; Table has radio buttons, and they have the rest of antd's form. */
const FORM_PACKAGES = either(
  antd('drawer', 'input-number', 'mini-decimal', 'row', 'col', 'tabs', 'segmented'),
  'antd/es/form/(?!context|util|hooks/(useVariants|useForm\\b))',
  'antd/es/grid/(?!hooks)',
  'node_modules/dayjs/dayjs\\.min',
  // Several readings at once.
  'node_modules/@tanstack/.*/(useQ|q)ueries',
);
const FORMS = either(
  'src/lib/(?!pin/|media/ImagePicker|crud/(SortRows|Rank))',
  'src/generated/(?!client/people)',
  'src/features/(audit/SettingsHistoryButton|restaurant-general/choices|categories-and-products/shared/api)',
);
/** What lists and forms have in common, and what takes little of it. */
const CONTROLS = either(
  'src/lib/(fields/(kinds|labels|RefSelect)|ui/(clear|SavingSwitch|SearchInput|DropMenu)|crud/(Value|InstantSwitch|useAtOnce))',
  'src/generated/client/content/',
);

/** The tray for long work, with every kind of it and their words in both languages; screens show its rows too. */
const LONG_WORK = either(
  'src/features/long-work/',
  'src/features/[^/]+/work\\.',
  'src/features/company-export/mayExport',
  'src/lib/work\\.ts',
);

/** Screens that are one file, because they share code of their own. */
const TOGETHER: Record<string, string[]> = {
  orders: ['order', 'fresh-orders', 'sos-close', 'busy'],
  restaurant: ['restaurant-general', 'legal-data', 'delivery-and-take-away', 'getting-started'],
  company: ['partner-page', 'partners', 'company-export', 'restaurant-groups'],
  payments: ['payment-methods-pos', 'payment-methods-web'],
  exports: ['order-export', 'customer-export'],
  people: ['account', 'users'],
  phone: ['phone-orders', 'order-taking'],
  previous: ['previous-orders', 'storno-report', 'payments'],
};
/** Of these only what others need too is in that file: each has too much of its own. */
const LENDING: Record<string, string[]> = {
  restaurant: ['opening-hours'],
  payments: ['terminals'],
  catalogue: ['categories-and-products', 'options'],
  guests: ['customers'],
};
const fileIn = (files: typeof TOGETHER, folder: string) =>
  Object.keys(files).find((name) => files[name]!.includes(folder));

interface Modules {
  getModuleInfo: (id: string) => { importers: string[] } | null;
}
const folderOf = (id: string) => /src\/features\/([^/]+)\//.exec(id)?.[1];

/** The screens that need the module at once: they import it statically, by whatever lies between. */
function screensOf(id: string, modules: Modules, seen = new Set<string>()): string[] {
  seen.add(id);
  if (/\/features\/[^/]+\/(index|Gate)\.tsx$/.test(id)) return [folderOf(id)!];
  const importers = modules.getModuleInfo(id)?.importers ?? [];
  return importers.flatMap((by) => (seen.has(by) ? [] : screensOf(by, modules, seen)));
}

/** What the histories over other screens have of the audit log; the rest of it they do not need. */
const AUDIT_LINES = /src\/features\/audit\/(AuditLines\.tsx|(hu|en)\.ts)$/;

/** Promotions need the styles of the catalogue's fields at once; theirs go with them, so that they are one file. */
const WITH_CATALOGUE = /src\/features\/discounts\/[^/]+\.css$/;

/** What goes to a file of several screens; with `alone`, what goes to that of a single one. */
const screenFile =
  (alone: boolean) =>
  (id: string, modules: Modules): string | null => {
    const folder = folderOf(id);
    if (AUDIT_LINES.test(id)) return alone ? 'audit-lines' : null;
    if (WITH_CATALOGUE.test(id)) return alone ? null : 'catalogue';
    if (!folder || folder === 'audit') return null;
    const together = fileIn(TOGETHER, folder);
    const lending = fileIn(LENDING, folder);
    if (/\/(hu|en)\.ts$/.test(id)) return alone ? folder : (together ?? lending ?? null);
    const [first, ...others] = new Set(screensOf(id, modules));
    if (first === undefined) return null;
    if (alone) return others.length > 0 ? null : first;
    return together ?? (lending && (others.length > 0 || id.includes('/shared/')) ? lending : null);
  };

/**
 * Which file a module is written to; the first group that takes it. `$initial` is what a page of `input` needs
 * at once, so `vendor` and `start` are the shell, exactly. Without the other groups each new screen would
 * split what it shares with others into more and smaller files, and a page has at most 20.
 */
const GROUPS = [
  { name: 'main', test: SIGN_IN, tags: ['$initial' as const], includeDependenciesRecursively: true },
  { name: 'vendor', test: /node_modules/, tags: ['$initial' as const] },
  {
    name: 'start',
    test: (id: string) => id.startsWith(own('./src/')) && !DEVICES.test(id),
    tags: ['$initial' as const],
  },
  { name: 'long-work', test: LONG_WORK },
  { name: 'sorting', test: /node_modules\/@dnd-kit|src\/lib\/crud\/SortRows/, minShareCount: 2 },
  { name: 'map', test: MAP },
  { name: 'calendar', test: CALENDAR, minShareCount: 2 },
  { name: 'table', test: TABLE, minShareCount: 2 },
  {
    name: 'controls',
    test: (id: string) => CONTROLS.test(id) || (/node_modules/.test(id) && !FORM_PACKAGES.test(id)),
    minShareCount: 4,
  },
  {
    name: 'forms',
    test: (id: string) =>
      FORM_PACKAGES.test(id) ||
      // Icons of few screens.
      id.includes('node_modules/@ant-design/icons') ||
      (FORMS.test(id) && !DEVICES.test(id)),
    minShareCount: 2,
  },
  // A screen is one file, with what it shows at first and with its texts in both languages: a file of texts would
  // be asked for later, once the language is known, and cost more than the other language does.
  { name: screenFile(false), includeDependenciesRecursively: true },
  { name: screenFile(true), includeDependenciesRecursively: true },
];

/** Styles in the head keep everything from being shown until they have come; behind the outline only what follows. */
const stylesBehindTheOutline: Plugin = {
  name: 'styles-behind-the-outline',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { path }) => {
      if (path !== '/index.html') return html;
      const links = html.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
      const head = links.reduce((text, link) => text.replace(link, ''), html);
      return head.replace('<noscript>', `${links.join('')}<noscript>`);
    },
  },
};

export default defineConfig({
  plugins: [react(), stylesBehindTheOutline],
  // The service answers writing calls and sockets only to its own origin, so the proxy speaks as that.
  server: {
    port: 5173,
    proxy: {
      '/api': { target: service, headers: { Origin: service } },
      '/tv-board': { target: service, ws: true },
      '/fresh-orders': { target: service, ws: true, headers: { Origin: service } },
    },
  },
  build: {
    manifest: true,
    // The policy for fonts allows files alone.
    assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined),
    // Every browser that understands the target knows how to preload modules.
    modulePreload: { polyfill: false },
    target: 'es2023',
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: {
        main: own('./index.html'),
        // Loaded by main; named here too, so that what it needs counts as needed at once.
        start: own('./src/app/start.tsx'),
        tv: own('./tv.html'),
        kiosk: own('./kiosk.html'),
      },
      treeshake: {
        moduleSideEffects: [
          // An index hands on what it names; what nobody takes of it is not loaded.
          { test: /src\/lib\/(crud|fields|form)\/.*\.tsx?$/, sideEffects: false },
          // Their manifests do not say that nothing happens by loading them alone.
          {
            test: /@rc-component\/form\/|node_modules\/(papaparse|pluralize|error-stack-parser|stackframe)\//,
            sideEffects: false,
          },
        ],
      },
      output: {
        codeSplitting: { includeDependenciesRecursively: false, groups: GROUPS },
      },
    },
  },
  // One world for all files: loading antd for each took six times as long as all tests. What a test changes
  // it puts back.
  test: {
    environment: 'happy-dom',
    isolate: false,
    // As many as there are cores; it would leave one to nobody.
    maxWorkers: 2,
    // The contract is tried and the image made beside them, on the same two cores.
    testTimeout: 20_000,
    retry: 1,
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    setupFiles: ['src/test-setup.ts'],
  },
});
