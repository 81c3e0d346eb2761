import { useQuery } from '@tanstack/react-query';
import { ChevronDown, LogOut } from 'lucide-react';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useSupports } from '../../api/provider.ts';
import { profileQuery } from '../../api/queries.ts';
import { Link, usePathname } from '../../navigation/index.ts';
import { useMerchantBank } from '../../panel/bank/merchant-bank.ts';
import { isWithoutAccount, memberRoleOf } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { signOut } from '../../session/sign-in.ts';
import { classNames } from '../../ui/index.ts';
import { staffRoleOf } from '../guards.ts';
import { groupsFor, type MenuEntry, type MenuGroup, startEntry } from './menu-table.ts';

const itemClass =
  'flex h-11 items-center gap-2.5 rounded-field border border-transparent px-2.5 text-base font-medium lg:h-[34px] lg:text-sm lg:[@media(height<64rem)]:h-[30px]';

/** The content of the sidebar and the drawer: the menu groups, and at the bottom *Sair* and the version. */
export function SidebarContent({ onNavigate }: { onNavigate?: () => void }) {
  const role = useSession(staffRoleOf);
  const memberRole = useSession((state) => (isWithoutAccount(state) ? undefined : memberRoleOf(state)));
  const hasExtraScreens = useSupports('extraScreens');
  const bank = useMerchantBank();
  const hasApprovals = useQuery(profileQuery).data?.approvalsWaiting !== undefined;
  const listEnd = useRef<HTMLDivElement>(null);
  const continuesBelow = useIsOutOfView(listEnd);
  const nav = useRef<HTMLElement>(null);
  const path = usePathname();
  // In a low window, a long menu scrolls to its current entry.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is the reason to scroll
  useEffect(
    () =>
      afterPaint(() =>
        nav.current?.querySelector('[data-status=active]')?.scrollIntoView({ block: 'nearest' }),
      ),
    [path],
  );
  return (
    <>
      <nav
        ref={nav}
        aria-label="Menu"
        className="relative grow scroll-pb-12 overflow-y-auto overscroll-contain px-3 pt-3 pb-4"
      >
        <ul>
          <Entry {...startEntry} onNavigate={onNavigate} />
        </ul>
        {groupsFor(role, memberRole, hasExtraScreens, bank, hasApprovals).map((group) => (
          <Group key={group.label} {...group} onNavigate={onNavigate} />
        ))}
        <div ref={listEnd} className="h-px" />
        {continuesBelow && (
          <div
            aria-hidden="true"
            className="pointer-events-none sticky -bottom-4 -mx-3 -mt-12 flex h-12 items-end justify-center bg-linear-to-t from-base-200 from-30% to-transparent pb-0.5"
          >
            <ChevronDown className="size-4 text-muted" strokeWidth={1.75} />
          </div>
        )}
      </nav>
      <div className="flex items-center border-t border-base-300 px-3 py-2 lg:py-[13px]">
        <button
          type="button"
          className={classNames(itemClass, 'grow transition-colors duration-120 hover:bg-base-300/50')}
          onClick={signOut}
        >
          <LogOut className="size-[17px] text-muted" strokeWidth={1.75} aria-hidden="true" />
          Sair
        </button>
        <span className="px-2.5 text-xs text-muted">Jangada {JANGADA_VERSION}</span>
      </div>
    </>
  );
}

/**
 * True while an element is scrolled out of view. An end of a list that is out of view means that the list continues
 * below, which overlay scrollbars do not show.
 */
function useIsOutOfView(element: RefObject<HTMLElement | null>): boolean {
  const [isHidden, setIsHidden] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver(([entry]) => setIsHidden(entry?.isIntersecting === false));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isHidden;
}

type NavigateCallback = { onNavigate: (() => void) | undefined };

function Group({ label, entries, onNavigate }: MenuGroup & NavigateCallback) {
  const [open, setOpen] = useState(true);
  const listId = useId();
  return (
    <div className="mt-[18px] lg:[@media(height<64rem)]:mt-1.5">
      <button
        type="button"
        className="flex h-11 w-full items-center justify-between rounded-field px-2.5 text-xs font-medium text-muted lg:h-8 lg:[@media(height<64rem)]:h-6.5"
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
      >
        {label}
        <ChevronDown
          className={classNames('size-3.5 transition-[rotate] duration-120', !open && '-rotate-90')}
          strokeWidth={1.75}
          aria-hidden="true"
        />
      </button>
      <ul id={listId} hidden={!open}>
        {entries.map((entry) => (
          <Entry key={entry.to} {...entry} onNavigate={onNavigate} />
        ))}
      </ul>
    </div>
  );
}

function Entry({ to, label, icon: Icon, onNavigate }: MenuEntry & NavigateCallback) {
  return (
    <li className="mb-px">
      <Link
        to={to}
        onClick={onNavigate}
        className={classNames(
          itemClass,
          'group transition-colors duration-120 hover:bg-base-300/50',
          'data-[status=active]:border-base-300 data-[status=active]:bg-raised data-[status=active]:font-label',
        )}
      >
        <Icon
          className="size-[17px] shrink-0 text-muted group-data-[status=active]:text-primary"
          strokeWidth={1.75}
          aria-hidden="true"
        />
        {label}
      </Link>
    </li>
  );
}

/**
 * Runs work that forces a layout, such as focusing or scrolling, after the page has been laid out and painted. As part
 * of the rendering task, the work would make that task half as long again. Returns a function that cancels the work.
 */
export function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
