import type { ComponentType, ReactNode } from 'react';
import type { ScreenTarget } from '../app/screen-searches.ts';
import { addressFrom, type ScreenAddress, screenUrl, urlOf } from './address.ts';
import type { LazyComponent } from './lazy-screen.ts';
import { rememberScroll, restoreScroll, takeOverScrolling } from './scroll.ts';

export type ScreenRoute = {
  /** The screen's title in the browser tab. */
  readonly title: string;
  readonly Screen: LazyComponent;
  /** The layout around the screen. It stays when another screen with the same layout opens. */
  readonly Frame?: ComponentType<{ children: ReactNode }>;
};

/**
 * The route of an address, the URL to open in its place, or undefined if the app has nothing there. With `isPreload`
 * nobody opens the address yet.
 */
export type FindRoute = (
  address: ScreenAddress,
  options: { readonly isPreload: boolean },
) => ScreenRoute | { readonly redirectTo: string } | undefined;

/** The screen that the page shows. Without a route, the page says that the address was not found. */
type ShownScreen = {
  readonly address: ScreenAddress;
  readonly route: ScreenRoute | undefined;
  readonly entryKey: string;
};

/** While the code of a screen is loaded, the address is the new one already, and the old screen stays. */
export type RouterState = { readonly address: ScreenAddress; readonly shown: ShownScreen };

/** The content of `history.state`: a key for the scroll position, and the number of entries before this one. */
type HistoryEntry = { readonly key: string; readonly index: number };

/** The target of a navigation: a screen with its search parameters, or any URL of the app. `replace` adds no entry to the history. */
export type Destination = (ScreenTarget | { readonly href: string }) & { readonly replace?: boolean };

/**
 * Opens screens by the browser's address. A screen is shown once its code is loaded; what cannot be opened is decided
 * before that, by `findRoute`.
 */
export class Router {
  state: RouterState;
  readonly #findRoute: FindRoute;
  #entry: HistoryEntry = { key: '', index: 0 };
  /** The screen that was opened last, which may not be loaded yet. */
  #latest: ShownScreen;
  /** The entry of the screen that the page shows, which may still be the old one while the shown one is drawn. */
  #renderedKey = '';
  #draw: (state: RouterState) => void = () => {};
  #backAction: ((address: ScreenAddress) => (() => void) | undefined) | undefined;
  #onAddressRestored: (() => void) | undefined;
  readonly #leaveListeners = new Set<() => () => void>();
  readonly #onRendered: (() => void)[] = [];

