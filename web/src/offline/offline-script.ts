// The script of the offline page: the theme that was chosen, and the ways back to the screen that was asked for.

try {
  if (localStorage.getItem('theme') === 'dark') document.documentElement.dataset['theme'] = 'dark';
} catch {
  // Storage is closed to this page: the light theme stands.
}

const button = document.querySelector('button');
const said = document.querySelector('[role=status]');
const clock = new Intl.DateTimeFormat('pt-BR', { timeStyle: 'medium' });
const EVERY_MS = 5_000;
let trying = false;
let awaited = false;

/** What a proxy says in the place of a server that is away. */
const AWAY: readonly number[] = [502, 503, 504];

/** Loads the screen once the server answers, whatever it says. The page stays as it is until then. */
async function tryAgain(): Promise<void> {
  if (trying) return;
  trying = true;
  try {
    const { status } = await fetch(location.href, {
      method: 'HEAD',
      cache: 'no-store',
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    });
    if (AWAY.includes(status)) throw new Error(`The server is away: ${status}.`);
    location.reload();
  } catch {
    trying = false;
    // A try that nobody asked for fails in silence: a screen reader would hear of each.
    if (awaited) say(`Ainda sem conexão às ${clock.format(new Date())}.`);
    awaited = false;
  }
}

function tryAtPress(): void {
  awaited = true;
  say('Tentando…');
  void tryAgain();
}

function tryIfSeen(): void {
  if (document.visibilityState === 'visible') void tryAgain();
}

function say(text: string): void {
  if (said !== null) said.textContent = text;
}

button?.addEventListener('click', tryAtPress);
addEventListener('online', () => void tryAgain());
document.addEventListener('visibilitychange', tryIfSeen);
// The server may be what was away: then the browser never hears of a network.
setInterval(tryIfSeen, EVERY_MS);

export {};
