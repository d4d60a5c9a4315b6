import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Html } from './Html';

const shown = (text: string) => render(<Html text={text} />).container.querySelector('.html')!.innerHTML;

test('text stays as it was written', () => {
  expect(shown('<p>Új <strong>gomb</strong> &amp; <em>nézet</em><br></p><ul><li>egy</li></ul>')).toBe(
    '<p>Új <strong>gomb</strong> &amp; <em>nézet</em><br></p><ul><li>egy</li></ul>',
  );
  expect(shown('<a href="https://example.com/">itt</a>')).toContain('href="https://example.com/"');
});

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" java\tscript:alert(1)">x</a>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<p style="background:url(x)" onclick="alert(1)">x</p>',
  '<style>*{}</style>',
])('nothing runs: %s', (attack) => {
  expect(shown(attack)).not.toMatch(/script|onerror|onload|onclick|style|<img|<svg|<iframe|href/);
});
