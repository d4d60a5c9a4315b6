import { ShopOutlined } from '@ant-design/icons';
import { Select } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useMe } from '../lib/me';
import { usePage, usePageUrl } from '../lib/navigation';
import { useRestaurants } from '../lib/restaurants';
import { lastTarget, useRestaurant } from '../lib/target';

/** Accents and case do not matter in the search. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Switches to the same screen of another restaurant. Thousands of rows stay quick: only those in view are rendered. */
export function RestaurantSelector() {
  const { t } = useTranslation();
  const me = useMe();
  const current = useRestaurant();
  const navigate = useNavigate();
  const { feature } = usePage();
  const url = usePageUrl();
  const [open, setOpen] = useState(false);
  const choices = useRestaurants(!me.super_admin || open);

  const several = new Set(choices?.map((c) => c.partner_id)).size > 1;
  const options = useMemo(
    () => (choices ?? [current]).map((r) => ({
      value: r.id,
      label: r.name,
      city: r.city,
      partner: several ? (r as { partner_name?: string }).partner_name : undefined,
      search: plain(`${r.name} ${r.city ?? ''} ${(r as { partner_name?: string }).partner_name ?? ''}`),
    })),
    [choices, current, several],
  );
  if (choices?.length === 1) return <span className="bar-restaurant"><ShopOutlined aria-hidden /> {current.name}</span>;

  const go = (id: string) => {
    setOpen(false);
    const choice = choices?.find((c) => c.id === id);
    if (!choice || id === current.id) return;
    // So that the other page need not search for the partner.
    lastTarget.write({ partner_id: choice.partner_id, restaurant_id: choice.id });
    void navigate((feature && !feature.needsPath ? url(feature.key) : `/r/${current.id}`).replace(`/r/${current.id}`, `/r/${id}`));
  };
  return (
    <Select
      className="bar-select"
      aria-label={t('shell.restaurant')}
      variant="filled"
      prefix={<ShopOutlined aria-hidden />}
      value={current.id}
      open={open}
      onOpenChange={setOpen}
      options={options}
      loading={open && !choices}
      popupMatchSelectWidth={Math.min(420, innerWidth - 24)}
      listHeight={360}
      showSearch={{ filterOption: (text, option) => plain(text).split(/\s+/).every((word) => option?.search.includes(word)) }}
      optionRender={(option) => (
        <span className="choice">
          <b>{option.data.label}</b>
          <span>{[option.data.partner, option.data.city].filter(Boolean).join(' · ')}</span>
        </span>
      )}
      notFoundContent={t('state.no_match')}
      onChange={go}
    />
  );
}
