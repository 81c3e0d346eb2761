/**
 * Has a page read a time that lies ahead of the machine's. Tests at another moment move the clock of programs, and a browser
 * does not run under a moved one.
 */
export function movePageClock(offsetMs: number): void {
  const Real = Date;
  const now = () => Real.now() + offsetMs;
  globalThis.Date = new Proxy(Real, {
    construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [now()] : args, self),
    apply: () => new Real(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}
