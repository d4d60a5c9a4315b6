import { ShopOutlined } from '@ant-design/icons';
import { Select } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { usePage, usePageUrl } from '../lib/navigation';
import { type Choice, useRestaurants } from '../lib/restaurants';
import { lastTarget, useRestaurantIfAny } from '../lib/target';
import { takeTyped } from '../lib/typeAhead';
import { plain } from '../lib/plain';

interface Props {
  /** Open from the beginning. */
  opened: boolean;
  /** The pointer or the keyboard is there. */
  near: boolean;
  /** Takes the focus from what stood here before. */
  focused: boolean;
}

/**
 * Switches to the same screen of another restaurant; on the platform it opens one. Thousands of rows stay
 * quick: only those in view are rendered.
 */
export function RestaurantSelect({ opened, near: begins, focused }: Props) {
  const { t } = useTranslation();
  const current = useRestaurantIfAny();
  const navigate = useNavigate();
  const { feature } = usePage();
  const url = usePageUrl();
  const [open, setOpen] = useState(opened);
  const [text, setText] = useState('');
  // Read as soon as the pointer or the keyboard comes near.
  const [near, setNear] = useState(begins);
  const { rows: choices, searched } = useRestaurants(text, near || open);

  const several = searched || new Set(choices?.map((c) => c.partner_id)).size > 1;
  const options = useMemo(() => {
    // The open one keeps its name also when it is not among those that were found.
    const rows: readonly Choice[] =
      !current || (choices?.some((r) => r.id === current.id) ?? false) || text
        ? (choices ?? [])
        : [current, ...(choices ?? [])];
    return rows.map((r) => ({
      value: r.id,
      label: r.name,
      city: r.city,
      partner: several ? r.partner_name : undefined,
      search: plain(`${r.name} ${r.city ?? ''} ${r.partner_name ?? ''}`),
    }));
  }, [choices, current, several, text]);

  const go = (id: string) => {
    setOpen(false);
    const choice = choices?.find((c) => c.id === id);
    if (!choice || id === current?.id) return;
    // So that the other page need not search for the partner.
    lastTarget.write({ partner_id: choice.partner_id, restaurant_id: choice.id });
    if (!current) return void navigate(`/r/${id}`);
    void navigate(
      (feature && !feature.needsPath ? url(feature.key) : `/r/${current.id}`).replace(
        `/r/${current.id}`,
        `/r/${id}`,
      ),
    );
  };
  return (
    <Select
      className="bar-select"
      aria-label={t('shell.restaurant')}
      variant="filled"
      prefix={<ShopOutlined aria-hidden />}
      value={current?.id ?? null}
      placeholder={t('shell.open_restaurant')}
      open={open}
      onOpenChange={setOpen}
      onMouseEnter={() => setNear(true)}
      autoFocus={focused}
      onFocus={() => {
        setNear(true);
        setText((later) => takeTyped().text + later);
      }}
      options={options}
      loading={open && !choices}
      popupMatchSelectWidth={Math.min(420, innerWidth - 24)}
      listHeight={360}
      showSearch={{
        searchValue: text,
        onSearch: setText,
        filterOption: searched
          ? false
          : (words, option) =>
              plain(words)
                .split(/\s+/)
                .every((word) => option?.search.includes(word)),
      }}
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
