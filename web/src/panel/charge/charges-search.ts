const tabs = ['batches', 'import', 'held', 'rules'] as const;
export type ChargesTab = (typeof tabs)[number];

/** What is shown at the address of *Cobranças* instead of the list of charges, and which item of it is open. */
export type ChargesSearch = { tab: ChargesTab; id?: string; state?: string };

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Reads it from the parameters of a URL; undefined for the list of charges. */
export function chargesSearchFrom(urlParams: Record<string, unknown>): ChargesSearch | undefined {
  const tab = tabs.find((name) => name === urlParams['tab']);
  const { id, state } = urlParams;
  return (
    tab && {
      tab,
      ...(typeof id === 'string' && uuid.test(id) && { id: id.toLowerCase() }),
      ...(typeof state === 'string' && /^[a-z]{1,20}$/.test(state) && { state }),
    }
  );
}
