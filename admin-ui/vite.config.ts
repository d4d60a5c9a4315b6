import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
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
  'src/lib/(session|events|http|language)\\.ts',
  'src/lib/theme/(nonce|palette|prefs|base|fonts)',
  'src/generated/client/session/',
  'vite/preload-helper',
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
/** What only a form needs; Table has radio buttons, and they have the rest of antd's form. */
const FORM_PACKAGES = either(
  antd('drawer', 'input-number', 'mini-decimal', 'row', 'col'),
  'antd/es/form/(?!context|util|hooks/(useVariants|useForm\\b))',
  'antd/es/grid/(?!hooks)',
  'node_modules/dayjs/dayjs\\.min',
);
const FORMS = either(
  'src/lib/(?!media/ImagePicker|crud/(SortRows|Rank))',
  'src/generated/(?!client/devices)',
  'src/features/(audit/SettingsHistoryButton|restaurant-general/choices|categories-and-products/shared/api)',
);
/** What lists and forms have in common, and what takes little of it. */
const CONTROLS = either(
  'src/lib/(fields/(kinds|labels|RefSelect)|ui/(SearchInput|DropMenu)|crud/(Value|InstantSwitch|useAtOnce))',
  'src/generated/client/content/',
);

/** Screens that share code of their own. A file of texts stays alone: a page takes those of one language. */
const NEIGHBOURS: Record<string, string> = {
  orders: 'order|fresh-orders|sos-close',
  catalogue: 'categories-and-products|options',
  restaurant: 'restaurant-general|opening-hours|delivery-and-take-away|vats',
  company: 'partner-page|partners|company-export|restaurant-groups',
  payments: 'payment-methods-pos|payment-methods-web|terminals',
  exports: 'order-export|customer-export',
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
  { name: 'calendar', test: CALENDAR, minShareCount: 2 },
  { name: 'table', test: TABLE, minShareCount: 2 },
  {
    name: 'controls',
    test: (id: string) => CONTROLS.test(id) || (/node_modules/.test(id) && !FORM_PACKAGES.test(id)),
    minShareCount: 4,
  },
  {
    name: 'forms',
    test: (id: string) => FORM_PACKAGES.test(id) || (FORMS.test(id) && !DEVICES.test(id)),
    minShareCount: 2,
  },
  { name: 'icons', test: /node_modules\/@ant-design\/icons/, minShareCount: 2 },
  ...Object.entries(NEIGHBOURS).map(([name, screens]) => ({
    name,
    test: new RegExp(`src/features/(${screens})/(?!(hu|en)\\.ts|catalogue\\.css)`),
    minShareCount: 2,
  })),
];

export default defineConfig({
  plugins: [react()],
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
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    setupFiles: ['src/test-setup.ts'],
  },
});
