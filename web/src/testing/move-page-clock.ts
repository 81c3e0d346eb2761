/**
 * Makes `Date` in a page run ahead of the machine's clock, so that the tests can run as if at another date. Other
 * programs are started with a moved clock, but a browser keeps the machine's clock.
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
