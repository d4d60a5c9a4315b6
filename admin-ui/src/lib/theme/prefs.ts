import { Store } from '../events';
import type { Density, Theme } from './palette';

/**
 * What this device shows: `system` follows the operating system, and density the pointer, until somebody
 * chooses.
 */
interface Prefs {
  theme: Theme | 'system';
  density: Density | 'system';
}

const KEY = 'pult.look';

function read(): Prefs {
  try {
    return {
      theme: 'system',
      density: 'system',
      ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Prefs>),
    };
  } catch {
    return { theme: 'system', density: 'system' };
  }
}

const darkSystem = matchMedia('(prefers-color-scheme: dark)');
const coarse = matchMedia('(pointer: coarse)');

export const prefs = new Store<Prefs>(read());
export const look = new Store<{ theme: Theme; density: Density }>(resolve());

function resolve(): { theme: Theme; density: Density } {
  const { theme, density } = prefs.get();
  return {
    theme: theme === 'system' ? (darkSystem.matches ? 'dark' : 'light') : theme,
    density: density === 'system' ? (coarse.matches ? 'touch' : 'desk') : density,
  };
}

function apply(): void {
  const next = resolve();
  const now = look.get();
  document.documentElement.dataset.theme = next.theme;
  document.documentElement.dataset.density = next.density;
  if (next.theme !== now.theme || next.density !== now.density) look.set(next);
}

export function setPrefs(change: Partial<Prefs>): void {
  prefs.set({ ...prefs.get(), ...change });
  localStorage.setItem(KEY, JSON.stringify(prefs.get()));
  apply();
}

/** Sets the attributes that CSS looks at and follows changes of the system and of other tabs. */
export function startLook(): void {
  apply();
  darkSystem.addEventListener('change', apply);
  coarse.addEventListener('change', apply);
  addEventListener('storage', (event) => {
    if (event.key !== KEY) return;
    prefs.set(read());
    apply();
  });
}
