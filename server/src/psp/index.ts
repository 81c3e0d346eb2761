export type { BankCharge, BankReceivedPix, ChargeOrder, PixCharges } from './psp.ts';
export { PspRefused, PspUnknown } from './psp.ts';
