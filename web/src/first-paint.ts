// Runs as a classic script, before the first paint. It sets the theme, so that users never see the wrong colours,
// marks a stored session, so that they never see a form that is about to disappear, and starts the first calls of the
// screen, which on a slow line saves the time in which the app's scripts arrive.
//
// A form that is submitted before its own script has loaded is held back, because a plain submit would lose the input.
// `data-early` is then `submit`. Once the form's script has loaded, prerendered-page.tsx repeats the submit and sets
// `data-early` to `over`.
(() => {
  const { dataset } = document.documentElement;
  // Absent when the API is on another origin: another gateway may lack the call for batches.
  const api = document.currentScript?.dataset['api'];

  /** The calls of the frame around every screen. */
  const frameCalls = ['/settings', '/authed/profile', '/authed/own-bank', '/authed/notifications?limit=20'];
  const disputes = '/authed/disputes?status=open&pageSize=100';
  const daily = '/authed/stats/daily?days=30';
  /** The calls with which a merchant's screens begin. An e2e test compares them with what the screens call. */
  const screenCalls: Readonly<Record<string, readonly string[]>> = {
    '/dashboard': [
      '/authed/wallet/stats',
      '/authed/feed/transactions?limit=5',
      '/authed/apikey',
      daily,
      '/authed/stats/charges?days=30',
      disputes,
      '/authed/check-withdrawal-pin',
    ],
    '/wallet': ['/authed/wallet/stats', '/authed/user/taxes', daily, '/authed/reserves', disputes],
    '/transactions': ['/authed/feed/transactions?offset=0&limit=10'],
    '/withdrawals': ['/authed/out-fees', '/authed/check-withdrawal-pin', '/authed/wallet/stats'],
    '/pix-payment': ['/authed/apikey', '/authed/user/taxes'],
    '/statement': ['/authed/statement?limit=50'],
  };

  const startCalls: Window['startCalls'] = (token, url, user) => {
    if (api === undefined) return;
    const paths = [
      ...frameCalls,
      // Staff, and members who are not owners, have other first screens.
      ...(!/"role":"(?!USER|owner)/.test(user ?? '') && Object.hasOwn(screenCalls, url)
        ? (screenCalls[url] ?? [])
        : []),
    ];
    // The first id is that of the account that the screen will show. Nobody has chosen one who has just signed in.
    const account = /"id":"(\w+)"/.exec(user ?? '')?.[1];
    const batch = fetch(`${api}/authed/batch?paths=${encodeURIComponent(paths.join())}`, {
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(account && { 'x-account': account }),
      },
      credentials: 'same-origin',
    }).then(async (response) => ({ status: response.status, text: await response.text() }));
    const started: NonNullable<Window['startedCalls']> = { token, paths, batch };
    window.startedCalls = started;
    window.callsStartedMs = performance.now();
    const noteArrival = () => {
      started.arrivedMs = performance.now();
    };
    // A failure is reported to each call that awaits its answer.
    batch.then(noteArrival, noteArrival);
  };
  window.startCalls = startCalls;

  try {
    if (localStorage.getItem('theme') === 'dark') {
      dataset['theme'] = 'dark';
      const themeColourMeta = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]');
      if (themeColourMeta !== null) themeColourMeta.content = themeColourMeta.dataset['dark'] ?? '';
    }
    const token = localStorage.getItem('token');
    if (token !== null) {
      dataset['session'] = 'held';
      const isEntrance = /^\/(login|register)?$/.test(location.pathname);
      const url = isEntrance ? '/dashboard' : location.pathname + location.search;
      startCalls(token, url, localStorage.getItem('user'));
    }
  } catch {
    // Storage is unavailable: the light theme stays, and no session is marked.
  }
  addEventListener('submit', (event) => {
    if (dataset['early'] === 'over') return;
    event.preventDefault();
    dataset['early'] = 'submit';
  });
})();
