import { HistoryOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingsGroup } from '../../generated/model';
import { loadFeatureTexts } from '../../lib/i18n';
import { later } from '../../lib/later';
import { Button } from '../../lib/ui/Button';

const Drawer = later(
  async () => (await Promise.all([import('./SettingsHistory'), loadFeatureTexts('audit')]))[0],
  'over',
);

interface Props {
  group: SettingsGroup;
  /** Of which restaurant a super admin reads the switches and features; else that of the page. */
  restaurant?: string;
  onRestored?: () => void;
}

/** Opens the history of a group of the restaurant's settings, from which one can return to an earlier state. */
export function SettingsHistoryButton(props: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={<HistoryOutlined />} onClick={() => setOpen(true)}>
        {t('action.history')}
      </Button>
      {open && <Drawer {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
