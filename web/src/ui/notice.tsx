import { CircleAlert, Info, ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type NoticeTone = 'warning' | 'error' | 'info';

const defaultIcons = { warning: ShieldAlert, error: CircleAlert, info: Info };
const toneClasses = { warning: 'alert-warning', error: 'alert-error', info: 'alert-info' };
const iconColours = { warning: 'text-warning-glyph', error: 'text-error-glyph', info: 'text-primary-glyph' };

/**
 * A message above or within the content: a bold title, a sentence, and at most one small button. A page shows at most
 * one notice. Screen readers announce the notice of an error.
 */
export function Notice({
  tone,
  title,
  children,
  action,
  icon,
  announced = tone === 'error',
  className,
}: {
  tone: NoticeTone;
  title?: ReactNode;
  children?: ReactNode;
  /** `<Button size="small">`, or a link with `buttonClass({size: 'small'})`. */
  action?: ReactNode;
  /** Replaces the default icon of the tone. It must be 20 px large, with strokes of 1.75 px. */
  icon?: ReactNode;
  /** True to announce the notice to screen readers when it appears. */
  announced?: boolean;
  className?: string;
}) {
  const Icon = defaultIcons[tone];
  return (
    <div
      role={announced ? 'alert' : undefined}
      className={classNames(
        'alert',
        toneClasses[tone],
        action !== undefined && 'max-md:flex-wrap',
        className,
      )}
    >
      <span className={classNames('shrink-0 max-md:self-start', iconColours[tone])}>
        {icon ?? <Icon className="size-5" strokeWidth={1.75} aria-hidden="true" />}
      </span>
      <p className="min-w-0 grow basis-0">
        {title !== undefined && <strong className="font-strong">{title}</strong>}
        {title !== undefined && children !== undefined && ' '}
        {children}
      </p>
      {action !== undefined && <div className="shrink-0 max-md:w-full max-md:*:w-full">{action}</div>}
    </div>
  );
}
