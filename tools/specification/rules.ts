import { type Items, kept, otherwise } from './item.ts';

const asked = 'whoever is not signed in is asked to, and then stands where they wanted to go';

/** Who opens what. */
export const access: Items = {
  'guard-loading': kept(
    'while the session loads a spinner shows',
    'GuardSpinner, startApp',
    'a page that is loaded anew before it knew who was there signs nobody out',
  ),
  'guard-login': kept(
    'without a session one is led to /login, which remembers where from',
    'guard, originFrom',
    'without a session only the entrances open',
    asked,
  ),
  'guard-admin': kept(
    'a screen of administrators leads other roles to /dashboard',
    'guard',
    "an administrator's route opens to ADMIN alone; USER and SUPPORT go to the dashboard",
  ),
  'guard-signed-in': kept(
    'who is signed in and opens /login is led to /dashboard',
    'guard',
    'somebody signed in is sent from the entrances to the dashboard',
    asked,
  ),
  'role-unauthenticated': otherwise(
    'public pages are /login, /register, /docs',
    kept('without a session only those three', 'guard', 'without a session only the entrances open'),
  ),
  'role-user': kept(
    'a session opens every route but those of administrators',
    'guard',
    'somebody signed in is sent from the entrances to the dashboard',
  ),
  'role-admin': kept(
    'ADMIN lists and edits users, and decides on identity',
    'abilities',
    'administration is for administrators',
    'every endpoint answers every caller as it is stated',
  ),
  'role-support': otherwise(
    'nothing is said of what SUPPORT sees',
    kept(
      'SUPPORT is a role',
      'roles, SupportPage',
      'support sees users with what tells who they are masked, and finds them by the whole of it only',
    ),
  ),
  'role-server': kept(
    'the server holds the same limits',
    'server/src/http/mount.ts',
    'every endpoint answers every caller as it is stated',
  ),
  'role-bearer': kept(
    'a call of the session carries its token as bearer',
    'web/src/api/client.ts',
    'a call of the session carries the token as bearer, and fills path and query',
  ),
  'role-api-key': kept(
    'a payment made by API carries the key of its merchant in x-api-key',
    'web/src/api/client.ts, authenticateApiKey',
    "a merchant's key goes alone, and its 401 keeps the session",
    'says who its merchant is, and no other merchant',
  ),
  'role-unapproved': kept(
    'an account that is not approved has fewer features',
    'server/src/http/mount.ts',
    'an account that is not approved makes nothing that money comes or goes by',
  ),
  'role-withdraw': kept(
    'to withdraw takes an approved account and a PIN',
    'requestWithdrawal',
    'nobody without an approved account',
    'a PIN that is not set cannot be proven',
  ),
  'role-pin-prompt': kept(
    'only approved accounts are asked for a PIN',
    'DashboardPage',
    'an account that is not approved, or cannot withdraw, is asked for no PIN',
  ),
};

/** What a form takes, beside its texts. */
export const validation: Items = {
  'valid-login': kept('both fields are required', 'LoginForm', 'both fields are required'),
  'valid-login-token': kept(
    'an answer without a token is a failure',
    'signIn',
    'login-form › a sign-in that is answered without a token says so',
  ),
  'valid-username': kept(
    'username required',
    'registration',
    'a registration that does not hold says why at each field and loses nothing',
  ),
  'valid-name': kept('full name required, of two words', 'registration', '%j is refused with %j'),
  'valid-email': kept('e-mail required, with an @', 'registration', '%j is refused with %j'),
  'valid-email-domain': otherwise(
    'an e-mail contains @',
    kept('anything with an @ is an e-mail', 'newEmail', '%j is refused with %j'),
  ),
  'valid-password': kept('a password of 8 characters at least', 'newPassword', '%j is refused with %j'),
  'valid-password-common': otherwise(
    'eight characters make a password',
    kept(
      'any eight characters are a password',
      'server/src/identity/refuse-weak-password.ts',
      'a password that is refused is told at its field, without a dialog',
    ),
  ),
  'valid-confirmation': kept('the confirmation is the same', 'registrationProblems', '%j is refused with %j'),
  'valid-document': kept(
    'document required: CPF of 11 digits, CNPJ of 14',
    'documentProblem',
    '%j is refused with %j',
  ),
  'valid-document-letters': otherwise(
    'a CNPJ has digits only',
    kept('a CNPJ is 14 digits', 'isCnpj', 'a numeric and an alphanumeric CNPJ are accepted'),
  ),
  'valid-pin': kept(
    'to set a PIN: the password, four digits, the same again; the fields take digits only',
    'pinProblems, PinField',
    'an approved account without a PIN is asked for one, and defines it there',
    'the confirmation has to match',
  ),
  'valid-pin-simple': otherwise(
    'any four digits are a PIN',
    kept('any four digits', 'setPin', 'refuses two that differ, and those that everybody tries first'),
  ),
  'valid-avatar': otherwise(
    "GIF stands in the avatar's message",
    kept(
      'an avatar is a JPEG or PNG of 2 MB at most',
      'avatarProblem, AVATAR_MAX_BYTES',
      'a picture is a JPEG or PNG of at most 2 MB',
      'a picture is sent as it is chosen; what is none, or is too large, is refused before',
    ),
  ),
  'valid-pix': kept(
    'the amount of a PIX is valid and not below the minimum',
    'amountProblem',
    'the amount %j is refused under its field, and nothing is sent',
  ),
  'valid-pix-key': kept(
    'a PIX takes an API key',
    'PixPaymentPage, createPayment',
    'without an API key the form gives way to the way to one',
  ),
  'valid-withdraw-amount': kept(
    'the amount of a withdrawal is positive, not below the minimum, not above the balance',
    'withdrawalProblems',
    'the amount %j is refused under its field, and the key under its own',
  ),
  'valid-withdraw-key': kept(
    'a PIX key is required',
    'withdrawalProblems',
    'a key is required and has to be one of its type',
  ),
  'valid-withdraw-pin-set': kept(
    'a PIN has to be set, and known to be',
    'withdrawalProblems, PinState',
    'without a PIN it says so, refuses, and lets it be defined there',
    'while the PIN is checked it says so, and a check that failed can be tried again',
  ),
  'valid-withdraw-pin': kept(
    'the PIN is four digits; its field takes no others',
    'PinDialog, PinField',
    'fewer than four digits are not sent',
    'digits only are taken, four of them, typed or pasted, and the last is deleted first',
  ),
  'valid-kyc': otherwise(
    'three images of a document, and image files only',
    kept(
      'all three, and images',
      'DocumentsForm, verifyCpf',
      'nothing is sent while a picture is missing, and one that is taken out is missing again',
      'a file that is no picture, whatever its name says, is refused where it was chosen',
    ),
  ),
  'valid-kyc-reason': kept(
    'a rejection has a reason that is more than blanks',
    'RejectDialog',
    'a rejection needs a reason that is more than blanks, and sends it trimmed',
  ),
  'valid-admin-fees': otherwise(
    'fee fields step by 0.01',
    kept(
      'fees are numbers with a step of 0.01',
      'web/src/features/admin-users/user-draft.ts',
      'fees are numbers of at most two decimals, percentages end at 100, days are whole',
    ),
  ),
  'valid-admin-reserve': kept(
    'days until a reserve comes free are whole, and 0 at least',
    'taxes',
    'fees are numbers of at most two decimals, percentages end at 100, days are whole',
  ),
  'valid-public-api': kept(
    'a callback address is valid, and the body too',
    'createPayment',
    'whose body does not fit is refused with every field, the first one speaking',
    'is refused with the codes that its documentation names',
  ),
};

