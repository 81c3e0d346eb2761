/** A ref for what appears late in a long form or dialog, where it may be out of sight. */
export function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
