/** The base URL of the API: with its prefix, without a trailing slash. */
export const apiBase: string = import.meta.env.VITE_API_URL ?? '/api';

/** The base URL of the API as an absolute URL. */
export function absoluteApiUrl(): string {
  return new URL(apiBase, location.href).href.replace(/\/$/, '');
}

/** True when this build calls an API on another origin. */
export function isApiOnOtherOrigin(): boolean {
  return typeof location !== 'undefined' && new URL(apiBase, location.href).origin !== location.origin;
}

/** Resolves a picture's path against the origin of the API, which may not be the origin of this page. */
export function pictureAddress(pathOrUrl: string): string {
  const isPath = /^\/(?!\/)/.test(pathOrUrl);
  return isPath && isApiOnOtherOrigin() ? new URL(absoluteApiUrl()).origin + pathOrUrl : pathOrUrl;
}
