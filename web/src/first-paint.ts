// Runs before the first paint, as a classic script: sets the theme, and whether a session is stored, so that the wrong
// colours or a form about to disappear are never seen. A form submitted before its own script arrives is held back;
// prerendered-page.tsx submits it later.
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
