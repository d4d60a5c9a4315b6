import { SearchOutlined, ShopOutlined } from '@ant-design/icons';
import { Input } from 'antd';
import { type ComponentType, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Language } from '../lib/format';
import { useMenu } from '../lib/menu';
import { usePageUrl } from '../lib/navigation';
import { useRestaurants } from '../lib/restaurants';
import { useRestaurantIfAny } from '../lib/target';
import { Dialog } from '../lib/ui/Dialog';

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
/** Restaurants shown at most; more letters find the rest. */
const MOST = 8;

interface Hit {
  key: string;
  title: string;
  hint: string;
  Icon: ComponentType<{ className?: string }>;
  to: string;
}

/** The screens and restaurants that fit what was typed. */
function useHits(text: string): Hit[] {
  const { t, i18n } = useTranslation();
  const menu = useMenu();
  const url = usePageUrl();
  const restaurant = useRestaurantIfAny();
  const { rows: restaurants, searched } = useRestaurants(text, true);
  const language = i18n.language as Language;
  return useMemo(() => {
    const words = plain(text).split(/\s+/).filter(Boolean);
    const fits = (haystack: string) => words.every((word) => plain(haystack).includes(word));
    const screens = menu
      .filter((f) => fits(`${f.title.hu} ${f.title.en} ${t(`menu.${f.group}`)}`))
      .map((f) => ({
        key: f.key,
        title: f.title[language],
        hint: t(`menu.${f.group}`),
        Icon: f.icon,
        to: url(f.key),
      }));
    const places =
      words.length === 0
        ? []
        : (restaurants ?? [])
            .filter((r) => r.id !== restaurant?.id && (searched || fits(`${r.name} ${r.city ?? ''}`)))
            .slice(0, MOST)
            .map((r) => ({
              key: r.id,
              title: r.name,
              hint: r.city ?? '',
              Icon: ShopOutlined,
              to: `/r/${r.id}`,
            }));
    return [...screens, ...places];
    // menu and url are new at every render but depend on the same things
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [text, restaurants, language, menu.length]);
}

/** Ctrl+K: screens in both languages and restaurants, by a few letters. */
export default function GoTo({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const hits = useHits(text);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);

  useEffect(() => setAt(0), [text]);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at]);
  const go = (to: string) => {
    onClose();
    void navigate(to);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt((i) => Math.min(i + 1, hits.length - 1));
    else if (event.key === 'ArrowUp') setAt((i) => Math.max(i - 1, 0));
    else if (event.key === 'Enter' && hits[at]) go(hits[at].to);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog
      onCancel={onClose}
      footer={null}
      closable={false}
      width={560}
      title={<span className="sr-only">{t('shell.go_to')}</span>}
      className="goto"
      style={{ top: 96 }}
    >
      <Input
        autoFocus
        size="large"
        variant="borderless"
        prefix={<SearchOutlined aria-hidden />}
        placeholder={t('shell.go_to_placeholder')}
        aria-label={t('shell.go_to')}
        role="combobox"
        aria-expanded
        aria-controls="goto-list"
        aria-activedescendant={hits[at] ? `goto-${hits[at].key}` : undefined}
        value={text}
        onChange={(e) => setText(e.target.value)}
        onKeyDown={onKey}
      />
      <ul id="goto-list" role="listbox" aria-label={t('shell.go_to')} className="goto-list" ref={list}>
        {hits.map((hit, index) => (
          <li
            key={hit.key}
            id={`goto-${hit.key}`}
            role="option"
            aria-selected={index === at}
            onMouseMove={() => setAt(index)}
            onClick={() => go(hit.to)}
          >
            <hit.Icon className="goto-icon" />
            <span>{hit.title}</span>
            <small>{hit.hint}</small>
          </li>
        ))}
      </ul>
      {hits.length === 0 && <p className="goto-none">{t('state.no_match')}</p>}
    </Dialog>
  );
}
