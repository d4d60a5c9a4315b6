/** What the providers of online payment call themselves. */
export const PROVIDER_NAMES = { simplepay: 'SimplePay', barion: 'Barion' } as const;

/** The name of a provider, also of one that is not known here yet. */
export const providerName = (provider: string): string =>
  (PROVIDER_NAMES as Record<string, string>)[provider] ?? provider;
