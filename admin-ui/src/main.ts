import './lib/theme/base.css';
import { startNonce } from './lib/theme/nonce';
import { installPalette } from './lib/theme/palette';
import { startLook } from './lib/theme/prefs';
import { showFailure } from './features/public/failure';
import { publicPageAt } from './features/public/pages';
import { show } from './features/public/show';

// The public pages are a few kB of plain DOM and part of the entry, so that signing in takes few requests;
// the application proper is loaded only behind them.
startNonce();
installPalette();
startLook();
const root = document.getElementById('root')!;
const page = publicPageAt(location.pathname);
if (page) show(root, page);
else
  import('./app/start').then(({ start }) => start(root)).catch((error: unknown) => showFailure(root, error));
