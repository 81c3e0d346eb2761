import { classNames } from './class-names.ts';

/**
 * A thin bar for the time that is left, as a fraction from 0 to 1. The bar is amber while the time is urgent. Screen
 * readers skip the bar, because a text beside it says the same.
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
