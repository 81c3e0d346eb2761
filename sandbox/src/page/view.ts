import type { Html } from './html.ts';

/** The content of the phone's screen. */
export interface View {
  readonly title: string;
  readonly content: Html;
  /** The view reads codes itself, so no other way to enter one is needed. */
  readonly asksForCode?: boolean;
}
