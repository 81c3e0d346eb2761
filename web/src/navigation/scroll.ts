import { readStored, writeStored } from '../session/storage.ts';

const STORAGE_KEY = 'scroll';

/** How far the page was scrolled, by the key of the entry of the browser's history. */
let positions: Record<string, number> | undefined;

export function rememberScroll(entryKey: string): void {
  positions ??= storedPositions();
  positions[entryKey] = window.scrollY;
}

/** Scrolls to where the entry was left. A new entry begins at the element that the hash names, or at the top. */
export function restoreScroll(entryKey: string, hash: string): void {
  positions ??= storedPositions();
  const position = positions[entryKey];
  const target = position === undefined && hash !== '' ? document.getElementById(hash.slice(1)) : null;
  if (target !== null) target.scrollIntoView();
  else window.scrollTo(0, position ?? 0);
}

/**
 * Takes the scrolling on Back and Forward over from the browser, which would scroll before the screen is there. The
 * positions outlast a reload. Returns a function that gives the scrolling back.
 */
export function takeOverScrolling(shownEntryKey: () => string): () => void {
  const takeOver = () => {
    history.scrollRestoration = 'manual';
  };
  // A document that is opened anew is scrolled by the browser first.
  const giveBack = () => {
    history.scrollRestoration = 'auto';
    rememberScroll(shownEntryKey());
    writeStored(STORAGE_KEY, JSON.stringify(positions), 'tab');
  };
  takeOver();
  addEventListener('pagehide', giveBack);
  addEventListener('pageshow', takeOver);
  return () => {
    removeEventListener('pagehide', giveBack);
    removeEventListener('pageshow', takeOver);
    history.scrollRestoration = 'auto';
  };
}

function storedPositions(): Record<string, number> {
  try {
    return JSON.parse(readStored(STORAGE_KEY, 'tab') ?? '{}');
  } catch {
    return {};
  }
}
