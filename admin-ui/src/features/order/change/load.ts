import { loadFeatureTexts } from '../../../lib/i18n';

/** The drawer with the texts of the parts that it shares with phone orders; few who read orders change one. */
export const loadChangeDrawer = async () =>
  (
    await Promise.all([
      import('./ChangeDrawer'),
      loadFeatureTexts('order-taking'),
      loadFeatureTexts('phone-orders'),
    ])
  )[0];
