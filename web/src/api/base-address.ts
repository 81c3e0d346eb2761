/** Where the API is, with its prefix and without a slash at its end. */
export const apiBase: string = import.meta.env.VITE_API_URL ?? '/api';

/** The same in full. */
export function apiAddress(): string {
  return new URL(apiBase, location.href).href.replace(/\/$/, '');
}

/** Whether this build calls another site than the one it came from. */
export function callsElsewhere(): boolean {
  return typeof location !== 'undefined' && new URL(apiBase, location.href).origin !== location.origin;
}

/** A picture that a provider names by a path stands where the provider is, not where this page is. */
export function pictureAddress(named: string): string {
  return /^\/(?!\/)/.test(named) && callsElsewhere() ? new URL(apiAddress()).origin + named : named;
}
