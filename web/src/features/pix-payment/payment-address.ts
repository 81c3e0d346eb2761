/** What the address of the screen says: the charge on show, or none for the form. */
type PaymentAddress = { id?: string };

/** Reads the address. What is no id is left out: the form opens. */
export function paymentAddressFrom(address: Record<string, unknown>): PaymentAddress {
  const id = address['id'];
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? { id } : {};
}
