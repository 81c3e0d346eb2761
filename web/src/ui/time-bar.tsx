import { classNames } from './class-names.ts';

/**
 * A thin bar for the time left, as a fraction from 0 to 1; amber when urgent. Hidden from screen readers, who get a
 * text beside it.
 */
export function TimeBar({
  fractionLeft,
  isUrgent = false,
  className,
}: {
  fractionLeft: number;
  isUrgent?: boolean;
  className?: string;
}) {
  return (
    <progress
      aria-hidden="true"
      className={classNames(
        'progress block',
        isUrgent ? 'text-warning-glyph' : 'text-primary-glyph',
        className,
      )}
      value={fractionLeft}
      max={1}
    />
  );
}