/** How it behaves, whatever the screen. */
export const behaviour: Items = {
  'money-format': kept(
    'amounts are BRL as in Brazil',
    'formatMoney',
    'an amount stands in Brazilian form and never breaks a line',
  ),
  'date-format': kept(
    'dates are dd/MM/yyyy HH:mm',
    'formatDateTime',
    'a moment is told in São Paulo, wherever the browser stands',
  ),
  'one-provider': otherwise(
    'a provider is a fixed address',
    kept(
      'all calls go to one address, as JSON; files as multipart',
      'web/src/api/client.ts',
      'files are uploaded as multipart with the session',
      'a build for another provider may call that provider and its channel',
    ),
  ),
  'cents-in-lists': kept(
    'amounts in lists of withdrawals are cents',
    'parseWithdrawals',
    'each withdrawal stands with date, amount, key with its type, and status',
  ),
  'cache-quiet': kept(
    'nothing is loaded again on focus, on coming back or on reconnecting, and nothing is tried again by itself',
    'queryClient',
    'what is loaded is not loaded again on focus, on reconnecting, or where it is drawn anew',
    'what failed is not tried again by itself',
  ),
  'no-timeout': kept(
    'a call has no time-out',
    'web/src/api/client.ts',
    'a call has no time after which it is given up',
  ),
  'feed-cancellable': kept(
    'the call for transactions can be cancelled, and is when one leaves',
    'web/src/api/queries.ts',
    'a call is cancelled when its screen is left',
  ),
  'channel-reconnects': kept(
    'the live channel is tried again five times at 3 s',
    'openLiveChannel, SOCKET_RECONNECT',
    'lost, it is tried 5 times and is then down; coming back to the page tries again and counts as regained',
  ),
  'channel-token': otherwise(
    "the session token stands in the socket's address",
    kept(
      'the live channel is opened with the token in its address',
      'liveAddress, livePath',
      'a provider without tickets gets the session token, as specified',
      'the session token opens the live channel too, as often as it is shown',
    ),
  ),
  'channel-messages': kept(
    'messages of type notification carry one, with title and body',
    'liveMessage',
    'every open screen of a merchant hears what changed, in every process, and nobody else does',
  ),
  'push-renewed': otherwise(
    'Firebase for push messages',
    kept(
      'a push token is registered anew after 7 days; a worker has 10 s to start; an installation’s token is renewed an hour before its end',
      'keepPush, REFRESH_MS, ACTIVATION_MS',
      'a device is registered anew after 7 days, and let go when somebody else signs in or signs out',
      'a service worker that is not active after 10 s is given up',
      'the token for a push service is kept, and renewed an hour before it ends',
    ),
  ),
  'key-detection': kept(
    'of a key without a type: 11 digits cpf, 14 cnpj, e-mail, phone, more than 20 characters random, else unknown',
    'detectPixKeyType',
    'the type of the key %s, called %s, is %s',
  ),
  'storage-keys': otherwise(
    '`user` is kept in browser storage',
    kept(
      'the session is kept in the browser under token and user',
      'web/src/session/storage.ts',
      'signing in keeps the token, and of the user only what the frame needs',
      asked,
    ),
  ),
};
