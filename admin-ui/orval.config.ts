import { defineConfig } from 'orval';

/**
 * Typed client from the service's document. PULT_OPENAPI points elsewhere only while trying a document out.
 */
export default defineConfig({
  pult: {
    input: { target: process.env.PULT_OPENAPI ?? '../openapi/openapi.json' },
    output: {
      mode: 'tags-split',
      client: 'fetch',
      target: 'src/generated/client',
      schemas: 'src/generated/model',
      clean: true,
      headers: true,
      urlEncodeParameters: true,
      override: {
        mutator: { path: 'src/lib/http.ts', name: 'api' },
        fetch: { includeHttpResponseReturnType: false },
      },
    },
  },
});
