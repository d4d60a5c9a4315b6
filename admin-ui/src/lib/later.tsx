import { DisconnectOutlined } from '@ant-design/icons';
import { Alert } from 'antd';
import {
  Component,
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
} from 'react';
import { useTranslation } from 'react-i18next';
import { answers, isUnloaded, mayReload } from './reach';
import { Button } from './ui/Button';
import { awaited } from './underWay';
import { State } from './ui/states';
import { useWork } from './ui/work';

/**
 * How a part shows that its code could not be loaded. `page`: in the place of a screen. `inline`: in its
 * place. `over`: at the bottom of the window, for what opens over the page. `quiet`: not at all, for parts
 * that the user did not request.
 */
type How = 'page' | 'inline' | 'over' | 'quiet';

/** How often a part that is missing is loaded again by itself. ms */
const RETRY_MS = 5000;

interface Props {
  /** A function, so a retry imports again. */
  children: () => ReactNode;
  how: How;
  /** Forgets that the code could not be loaded. */
  forget: () => void;
}

/**
 * Keeps code that could not be loaded from taking the rest along. Other faults go on to the boundary around
 * it.
 */
export class LoadBoundary extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};
  #tries = 0;

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  /**
   * The browser, or the code around the import, may keep that a file could not be had: then only a new page
   * helps.
   */
  #again = async (byUser: boolean): Promise<void> => {
    if (!(await answers())) return;
    const failed = this.#tries++ > 0 || /CSS/.test(String(this.state.error));
    if (!failed) {
      this.props.forget();
      this.setState({ error: undefined });
    } else if (byUser || mayReload()) {
      location.reload();
    }
  };

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children();
    if (!isUnloaded(error)) throw error;
    return <LoadFailed how={this.props.how} again={this.#again} />;
  }
}

function LoadFailed({ how, again }: { how: How; again: (byUser: boolean) => Promise<void> }) {
  const { t } = useTranslation();
  const { busy, work } = useWork();
  const latest = useRef(again);
  useEffect(() => {
    // The service may be there, and only the file was late.
    void latest.current(false);
    const timer = setInterval(() => void latest.current(false), RETRY_MS);
    return () => clearInterval(timer);
  }, []);
  if (how === 'quiet') return null;
  const button = (
    <Button
      type={how === 'page' ? 'primary' : 'default'}
      size={how === 'page' ? 'middle' : 'small'}
      loading={busy}
      onClick={() => void work(() => again(true))}
    >
      {t('action.retry')}
    </Button>
  );
  if (how === 'page')
    return (
      <div className="card">
        <State
          tone="error"
          icon={<DisconnectOutlined />}
          title={t('state.unloaded')}
          text={t('state.unloaded_text')}
          actions={button}
        />
      </div>
    );
  return (
    <Alert
      className={how === 'over' ? 'unloaded-over' : undefined}
      type="warning"
      showIcon
      role="alert"
      title={t('state.unloaded')}
      description={t('state.unloaded_text')}
      action={button}
    />
  );
}

/**
 * A part of the page whose code is loaded when it is first shown: `lazy` that cannot take the page down. What
 * opens over the page or by itself waits alone: a common Suspense would hide an open dialog, and take the
 * focus from it, while the next part is loaded.
 */
export function later<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  how: How = 'inline',
): ComponentType<P> {
  const open = () => lazy(() => awaited(load()));
  let Part = open();
  return function Later(props: P) {
    return (
      <LoadBoundary how={how} forget={() => (Part = open())}>
        {() => {
          const part = createElement(Part as unknown as ComponentType<P>, props);
          return how === 'over' || how === 'quiet' ? <Suspense>{part}</Suspense> : part;
        }}
      </LoadBoundary>
    );
  };
}
