/** A ref that scrolls its element into view on mount, for a message that may appear out of sight in a long dialog. */
export function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
