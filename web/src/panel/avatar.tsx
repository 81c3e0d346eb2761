import { useState } from 'react';
import { initials } from '../format/person-name.ts';
import { classNames } from '../ui/index.ts';

const sizes = { small: 'size-8 text-xs', large: 'size-16 text-lg' };

/** An account's picture, or the initials of its first two names. */
export function Avatar({
  name,
  image,
  size = 'small',
}: {
  name: string;
  /** The URL of the picture; empty when there is none. */
  image: string;
  size?: keyof typeof sizes;
}) {
  /** The URL of the picture that could not be loaded; empty while there is none. */
  const [failedImage, setFailedImage] = useState('');
  if (image !== '' && image !== failedImage)
    return (
      <img
        src={image}
        alt=""
        className={classNames('shrink-0 rounded-full bg-base-200 object-cover', sizes[size])}
        onError={() => setFailedImage(image)}
      />
    );
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'grid shrink-0 place-items-center rounded-full bg-primary-tint font-strong text-primary',
        sizes[size],
      )}
    >
      {initials(name)}
    </span>
  );
}
