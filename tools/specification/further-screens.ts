import { type Items, kept, otherwise } from './item.ts';

export const withdrawals: Items = {
  'withdraw-amount': otherwise(
    'fee fields step by 0.01',
    kept(
      'the amount is a number field with least 5 and step 0.01',
      'WithdrawalForm, MoneyField',
      'the amount %j is refused under its field, and the key under its own',
    ),
  ),
  'withdraw-key-types': otherwise(
    'key types cpf, e-mail, phone, random, told apart by length',
    kept(
      'the type of key is chosen: cpf, which comes first, e-mail, phone, random',
      'PixKeyFields, pixKeyTypes',
      'cpf comes first, and each type writes its key as people know it',
    ),
  ),
  'withdraw-key': kept('the key as text', 'PixKeyFields', 'a key is required and has to be one of its type'),
  'withdraw-shows': kept(
    'the available balance and the fee of a withdrawal',
    'WithdrawalSummary',
    'fee and net of the amount typed stand beside it, by the account’s own terms',
  ),
  'withdraw-pin-dialog': kept(
    'sending opens a dialog for the PIN: four digits, masked with a toggle, digits only, Cancelar and Confirmar',
    'PinDialog, PinField',
    'fewer than four digits are not sent',
    'digits only are taken, four of them, typed or pasted, and the last is deleted first',
    'it is masked until it is shown',
  ),
  'withdraw-success': kept(
    'then a dialog of success, with OK',
    'OutcomeDialog',
    'a withdrawal is asked for with its PIN and a key of its intent, and told as taken',
  ),
  'withdraw-error': kept(
    'or a dialog of error, with Fechar',
    'OutcomeDialog',
    'a wrong PIN is told in the error modal, and closing it asks for the PIN again',
  ),
  'withdraw-pin-hints': kept(
    'under the button: that the PIN is set on the Dashboard, or that its check failed',
    'PinState',
    'without a PIN it says so, refuses, and lets it be defined there',
    'while the PIN is checked it says so, and a check that failed can be tried again',
  ),
};

export const history: Items = {
  'history-filter': kept(
    'a filter: all, pending, processing, completed, failed',
    'WithdrawalHistoryPage',
    'a status narrows the list, from the first page on, and stands in the address',
    'on a phone the list is one panel, and the filter a select',
  ),
  'history-refresh': kept(
    'a button that loads it anew',
    'WithdrawalHistoryPage',
    'a refresh loads the list anew; one that fails keeps what stands and says so',
  ),
  'history-table': kept(
    'a table with date, amount, key with its type, status and details',
    'WithdrawalsTable',
    'each withdrawal stands with date, amount, key with its type, and status',
  ),
  'history-pages': kept('pages, one back and one on', 'WithdrawalHistoryPage', 'pages are turned one by one'),
  'history-empty': kept(
    'a sentence when there is none',
    'WithdrawalHistoryPage',
    'nothing yet leads to the first withdrawal, but not an account that may not ask for one',
  ),
  'history-detail': kept(
    'a detail: id, amount, key, type, status, when it was made and, if it was, completed',
    'WithdrawalDetail',
    'the detail tells everything, and Atualizar asks for that withdrawal again',
  ),
  'history-detail-error': kept(
    'a box in it says why it failed',
    'WithdrawalDetail',
    'why one failed stands in a box of its own',
  ),
  'history-detail-refresh': kept(
    'it is closed, and that withdrawal loaded anew',
    'WithdrawalDetail',
    'the detail tells everything, and Atualizar asks for that withdrawal again',
  ),
  'history-retry': kept(
    'what could not be loaded can be tried again',
    'WithdrawalHistoryPage, ErrorState',
    'withdrawal-history.browser › a list that cannot be loaded says whether the server answered, and can be tried again',
  ),
};

export const identity: Items = {
  'kyc-pictures': kept(
    'three images: front, back, selfie with the document; each is shown and can be removed',
    'DocumentsForm, PictureField',
    'three pictures are shown before they are sent, and sent together under their names',
    'nothing is sent while a picture is missing, and one that is taken out is missing again',
  ),
  'kyc-sent': kept(
    'sent, it says so, and that the team looks at them',
    'KycVerificationPage',
    'three pictures are shown before they are sent, and sent together under their names',
  ),
  'kyc-company': kept(
    'who has a CNPJ is told to send documents to the provider’s address by e-mail; closing leads to /',
    'CompanyNotice',
    'a company sends its documents to the address that the gateway names; closing returns to the start',
  ),
  'kyc-company-by-length': kept(
    'so is whoever has a document of 14 characters',
    'KycVerificationPage',
    'a document of 14 characters is a company too, and without a named address it asks the operator',
  ),
};

export const administration: Items = {
  'admin-kyc-table': kept(
    'who waits: name, e-mail, document with its type, a badge, the date of sending',
    'AdminKycPage',
    'who waits stands with document, date and status, oldest first',
  ),
  'admin-kyc-actions': kept(
    'view, approve, reject',
    'AdminKycPage',
    'an approval from the list is asked for once more',
    'an approval names the submission that was seen, and the list is loaded anew',
    'a rejection needs a reason that is more than blanks, and sends it trimmed',
  ),
  'admin-kyc-view': otherwise(
    'images of documents in base64 in the pending list',
    kept(
      'a dialog with the person and the three images',
      'adminKycPicture, PictureDialog',
      'a picture is asked for only when it is enlarged; it can be brought closer and turned',
    ),
  ),
  'admin-kyc-carousel': kept(
    'under 768 px the images are a carousel, else a grid',
    'AdminKycPage',
    'on a phone the pictures are a carousel in a sheet',
  ),
  'admin-kyc-reject': kept(
    'a dialog of rejection with a reason that is required',
    'AdminKycPage',
    'a rejection needs a reason that is more than blanks, and sends it trimmed',
  ),
  'admin-users-search': kept(
    'a search by name, username, e-mail or document',
    'AdminUsersPage, UsersList',
    'the server searches once the typing pauses, from the first page on, and the search stands in the address',
    'by any part of name, username, e-mail or document, without regard to accents and case',
  ),
  'admin-users-table': kept(
    'a table: username, name, e-mail, document, balance, two badges, date',
    'UsersList',
    'each user stands with document, balance, standing and date',
  ),
  'admin-users-columns': kept(
    'under 768 px some columns are left out',
    'UsersList',
    'on a phone the users are a list that shows less of each',
  ),
  'admin-users-edit': kept(
    'a dialog for every field: role, balance, approval, API, fees',
    'UserDialog',
    'fees and approval are saved as a whole user of the version that was opened, and the balance stays out',
    'changes the allowed fields, and of the rest nothing',
  ),
  'admin-users-balance': otherwise(
    'an administrator types a balance',
    kept(
      'the balance is one of the fields',
      'UserDialog',
      'a changed balance is an adjustment with a reason; a lost answer is asked for again under the same key',
    ),
  ),
};
