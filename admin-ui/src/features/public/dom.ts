type Child = Node | string | undefined | false;

/** Makes an element: `h('p', { class: 'lead' }, 'text')`. `on…` are listeners, the rest attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Record<string, unknown> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((c): c is Node | string => Boolean(c)));
  return element;
}

/** Parses an SVG of ours. */
export function svg(source: string): SVGElement {
  return new DOMParser().parseFromString(source, 'image/svg+xml').documentElement as unknown as SVGElement;
}
