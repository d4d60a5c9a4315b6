import {
  type ComponentType,
  createElement,
  lazy,
  type LazyExoticComponent,
  Suspense,
  useEffect,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useParams } from 'react-router';
import { useCan } from '../lib/access';
import { featureBySlug, isWord, type RegisteredFeature, isAvailable } from '../lib/features';
import { loadFeatureTexts } from '../lib/i18n';
import { usePageUrl } from '../lib/navigation';
import { Card } from '../lib/ui/page';
import { Loading, NoPermission } from '../lib/ui/states';
import { PageHeader } from '../lib/ui/page';
import { awaited } from '../lib/underWay';
import { MissingPage } from './NotFound';
import { PageBoundary } from './Crash';

const screens = new Map<string, LazyExoticComponent<ComponentType>>();

/** A screen's code and its texts, loaded together the first time it is opened. */
function screenOf(feature: RegisteredFeature): LazyExoticComponent<ComponentType> {
  let screen = screens.get(feature.key);
  if (!screen) {
    const load = () => Promise.all([feature.load(), loadFeatureTexts(feature.folder)]);
    screen = lazy(async () => (await awaited(load()))[0]);
    screens.set(feature.key, screen);
  }
  return screen;
}

/** `/r/{restaurant}/{slug}/…` and `/platform/{slug}/…`: the screen, the no-access page, or 404. */
export function Page() {
  const { restaurant, slug = '', '*': rest } = useParams();
  const { search } = useLocation();
  const url = usePageUrl();
  const { t } = useTranslation();
  const can = useCan();
  const feature = featureBySlug(slug);
  useEffect(() => {
    document.getElementById('main')?.scrollTo(0, 0);
    scrollTo(0, 0);
  }, [feature]);
  if (!feature && isWord('noAccess', slug)) return <NoAccess title={t('state.no_access')} />;
  if (feature?.scope === 'platform' && restaurant)
    return <Navigate to={url(feature.key, rest) + search} replace />;
  if (!feature || !isAvailable(feature, restaurant !== undefined)) return <MissingPage />;
  if (!can(...feature.permission)) return <NoAccess />;
  return (
    <PageBoundary key={feature.key} forget={() => screens.delete(feature.key)}>
      {() => (
        <Suspense
          fallback={
            <Card>
              <Loading rows={8} />
            </Card>
          }
        >
          {createElement(screenOf(feature))}
        </Suspense>
      )}
    </PageBoundary>
  );
}

/** In the place of a screen, at its own address: after the right is granted a reload shows it. */
function NoAccess({ title }: { title?: string }) {
  return (
    <>
      <PageHeader title={title} />
      <Card>
        <NoPermission />
      </Card>
    </>
  );
}
