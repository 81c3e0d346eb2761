/** What this browser keeps for every tab, and what it keeps for one tab until that is closed. */
const places = { site: () => localStorage, tab: () => sessionStorage };

/** Browser storage that may be closed to us (private windows, blocked cookies): then nothing outlives the page. */
export function readStored(key: string, place: keyof typeof places = 'site'): string | null {
  try {
    return places[place]().getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text under its key; null removes it. */
export function keepStored(key: string, text: string | null, place: keyof typeof places = 'site'): void {
  try {
    if (text === null) places[place]().removeItem(key);
    else places[place]().setItem(key, text);
  } catch {
    // Nothing to keep it in.
  }
}
