/** In the order in which the screen shows them. */
export const NETWORKS = ['facebook', 'instagram', 'youtube', 'twitter', 'blog', 'tumblr'] as const;
type Network = (typeof NETWORKS)[number];

/** Hosts of a network, `www.` left out; a leading dot: any name below it. The blog may lie anywhere. */
const HOSTS: Record<Network, readonly string[]> = {
  facebook: ['facebook.com', 'fb.com'],
  instagram: ['instagram.com'],
  youtube: ['youtube.com', 'youtu.be'],
  twitter: ['twitter.com', 'x.com'],
  blog: [],
  tumblr: ['tumblr.com', '.tumblr.com'],
};

/** Whether a text may stand for a network: nothing, or an https address of it. The service checks again. */
export function isAddressOf(network: Network, text: string): boolean {
  const address = text.trim();
  if (address === '') return true;
  if (!address.startsWith('https://') || !URL.canParse(address)) return false;
  const { hostname, username, port } = new URL(address);
  const host = hostname.replace(/^www\./, '');
  const hosts = HOSTS[network];
  return (
    !username &&
    !port &&
    hostname.includes('.') &&
    (hosts.length === 0 ||
      hosts.some((known) => (known.startsWith('.') ? hostname.endsWith(known) : host === known)))
  );
}
