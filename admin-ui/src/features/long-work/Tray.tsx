import { CheckOutlined, CloseOutlined, HourglassOutlined } from '@ant-design/icons';
import { Tooltip } from 'antd';
import { type ComponentProps, type ReactNode, type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNarrow } from '../../lib/hooks';
import { SideDrawer } from '../../lib/ui/SideDrawer';
import { isUnderWay, type Work } from '../../lib/work';
import { Panel } from './Panel';
import { useAgain } from './useAgain';
import { useNews, useSaid } from './useNews';
import { useWorks } from './useWorks';
import './work.css';

/**
 * The tray for long work, in the top bar: how many works are under way, whether one has ended since it was last
 * opened, and all of them with their results. On a phone, where there is little room, only while there are some.
 */
export default function Tray() {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const all = useWorks();
  const news = useNews(all, open);
  const said = useSaid(all);
  const close = () => {
    if (narrow) setOpen(false);
    else panel.current?.hidePopover();
  };
  const { busy, begin, question } = useAgain(all.reread, close);
  if (!all.any) return null;

  const show = () => {
    setOpen(true);
    void all.reread();
  };
  const title = t('long_work.title');
  const list = <Panel all={all} busy={busy} onAgain={begin} onLeave={close} />;
  const opens: Opening = narrow ? { 'aria-haspopup': 'dialog', onClick: show } : { popoverTarget: 'tray' };
  return (
    <>
      {(!narrow || all.works.length > 0) && (
        <TrayButton button={button} works={all.works} news={news} open={open} opens={opens} />
      )}
      <span className="sr-only" aria-live="polite">
        {said}
      </span>
      {!narrow && (
        <Popped panel={panel} button={button} title={title} onOpen={show} onClose={() => setOpen(false)}>
          {open && list}
        </Popped>
      )}
      {narrow && open && (
        <SideDrawer title={title} onClose={close}>
          {list}
        </SideDrawer>
      )}
      {question}
    </>
  );
}

type Opening = Pick<ComponentProps<'button'>, 'aria-haspopup' | 'onClick' | 'popoverTarget'>;

interface ButtonProps {
  button: RefObject<HTMLButtonElement | null>;
  works: readonly Work[];
  news: readonly Work[];
  open: boolean;
  opens: Opening;
}

/** Its name says in words what badge and mark show. */
function TrayButton({ button, works, news, open, opens }: ButtonProps) {
  const { t } = useTranslation();
  const numbers = {
    running: works.filter(isUnderWay).length,
    done: news.filter(({ state }) => state === 'done').length,
    failed: news.filter(({ state }) => state === 'failed').length,
  };
  const told = (['running', 'done', 'failed'] as const).filter((state) => numbers[state] > 0);
  const label = [
    t('long_work.title'),
    ...told.map((state) => t(`long_work.number.${state}`, { number: numbers[state] })),
  ].join(', ');
  return (
    // Behind the open panel only a piece of it would be seen.
    <Tooltip title={open ? '' : label}>
      <button ref={button} type="button" className="bar-bell tray" aria-label={label} {...opens}>
        <HourglassOutlined aria-hidden />
        {numbers.running > 0 && (
          <span className="count" aria-hidden>
            {numbers.running}
          </span>
        )}
        {news.length > 0 && (
          <span className="tray-mark" data-state={numbers.failed > 0 ? 'failed' : 'done'} aria-hidden>
            {numbers.failed > 0 ? <CloseOutlined /> : <CheckOutlined />}
          </span>
        )}
      </button>
    </Tooltip>
  );
}

interface PoppedProps {
  panel: RefObject<HTMLDivElement | null>;
  button: RefObject<HTMLButtonElement | null>;
  title: string;
  onOpen: () => void;
  onClose: () => void;
  children: ReactNode;
}

/**
 * The browser's own popover, as the user's menu is: it closes with Esc and a click outside, and gives the focus
 * back. It stands below the button, wherever that is.
 */
function Popped({ panel, button, title, onOpen, onClose, children }: PoppedProps) {
  const place = () => {
    const right = button.current?.getBoundingClientRect().right ?? 0;
    panel.current?.style.setProperty('right', `${Math.max(12, window.innerWidth - right)}px`);
  };
  return (
    <div
      id="tray"
      ref={panel}
      popover="auto"
      className="tray-panel"
      role="dialog"
      aria-label={title}
      // It may be longer than the window, and rows without a link are scrolled by keys too.
      tabIndex={0}
      onBeforeToggle={place}
      onToggle={({ newState }) => {
        if (newState !== 'open') return onClose();
        onOpen();
        panel.current?.focus();
      }}
    >
      <h2>{title}</h2>
      {children}
    </div>
  );
}
