import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { classNames } from './class-names.ts';

/** Time for the pointer to cross the gap between trigger and menu, in ms. */
const LEAVE_MS = 150;

export type MenuProps = {
  /** The accessible name of the trigger. */
  label: string;
  trigger: ReactNode;
  /** Name and e-mail address at the top. */
  header?: ReactNode;
  children: ReactNode;
};

/**
 * A menu that opens on hover, tap, Enter or ArrowDown; arrows move within it, Esc closes it and restores the focus.
 */
export function Menu({ label, trigger, header, children }: MenuProps) {
  const { open, setOpen, root, button, focusFirst, pressedBy, hover, keys, blur, choose } = useMenu();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button and the items inside carry the roles
    <div
      ref={root}
      className="relative"
      onPointerEnter={(event) => hover(event, true)}
      onPointerLeave={(event) => hover(event, false)}
      onKeyDown={keys}
      onBlur={blur}
    >
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        className="grid size-11 place-items-center rounded-full"
        onPointerDown={(event) => {
          pressedBy.current = event.pointerType;
        }}
        // Hovering with a mouse has already opened the menu: the click must not close it at once.
        onClick={(event) => {
          const byKeyboard = event.detail === 0;
          focusFirst.current = byKeyboard && !open;
          setOpen(byKeyboard || pressedBy.current !== 'mouse' ? !open : true);
        }}
      >
        {trigger}
      </button>
      {open && (
        <div className="absolute top-full right-1.5 z-30 w-56 pt-1">
          <div className="rounded-box border border-base-300 bg-raised p-1 shadow-menu">
            {header !== undefined && (
              <div className="mb-1 border-b border-base-300 px-3 py-2.5">{header}</div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: choosing an item closes; items have their own keys */}
            <div role="menu" aria-label={label} tabIndex={-1} onClick={choose}>
              {children}
            </div>
          </div>
        </div>
      )}
    </div>
  );
}

/** Opens and closes by mouse, touch and keys. */
function useMenu() {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const focusFirst = useRef(false);
  /** Read from each press rather than the screen: a mouse may be plugged into a tablet. */
  const pressedBy = useRef('');
  useEffect(() => () => clearTimeout(leaving.current), []);
  useEffect(() => {
    if (!open || !focusFirst.current) return;
    focusFirst.current = false;
    items(root.current)[0]?.focus();
  }, [open]);
  useEffect(() => {
    if (!open) return;
    const pressOutside = (event: globalThis.PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', pressOutside);
    return () => document.removeEventListener('pointerdown', pressOutside);
  }, [open]);

  const hover = (event: PointerEvent, inside: boolean) => {
    if (event.pointerType !== 'mouse') return;
    clearTimeout(leaving.current);
    if (inside) setOpen(true);
    else leaving.current = setTimeout(() => setOpen(false), LEAVE_MS);
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && open) {
      setOpen(false);
      button.current?.focus();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (open) step(root.current, event.key === 'ArrowDown' ? 1 : -1);
      else {
        focusFirst.current = true;
        setOpen(true);
      }
    }
  };
  const blur = (event: FocusEvent) => {
    if (event.relatedTarget instanceof Node && !root.current?.contains(event.relatedTarget)) setOpen(false);
  };
  // The chosen item disappears, and focus would be lost with it.
  const choose = () => {
    button.current?.focus();
    setOpen(false);
  };

  return { open, setOpen, root, button, focusFirst, pressedBy, hover, keys, blur, choose };
}

function items(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
}

function step(root: HTMLElement | null, by: 1 | -1): void {
  const all = items(root);
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? all.indexOf(focused) : -1;
  all[(at + by + all.length) % all.length]?.focus();
}

/** The classes of a menu item, for a link; give it `role="menuitem"`. */
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
