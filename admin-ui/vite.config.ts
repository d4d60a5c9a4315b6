import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const service = process.env.PULT_URL ?? 'http://localhost:8080';

const own = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Packages that the signed-in shell needs as a whole. */
const FRAMEWORK =
  /node_modules\/(react|react-dom|scheduler|react-router|@refinedev|i18next|react-i18next|@tanstack|lodash-es|warn-once)\//;
/** Parts of antd that the shell needs; whatever only screens use stays with the screens. */
const SHELL_ANTD =
  /node_modules\/(antd\/es\/(theme|style|config-provider|_util|button|select|modal|notification|message|skeleton|tooltip|alert|empty|space|app|version)\/|@ant-design\/(cssinjs|cssinjs-utils|colors|fast-color)\/|@rc-component\/(select|trigger|virtual-list|util|motion|notification|dialog|tooltip|overflow|portal|resize-observer|form|async-validator)\/|stylis\/)/;

/**
 * What lists and forms are operated with, in one file. Of forms not what the shell needs to ask whether it
 * stands in one.
 */
const INPUTS =
  /node_modules\/(@rc-component\/(async-validator\/|form\/es\/(?!\w*Context|utils\/(valueUtil|typeUtil)|namePathType))|(antd\/es|@rc-component)\/(input|radio|switch|checkbox|dropdown|menu)\/|antd\/es\/(form\/hooks\/useForm\b|form\/util\b|layout\/Sider\b)|(scroll-into-view-if-needed|compute-scroll-into-view)\/)/;

/** What screens share, each with the fewest that must: what only one or two need stays with them. */
const SHARED: [name: string, modules: RegExp, screens: number][] = [
  ['icons', /node_modules\/@ant-design\/icons/, 4],
  [
    'table',
    /node_modules\/((antd\/es|@rc-component)\/(table|pagination|spin|tree|progress|context)\/|antd\/es\/grid\/hooks\/|throttle-debounce\/)/,
    2,
  ],
  [
    'common',
    /src\/(lib\/(hooks|resources|target|navigation|me|platform|live|access|problem|i18n|features?|slug|later|providers\/reading|ui\/(Dialog|states|notify|focus|Attached|Button|work))|app\/switchLanguage|generated\/(client\/(platform|restaurants)\/|resources))\b/,
    2,
  ],
  // One file of what the page of signing in and the application behind it share: it has six requests.
  ['session', /src\/(lib\/(session|events|http)\.ts|generated\/client\/session\/)/, 2],
  [
    'list',
    /src\/lib\/(crud\/(Resource(List|Page|Rows)|ListTools|listParts|useListState|useRows|Value|ActiveSwitch|InstantSwitch|useAtOnce|index\.|list\.css)|fields\/(kinds|labels|RefSelect)|ui\/SearchInput)\b/,
    2,
  ],
  [
    'lib',
    /src\/(features\/audit\/SettingsHistoryButton|lib\/(crud|fields|form|idempotency|ui\/(SideDrawer|DropMenu|NumberInput)))\b|node_modules\/((antd\/es|@rc-component)\/(drawer|input-number|mini-decimal|form|grid|row|col)\/|dayjs\/dayjs\.min)/,
    4,
  ],
];

const SESSION=/src\/(lib\/(session|events|http)\.ts|generated\/client\/session\/)|rolldown.runtime/;
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
    // Without groups each new screen splits what it shares with others into more and smaller chunks: they
    // compress worse, and a list page took 54 requests where 30 do.
    rolldownOptions: {
      input: { main: own('./index.html'), start: own('./src/app/start.tsx'), tv: own('./tv.html'), kiosk: own('./kiosk.html') },
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
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'session', test: SESSION, priority: 9 },
            { name: 'vendor', test: /node_modules/, tags: ['$initial'], priority: 8 },
          ],
        },
      },
    },
  },
  // One world for all files: loading antd for each took six times as long as all tests. What a test changes
  // it puts back.
  test: {
    // Node takes antd from lib: a context that is imported alone must be the same.
    alias: { 'antd/es': 'antd/lib' },
    environment: 'happy-dom',
    isolate: false,
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    setupFiles: ['src/test-setup.ts'],
  },
});
