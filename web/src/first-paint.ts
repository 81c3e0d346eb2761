// Runs before the first paint, as a classic script: the theme, and whether a session is held, so that neither the
// wrong colours nor a form that is about to go are ever seen.
(() => {
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem('theme');
    if (theme === 'dark') root.dataset['theme'] = theme;
    if (localStorage.getItem('token') !== null) root.dataset['session'] = 'held';
  } catch {
    // Storage is closed to this page: the defaults stand.
  }
})();
