import { CheckCircleOutlined } from '@ant-design/icons';
import { Checkbox } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useFormat } from '../../lib/format';
import { Button } from '../../lib/ui/Button';
import { Card, Chip } from '../../lib/ui/page';
import { EmptyState, NothingMatches, QueryFallback, State } from '../../lib/ui/states';
import { SearchInput } from '../../lib/ui/SearchInput';
import { plain } from '../../lib/plain';
import { useWholeMenu } from '../categories-and-products/shared/api';
import { type MenuRow, menuRows, nameOf } from './rows';
import { ChooseAll, RowTable, useValueText } from './RowTable';
import { SetDialog } from './SetDialog';

/** All rows of the menu with what holds there; those that are chosen are set together. */
export function WholeMenu() {
  const { t } = useTranslation();
  const menu = useWholeMenu();
  const rows = useMemo(() => menuRows(menu.data ?? []), [menu.data]);
  return (
    <Card flush className="list-card" title={t('ntak_menu.whole')}>
      {!menu.data && <QueryFallback query={menu} rows={8} />}
      {menu.data && rows.length === 0 && (
        <EmptyState title={t('ntak_menu.empty_title')} text={t('ntak_menu.empty')} />
      )}
      {rows.length > 0 && <Rows rows={rows} />}
    </Card>
  );
}

function Rows({ rows }: { rows: readonly MenuRow[] }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const text = useValueText();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState(new Set<string>());
  const [setting, setSetting] = useState(false);
  const [params, setParams] = useSearchParams();
  const missing = params.get('missing') === '1';
  const onlyMissing = (on: boolean) => setParams(on ? { view: 'menu', missing: '1' } : { view: 'menu' });
  const words = plain(name).split(/\s+/).filter(Boolean);
  const found = rows.filter((row) => {
    const said = plain(`${row.category} ${nameOf(row)}`);
    return (row.lacks || !missing) && words.every((word) => said.includes(word));
  });
  // Only what is seen is set.
  const shown = found.filter((row) => chosen.has(row.key));
  return (
    <>
      <div className="ntak-bar">
        <SearchInput value={name} onSearch={setName} label={t('ntak_menu.search')} />
        <Checkbox checked={missing} onChange={({ target }) => onlyMissing(target.checked)}>
          {t('ntak_menu.only_missing')}
        </Checkbox>
        <ChooseAll
          keys={found.map((row) => row.key)}
          chosen={new Set(shown.map((row) => row.key))}
          onChoose={setChosen}
        />
        <Button type="primary" disabled={shown.length === 0} onClick={() => setSetting(true)}>
          {t('ntak_menu.set', { number: number(shown.length) })}
        </Button>
      </div>
      {found.length === 0 && missing && !name && (
        <State
          icon={<CheckCircleOutlined />}
          title={t('ntak_menu.complete_title')}
          text={t('ntak_menu.complete')}
        />
      )}
      {found.length === 0 && (name || !missing) && (
        <NothingMatches
          onClear={() => {
            setName('');
            onlyMissing(false);
          }}
        />
      )}
      {found.length > 0 && (
        <RowTable
          rows={found}
          chosen={chosen}
          onChoose={setChosen}
          columns={[
            {
              key: 'current',
              title: t('ntak_menu.current'),
              render: (row) => (
                <>
                  {text(row.ntak_category_id, row.ntak_quantity_unit, row.ntak_quantity)}{' '}
                  {row.own && <Chip>{t('ntak_menu.own')}</Chip>}
                </>
              ),
            },
          ]}
        />
      )}
      {setting && (
        <SetDialog
          rows={shown}
          onClose={() => setSetting(false)}
          onDone={() => {
            setSetting(false);
            setChosen(new Set());
          }}
        />
      )}
    </>
  );
}
