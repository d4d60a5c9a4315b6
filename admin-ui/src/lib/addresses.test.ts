import { expect, it } from 'vitest';
import { resources } from '../generated/resources.gen';

const files = import.meta.glob<string>(
  ['../{app,device,features,kiosk,tv}/**/*.{ts,tsx}', './**/*.{ts,tsx}'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
);

/** What an address of the service begins with: `admin`, `partners`, … */
const beginnings = new Set(
  Object.values(resources).map(({ path }) => path.replace(/^\/api\/v3/, '').split('/')[1]),
);
const address = new RegExp(
  `["'\`](/api/(v3|rest)|/(${[...beginnings].filter((one) => one !== 'api').join('|')})[/?"'\`])`,
);

/** They make addresses for everybody. */
const ALLOWED = ['./http.ts', './providers/data.ts', './target.ts'];

/** An address that is put together from that of a resource: a call with a function of its own. */
const extended = /\$\{(itemPath|collectionPath)\([^`]*\)\}\//;

/** The call that takes an address: generated functions make it, and the parts of `lib` that know any resource. */
const byHand = /^import \{[^}]*\brequest\b[^}]*\} from '[^']*lib\/http';/;

// The pages of devices (`tv`, `kiosk`, `device`) take generated addresses (`deviceAddresses`) and call `fetch`
// themselves. Generated functions call `lib/http`, which is for people: it sends the session's cookie, may open a
// dialog to sign in, and needs an `AbortSignal.any` that many a television's browser does not have. With it and
// with the functions that screens share, such a page of 8 kB would be a quarter larger (`check-bundle`).
it('a screen calls generated functions and writes no address of the service', () => {
  const found = Object.entries(files)
    .filter(([file]) => !/\.test\.tsx?$/.test(file) && !ALLOWED.includes(file))
    .flatMap(([file, text]) =>
      text
        .split('\n')
        .flatMap((line, at) =>
          address.test(line) || extended.test(line) || byHand.test(line)
            ? [`${file}:${at + 1} ${line.trim()}`]
            : [],
        ),
    );
  expect(found).toEqual([]);
});
