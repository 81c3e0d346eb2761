const STATUS = {
  INVALID_REQUEST: 400,
  INVALID_CODE: 400,
  INVALID_AMOUNT: 400,
  AMOUNT_REQUIRED: 400,
  UNSUPPORTED_CODE: 422,
  FOREIGN_CODE: 422,
  AMOUNT_MISMATCH: 422,
  AMOUNT_EXCEEDED: 422,
  INSUFFICIENT_FUNDS: 422,
  KEY_NOT_FOUND: 404,
  CHARGE_NOT_FOUND: 404,
  NOT_FOUND: 404,
  CHARGE_PAID: 409,
  CHARGE_EXPIRED: 409,
  CHARGE_REMOVED: 409,
  DISPUTE_OPEN: 409,
  DISPUTE_CLOSED: 409,
  FORBIDDEN_ORIGIN: 403,
  UNSUPPORTED_MEDIA_TYPE: 415,
  INTERNAL_ERROR: 500,
} as const;

export type RefusalCode = keyof typeof STATUS;

/** An expected refusal for a payer or a test; the message is Portuguese and fit to show. */
export class SandboxRefusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }

  get status(): number {
    return STATUS[this.code];
  }

  get body(): { success: false; error: { code: RefusalCode; message: string } } {
    return { success: false, error: { code: this.code, message: this.message } };
  }
}
