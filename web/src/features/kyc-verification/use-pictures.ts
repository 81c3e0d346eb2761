import { type KycSide, kycSides } from '@jangada/contract';
import { useEffect, useRef, useState } from 'react';
import { kycSideNames } from '../../format/kyc-side.ts';
import { fileProblem, isSameFile, type Pictures, pictureFrom, releasePicture } from './picture.ts';

type ChosenFiles = Readonly<Partial<Record<KycSide, File>>>;
/** Why the file that was last chosen for a side was refused. `twin` is the side that has the same file. */
type Refusal = { readonly problem: string; readonly twin?: KycSide };
type Choice = {
  readonly pictures: Pictures;
  readonly refusals: Readonly<Partial<Record<KycSide, Refusal>>>;
};

/** The three pictures while they are being chosen. Of a refused file only the reason is stored. */
export function usePictures() {
  const [choice, setChoice] = useState<Choice>({ pictures: {}, refusals: {} });
  const currentPictures = useRef(choice.pictures);
  currentPictures.current = choice.pictures;
  /**
   * The file that was chosen last for each side, without refused ones. A file whose check ends after another was chosen
   * is ignored.
   */
  const latestFiles = useRef<ChosenFiles>({});
  useEffect(
    () => () => {
      latestFiles.current = {};
      Object.values(currentPictures.current).forEach(releasePicture);
    },
    [],
  );

  /** Removes the picture of a side, and the refusals of other sides that were due to the same file. */
  const clearSide = (side: KycSide, refusal?: Refusal) => {
    latestFiles.current = withoutSide(latestFiles.current, side);
    releasePicture(currentPictures.current[side]);
    setChoice((previous) => withSideCleared(previous, side, refusal));
  };
  return {
    pictures: choice.pictures,
    problemOf: (side: KycSide) => choice.refusals[side]?.problem,
    async chooseFile(side: KycSide, file: File) {
      const otherFiles = withoutSide(latestFiles.current, side);
      latestFiles.current = { ...otherFiles, [side]: file };
      const problem = await fileProblem(file);
      const twin = problem === undefined ? await twinOf(otherFiles, file) : undefined;
      if (latestFiles.current[side] !== file) return;
      if (problem !== undefined) return clearSide(side, { problem });
      if (twin !== undefined && latestFiles.current[twin] === otherFiles[twin])
        return clearSide(side, { problem: duplicateProblem(twin), twin });
      const picture = pictureFrom(file);
      releasePicture(currentPictures.current[side]);
      setChoice((previous) => {
        const { pictures, refusals } = withSideCleared(previous, side);
        return { pictures: { ...pictures, [side]: picture }, refusals };
      });
    },
    /** Refuses a picture that could not be opened, or is too small. */
    refusePicture: (side: KycSide, problem: string) => clearSide(side, { problem }),
    removePicture: (side: KycSide) => clearSide(side),
  };
}

function withSideCleared({ pictures, refusals }: Choice, side: KycSide, refusal?: Refusal): Choice {
  const unaffectedSides = kycSides.filter((other) => other !== side && refusals[other]?.twin !== side);
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

/** The other side for which the same file was already chosen. */
async function twinOf(otherFiles: ChosenFiles, file: File): Promise<KycSide | undefined> {
  for (const side of kycSides) {
    const otherFile = otherFiles[side];
    if (otherFile !== undefined && (await isSameFile(otherFile, file))) return side;
  }
  return undefined;
}

function duplicateProblem(twin: KycSide): string {
  return `Esta imagem já está em “${kycSideNames[twin]}”. Escolha outra.`;
}
