/**
 * One Idempotency-Key per submitted body: the same body sent again (a retry, a second click) carries the same
 * key, an edited body a new one. Hold one instance per form.
 */
export class IdempotencyKeys {
  #sent = new Map<string, { body: string; key: string }>();

  /** `part` names one of several bodies that a form sends one after the other. */
  keyFor(body: unknown, part = ''): string {
    const text = JSON.stringify(body ?? null);
    const known = this.#sent.get(part);
    if (known?.body === text) return known.key;
    const key = crypto.randomUUID?.() ?? fallbackUuid();
    this.#sent.set(part, { body: text, key });
    return key;
  }

  /** After success: the next submission is a new one even when it looks the same. */
  done(): void {
    this.#sent.clear();
  }
}

/** randomUUID exists only in secure contexts; a tablet in the same network on plain http is not one. */
function fallbackUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
