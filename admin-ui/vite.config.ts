import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const service = process.env.PULT_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react()],
  // Refine imports these for functions we do not use; left out they save 9 kB of every first visit.
  resolve: {
    alias: Object.fromEntries(['papaparse', 'error-stack-parser'].map((name) => [name, fileURLToPath(new URL('./src/lib/empty.ts', import.meta.url))])),
  },
  // The service answers writing calls and sockets only to its own origin, so the proxy speaks as that.
  server: {
    port: 5173,
    proxy: {
      '/api': { target: service, headers: { Origin: service } },
      '/fresh-orders': { target: service, ws: true, headers: { Origin: service } },
    },
  },
  build: { manifest: true, target: 'es2023', sourcemap: false, chunkSizeWarningLimit: 1000 },
  test: { environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'], setupFiles: ['src/test-setup.ts'] },
});
