import { useMemo } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { useTranslation } from 'react-i18next';
import { featureByKey, featureBySlug, slugOf, SUB_ADDRESSES } from './features';
import type { Language } from './format';

/**
 * Address of a screen: `usePageUrl()('order', id)`. Sub-path segments are escaped; words such as `new` are
 * translated.
 */
export function usePageUrl(): (feature: string, sub?: string, query?: Record<string, string>) => string {
  const { restaurant } = useParams();
  const { i18n } = useTranslation();
  return (key, sub, query) => pageUrl(restaurant ?? '', key, i18n.language as Language, sub, query);
}

/**
 * @param restaurant empty outside every restaurant. Screens of the platform have one address wherever one
 * comes from.
 */
export function pageUrl(
  restaurant: string,
  key: string,
  language: Language,
  sub?: string,
  query?: Record<string, string>,
): string {
  const feature = featureByKey(key);
  if (!feature) throw new Error(`unknown screen: ${key}`);
  const rest = sub
    ? `/${sub
        .split('/')
        .map((s) =>
          s in SUB_ADDRESSES
            ? SUB_ADDRESSES[s as keyof typeof SUB_ADDRESSES][language]
            : encodeURIComponent(s),
        )
        .join('/')}`
    : '';
  const search = query && Object.keys(query).length ? `?${new URLSearchParams(query)}` : '';
  const base =
    feature.scope === 'platform' || (feature.scope === 'anywhere' && !restaurant)
      ? '/platform'
      : `/r/${restaurant}`;
  return `${base}/${slugOf(feature, language)}${rest}${search}`;
}

/**
 * The screen of this page and what stands behind its slug. `open('x')` goes deeper, `open()` back, the query
 * stays.
 */
export function usePage() {
  const { slug = '', '*': rest = '' } = useParams();
  const { search } = useLocation();
  const navigate = useNavigate();
  const url = usePageUrl();
  const feature = featureBySlug(slug);
  return useMemo(
    () => ({
      feature,
      path: rest.split('/').filter(Boolean).map(decodeURIComponent),
      open: (sub?: string, options?: { replace?: boolean; dropQuery?: boolean }) =>
        feature &&
        navigate(url(feature.key, sub) + (options?.dropQuery ? '' : search), {
          replace: options?.replace ?? false,
        }),
    }),
    // url and navigate are new functions at every render but depend on the same things
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [feature, rest, search],
  );
}
