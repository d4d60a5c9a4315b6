import { CheckCircleOutlined, DownloadOutlined } from '@ant-design/icons';
import { keepPreviousData } from '@tanstack/react-query';
import { Alert } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { menuPreviewGet } from '../../generated/client/catalogue/catalogue';
import { menuFile } from '../../generated/client/public/public';
import type { MenuPreview as Preview } from '../../generated/model';
import { save } from '../../lib/download';
import { useFormat } from '../../lib/format';
import { readKey, useRead } from '../../lib/query';
import { here, useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Card, PageHeader } from '../../lib/ui/page';
import { EmptyState, QueryFallback, State } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import { useGrowing } from '../categories-and-products/shared/useGrowing';
import { useLiveCatalogue } from '../categories-and-products/shared/useLiveCatalogue';
import { type Asked, askedOf } from './asked';
import { countsOf, linesOf, partsOf, sectionsOf } from './menu';
import { Reasons } from './reasons';
import { Section } from './Section';
import { Tools } from './Tools';
import './preview.css';

/** What guests see of the menu on a channel at a moment, and why they cannot order the rest. */
export default function MenuPreview() {
  // What is shown is of one restaurant.
  return <Screen key={useRestaurant().id} />;
}

function useAsked() {
  const [params, setParams] = useSearchParams();
  const change = (values: Record<string, string | undefined>) => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(values)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    setParams(next, { replace: true });
  };
  return { asked: askedOf(params), change };
}

const usePreview = ({ channel, pickup, at }: Asked) =>
  useRead(
    readKey('menuPreviewGet', channel, pickup, at ?? ''),
    ({ signal }) => menuPreviewGet(...here(), { channel, pickup, ...(at ? { at } : {}) }, { signal }),
    {
      placeholderData: keepPreviousData,
      staleTime: 0,
    },
  );

function Screen() {
  const { t } = useTranslation();
  const { asked, change } = useAsked();
  const query = usePreview(asked);
  useLiveCatalogue();
  const shown = query.isError ? undefined : query.data;
  return (
    <>
      <PageHeader lead={t('menu_preview.lead')} actions={<Download asked={asked} />} />
      <Card flush className="preview-head">
        <Tools asked={asked} at={shown?.at} onChange={change} />
        {!shown && <QueryFallback query={query} rows={8} />}
        {shown && <Summary preview={shown} asked={asked} />}
      </Card>
      {shown && (
        <div className="preview-menu" aria-busy={query.isFetching}>
          <Menu preview={shown} asked={asked} onAll={() => change({ only: undefined })} />
        </div>
      )}
    </>
  );
}

/** The channel's menu as it is now, as a file for pages without a server. */
function Download({ asked: { channel, pickup } }: { asked: Asked }) {
  const { t } = useTranslation();
  const { busy, work } = useWork();
  const download = async () => {
    const file = await menuFile(...here(), { channel, pickup });
    const text = JSON.stringify(file, undefined, 2);
    save(`menu-${channel}-${file.menu.version}.json`, new Blob([text], { type: 'application/json' }));
  };
  return (
    <Button
      icon={<DownloadOutlined />}
      loading={busy}
      title={t('menu_preview.download_text')}
      onClick={() => void work(download)}
    >
      {t('menu_preview.download')}
    </Button>
  );
}

/** How much of the menu can be ordered, and what keeps all of it from being ordered. */
function Summary({ preview, asked }: { preview: Preview; asked: Asked }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const { all, onSale } = countsOf(preview);
  return (
    <div className="preview-summary">
      <p aria-live="polite">
        {t(preview.reasons.length > 0 ? 'menu_preview.summary_none' : 'menu_preview.summary', {
          all,
          count: onSale,
          time: dateTime(preview.at),
        })}
      </p>
      {preview.reasons.length > 0 && (
        <Alert
          type="warning"
          showIcon
          role="note"
          title={t('menu_preview.nothing_taken')}
          description={<Reasons reasons={preview.reasons} second={asked.second} />}
        />
      )}
    </div>
  );
}

function Menu({ preview, asked, onAll }: { preview: Preview; asked: Asked; onAll: () => void }) {
  const { t } = useTranslation();
  const sections = useMemo(() => sectionsOf(preview, asked.hidden), [preview, asked.hidden]);
  const { shown, end } = useGrowing(useMemo(() => linesOf(sections), [sections]));
  // What keeps everything from being ordered is told above.
  const all = preview.reasons.length > 0 ? 'all_but_closed' : 'all_on_sale';
  if (sections.length === 0 && asked.hidden && preview.categories.length > 0)
    return (
      <Card>
        <State
          icon={<CheckCircleOutlined />}
          title={t(`menu_preview.${all}`)}
          text={t(`menu_preview.${all}_text`)}
          actions={
            <Button type="primary" onClick={onAll}>
              {t('menu_preview.show_all')}
            </Button>
          }
        />
      </Card>
    );
  if (sections.length === 0)
    return (
      <Card>
        <EmptyState title={t('menu_preview.empty_title')} text={t('menu_preview.empty')} />
      </Card>
    );
  return (
    <>
      {partsOf(shown).map((part) => (
        <Section key={part.category.id} part={part} preview={preview} second={asked.second} />
      ))}
      <div ref={end} />
    </>
  );
}
