import { Checkbox, Input, Radio } from 'antd';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Cart, MenuOption, MenuOptionGroup } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { FirstField } from '../../lib/form/FirstField';
import { Button } from '../../lib/ui/Button';
import { Dialog } from '../../lib/ui/Dialog';
import { NumberInput } from '../../lib/ui/NumberInput';
import { itemsOf } from './cart';
import { type Entry, MOST_PIECES } from './menu';
import { choose, type Chosen, faultOf, isSingle, roomIn, stillThere } from './options';
import { useQuote } from './useQuote';
import './taking.css';

/** What is chosen of a line. */
export interface ChosenOptions {
  quantity: number;
  options: Chosen;
  message: string;
}

interface Props {
  /** Where it is sold: channels have prices of their own. */
  channel: Cart['platform'];
  entry: Entry;
  initial: ChosenOptions;
  /** What the button says. */
  verb: string;
  onDone: (chosen: ChosenOptions) => void;
  onClose: () => void;
}

/** The longest wish for a line. */
const LONGEST = 500;

/** Options of one size with the limits of their groups, how many, and a wish. Enter is done. */
export function OptionsDialog({ channel, entry, initial, verb, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const [chosen, setChosen] = useState<ChosenOptions>(() => ({
    ...initial,
    options: stillThere(entry.groups, initial.options).kept,
  }));
  const [tried, setTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = entry.groups.find((group) => faultOf(group, chosen.options));
    setTried(true);
    if (wrong) document.getElementById(`${id}-${wrong.id}`)?.querySelector('input')?.focus();
    else onDone(chosen);
  };
  return (
    <Dialog
      className="taking-dialog"
      centered
      title={entry.name}
      onCancel={onClose}
      footer={[
        <ItemTotal key="total" channel={channel} entry={entry} chosen={chosen} />,
        <Button key="cancel" onClick={onClose}>
          {t('action.cancel')}
        </Button>,
        <Button key="done" type="primary" htmlType="submit" form={id}>
          {verb}
        </Button>,
      ]}
    >
      <form id={id} className="taking-options" onSubmit={submit}>
        <FirstField onPage={false} />
        {entry.groups.map((group) => (
          <Group
            key={group.id}
            id={`${id}-${group.id}`}
            group={group}
            chosen={chosen.options}
            tried={tried}
            onChange={(options) => setChosen({ ...chosen, options })}
          />
        ))}
        <div className="taking-chosen">
          <div className="edit-field">
            <label className="edit-label" htmlFor={`${id}-wish`}>
              {t('taking.wish')}
            </label>
            <Input
              id={`${id}-wish`}
              autoComplete="off"
              maxLength={LONGEST}
              value={chosen.message}
              onChange={(event) => setChosen({ ...chosen, message: event.target.value })}
            />
          </div>
          <div className="edit-field">
            <label className="edit-label" htmlFor={`${id}-quantity`}>
              {t('taking.quantity')}
            </label>
            <NumberInput<number>
              id={`${id}-quantity`}
              min={1}
              max={MOST_PIECES}
              precision={0}
              value={chosen.quantity}
              onChange={(quantity) => setChosen({ ...chosen, quantity: quantity ?? 1 })}
            />
          </div>
        </div>
      </form>
    </Dialog>
  );
}

/** What the line costs as it is chosen now, at list price. The service says it, as all prices. */
function ItemTotal({ channel, entry, chosen }: Pick<Props, 'channel' | 'entry'> & { chosen: ChosenOptions }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const line = { ...chosen, subproduct_id: entry.id, name: entry.name, key: 1 };
  const items = itemsOf({ lines: [line], next: 2, last: 1 });
  const { quote, stale } = useQuote({ platform: channel, pickup: true, items });
  return (
    <p className="taking-total taking-item-total" data-stale={stale} role="status">
      <span>{t('taking.item_total')}</span>
      <b className="num">{money(quote?.items[0]?.total_price)}</b>
    </p>
  );
}

interface GroupProps {
  id: string;
  group: MenuOptionGroup;
  chosen: Chosen;
  /** It was tried to go on: what is missing is named. */
  tried: boolean;
  onChange: (chosen: Chosen) => void;
}

function Group({ id, group, chosen, tried, onChange }: GroupProps) {
  const { t } = useTranslation();
  const { min_no_options: min, max_no_options: max } = group;
  const fault = tried ? faultOf(group, chosen) : undefined;
  const limits =
    max === 0 ? (min === 0 ? 'any' : 'least') : min === max ? 'exactly' : min === 0 ? 'most' : 'between';
  return (
    <fieldset
      id={id}
      className="taking-group"
      aria-describedby={`${id}-limits`}
      aria-invalid={fault ? true : undefined}
    >
      <legend>{group.name}</legend>
      <p
        className={fault ? 'edit-fault' : 'edit-help'}
        id={`${id}-limits`}
        role={fault ? 'alert' : undefined}
      >
        {t(`taking.limit_${limits}`, { min, max })}
      </p>
      {group.options.map((option) => (
        <Option key={option.id} name={id} option={option} group={group} chosen={chosen} onChange={onChange} />
      ))}
      {isSingle(group) && min === 0 && (
        <Radio
          name={id}
          checked={!group.options.some((option) => chosen[option.id])}
          onChange={() => onChange(choose(group, chosen, '', 0))}
        >
          {t('taking.none_of_them')}
        </Radio>
      )}
    </fieldset>
  );
}

interface OptionProps extends Pick<GroupProps, 'group' | 'chosen' | 'onChange'> {
  name: string;
  option: MenuOption;
}

/** One option, with its price for a piece; several of one where the group takes them. */
function Option({ name, option, group, chosen, onChange }: OptionProps) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const count = chosen[option.id] ?? 0;
  const set = (next: number) => onChange(choose(group, chosen, option.id, next));
  const label = (
    <>
      {option.name}{' '}
      {Number(option.price) !== 0 && <span className="num taking-extra">+{money(option.price)}</span>}
    </>
  );
  if (isSingle(group))
    return (
      <Radio name={name} checked={count > 0} onChange={() => set(1)}>
        {label}
      </Radio>
    );
  return (
    <div className="taking-option">
      <Checkbox
        checked={count > 0}
        disabled={count === 0 && roomIn(group, chosen) === 0}
        onChange={(event) => set(event.target.checked ? 1 : 0)}
      >
        {label}
      </Checkbox>
      {count > 0 && (
        <NumberInput<number>
          size="small"
          aria-label={t('taking.quantity_of_option', { name: option.name })}
          min={1}
          max={count + roomIn(group, chosen)}
          precision={0}
          value={count}
          onChange={(next) => set(next ?? 1)}
        />
      )}
    </div>
  );
}
