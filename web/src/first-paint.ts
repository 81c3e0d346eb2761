// Runs as a classic script, before the first paint. It sets the theme, so that users never see the wrong colours, and
// marks a stored session, so that they never see a form that is about to disappear.
//
// A form that is submitted before its own script has loaded is held back, because a plain submit would lose the input.
// `data-early` is then `submit`. Once the form's script has loaded, prerendered-page.tsx repeats the submit and sets
// `data-early` to `over`.
(() => {
  const { dataset } = document.documentElement;
  try {
    if (localStorage.getItem('theme') === 'dark') {
      dataset['theme'] = 'dark';
      const themeColourMeta = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]');
      if (themeColourMeta !== null) themeColourMeta.content = themeColourMeta.dataset['dark'] ?? '';
    }
    if (localStorage.getItem('token') !== null) dataset['session'] = 'held';
  } catch {
    // Storage is unavailable: the light theme stays, and no session is marked.
  }
  addEventListener('submit', (event) => {
    if (dataset['early'] === 'over') return;
    event.preventDefault();
    dataset['early'] = 'submit';
  });
})();
