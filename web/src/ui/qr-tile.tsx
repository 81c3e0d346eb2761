import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/**
 * A QR code, dark on white in both themes. The padding is the quiet zone of the code, the blank margin that scanners
 * need.
 */
export function QrTile({
  src,
  alt,
  cover,
  className,
}: {
  /** The picture of the code as a data URI; empty while the code is being generated. */
  src: string;
  alt: string;
  /** Shown over the code, for example once the code has expired. */
  cover?: ReactNode;
  /** A width class, e.g. `w-full max-w-[365px]`. */
  className?: string;
}) {
  return (
    <div className={classNames('relative rounded-box border border-base-300 bg-[#fff] p-5', className)}>
      {src === '' ? (
        <div className="aspect-square w-full" />
      ) : (
        <img src={src} alt={alt} className="block aspect-square w-full [image-rendering:pixelated]" />
      )}
      {cover !== undefined && (
        <div className="absolute -inset-px grid place-items-center rounded-box border border-base-300 bg-base-100/95 p-5 text-center">
          {cover}
        </div>
      )}
    </div>
  );
}
