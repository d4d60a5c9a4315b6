import { loadFeatureTexts } from '../../../lib/i18n';

/** The screen with the texts of orders; few who take orders change the items of one. */
export const loadChangeItems = async () =>
  (await Promise.all([import('./ChangeItems'), loadFeatureTexts('order')]))[0];
