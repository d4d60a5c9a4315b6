import { SearchOutlined } from '@ant-design/icons';
import { Input } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useClear } from './clear';

/** From the last key until a list is searched. ms */
const TYPED_MS = 1000;
/** The same once the text is emptied. ms */
const CLEARED_MS = 400;

/**
 * The text that a list is searched by: `value` follows what is typed after a pause, at once with `search`.
 * Without outer blanks.
 */
function useSearchText(value: string, onSearch: (text: string) => void, pause: number) {
  const [text, setText] = useState(value);
  const searched = useRef(value);
  useEffect(() => {
    // Only what came from elsewhere: who is still typing loses nothing.
    if (value !== searched.current) setText(value);
    searched.current = value;
  }, [value]);
  const search = () => {
    if (text.trim() === searched.current) return;
    searched.current = text.trim();
    onSearch(text.trim());
  };
  const latest = useRef(search);
  latest.current = search;
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), text.trim() ? pause : CLEARED_MS);
    return () => clearTimeout(timer);
  }, [text, pause]);
  return { text, setText, search };
}

interface Props {
  label: string;
  value: string;
  onSearch: (text: string) => void;
  /** Whether a text can be searched by; others are marked and wait. */
  fits?: ((text: string) => boolean) | undefined;
  /** From the last key until it is searched, where that is not as usual. ms */
  pause?: number | undefined;
  className?: string;
}

/** The search of a list; Enter does not wait. */
export function SearchInput(props: Props) {
  const { label, value, onSearch, fits, pause = TYPED_MS, className = 'list-search' } = props;
  const usable = (text: string) => text === '' || !fits || fits(text);
  const { text, setText, search } = useSearchText(value, (next) => usable(next) && onSearch(next), pause);
  return (
    <Input
      allowClear={useClear()}
      className={className}
      prefix={<SearchOutlined aria-hidden />}
      aria-label={label}
      placeholder={label}
      value={text}
      status={usable(text.trim()) ? '' : 'warning'}
      onChange={(event) => setText(event.target.value)}
      onPressEnter={search}
    />
  );
}
