import type { ComponentProps, MouseEvent } from 'react';
import type { ScreenPath, SearchOf } from '../app/screen-searches.ts';
import { addressFrom, type ScreenAddress, screenUrl } from './address.ts';
import { useRouter, useRouterState } from './router-view.tsx';

type LinkProps<Path extends ScreenPath> = Omit<
  ComponentProps<'a'>,
  'href' | 'onFocus' | 'onMouseEnter' | 'onTouchStart'
> & {
  to: Path;
  search?: SearchOf<Path> | undefined;
  /** The screens below this path are other screens, not parts of this one. */
  exact?: boolean;
  /** Whether it leads to what is open, where the address alone does not tell. */
  current?: boolean | undefined;
};

/**
 * A link to a screen. While that screen, or one below its path, is open or opening, the link is marked by
 * `aria-current` and `data-status=active`. The screen's code is loaded as soon as somebody points at the link.
 */
export function Link<Path extends ScreenPath>({
  to,
  search,
  exact = false,
  current,
  onClick,
  ...anchorProps
}: LinkProps<Path>) {
  const router = useRouter();
  const { address } = useRouterState();
  const url = screenUrl(to, search);
  const preload = () => router.preload(url);
  const press = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!opensHere(event)) return;
    event.preventDefault();
    void router.navigate({ href: url });
  };
  return (
    <a
      {...anchorProps}
      {...((current ?? isOpen(url, address, exact)) && { 'aria-current': 'page', 'data-status': 'active' })}
      href={url}
      onClick={press}
      onFocus={preload}
      onMouseEnter={preload}
      onTouchStart={preload}
    />
  );
}

/** True when the address has the URL's path and each of its search parameters; the address may have more. */
function isOpen(url: string, address: ScreenAddress, exact: boolean): boolean {
  const { pathname, search } = addressFrom(url);
  if (address.pathname !== pathname && (exact || !address.pathname.startsWith(`${pathname}/`))) return false;
  const openParams = new URLSearchParams(address.search);
  return [...new URLSearchParams(search)].every(([name, value]) => openParams.get(name) === value);
}

/** False for a click that the browser handles itself, such as one that opens another tab. */
function opensHere(event: MouseEvent<HTMLAnchorElement>): boolean {
  const { target } = event.currentTarget;
  const hasModifier = event.metaKey || event.altKey || event.ctrlKey || event.shiftKey;
  const isForThisTab = (target === '' || target === '_self') && !event.currentTarget.hasAttribute('download');
  return event.button === 0 && !event.defaultPrevented && !hasModifier && isForThisTab;
}
