/**
 * `site` storage is kept, and shared by all tabs. `tab` storage belongs to one tab, and is deleted when that tab is
 * closed.
 */
const storages = { site: () => localStorage, tab: () => sessionStorage };

/** The key of what the screens showed on the last visit (last-visit.ts). */
export const LAST_VISIT = 'last-visit';

/**
 * Reads a stored text. The result is null if the text is missing, or if the browser offers no storage (private windows,
 * blocked cookies).
 */
export function readStored(key: string, scope: keyof typeof storages = 'site'): string | null {
  try {
    return storages[scope]().getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text under its key. Null removes the stored text. */
export function writeStored(key: string, text: string | null, scope: keyof typeof storages = 'site'): void {
  try {
    if (text === null) storages[scope]().removeItem(key);
    else storages[scope]().setItem(key, text);
  } catch {
    // Storage is unavailable: the text is lost when the page is closed.
  }
}
