export { DEFAULT_ACCOUNT, DEFAULT_CLIENT, type SandboxAccount } from './account.ts';
export {
  type Behaviour,
  SPECIAL_AMOUNTS,
  SPECIAL_PAYEE_KEYS,
  SPECIAL_PAYOUT_AMOUNTS,
  SPECIAL_REFUND_AMOUNTS,
} from './behaviour.ts';
export type { PaymentReceipt } from './make-payment.ts';
export { type RunningSandbox, type SandboxOptions, startSandbox } from './start-sandbox.ts';
