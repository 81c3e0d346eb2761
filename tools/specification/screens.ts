import { type Items, kept, otherwise } from './item.ts';

const frame = 'panel-layout';

/** The frame of every screen for people who are signed in. */
export const layout: Items = {
  'layout-sidebar': kept(
    'on large screens a fixed sidebar, 64 units wide',
    'PanelLayout',
    `${frame} › on a large screen the menu is a sidebar of 64 units, and each group opens and closes`,
  ),
  'layout-drawer': kept(
    'on small screens a drawer that slides in, 60 units wide and at most 80 % of the viewport, over a dimmed page',
    'Drawer, PanelLayout, web/src/theme/parts.css',
    'it covers at most 80 % of the viewport and locks the page behind it',
    'the menu slides in over a page that stands still, and goes by a tap beside it, Esc and a choice',
    `${frame} › on a small screen the menu is a drawer of 60 units, which a change of route closes`,
  ),
  'layout-drawer-closes': kept(
    'the drawer closes on a change of route and by a tap on the overlay',
    'PanelLayout, Drawer',
    `${frame} › on a small screen the menu is a drawer of 60 units, which a change of route closes`,
    'a tap on the overlay closes it, one inside does not',
  ),
  'layout-scroll-lock': kept(
    'the page does not scroll while the drawer is open',
    'Drawer, web/src/theme/base.css',
    'it covers at most 80 % of the viewport and locks the page behind it',
    'the menu slides in over a page that stands still, and goes by a tap beside it, Esc and a choice',
  ),
  'layout-groups': kept(
    'the groups of the sidebar fold, and begin open',
    'SidebarContent, groupsFor',
    `${frame} › on a large screen the menu is a sidebar of 64 units, and each group opens and closes`,
  ),
  'layout-management': kept(
    'the group of administration, with users and KYC, is shown to ADMIN alone',
    'groupsFor, allowsRole',
    `${frame} › Gerenciamento is shown to ADMIN alone`,
  ),
  'layout-sign-out': otherwise(
    '*Sair* in the sidebar does nothing',
    kept(
      'a way out at the foot of the sidebar',
      'SidebarContent, signOut',
      'Sair in the sidebar and in the account menu ends the session here and at the gateway',
    ),
  ),
  'layout-menu-toggle': kept(
    'a toggle of the menu in the top bar of small screens',
    'TopBar',
    `${frame} › on a small screen the menu is a drawer of 60 units, which a change of route closes`,
  ),
  'layout-balance': kept(
    'the balance in the top bar, in BRL; 0 when there is none',
    'TopBar, formatMoney',
    `${frame} › the balance stands in the top bar, and is R$ 0,00 until it is known`,
  ),
  'layout-avatar-menu': kept(
    'the avatar opens a menu by hovering, with the profile and the way out',
    'AccountMenu, Menu',
    'it opens while the mouse is over it and closes when it leaves',
    `${frame} › the avatar opens its menu, and without a picture the initials stand for one`,
  ),
  'layout-placeholder': otherwise(
    'a placeholder image when there is no avatar',
    kept(
      'without an avatar something stands in its place',
      'Avatar, initials',
      `${frame} › the avatar opens its menu, and without a picture the initials stand for one`,
    ),
  ),
  'layout-shadow': kept(
    'the top bar gains a shadow beyond 10 pixels of scrolling',
    'TopBar, useScrolled',
    `${frame} › the top bar has a shadow once the page is scrolled by more than 10 px`,
  ),
  'layout-theme': kept(
    'the root element names its theme: corporate, unless another is chosen',
    'setTheme, web/src/first-paint.ts',
    'the dark theme is remembered, and nothing light is painted before it',
  ),
  'layout-banner': kept(
    'who is not approved sees a banner, with a button that leads to /kyc-verification',
    'VerificationBanner',
    `${frame} › who is not approved is led to the verification by a banner`,
    'somebody opens an account, is rejected with a reason, sends documents again, is approved, and hears of it',
  ),
  'layout-banner-states': otherwise(
    "the banner says 'Verificação Pendente' until the account is approved",
    kept(
      'the banner says so for as long as approval is missing',
      'VerificationBanner',
      'somebody opens an account, is rejected with a reason, sends documents again, is approved, and hears of it',
    ),
  ),
};

