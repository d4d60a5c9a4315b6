import { type FormRule, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/socials.gen';
import { type Layout, SettingsForm, useSettings } from '../../lib/crud';
import { PageHeader } from '../../lib/ui/page';
import { SettingsHistoryButton } from '../audit/SettingsHistoryButton';
import { isAddressOf, NETWORKS } from './networks';

const LAYOUT: Layout = [{ title: 'socials.networks', fields: [...NETWORKS] }];

/** The restaurant's addresses on the networks. */
export default function Socials() {
  const { t } = useTranslation();
  const state = useSettings({ resource: 'socials', fields });
  const rule = (network: (typeof NETWORKS)[number]): FormRule => ({
    validator: async (_, value) => {
      if (!isAddressOf(network, String(value ?? ''))) throw new Error(t('socials.invalid'));
    },
  });
  return (
    <>
      <PageHeader lead={t('socials.lead')} actions={<SettingsHistoryButton group="socials" />} />
      <SettingsForm
        reset={t('socials.reset')}
        state={state}
        layout={LAYOUT}
        overrides={Object.fromEntries(
          NETWORKS.map((name) => [
            name,
            {
              info: { ...fields[name], pattern: '' },
              rules: [rule(name)],
              input: <Input inputMode="url" autoComplete="url" />,
            },
          ]),
        )}
      />
    </>
  );
}
