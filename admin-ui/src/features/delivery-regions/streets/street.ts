import { useTranslation } from 'react-i18next';

/** The name that stands for all streets of a postcode or town. */
export const WHOLE = '*';

interface Named {
  name: string;
  postcode?: string | null;
  city?: string | null;
}

/** How a street is shown; what stands for all of them in words. */
export function useStreetName(): (street: Named) => string {
  const { t } = useTranslation();
  return ({ name, postcode, city }) =>
    name === WHOLE
      ? t('delivery_streets.whole_of', { place: [postcode, city].filter(Boolean).join(' ') })
      : name;
}
