import { type KycSide, kycSides } from '@jangada/contract';
import { useEffect, useRef, useState } from 'react';
import { kycSideNames } from '../../format/kyc-side.ts';
import { fileProblem, forget, isSameFile, type Pictures, pictureFrom } from './picture.ts';

type Chosen = Readonly<Partial<Record<KycSide, File>>>;
/** Why the file that was last chosen for a side was refused. `twin` is the side that has the same file. */
type Refusal = { readonly problem: string; readonly twin?: KycSide };
type Choice = {
  readonly pictures: Pictures;
  readonly refusals: Readonly<Partial<Record<KycSide, Refusal>>>;
};

/** The three pictures while they are being chosen. A file that is refused leaves only the reason behind. */
export function usePictures() {
  const [choice, setChoice] = useState<Choice>({ pictures: {}, refusals: {} });
  const kept = useRef(choice.pictures);
  kept.current = choice.pictures;
  /** The last file of each side, but for refused ones: one that takes longer to be read comes too late. */
  const chosen = useRef<Chosen>({});
  useEffect(
    () => () => {
      chosen.current = {};
      Object.values(kept.current).forEach(forget);
    },
    [],
  );

  /** Empties a side, with what was refused elsewhere because of it. */
  const empty = (side: KycSide, refusal?: Refusal) => {
    chosen.current = without(chosen.current, side);
    forget(kept.current[side]);
    setChoice((before) => emptied(before, side, refusal));
  };
  return {
    pictures: choice.pictures,
    problemOf: (side: KycSide) => choice.refusals[side]?.problem,
    async put(side: KycSide, file: File) {
      const others = without(chosen.current, side);
      chosen.current = { ...others, [side]: file };
      const problem = await fileProblem(file);
      const twin = problem === undefined ? await twinOf(others, file) : undefined;
      if (chosen.current[side] !== file) return;
      if (problem !== undefined) return empty(side, { problem });
      if (twin !== undefined && chosen.current[twin] === others[twin])
        return empty(side, { problem: sameProblem(twin), twin });
      const picture = pictureFrom(file);
      forget(kept.current[side]);
      setChoice((before) => {
        const { pictures, refusals } = emptied(before, side);
        return { pictures: { ...pictures, [side]: picture }, refusals };
      });
    },
    /** Refuses a picture that could not be opened, or is too small. */
    refuse: (side: KycSide, problem: string) => empty(side, { problem }),
    remove: (side: KycSide) => empty(side),
  };
}

function emptied({ pictures, refusals }: Choice, side: KycSide, refusal?: Refusal): Choice {
  const others = kycSides.filter((other) => other !== side && refusals[other]?.twin !== side);
  const kept = Object.fromEntries(others.map((other) => [other, refusals[other]]));
  return { pictures: without(pictures, side), refusals: refusal ? { ...kept, [side]: refusal } : kept };
}

function without<T extends object>(values: T, side: keyof T): T {
  const { [side]: _, ...others } = values;
  return others as T;
}

/** The side for which the same file was chosen already. */
async function twinOf(others: Chosen, file: File): Promise<KycSide | undefined> {
  for (const side of kycSides) {
    const other = others[side];
    if (other !== undefined && (await isSameFile(other, file))) return side;
  }
  return undefined;
}

function sameProblem(twin: KycSide): string {
  return `Esta imagem já está em “${kycSideNames[twin]}”. Escolha outra.`;
}
