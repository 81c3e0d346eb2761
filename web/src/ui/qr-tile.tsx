import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A QR code on white in both themes; the padding is its quiet zone. `over` covers it, e.g. once it has expired. */
export function QrTile({
  src,
  alt,
  over,
  className,
}: {
  /** A data URI; empty while it is being generated. */
  src: string;
  alt: string;
  over?: ReactNode;
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
      {over !== undefined && (
        <div className="absolute -inset-px grid place-items-center rounded-box border border-base-300 bg-base-100/95 p-5 text-center">
          {over}
        </div>
      )}
    </div>
  );
}
