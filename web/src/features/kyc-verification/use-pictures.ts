import { type KycSide, kycSides } from '@jangada/contract';
import { useEffect, useRef, useState } from 'react';
import { kycSideNames } from '../../format/kyc-side.ts';
import { forget, isSameFile, type Pictures, pictureFrom } from './picture.ts';

/** The three pictures while they are being chosen. What is not shown any more is forgotten. */
export function usePictures() {
  const [pictures, setPictures] = useState<Pictures>({});
  const kept = useRef(pictures);
  kept.current = pictures;
  /** What was chosen last for each side: one that takes longer to be looked at comes too late. */
  const chosen = useRef<Partial<Record<KycSide, File>>>({});
  useEffect(
    () => () => {
      chosen.current = {};
      Object.values(kept.current).forEach(forget);
    },
    [],
  );

  const remove = (side: KycSide) => {
    delete chosen.current[side];
    forget(kept.current[side]);
    setPictures(({ [side]: _, ...others }) => others);
  };
  return {
    pictures,
    async put(side: KycSide, file: File) {
      chosen.current[side] = file;
      const picture = await pictureFrom(file);
      const problem = picture.problem ?? (await sameProblem(kept.current, side, file));
      if (chosen.current[side] !== file) return forget(picture);
      forget(kept.current[side]);
      setPictures((others) => ({ ...others, [side]: { ...picture, problem } }));
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

/** The sentence for a file that was chosen for another side already. */
async function sameProblem(pictures: Pictures, side: KycSide, file: File): Promise<string | undefined> {
  for (const other of kycSides) {
    const picture = pictures[other];
    if (other !== side && picture !== undefined && (await isSameFile(picture.file, file)))
      return `Esta imagem já está em “${kycSideNames[other]}”. Escolha outra.`;
  }
  return undefined;
}
