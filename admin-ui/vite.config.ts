import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const service = process.env.PULT_URL ?? 'http://localhost:8080';

const own = (path: string) => fileURLToPath(new URL(path, import.meta.url));


const DEVICES = /src\/(tv|kiosk|device)\//;
const ENTRY =
  /src\/(lib\/(session|events|http|language|theme\/(nonce|palette|prefs|base\.css))\b|features\/public\/|generated\/client\/session\/)|vite\/preload-helper/;
const TABLE =
  /node_modules\/((antd\/es|@rc-component)\/(table|pagination|spin|tree|progress|context)\/|antd\/es\/grid\/hooks\/|throttle-debounce\/)|src\/lib\/crud\/(Resource(List|Page|Rows)|ListTools|listParts|useListState|useRows|Value|ActiveSwitch|InstantSwitch|useAtOnce|index\.)/;
const DATE = /node_modules\/(@rc-component\/picker|antd\/es\/(date-picker|time-picker)|dayjs)/;
const INPUTS =
  /node_modules\/(@rc-component\/(async-validator\/|form\/es\/(?!\w*Context|utils\/(valueUtil|typeUtil)|namePathType))|(antd\/es|@rc-component)\/(select|virtual-list|overflow|input|radio|switch|checkbox|dropdown|menu)\/|antd\/es\/(form\/hooks\/useForm\b|form\/util\b|layout\/Sider\b)|(scroll-into-view-if-needed|compute-scroll-into-view)\/)|src\/lib\/(fields\/(kinds|labels|RefSelect)|ui\/(SearchInput|DropMenu)|(crud|form)\/\w+\.css)/;

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
            { name: 'session', test: ENTRY, tags: ['$initial'], minShareCount: 2, priority: 9, includeDependenciesRecursively: true },
            { name: 'session', test: /public.css|theme.*\.css/, priority: 9 },
            { name: 'vendor', test: /node_modules/, tags: ['$initial'], priority: 8 },
            { name: 'common', test: (id) => /src\/(?!features\/public)/.test(id) && !DEVICES.test(id), tags: ['$initial'], minShareCount: 2, priority: 7 },
            { name: 'common', test: /shell.css/, priority: 7 },
            { name: 'date', test: DATE, minShareCount: 2, priority: 6 },
            { name: 'table', test: TABLE, minShareCount: 2, priority: 6 },
            { name: 'controls', test: INPUTS, minShareCount: 2, priority: 6 },
            { name: 'controls', test: /icons/, minShareCount: 5, priority: 5 },
            { name: 'icons', test: /icons/, minShareCount: 2, priority: 4 },
            { name: 'forms', test: /src\/(features\/audit\/SettingsHistoryButton|lib\/)|node_modules/, minShareCount: 4, priority: 3 },
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
