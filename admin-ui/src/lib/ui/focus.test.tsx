import { act, cleanup, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { focusIfLost, useFocusAfterRow, useReturnFocus } from './focus';

function Layer() {
  useReturnFocus();
  return <button type="button">inside</button>;
}

const now = {} as { open: (yes: boolean) => void; keep: (yes: boolean) => void };
function Page() {
  const [opened, setOpened] = useState(false);
  const [kept, setKept] = useState(true);
  Object.assign(now, { open: setOpened, keep: setKept });
  return (
    <main id="main" tabIndex={-1}>
      {kept && <button type="button">opener</button>}
      <a href={location.pathname}>row</a>
      {opened && <Layer />}
    </main>
  );
}
const button = (name: string) => screen.getByRole('button', { name });
const frame = () => act(() => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined))));

beforeEach(() => {
  // Not in jsdom, where everything is seen.
  HTMLElement.prototype.checkVisibility = () => true;
  (document.activeElement as HTMLElement | null)?.blur();
  render(<Page />);
});

it('goes back to what opened the layer', async () => {
  button('opener').focus();
  act(() => now.open(true));
  button('inside').focus();
  act(() => now.open(false));
  await frame();
  expect(document.activeElement).toBe(button('opener'));
});

it('goes to the row of the layer’s address when its opener is gone', async () => {
  button('opener').focus();
  act(() => now.open(true));
  button('inside').focus();
  act(() => {
    now.keep(false);
    now.open(false);
  });
  await frame();
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'row' }));
});

it('stays with what has it meanwhile', async () => {
  act(() => now.open(true));
  act(() => now.open(false));
  button('opener').focus();
  await frame();
  expect(document.activeElement).toBe(button('opener'));
  cleanup();
});

function Item({ name }: { name: string }) {
  return (
    <li ref={useFocusAfterRow<HTMLLIElement>()}>
      <button type="button">{name}</button>
    </li>
  );
}
const List = ({ names }: { names: readonly string[] }) => (
  <section>
    <button type="button">new</button>
    <ul>
      {names.map((name) => (
        <Item key={name} name={name} />
      ))}
    </ul>
  </section>
);

it('goes from a removed row to the next, the one before, and what the list stands in', async () => {
  const { rerender } = render(<List names={['a', 'b', 'c']} />);
  const without = async (name: string, names: readonly string[]) => {
    button(name).focus();
    rerender(<List names={names} />);
    await frame();
    return document.activeElement?.textContent;
  };
  expect(await without('b', ['a', 'c'])).toBe('c');
  expect(await without('c', ['a'])).toBe('a');
  expect(await without('a', [])).toBe('new');
});

it('gives a heading only the focus that went with the page before', () => {
  const heading = screen.getByRole('main');
  button('opener').focus();
  focusIfLost(heading);
  expect(document.activeElement).toBe(button('opener'));
  act(() => now.keep(false));
  focusIfLost(heading);
  expect(document.activeElement).toBe(heading);
});
