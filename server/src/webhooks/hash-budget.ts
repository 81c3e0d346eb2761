const times = 600;
const characters = 4 * 1024 * 1024;

/**
 * How much a question to the doctor may have hashed, whatever came and however many secrets there are: nothing else is
 * answered meanwhile. False: it is spent.
 */
export function hashBudget(): (content: string) => boolean {
  let [timesLeft, charactersLeft] = [times, characters];
  return ({ length }) => {
    timesLeft -= 1;
    charactersLeft -= length;
    return timesLeft >= 0 && charactersLeft >= 0;
  };
}
