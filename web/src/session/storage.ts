/** `site` is shared by every tab; `tab` belongs to one tab and ends when it is closed. */
const storages = { site: () => localStorage, tab: () => sessionStorage };

/** Reads a stored text. Storage may be unavailable (private windows, blocked cookies): then nothing is stored. */
export function readStored(key: string, scope: keyof typeof storages = 'site'): string | null {
  try {
    return storages[scope]().getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text under its key; null removes it. */
export function keepStored(key: string, text: string | null, scope: keyof typeof storages = 'site'): void {
  try {
    if (text === null) storages[scope]().removeItem(key);
    else storages[scope]().setItem(key, text);
  } catch {
    // Storage is unavailable: the value lasts as long as the page.
  }
}
