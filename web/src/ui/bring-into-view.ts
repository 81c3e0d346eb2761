/**
 * A ref callback that scrolls its element into view when the element is mounted, for messages that may appear out of
 * sight in a long dialog.
 */
export function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
