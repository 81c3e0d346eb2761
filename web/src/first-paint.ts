// Runs before the first paint, as a classic script: the theme, and whether a session is held, so that neither the
// wrong colours nor a form that is about to go are ever seen. A form that is sent before its own script is there is
// held back: early-submit.ts sends it later.
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
    // Storage is closed to this page: the defaults stand.
  }
  addEventListener('submit', (event) => {
    if (dataset['early'] === 'over') return;
    event.preventDefault();
    dataset['early'] = 'submit';
  });
})();
