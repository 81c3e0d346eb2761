// The offline page's script: applies the chosen theme, and retries the requested screen.

try {
  if (localStorage.getItem('theme') === 'dark') document.documentElement.dataset['theme'] = 'dark';
} catch {
  // Storage is unavailable: the light theme stays.
}

const button = document.querySelector('button');
const said = document.querySelector('[role=status]');
const clock = new Intl.DateTimeFormat('pt-BR', { timeStyle: 'medium' });
const EVERY_MS = 5_000;
let trying = false;
let awaited = false;

/** The status codes that a proxy sends when its server is down. */
const AWAY: readonly number[] = [502, 503, 504];

/** Loads the screen once the server responds, with any other status. The page stays unchanged until then. */
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
    // An automatic retry fails silently, or a screen reader would announce each one.
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
// The server itself may be down, in which case the browser fires no `online` event.
setInterval(tryIfSeen, EVERY_MS);

export {};
