import type { ScreenPath, SearchOf } from '../app/screen-searches.ts';

/** An address within the app, in the parts that `window.location` has. */
export type ScreenAddress = Pick<Location, 'pathname' | 'search' | 'hash'>;

export function addressFrom(url: string): ScreenAddress {
  const { pathname, search, hash } = new URL(url, window.location.origin);
  return { pathname, search, hash };
}

export function urlOf({ pathname, search, hash }: ScreenAddress): string {
  return pathname + search + hash;
}

/** The URL of a screen with its search parameters. */
export function screenUrl<Path extends ScreenPath>(path: Path, search?: SearchOf<Path>): string {
  return path + searchText(search ?? {});
}

/**
 * Writes search parameters as the query of a URL. Values are JSON, so that numbers stay numbers. Texts are written
 * plainly, but for those that would be read as something else: the text `12` is written `"12"`.
 */
export function searchText(values: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) params.set(name, isPlainText(value) ? value : JSON.stringify(value));
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** Reads the query of a URL. The values can be anything, because anybody can write a URL. */
export function searchValues(query: string): Record<string, unknown> {
  return Object.fromEntries([...new URLSearchParams(query)].map(([name, text]) => [name, valueFrom(text)]));
}

function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && valueFrom(value) === value;
}

function valueFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
