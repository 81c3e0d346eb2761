import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { classNames } from './class-names.ts';

/**
 * How long the mouse may be outside before the menu closes, so that the mouse can cross the gap between the trigger and
 * the menu.
 */
const LEAVE_MS = 150;

export type MenuProps = {
  /** The accessible name of the menu, and of the button that opens it. */
  label: string;
  /** The content of the button that opens the menu. */
  trigger: ReactNode;
  /** Content at the top of the menu. */
  header?: ReactNode;
  children: ReactNode;
};

/**
 * A menu that opens on hover, tap, Enter, ArrowDown or ArrowUp. Arrow keys move the focus within the menu. Esc closes
 * it and returns the focus to the button.
 */
export function Menu({ label, trigger, header, children }: MenuProps) {
  const menu = useMenu();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button and the items inside carry the roles
    <div
      ref={menu.root}
      className="relative"
      onPointerEnter={(event) => menu.onHover(event, true)}
      onPointerLeave={(event) => menu.onHover(event, false)}
      onKeyDown={menu.onKey}
      onBlur={menu.onBlur}
    >
      <button
        ref={menu.button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={menu.isOpen}
        className="grid size-11 place-items-center rounded-full"
        onPointerDown={menu.onPointerDown}
        onClick={menu.onClick}
      >
        {trigger}
      </button>
      {menu.isOpen && (
        <div className="absolute top-full right-1.5 z-30 w-56 pt-1">
          <div className="rounded-box border border-base-300 bg-raised p-1 shadow-menu">
            {header !== undefined && (
              <div className="mb-1 border-b border-base-300 px-3 py-2.5">{header}</div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: choosing an item closes; items have their own keys */}
            <div role="menu" aria-label={label} tabIndex={-1} onClick={menu.closeAfterChoice}>
              {children}
            </div>
          </div>
        </div>
      )}
    </div>
  );
}

/** The state of the menu, and its handlers for mouse, touch and keys. */
function useMenu() {
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const leaveTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** True when the keyboard is about to open the menu, whose first item must then get the focus. */
  const mustFocusFirstItem = useRef(false);
  /** The kind of pointer of the latest press. One device may have several, such as a tablet with a mouse. */
  const pointerType = useRef('');
  useEffect(() => () => clearTimeout(leaveTimer.current), []);
  useEffect(() => {
    if (!isOpen || !mustFocusFirstItem.current) return;
    mustFocusFirstItem.current = false;
    itemsOf(root.current)[0]?.focus();
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return;
    const closeOnPressOutside = (event: globalThis.PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setIsOpen(false);
    };
    document.addEventListener('pointerdown', closeOnPressOutside);
    return () => document.removeEventListener('pointerdown', closeOnPressOutside);
  }, [isOpen]);

  const closeOnLeave = () => {
    // An item that disappears with the menu would take the focus with it.
    if (root.current?.contains(document.activeElement) === true) button.current?.focus();
    setIsOpen(false);
  };
  const onHover = (event: PointerEvent, isInside: boolean) => {
    if (event.pointerType !== 'mouse') return;
    clearTimeout(leaveTimer.current);
    if (isInside) setIsOpen(true);
    else leaveTimer.current = setTimeout(closeOnLeave, LEAVE_MS);
  };
  const onPointerDown = (event: PointerEvent) => {
    pointerType.current = event.pointerType;
  };
  const onClick = (event: MouseEvent) => {
    const isByKeyboard = event.detail === 0;
    mustFocusFirstItem.current = isByKeyboard && !isOpen;
    // The mouse already opened the menu by hovering, and this click must not close it again.
    const isByMouse = !isByKeyboard && pointerType.current === 'mouse';
    setIsOpen(isByMouse || !isOpen);
  };
  const onKey = (event: KeyboardEvent) => {
    // The mouse may have just left, but the keyboard is in use now.
    clearTimeout(leaveTimer.current);
    if (event.key === 'Escape' && isOpen) {
      setIsOpen(false);
      button.current?.focus();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (isOpen) moveFocus(root.current, event.key === 'ArrowDown' ? 1 : -1);
      else {
        mustFocusFirstItem.current = true;
        setIsOpen(true);
      }
    }
  };
  const onBlur = (event: FocusEvent) => {
    if (event.relatedTarget instanceof Node && !root.current?.contains(event.relatedTarget)) setIsOpen(false);
  };
  // The chosen item disappears with the menu and would take the focus with it, so the focus moves to the button first.
  const closeAfterChoice = () => {
    button.current?.focus();
    setIsOpen(false);
  };

  return { isOpen, root, button, onHover, onPointerDown, onClick, onKey, onBlur, closeAfterChoice };
}

function itemsOf(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}

/** Focuses the next item (1) or the previous one (-1). The first item comes after the last. */
function moveFocus(root: HTMLElement | null, step: 1 | -1): void {
  const items = itemsOf(root);
  const focused = document.activeElement;
  const index = focused instanceof HTMLElement ? items.indexOf(focused) : -1;
  const isNoneFocused = index === -1;
  const next = isNoneFocused && step === -1 ? items.length - 1 : index + step;
  items.at(next % items.length)?.focus();
}

/** The classes of a menu item, for a link in a menu. Such a link needs `role="menuitem"`. */
export const menuItemClass = classNames(
  'flex h-11 w-full items-center gap-3 rounded-field px-3 font-medium hover:bg-hover md:h-[34px]',
  '-outline-offset-2',
);

/** A menu item that performs an action. Links use `menuItemClass`. */
export function MenuItem({
  icon,
  children,
  onSelect,
}: {
  icon: ReactNode;
  children: ReactNode;
  onSelect: () => void;
}) {
  return (
    <button type="button" role="menuitem" className={menuItemClass} onClick={onSelect}>
      {icon}
      {children}
    </button>
  );
}
