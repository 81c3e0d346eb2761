import type { Html } from './html.ts';

/** What stands on the phone's screen. */
export interface View {
  readonly title: string;
  readonly content: Html;
  /** The view reads codes itself: no way to read another is needed. */
  readonly asksForCode?: boolean;
}
