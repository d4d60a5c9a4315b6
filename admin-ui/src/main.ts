import './lib/theme/base.css';
import { startNonce } from './lib/theme/nonce';
import { installPalette } from './lib/theme/palette';
import { startLook } from './lib/theme/prefs';
import { showFailure } from './features/public/failure';
import { loginAddress, publicPageAt } from './features/public/pages';
import { show } from './features/public/show';
// The application's styles: with the entry's they are one file instead of several beside each screen.
import './app/shell.css';
import './app/notices.css';
import './lib/ui/page.css';
import './lib/ui/html.css';
import './lib/crud/list.css';
import './lib/crud/form.css';
import './lib/fields/date.css';
import './lib/form/draft.css';
import './lib/media/media.css';
import './features/audit/audit.css';
import './features/categories-and-products/catalogue.css';

// The public pages are a few kB of plain DOM and part of the entry, so that signing in takes few requests;
// the application proper is loaded only behind them.
startNonce();
installPalette();
startLook();
const root = document.getElementById('root')!;
let page = publicPageAt(location.pathname);
// The service leaves the outline of signing in alone to a browser without a session: it need not load the application to
// hear that. Behind a service worker the page may be one that was kept.
if (!page && root.firstElementChild?.matches('.door') && !navigator.serviceWorker?.controller) {
  history.replaceState(null, '', loginAddress(location.pathname + location.search));
  page = 'login';
}
if (page) show(root, page);
else
  import('./app/start').then(({ start }) => start(root)).catch((error: unknown) => showFailure(root, error));