export const entrances: Items = {
  'login-fields': kept(
    'username and password, with a toggle that shows it',
    'LoginForm, PasswordField',
    'the password is shown and hidden',
  ),
  'login-register-link': kept(
    'a link to the registration',
    'LoginForm',
    'the way to a new account is a link',
  ),
  'login-success': kept(
    'on success a toast for 2 s, then the dashboard',
    'LoginForm, WELCOME_MS',
    'who has signed in is welcomed for 2 s, and then goes on',
    'whoever is not signed in is asked to, and then stands where they wanted to go',
  ),
  'register-fields': kept(
    'username, full name, e-mail, type of document, document, password and its confirmation',
    'RegisterForm',
    'a registration that does not hold says why at each field and loses nothing',
  ),
  'register-mask': kept(
    'the document is masked while it is typed',
    'RegisterForm, maskDocument',
    'a CPF is masked as it is typed and takes no more than its digits',
  ),
  'register-type-clears': kept(
    'another type of document clears it',
    'RegisterForm',
    'changing the type of document clears it',
  ),
  'register-failure': kept(
    'a failure opens a dialog, with the server’s message and its code',
    'RegistrationFailureDialog',
    'a failure opens its dialog; behind it everything typed is still there',
    'a registration that does not hold says why at each field and loses nothing',
  ),
  'register-password-refused': otherwise(
    "failures of a registration open 'Erro no Registro'",
    kept(
      'every failure opens the dialog',
      'RegisterForm',
      'a password that is refused is told at its field, without a dialog',
    ),
  ),
};

export const overview: Items = {
  'dashboard-for-staff': otherwise(
    "/dashboard is the merchant's overview for everybody",
    kept(
      '/dashboard is the overview, whoever comes',
      'DashboardRoute',
      'an administrator begins with what waits, and each of it leads there',
    ),
  ),
  'dashboard-welcome': kept(
    'a welcome with the first name',
    'DashboardPage, firstName',
    'the overview greets by first name and says what came in today',
  ),
  'dashboard-refresh': kept(
    'a button that loads it anew',
    'DashboardPage, RefreshButton',
    'a PIN that could not be checked is told of, and a refresh asks again',
    'dashboard.browser › a refresh that fails keeps what stands and says so',
  ),
  'dashboard-pin-missing': kept(
    'an approved account without a PIN is asked to define one',
    'PinNotice',
    'an approved account without a PIN is asked for one, and defines it there',
    'an account that is not approved, or cannot withdraw, is asked for no PIN',
  ),
  'dashboard-pin-unknown': kept(
    'a check of the PIN that failed is told',
    'PinNotice',
    'a PIN that could not be checked is told of, and a refresh asks again',
  ),
  'dashboard-key-card': kept(
    'a card with the state of the API key',
    'ApiKeyCard',
    'the card on the overview tells how the key is, and leads to its page',
  ),
  'dashboard-figures': kept(
    'four figures: gross revenue, paid, pending, failed or expired',
    'FiguresRow, figuresOf',
    'the four figures stand with their shares',
    'expired, refunded and broken charges count as failed',
  ),
  'dashboard-recent': kept(
    'the five newest transactions, with short id, status, amount and date',
    'RecentTransactions, shortId',
    'the newest transactions stand with short id, status, amount and date',
  ),
  'dashboard-pin-dialog': kept(
    'a dialog that defines the PIN',
    'SetPinDialog',
    'an approved account without a PIN is asked for one, and defines it there',
  ),
};

export const apiKeys: Items = {
  'keys-generate': kept('generate a key', 'ApiKeysPage', 'a new key is shown once, in a dialog'),
  'keys-show': kept(
    'show and hide it',
    'KeyWell',
    'a key that the server gives is shown and copied without a password',
    'showing the key asks for the password, and a wrong one stays in the dialog',
  ),
  'keys-password': otherwise(
    'the API key is shown whenever it is asked for',
    kept(
      'whoever is signed in sees the key',
      'ApiKeysPage, revealApiKey',
      'showing the key asks for the password, and a wrong one stays in the dialog',
    ),
  ),
  'keys-copy': kept('copy it', 'KeyWell', 'copying the key without the password asks for it first'),
  'keys-revoke': kept('revoke it', 'ApiKeysPage', 'revoking asks first, and takes effect at once'),
  'keys-new-once': kept(
    'a new key is shown in a dialog, once',
    'ShownKeyDialog',
    'a new key is shown once, in a dialog',
  ),
  'keys-header': kept(
    'how the header X-API-Key is sent',
    'HeaderExample',
    'how the key is sent is explained by its header',
  ),
};

