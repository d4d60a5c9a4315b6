import { useTranslation } from 'react-i18next';
import type { MenuFinding, MenuHealthRule } from '../../generated/model';
import { useFormat } from '../../lib/format';

/** The screen of the settings that a finding about the restaurant is about. */
export const SETTINGS: Partial<Record<MenuHealthRule, string>> = {
  delivery_vat: 'restaurant_general',
  vat_not_reportable: 'restaurant_general',
};

/** What a rule writes when it mends: rates, else names. */
export const mendsRates = (rule: MenuHealthRule): boolean => rule !== 'second_language' && !asksAPerson(rule);

/** A mend that only a person can judge: nothing is chosen beforehand, and it has words of its own. */
export const asksAPerson = (rule: MenuHealthRule): rule is 'allergens' => rule === 'allergens';

/** What a finding says besides the name of its row. */
export function useFindingWords(rule: MenuHealthRule): (finding: MenuFinding) => string {
  const { t } = useTranslation();
  const { percent, dateTime } = useFormat();
  return (finding) => {
    const { detail, other, channels, count, at } = finding;
    const rates = {
      percent: percent(finding.percent),
      here: percent(finding.sit_in_percent),
      expected: percent(finding.expected_percent),
    };
    const by = detail === 'by_name' ? ` ${t('menu_health.by_name')}` : '';
    const said = detail && detail !== 'by_name' ? `.${detail}` : '';
    return (
      t(`menu_health.found.${rule}${said}`, {
        other: other?.name ?? '',
        channels: channels.map((channel) => t(`menu_health.channel.${channel}`)).join(', '),
        count: count ?? 1,
        time: at ? dateTime(at) : '',
        ...rates,
      }) + by
    );
  };
}
