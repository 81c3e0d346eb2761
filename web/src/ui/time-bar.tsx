import { classNames } from './class-names.ts';

/** The fraction of time left, 0 to 1, as a thin bar; `urgent` turns it amber. The text beside it says the same. */
export function TimeBar({
  left,
  urgent = false,
  className,
}: {
  left: number;
  urgent?: boolean;
  className?: string;
}) {
  return (
    <progress
      aria-hidden="true"
      className={classNames(
        'progress block',
        urgent ? 'text-warning-glyph' : 'text-primary-glyph',
        className,
      )}
      value={left}
      max={1}
    />
  );
}