export const transactions: Items = {
  'transactions-filter': kept(
    'a filter: all, paid, pending',
    'TransactionsPage, SegmentedControl',
    'status, page and search live in the address',
  ),
  'transactions-table': kept(
    'a table with id, date, net, gross, status and details',
    'TransactionsTable',
    'ten a page, newest first, with what was credited only where money came',
  ),
  'transactions-pages': kept(
    'numbered pages of ten',
    'Pagination, feedQueryOf',
    'ten a page, newest first, with what was credited only where money came',
    'numbers and arrows turn the page, and the ends have nowhere to go',
  ),
  'transactions-detail': kept(
    'a detail with the content of the QR code',
    'TransactionDetail',
    'the detail carries the content of the QR code, and closing gives the list back',
  ),
  'transactions-refund': otherwise(
    'the refund button only says that refunds do not exist',
    kept(
      'the button of a refund says that there are none',
      'TransactionDetail, RefundDialog',
      'where the bank cannot refund, Estornar only reports that',
      'a merchant gives a part of a payment back, then the rest, and sees both arrive',
    ),
  ),
  'pix-form': kept(
    'a form with amount and lifetime',
    'PaymentForm',
    'a charge is asked for with its lifetime and a key of its intent, and the address keeps it',
  ),
  'pix-result': kept(
    'then the code to be copied and the QR image',
    'ChargeResult',
    'a charge is found again by its address alone, with its code and its time',
    'the code is copied whole',
  ),
  'pix-without-key': kept(
    'without an API key the way to the page of keys',
    'PixPaymentPage',
    'without an API key the form gives way to the way to one',
  ),
};

const docs =
  'the documentation has every part: how to authenticate, calls, samples, webhooks, HTTP codes, statuses, practices, notes';

export const documentation: Items = {
  'docs-authentication': kept(
    'authentication by the header X-API-Key, and where the key comes from',
    'authentication',
    docs,
  ),
  'docs-payment-calls': kept('the calls for a new payment and its status', 'printDocs', docs),
  'docs-withdrawal-call': kept('the call for a withdrawal', 'printDocs', docs),
  'docs-samples': kept(
    'samples of code',
    'printSamples',
    'every call that a key may make is documented, with its samples in four languages',
  ),
  'docs-webhooks': kept(
    'the bodies of webhooks',
    'webhooksGuide',
    'every webhook body that is shown is one that is sent',
  ),
  'docs-codes': kept('HTTP codes', 'printDocs', docs),
  'docs-statuses': kept('tables of statuses', 'printDocs', docs),
  'docs-practices': kept('best practices and notes', 'closing', docs),
  'docs-copy': kept(
    'buttons that copy',
    'web/src/features/api-docs/enhance-docs.ts',
    'on a %s the documentation is reached from the sign-in, copied from, and read in both themes',
  ),
  'docs-both': kept(
    'the same in the panel and in public',
    'ApiDocsPage, printDocs',
    'on a %s the panel shows the same, its samples filled in with the merchant’s own key',
  ),
};

const account = 'who the account is, what it may and what it pays stand there';

export const profile: Items = {
  'profile-avatar': kept(
    'the avatar is uploaded',
    'Identity, useAvatar',
    'a picture is sent as it is chosen; what is none, or is too large, is refused before',
  ),
  'profile-badges': kept('badges of verification and role', 'Identity', account),
  'profile-facts': kept('e-mail, date of joining, details of the account', 'ProfilePage', account),
  'profile-balance': kept('balance and state of the API', 'AccountSummary', account),
  'profile-push': kept(
    'push notifications are enabled, and their state shown',
    'PushSettings',
    'a device is registered once permission was given, and is unregistered by a press',
  ),
  'profile-fees': kept('a card of the fees', 'FeesCard', account),
};

const figures = 'the wallet tells what is available, kept and blocked, and what that means';

export const wallet: Items = {
  'wallet-available': kept('the available balance and the total received', 'WalletPage', figures),
  'wallet-blocked': otherwise(
    'what disputes block is read from `totalWithdrawn`',
    kept('the balance that disputes block', 'parseWalletStats, WalletPage', figures),
  ),
  'wallet-reserved': kept('the reserved amount', 'WalletPage', figures),
  'wallet-total': kept('the number of transactions, with the date of the last', 'WalletPage', figures),
  'wallet-counts': kept(
    'a table of counts: deposits, withdrawals, both pending, failed',
    'WalletPage',
    'every amount opens the lines of the statement that make it up, and every list its list',
    'failed and expired payments are counted as one, without alarm',
  ),
  'wallet-refresh': kept(
    'a button that loads it anew',
    'WalletPage, RefreshButton',
    'wallet.browser › a refresh that fails keeps what stands and says so',
  ),
  'wallet-transactions': kept(
    'a button to /transactions',
    'WalletPage',
    'every amount opens the lines of the statement that make it up, and every list its list',
  ),
};
