/** Replaces an amount that is hidden on purpose. */
export function HiddenAmount() {
  return (
    <>
      <span aria-hidden="true">R$ ••••</span>
      <span className="sr-only">escondido</span>
    </>
  );
}
