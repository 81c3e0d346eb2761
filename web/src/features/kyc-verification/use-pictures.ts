import { type KycSide, kycSides } from '@jangada/contract';
import { useEffect, useRef, useState } from 'react';
import { kycSideNames } from '../../format/kyc-side.ts';
import { fileProblem, isSameFile, type Pictures, pictureFrom, releasePicture } from './picture.ts';

type ChosenFiles = Readonly<Partial<Record<KycSide, File>>>;
/**
 * Why the file that was last chosen for a side was refused. `duplicateOf` names the other side that has the same file,
 * if that is the reason.
 */
type Refusal = { readonly problem: string; readonly duplicateOf?: KycSide };
/** The choice so far: the accepted pictures, and the refusals for sides whose last file was refused. */
type Choice = {
  readonly pictures: Pictures;
  readonly refusals: Readonly<Partial<Record<KycSide, Refusal>>>;
};

/** The three pictures while the user chooses them. For a refused file, only the refusal is stored. */
export function usePictures() {
  const [choice, setChoice] = useState<Choice>({ pictures: {}, refusals: {} });
  // Refs, because files are checked asynchronously: when a check ends, it must see the choices made meanwhile.
  const currentPictures = useRef(choice.pictures);
  currentPictures.current = choice.pictures;
  /**
   * The last file chosen for each side, unless it was refused. When the check of a file ends after a newer file was
   * chosen for the same side, the older file is ignored.
   */
  const latestFiles = useRef<ChosenFiles>({});
  useEffect(
    () => () => {
      latestFiles.current = {};
      Object.values(currentPictures.current).forEach(releasePicture);
    },
    [],
  );

  /**
   * Removes the picture of a side. Refusals of the same file for other sides are removed too, because the file is no
   * longer a duplicate. `refusal` is set if the file that was chosen for this side was refused.
   */
  const clearSide = (side: KycSide, refusal?: Refusal) => {
    latestFiles.current = withoutSide(latestFiles.current, side);
    releasePicture(currentPictures.current[side]);
    setChoice((previous) => withSideCleared(previous, side, refusal));
  };
  return {
    pictures: choice.pictures,
    refusalText: (side: KycSide) => choice.refusals[side]?.problem,
    async chooseFile(side: KycSide, file: File) {
      const otherFiles = withoutSide(latestFiles.current, side);
      latestFiles.current = { ...otherFiles, [side]: file };
      const problem = await fileProblem(file);
      const duplicateOf = problem === undefined ? await sideWithSameFile(otherFiles, file) : undefined;
      if (latestFiles.current[side] !== file) return;
      if (problem !== undefined) return clearSide(side, { problem });
      // During the check, the other side's file may have been removed or replaced. Then this file is no duplicate.
      if (duplicateOf !== undefined && latestFiles.current[duplicateOf] === otherFiles[duplicateOf])
        return clearSide(side, { problem: duplicateProblem(duplicateOf), duplicateOf });
      const picture = pictureFrom(file);
      releasePicture(currentPictures.current[side]);
      setChoice((previous) => {
        const { pictures, refusals } = withSideCleared(previous, side);
        return { pictures: { ...pictures, [side]: picture }, refusals };
      });
    },
    /**
     * Refuses a picture that could not be opened or is too small, which is known only once the browser has loaded it.
     */
    refusePicture: (side: KycSide, problem: string) => clearSide(side, { problem }),
    removePicture: (side: KycSide) => clearSide(side),
  };
}

function withSideCleared({ pictures, refusals }: Choice, side: KycSide, refusal?: Refusal): Choice {
  const unaffectedSides = kycSides.filter((other) => other !== side && refusals[other]?.duplicateOf !== side);
  const remainingRefusals = Object.fromEntries(unaffectedSides.map((other) => [other, refusals[other]]));
  return {
    pictures: withoutSide(pictures, side),
    refusals: refusal ? { ...remainingRefusals, [side]: refusal } : remainingRefusals,
  };
}

function withoutSide<T extends object>(values: T, side: keyof T): T {
  const { [side]: _, ...remaining } = values;
  return remaining as T;
}

/** The other side for which the same file was already chosen; undefined if there is none. */
async function sideWithSameFile(otherFiles: ChosenFiles, file: File): Promise<KycSide | undefined> {
  for (const side of kycSides) {
    const otherFile = otherFiles[side];
    if (otherFile !== undefined && (await isSameFile(otherFile, file))) return side;
  }
  return undefined;
}

function duplicateProblem(otherSide: KycSide): string {
  return `Esta imagem já está em “${kycSideNames[otherSide]}”. Escolha outra.`;
}
