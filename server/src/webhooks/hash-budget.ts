const times = 600;
const characters = 4 * 1024 * 1024;

/**
 * Limits the hashing of one doctor call, whatever its input and number of secrets, because hashing blocks the event
 * loop. The returned function is false once the budget is spent.
 */
export function hashBudget(): (content: string) => boolean {
  let [timesLeft, charactersLeft] = [times, characters];
  return ({ length }) => {
    timesLeft -= 1;
    charactersLeft -= length;
    return timesLeft >= 0 && charactersLeft >= 0;
  };
}
