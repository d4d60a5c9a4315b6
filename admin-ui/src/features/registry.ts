import type { Feature } from '../lib/feature';
import { registerFeatures } from '../lib/features';
import { registerFeatureTexts } from '../lib/i18n';
import type { TextsFile } from '../lib/texts/types';

/** Makes every screen's folder known to the libraries, which import none of them. Once, before anything else. */
export function registerScreens(): void {
  registerFeatures(import.meta.glob<{ default: Feature }>('./*/feature.ts', { eager: true }));
  registerFeatureTexts(import.meta.glob<TextsFile>('./*/{hu,en}.ts'));
}
