import { SearchOutlined } from '@ant-design/icons';
import { Input } from 'antd';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useCan } from '../lib/access';
import { Dialog } from '../lib/ui/Dialog';
import { takeTyped } from '../lib/typeAhead';
import { type Group, type Hit, useGoToHits } from './goToHits';

const idOf = (key: string) => `goto-${key}`;

/**
 * Which hit is chosen, and the keys that choose and open. By key: hits that come later do not move the choice.
 */
function useChoice(hits: readonly Hit[], waiting: boolean, go: (to: string) => void) {
  const [chosen, setChosen] = useState<string>();
  const [entered, setEntered] = useState(false);
  const at = Math.max(
    hits.findIndex((hit) => hit.key === chosen),
    0,
  );
  const current = hits[at];
  // Enter before the answer: the only hit opens when it is there.
  const only = hits.length === 1 ? hits[0]!.to : undefined;
  useEffect(() => {
    if (!entered || waiting) return;
    setEntered(false);
    if (only) go(only);
    // go is new at every render but does the same
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [entered, waiting, only]);
  const step = (by: number) => {
    const key = hits[Math.min(Math.max(at + by, 0), hits.length - 1)]?.key;
    setChosen(key);
    if (key) document.getElementById(idOf(key))?.scrollIntoView({ block: 'nearest' });
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') step(1);
    else if (event.key === 'ArrowUp') step(-1);
    else if (event.key !== 'Enter') return;
    else if (current) go(current.to);
    else setEntered(waiting);
    event.preventDefault();
  };
  const reset = () => {
    setChosen(undefined);
    setEntered(false);
  };
  return { current, choose: setChosen, onKey, reset, enter: () => setEntered(true) };
}

/** Ctrl+K: screens in both languages, orders, products and restaurants, by a few letters or digits. */
export default function GoTo({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const can = useCan();
  const [text, setText] = useState('');
  const { groups, waiting, failed } = useGoToHits(text);
  const hits = groups.flatMap((group) => group.hits);
  const go = (to: string) => {
    onClose();
    void navigate(to);
  };
  const { current, choose, onKey, reset, enter } = useChoice(hits, waiting, go);
  const onFocus = () => {
    const typed = takeTyped();
    if (typed.text) setText((later) => typed.text + later);
    if (typed.entered) enter();
  };
  const none = hits.length === 0 && !waiting;
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
        placeholder={t(can('fresh_order', 'all_order') ? 'shell.go_to_anything' : 'shell.go_to_placeholder')}
        aria-label={t('shell.go_to')}
        role="combobox"
        aria-expanded={hits.length > 0}
        aria-controls="goto-list"
        aria-activedescendant={current && idOf(current.key)}
        autoComplete="off"
        maxLength={100}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          reset();
        }}
        onKeyDown={onKey}
        onFocus={onFocus}
      />
      <div id="goto-list" role="listbox" aria-label={t('shell.go_to')} className="goto-list">
        {groups.map((group) => (
          <Hits key={group.key} group={group} current={current?.key} onChoose={choose} onGo={go} />
        ))}
      </div>
      <p className={none || failed ? 'goto-none' : 'sr-only'} role="status">
        {failed ? t('state.failed') : none && t('state.no_match')}
        {!none && !failed && !waiting && text.trim() !== '' && t('shell.go_to_hits', { count: hits.length })}
      </p>
    </Dialog>
  );
}

interface HitsProps {
  group: Group;
  /** The key of the hit that Enter opens. */
  current: string | undefined;
  onChoose: (key: string) => void;
  onGo: (to: string) => void;
}

function Hits({ group, current, onChoose, onGo }: HitsProps) {
  const { t } = useTranslation();
  const heading = idOf(group.key);
  return (
    <div role="group" aria-labelledby={heading}>
      <div id={heading} role="presentation" className="goto-group">
        {t(`shell.go_to_${group.key}`)}
      </div>
      {group.hits.map((hit) => (
        <div
          key={hit.key}
          id={idOf(hit.key)}
          role="option"
          tabIndex={-1}
          aria-selected={hit.key === current}
          className="goto-hit"
          onMouseMove={() => onChoose(hit.key)}
          onClick={() => onGo(hit.to)}
        >
          <hit.Icon className="goto-icon" aria-hidden />
          <span>{hit.title}</span>
          <small>{hit.hint}</small>
        </div>
      ))}
    </div>
  );
}
