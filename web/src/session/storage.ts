/** Browser storage shared by every tab, and storage for one tab until it is closed. */
const places = { site: () => localStorage, tab: () => sessionStorage };

/** Browser storage may be unavailable (private windows, blocked cookies): then nothing outlives the page. */
export function readStored(key: string, place: keyof typeof places = 'site'): string | null {
  try {
    return places[place]().getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text under its key; null removes it. */
export function keepStored(key: string, text: string | null, place: keyof typeof places = 'site'): void {
  try {
    if (text === null) places[place]().removeItem(key);
    else places[place]().setItem(key, text);
  } catch {
    // Storage is unavailable.
  }
}
