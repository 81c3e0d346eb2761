export { brCodeAmountToCents, centsToPixAmount, pixAmountToCents } from './amount.ts';
export type { BrCode, BrCodeIssue, DynamicBrCode, RecurrenceBrCode, StaticBrCode } from './br-code.ts';
export {
  addDays,
  businessDaysBetween,
  daysBetween,
  isBusinessDay,
  rollToBusinessDay,
} from './business-day.ts';
export { crc16 } from './crc16.ts';
export { decodeBrCode } from './decode-br-code.ts';
export {
  formatCnpj,
  formatCpf,
  formatDocument,
  isCnpj,
  isCpf,
  maskDocument,
  normalizeDocument,
} from './document.ts';
export {
  type AmountOrPercent,
  type DueAmount,
  type DueAmountParts,
  type DueTerms,
  dueDatesOf,
  dueDaysOf,
  type EarlyDiscount,
  type LateInterest,
  predictDueAmount,
  withSum,
} from './due-amount.ts';
export {
  type DynamicBrCodeInput,
  encodeDynamicBrCode,
  encodeRecurrenceBrCode,
  encodeStaticBrCode,
  type RecurrenceBrCodeInput,
  type StaticBrCodeInput,
} from './encode-br-code.ts';
export { foldToAscii } from './fold-to-ascii.ts';
export {
  formatEndToEndId,
  formatReturnId,
  isChargeTxid,
  isEndToEndId,
  isRecurrenceId,
  isReturnId,
  isStaticTxid,
  isTxid,
  type PixIdParts,
  parseEndToEndId,
} from './identifiers.ts';
export {
  detectPixKeyType,
  formatPixKey,
  isCanonicalPixKey,
  PIX_KEY_TYPES,
  type PixKeyType,
  parsePixKey,
} from './pix-key.ts';
export { PixRefusal, type PixRefusalCode } from './pix-refusal.ts';
