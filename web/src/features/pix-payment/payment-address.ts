/** The screen's address state: the charge shown, or none for the form. */
type PaymentAddress = { id?: string };

/** Reads the address. An invalid id is dropped, and the form opens. */
export function paymentAddressFrom(address: Record<string, unknown>): PaymentAddress {
  const id = address['id'];
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? { id } : {};
}
