/** A call of the specification: held against the contract's endpoint of that method and path. */
export type SpecifiedCall = {
  /** Method and path below the address of the API. */
  readonly call: string;
  readonly does: string;
  /** Fields of the body, of the query, and of the multipart form. */
  readonly sends?: readonly string[];
  readonly asks?: readonly string[];
  readonly uploads?: readonly string[];
  /** Fields of the answer; `a.b` within one, `a[].b` within each of a list. */
  readonly answers: readonly string[];
  readonly by: readonly string[];
  readonly departs?: string;
};

const anew = 'a person registers, is shown their account, signs out, and signs in again';
const wallet = 'the wallet says the same in both shapes, and of nobody else’s money';

export const calls: readonly SpecifiedCall[] = [
  { call: 'POST /login', does: 'signs in', sends: ['username', 'password'], answers: ['token'], by: [anew] },
  {
    call: 'POST /register',
    does: 'opens an account; an answer without token or user is a failure',
    sends: ['username', 'name', 'password', 'email', 'document', 'doctype'],
    answers: ['token', 'user'],
    by: [anew, 'a registration signs in, and one without token or user is refused with its sentence'],
    departs: '`POST /register`',
  },
  { call: 'GET /authed/profile', does: 'the account', answers: ['user'], by: [anew] },
  {
    call: 'GET /authed/check-withdrawal-pin',
    does: 'whether there is a PIN',
    answers: ['has_pin'],
    by: ['takes the present password, and the first one may be used at once'],
    departs: '`GET /authed/check-withdrawal-pin` answers `{has_pin}`',
  },
  {
    call: 'POST /authed/set-withdrawal-pin',
    does: 'sets the PIN',
    sends: ['current_password', 'new_pin', 'confirm_pin'],
    answers: ['success', 'message'],
    by: ['takes the present password, and the first one may be used at once'],
    departs: '`POST /authed/withdraw`, `POST /authed/set-withdrawal-pin` answer success or a message',
  },
  {
    call: 'GET /authed/apikey',
    does: 'whether there is a key, and the key',
    answers: ['hasKey', 'active', 'key'],
    by: ['shows a merchant the own key only, and says when there is none'],
    departs: '`GET /authed/apikey` answers `{hasKey, active, key}`',
  },
  {
    call: 'POST /authed/apikey',
    does: 'generates a key',
    answers: ['apiKey', 'active'],
    by: ['of five generated at once one works'],
    departs: 'generating an API key',
  },
  {
    call: 'DELETE /authed/apikey',
    does: 'revokes it',
    answers: [],
    by: ['stops at once when another is generated, and when it is revoked'],
  },
  {
    call: 'GET /authed/feed/transactions',
    does: 'the list of transactions',
    asks: ['offset', 'limit', 'status'],
    answers: ['data', 'transactions', 'total'],
    by: ['gives any page of any filter as the whole list has it, newest first'],
    departs: 'the feed takes `offset`, `limit`, `status`',
  },
  {
    call: 'GET /authed/wallet/stats',
    does: 'figures of the wallet, in both shapes',
    answers: ['total_earned', 'data.stats', 'data.summary'],
    by: [wallet],
    departs: 'wallet figures come flat or nested',
  },
  { call: 'GET /authed/user/taxes', does: 'the fees', answers: ['success', 'data'], by: [anew] },
  {
    call: 'POST /authed/user/avatar',
    does: 'another avatar',
    uploads: ['avatar'],
    answers: ['success'],
    by: ['a picture becomes 256 pixels of WebP under an address of its own, which anybody may keep for ever'],
  },
  {
    call: 'POST /authed/notifications/register',
    does: 'registers a device for push',
    sends: ['token'],
    answers: [],
    by: [
      'a payment is pushed to every device, enciphered for each, signed by the gateway, and shown in the profile',
    ],
  },
  {
    call: 'GET /authed/out-fees',
    does: 'the fee of a withdrawal',
    answers: ['outFee'],
    by: ['is charged by the terms of the account, at this moment'],
    departs: '`GET /authed/out-fees`',
  },
  {
    call: 'POST /authed/withdraw',
    does: 'asks for a withdrawal',
    sends: ['amount', 'pixKey', 'pix_key_type', 'withdrawal_pin'],
    answers: ['success', 'message'],
    by: ['holds its amount, fee included, and says what the key will receive'],
    departs: '`POST /authed/withdraw`, `POST /authed/set-withdrawal-pin` answer success or a message',
  },
  {
    call: 'GET /authed/withdrawals',
    does: 'the list of withdrawals',
    asks: ['page', 'pageSize', 'status'],
    answers: ['withdrawals', 'total', 'limit'],
    by: ['is found by its owner alone'],
  },
  {
    call: 'GET /authed/withdrawals/{id}',
    does: 'one withdrawal',
    answers: ['id', 'status', 'amount'],
    by: ['is found by its owner alone'],
    departs: "a withdrawal's detail has amount, key, dates, error",
  },
  {
    call: 'POST /authed/verify/cpf',
    does: 'sends documents of identity',
    uploads: ['document_front', 'document_back', 'selfie'],
    answers: ['success'],
    by: ['wait, are rejected with a reason, are sent again and approve the account'],
  },
  {
    call: 'GET /admin/users/pending-kyc',
    does: 'verifications that wait',
    answers: ['items'],
    by: ['see what waits, oldest first, with thumbnails that a list can hold'],
  },
  {
    call: 'POST /admin/users/kyc/accept/{userId}',
    does: 'approves one',
    answers: [],
    by: ['wait, are rejected with a reason, are sent again and approve the account'],
  },
  {
    call: 'POST /admin/users/kyc/reject/{userId}',
    does: 'rejects one',
    sends: ['reason'],
    answers: [],
    by: ['wait, are rejected with a reason, are sent again and approve the account'],
  },
  {
    call: 'GET /admin/user/basics',
    does: 'the list of users',
    answers: ['users'],
    by: ['shows the newest first, page by page, and never the platform'],
    departs: '`GET /admin/user/basics` lists all users',
  },
  {
    call: 'GET /admin/users/{id}',
    does: 'one user',
    answers: ['user'],
    by: ['answers like what does not exist, whoever asks and however'],
  },
  {
    call: 'PUT /admin/users/{id}',
    does: 'changes one, from the whole of it',
    sends: ['name', 'email', 'role', 'approved', 'apiActive', 'balance', 'taxes'],
    answers: ['user'],
    by: ['changes the allowed fields, and of the rest nothing'],
    departs: '`PUT /admin/users/{id}` takes the whole object',
  },
  {
    call: 'POST /pix/new',
    does: 'creates a payment, with the API key',
    sends: ['amount', 'expiresIn', 'expires_in', 'callback_url', 'callback'],
    answers: ['id', 'text', 'content', 'image'],
    by: ['an integrator creates a charge with a key and hears of its payment by a signed webhook'],
    departs: '`POST /pix/new` answers `{id, text or content, image}`',
  },
  {
    call: 'GET /pix/status/{id}',
    does: 'how a payment stands',
    answers: ['id', 'status', 'amount', 'created_at'],
    by: ['a charge of one merchant is nobody else’s'],
    departs: "a payment's status has `{id, status, amount, created_at}`",
  },
  {
    call: 'POST /withdraw',
    does: 'asks for a withdrawal, with the API key',
    sends: ['amount', 'pixKey', 'keyType', 'callbackUrl'],
    answers: ['message', 'withdrawal_id', 'amount', 'fee', 'status'],
    by: [
      'goes to saved destinations alone, in integer cents',
      'takes the names that the specification has for its fields',
    ],
    departs: '`POST /withdraw` answers `{message, withdrawal_id, amount, fee, status}`',
  },
];
