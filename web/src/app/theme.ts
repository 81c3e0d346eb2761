import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { readStored, writeStored } from '../session/storage.ts';
import { themeColours } from '../theme/theme-colours.ts';

/** `corporate` is the light theme. */
export type Theme = 'corporate' | 'dark';

const theme = createStore<Theme>(() => (readStored('theme') === 'dark' ? 'dark' : 'corporate'));

export function useTheme(): Theme {
  return useStore(theme);
}

/** Changes the theme now, and stores it for the next visit, where first-paint.ts sets it before the first paint. */
export function setTheme(newTheme: Theme): void {
  writeStored('theme', newTheme);
  document.documentElement.dataset['theme'] = newTheme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', themeColours[newTheme]);
  theme.setState(newTheme, true);
}
