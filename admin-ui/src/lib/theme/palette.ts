/**
 * All colours and sizes of the product. CSS reads them as custom properties (`--surface`), antd through
 * theme.ts. Every text/background pair that is used together has at least 4.5:1; axe checks it in both
 * themes.
 */
const light = {
  bg: '#F6F4EF',
  surface: '#FFFFFF',
  'surface-2': '#FAF8F4',
  hover: '#F3F0E9',
  text: '#1D2521',
  'text-2': '#55605A',
  placeholder: '#6B756F',
  line: '#EAE6DD',
  'line-strong': '#D8D3C7',
  primary: '#0B7A5E',
  'primary-hover': '#096650',
  'on-primary': '#FFFFFF',
  'primary-soft': '#E2F2EC',
  'primary-text': '#0A6B53',
  success: '#14693A',
  'success-bg': '#E3F4EA',
  warning: '#8F4A00',
  'warning-bg': '#FCF0DC',
  error: '#C8322B',
  'error-hover': '#A92821',
  'error-bg': '#FDECEA',
  info: '#0B5566',
  'info-bg': '#DDF3F8',
  neutral: '#4A544E',
  'neutral-bg': '#EEEBE4',
  violet: '#4B2E9B',
  'violet-bg': '#ECE6FA',
  shadow: '0 1px 2px rgb(29 37 33 / 5%), 0 4px 16px rgb(29 37 33 / 4%)',
  'shadow-pop': '0 12px 40px rgb(29 37 33 / 18%)',
};

const dark: typeof light = {
  bg: '#121614',
  surface: '#1B211E',
  'surface-2': '#202723',
  hover: '#252D29',
  text: '#F1EFE9',
  'text-2': '#B4BEB8',
  placeholder: '#98A39D',
  line: '#2A322E',
  'line-strong': '#3A443F',
  primary: '#2FB893',
  'primary-hover': '#4FCBA9',
  'on-primary': '#08130F',
  'primary-soft': '#1C3A31',
  'primary-text': '#5FD3B3',
  success: '#6BD69B',
  'success-bg': '#173626',
  warning: '#F0B35A',
  'warning-bg': '#3A2A12',
  error: '#FF8A80',
  'error-hover': '#FFA39B',
  'error-bg': '#3F1F1D',
  info: '#7FD3E6',
  'info-bg': '#12343D',
  neutral: '#C2CAC5',
  'neutral-bg': '#2C3430',
  violet: '#C4B3FA',
  'violet-bg': '#2E2550',
  shadow: '0 1px 2px rgb(0 0 0 / 30%)',
  'shadow-pop': '0 16px 48px rgb(0 0 0 / 60%)',
};

/** The side menu and the live counter look the same in both themes. */
const fixed = {
  side: '#16201C',
  'side-2': '#1F2D27',
  'side-selected': '#24443A',
  'side-text': '#C9D3CD',
  'side-text-2': '#93A39B',
  'side-line': '#26332D',
  mint: '#3DC9A2',
  attention: '#C8481F',
  'on-attention': '#FFFFFF',
  'super-bar': '#5B3DB0',
  'dev-bar': '#B3261E',
};

export type Theme = 'light' | 'dark';
export const palettes: Record<Theme, typeof light> = { light, dark };

/** Sizes in px that differ by density: desk (mouse) and touch. */
export const densities = {
  desk: { font: 15, control: 40, 'control-sm': 32, 'control-lg': 48, 'menu-item': 40, bar: 60, row: 12 },
  touch: { font: 16, control: 48, 'control-sm': 44, 'control-lg': 56, 'menu-item': 48, bar: 68, row: 16 },
};
export type Density = keyof typeof densities;
export const radius = { base: 10, large: 14 };

const declare = (selector: string, values: Record<string, string | number>) =>
  `${selector}{${Object.entries(values)
    .map(([name, value]) => `--${name}:${typeof value === 'number' ? `${value}px` : value}`)
    .join(';')}}`;

/**
 * Makes the values custom properties of the page. A constructed sheet needs no inline style, so a strict CSP
 * allows it.
 */
export function installPalette(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    declare(':root', {
      ...light,
      ...fixed,
      ...densities.desk,
      radius: radius.base,
      'radius-lg': radius.large,
    }) +
      declare(':root[data-theme=dark]', dark) +
      declare(':root[data-density=touch]', densities.touch),
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
