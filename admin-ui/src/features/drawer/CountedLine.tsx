import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { Card } from '../../lib/ui/page';
import { NumberInput } from '../../lib/ui/NumberInput';
import { hundredths } from '../order/payments/exact';
import { MoneyField } from '../order/payments/MoneyField';
import {
  type CloseValues,
  countedName,
  differenceOf,
  HUF_PIECES,
  isCash,
  leftName,
  type Line,
  MOST_OF_DRAWER,
  piecesName,
} from './model';
import { DifferenceChip, useLineName, useMoney } from './parts';

interface Props {
  line: Line;
  values: CloseValues;
  /** Notes and coins may be counted one by one. */
  pieces: boolean;
}

/** One method and currency: what should be there, what was counted, the difference at once, and what stays. */
export function CountedLine({ line, values, pieces }: Props) {
  const { t } = useTranslation();
  const name = useLineName()(line);
  const cash = isCash(line);
  const difference = differenceOf(line, values);
  return (
    <Card title={name} className={cash ? 'drawer-line drawer-wide' : 'drawer-line'}>
      <Expected line={line} />
      <div className="drawer-fields">
        <MoneyField
          max={MOST_OF_DRAWER}
          name={countedName(line)}
          label={
            <>
              {t('drawer.counted')}
              <span className="sr-only"> – {name}</span>
            </>
          }
          currency={line.currency}
          required={cash}
          {...(cash ? {} : { help: t('drawer.counted_help') })}
          rules={[
            {
              validator: async (_, value: string | undefined) => {
                if (cash && (value ?? '') === '') throw new Error(t('drawer.counted_missing'));
              },
            },
          ]}
        />
        {cash && <Left line={line} name={name} />}
      </div>
      <p className="drawer-difference" role="status">
        {difference === undefined ? (
          <span className="drawer-quiet">{t('drawer.not_counted')}</span>
        ) : (
          <DifferenceChip difference={difference} currency={line.currency} />
        )}
      </p>
      {pieces && <Pieces />}
    </Card>
  );
}

function Expected({ line }: { line: Line }) {
  const { t } = useTranslation();
  const money = useMoney();
  return (
    <dl className="drawer-expected">
      <div>
        <dt>{t('drawer.figure_expected')}</dt>
        <dd className="num">{money(line.expected, line.currency)}</dd>
      </div>
      {hundredths(line.assumed) !== 0n && (
        <div className="drawer-part">
          <dt>{t('drawer.of_it_assumed')}</dt>
          <dd className="num">{money(line.assumed, line.currency)}</dd>
        </div>
      )}
      {line.before !== undefined && (
        <div className="drawer-part drawer-before">
          <dt>{t('drawer.before')}</dt>
          <dd className="num">{money(line.before, line.currency)}</dd>
        </div>
      )}
    </dl>
  );
}

function Left({ line, name }: { line: Line; name: string }) {
  const { t } = useTranslation();
  return (
    <MoneyField
      max={MOST_OF_DRAWER}
      name={leftName(line)}
      label={
        <>
          {t('drawer.left')}
          <span className="sr-only"> – {name}</span>
        </>
      }
      currency={line.currency}
      placeholder={t('drawer.left_all')}
      help={t('drawer.left_help')}
      rules={[
        ({ getFieldValue }) => ({
          validator: async (_, value: string | undefined) => {
            const counted = getFieldValue(countedName(line)) as string | undefined;
            if (value && hundredths(value) > hundredths(counted)) throw new Error(t('drawer.left_too_much'));
          },
        }),
      ]}
    />
  );
}

/** Notes and coins, whose sum is what was counted. */
function Pieces() {
  const { t } = useTranslation();
  const money = useMoney();
  const { number } = useFormat();
  return (
    <details className="drawer-pieces">
      <summary>{t('drawer.pieces')}</summary>
      <div>
        {HUF_PIECES.map((piece) => (
          <Form.Item
            key={piece}
            name={piecesName(piece)}
            label={money(piece, 'huf')}
            normalize={(value: unknown) => (value === null || value === undefined ? '' : String(value))}
          >
            <NumberInput<string>
              stringMode
              min="0"
              max="100000"
              precision={0}
              inputMode="numeric"
              placeholder={number(0)}
              suffix={t('drawer.piece')}
            />
          </Form.Item>
        ))}
      </div>
    </details>
  );
}
