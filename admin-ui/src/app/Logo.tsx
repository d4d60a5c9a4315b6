/** A service bell on the counter. */
export const Logo = ({ size = 32 }: { size?: number }) => (
  <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
    <rect className="logo-tile" width="32" height="32" rx="9" />
    <path className="logo-bell" d="M8 19a8 8 0 0 1 16 0z" />
    <rect className="logo-counter" x="5" y="21" width="22" height="3.2" rx="1.6" />
    <circle className="logo-bell" cx="16" cy="8.6" r="1.9" />
  </svg>
);
