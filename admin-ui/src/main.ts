import './lib/theme/base.css';
import { installPalette } from './lib/theme/palette';
import { startLook } from './lib/theme/prefs';
import { publicPageAt } from './features/public/pages';

// The public pages are a few kB of plain DOM; the application proper is loaded only behind them.
installPalette();
startLook();
const root = document.getElementById('root')!;
const page = publicPageAt(location.pathname);
if (page) void import('./features/public/show').then(({ show }) => show(root, page));
else void import('./app/start').then(({ start }) => start(root));
