/**
 * Makes `Date` in a page run ahead of the machine's clock, so that the tests can run as if at another date. Other
 * programs are started with a moved clock, but a browser keeps the machine's clock.
 */
export function movePageClock(offsetMs: number): void {
  const RealDate = Date;
  const now = () => RealDate.now() + offsetMs;
  // Only `new Date()`, `Date()` and `Date.now()` read the clock.
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}
