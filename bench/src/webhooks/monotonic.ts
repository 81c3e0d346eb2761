/** Milliseconds of the machine's steady clock: those of two processes can be subtracted. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
