/** Browser storage that may be closed to us (private windows, blocked cookies): then nothing outlives the page. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text under its key; null removes it. */
export function keepStored(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Nothing to keep it in.
  }
}
