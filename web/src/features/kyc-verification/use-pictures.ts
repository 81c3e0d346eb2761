import type { KycSide } from '@jangada/contract';
import { useEffect, useRef, useState } from 'react';
import { forget, type Pictures, pictureFrom } from './picture.ts';

/** The three pictures while they are being chosen. What is not shown any more is forgotten. */
export function usePictures() {
  const [pictures, setPictures] = useState<Pictures>({});
  const kept = useRef(pictures);
  kept.current = pictures;
  useEffect(() => () => Object.values(kept.current).forEach(forget), []);

  const remove = (side: KycSide) => {
    forget(kept.current[side]);
    setPictures(({ [side]: _, ...others }) => others);
  };
  return {
    pictures,
    async put(side: KycSide, file: File) {
      const picture = await pictureFrom(file);
      forget(kept.current[side]);
      setPictures((others) => ({ ...others, [side]: picture }));
    },
    /** A picture that turned out to be none. */
    refuse(side: KycSide, problem: string) {
      setPictures((others) => {
        const picture = others[side];
        return picture === undefined ? others : { ...others, [side]: { ...picture, problem } };
      });
    },
    remove,
  };
}
