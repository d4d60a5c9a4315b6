import { DownloadOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../lib/access';
import { loadFeatureTexts } from '../../lib/i18n';
import { later } from '../../lib/later';
import { Button } from '../../lib/ui/Button';
import type { Filter } from './filter';
import { SavedMenu } from './SavedMenu';

// With the words of the screen of exports, of which it shows parts.
const ExportDrawer = later(async () => {
  const [{ ExportDrawer: Drawer }] = await Promise.all([
    import('./ExportDrawer'),
    loadFeatureTexts('order-export'),
  ]);
  return { default: Drawer };
}, 'over');

/** Saved filters, and the export of what the present one finds. */
export function Actions({ filter, apply }: { filter: Filter; apply: (filter: Filter) => void }) {
  const { t } = useTranslation();
  const can = useCan();
  const [exporting, setExporting] = useState(false);
  return (
    <>
      <SavedMenu filter={filter} apply={apply} />
      {can('order_export') && (
        <Button icon={<DownloadOutlined />} onClick={() => setExporting(true)}>
          {t('previous.export')}
        </Button>
      )}
      {exporting && <ExportDrawer filter={filter} onClose={() => setExporting(false)} />}
    </>
  );
}