  constructor(findRoute: FindRoute) {
    this.#findRoute = findRoute;
    this.#latest = { address: { pathname: '', search: '', hash: '' }, route: undefined, entryKey: '' };
    this.state = { address: this.#latest.address, shown: this.#latest };
  }

  /** Opens the browser's address. Resolves when the first screen can be rendered. */
  async start(): Promise<void> {
    this.#entry = readEntry() ?? newEntry(0);
    history.replaceState(this.#entry, '');
    await this.#open(addressFrom(window.location.href), { replace: true });
  }

  /** Opens a screen. Resolves when it, or what was opened after it, is rendered. */
  readonly navigate = (destination: Destination): Promise<void> => {
    const url = 'href' in destination ? destination.href : screenUrl(destination.to, destination.search);
    const rendered = new Promise<void>((resolve) => this.#onRendered.push(resolve));
    void this.#open(addressFrom(url), { replace: destination.replace ?? false });
    return rendered;
  };

  /** Checks and loads the shown address anew. */
  reload(): void {
    void this.#open(this.state.address, { replace: true });
  }

  /** Loads the code of a screen that may be opened soon. */
  preload(url: string): void {
    const { route } = this.#resolve(addressFrom(url), { isPreload: true });
    void route?.Screen.load?.();
  }

  /**
   * `decide` is asked when the browser goes back by one. If it returns a function, the browser stays at its address, and
   * the function is called once the address is restored. Returns a function that ends this.
   */
  replaceBack(decide: (address: ScreenAddress) => (() => void) | undefined): () => void {
    this.#backAction = decide;
    return () => {
      this.#backAction = undefined;
    };
  }

  /**
   * `onLeave` is called when another screen is about to open, and what it returned when that one is rendered. Returns a
   * function that ends this.
   */
  onScreenChange(onLeave: () => () => void): () => void {
    this.#leaveListeners.add(onLeave);
    return () => this.#leaveListeners.delete(onLeave);
  }

  /** Lets a view draw the states of this router. The view calls `rendered`. Returns a function that ends this. */
  connect(draw: (state: RouterState) => void): () => void {
    const stopScrolling = takeOverScrolling(() => this.#renderedKey);
    this.#draw = draw;
    draw(this.state);
    window.addEventListener('popstate', this.#onPopState);
    return () => {
      this.#draw = () => {};
      window.removeEventListener('popstate', this.#onPopState);
      stopScrolling();
    };
  }

  /** Called before the browser paints a screen. */
  rendered(shown: ShownScreen): void {
    this.#renderedKey = shown.entryKey;
    restoreScroll(shown.entryKey, shown.address.hash);
    if (shown === this.#latest) for (const callback of this.#onRendered.splice(0)) callback();
  }

  readonly #onPopState = (): void => {
    if (this.#onAddressRestored !== undefined) {
      this.#onAddressRestored();
      this.#onAddressRestored = undefined;
      return;
    }
    const entry = readEntry();
    const isBack = entry?.index === this.#entry.index - 1;
    const replacement = isBack ? this.#backAction?.(this.state.address) : undefined;
    if (replacement !== undefined) {
      this.#onAddressRestored = replacement;
      history.go(1);
      return;
    }
    this.#entry = entry ?? newEntry(this.#entry.index + 1);
    // The browser itself adds an entry when a link to a place in the page is pressed.
    if (entry === undefined) history.replaceState(this.#entry, '');
    void this.#open(addressFrom(window.location.href), { replace: true });
  };

  async #open(requested: ScreenAddress, { replace }: { replace: boolean }): Promise<void> {
    const { address, route } = this.#resolve(requested, { isPreload: false });
    this.#writeAddress(urlOf(address), replace);
    const opened = { address, route, entryKey: this.#entry.key };
    this.#latest = opened;
    if (address.pathname !== this.state.shown.address.pathname)
      for (const onLeave of this.#leaveListeners) this.#onRendered.push(onLeave());
    const loading = route?.Screen.load?.();
    if (loading !== undefined) {
      this.#change({ address, shown: this.state.shown });
      await loading;
      // Something else was opened in the meantime.
      if (this.#latest !== opened) return;
    }
    rememberScroll(this.#renderedKey);
    this.#change({ address, shown: opened });
  }

  #resolve(
    address: ScreenAddress,
    options: { isPreload: boolean },
  ): { address: ScreenAddress; route: ScreenRoute | undefined } {
    const found = this.#findRoute(address, options);
    if (found === undefined || !('redirectTo' in found)) return { address, route: found };
    return this.#resolve(addressFrom(found.redirectTo), options);
  }

  /** Writes an address into the browser's history, unless it stands there. */
  #writeAddress(url: string, replace: boolean): void {
    if (url === urlOf(window.location)) return;
    this.#entry = newEntry(this.#entry.index + (replace ? 0 : 1));
    if (replace) history.replaceState(this.#entry, '', url);
    else history.pushState(this.#entry, '', url);
  }

  #change(state: RouterState): void {
    this.state = state;
    this.#draw(state);
  }
}

function newEntry(index: number): HistoryEntry {
  return { key: Math.random().toString(36).slice(2), index };
}

/** The entry at which the browser is, or undefined if this router has not written it. */
function readEntry(): HistoryEntry | undefined {
  const { key, index } = Object(history.state);
  return typeof key === 'string' && typeof index === 'number' ? { key, index } : undefined;
}
