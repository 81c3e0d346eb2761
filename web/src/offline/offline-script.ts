// The script of the offline page: the theme that was chosen, and the ways back to the screen that was asked for.

try {
  if (localStorage.getItem('theme') === 'dark') document.documentElement.dataset['theme'] = 'dark';
} catch {
  // Storage is closed to this page: the light theme stands.
}

const button = document.querySelector('button');
const said = document.querySelector('[role=status]');
const clock = new Intl.DateTimeFormat('pt-BR', { timeStyle: 'medium' });
let trying = false;

/** Loads the screen once the server answers, whatever it says. The page stays as it is until then. */
async function tryAgain(): Promise<void> {
  if (trying) return;
  trying = true;
  say('Tentando…');
  try {
    await fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(10_000) });
    location.reload();
  } catch {
    trying = false;
    say(`Ainda sem conexão às ${clock.format(new Date())}.`);
  }
}

function say(text: string): void {
  if (said !== null) said.textContent = text;
}

button?.addEventListener('click', () => void tryAgain());
addEventListener('online', () => void tryAgain());
