// Runs as a classic script, before the first paint. It sets the theme, so that users never see the wrong colours, and
// marks a stored session, so that they never see a form that is about to disappear. A form that is submitted before its
// own script arrives is held back; prerendered-page.tsx submits it later.
(() => {
  const { dataset } = document.documentElement;
  try {
    if (localStorage.getItem('theme') === 'dark') {
      dataset['theme'] = 'dark';
      const colour = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]');
      if (colour !== null) colour.content = colour.dataset['dark'] ?? '';
    }
    if (localStorage.getItem('token') !== null) dataset['session'] = 'held';
  } catch {
    // Storage is unavailable: the defaults stay.
  }
  addEventListener('submit', (event) => {
    if (dataset['early'] === 'over') return;
    event.preventDefault();
    dataset['early'] = 'submit';
  });
})();
