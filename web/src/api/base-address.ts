/** The base URL of the API: with its prefix, without a trailing slash. */
export const apiBase: string = import.meta.env.VITE_API_URL ?? '/api';

/** The base URL of the API as an absolute URL. */
export function apiAddress(): string {
  return new URL(apiBase, location.href).href.replace(/\/$/, '');
}

/** True when this build calls an API on another origin. */
export function callsElsewhere(): boolean {
  return typeof location !== 'undefined' && new URL(apiBase, location.href).origin !== location.origin;
}

/** Resolves a picture's path against the provider's origin rather than this page's. */
export function pictureAddress(named: string): string {
  return /^\/(?!\/)/.test(named) && callsElsewhere() ? new URL(apiAddress()).origin + named : named;
}
