import { livePath, notificationTicket } from '@jangada/contract';
import { session } from '../session/session.ts';
import { NotOffered } from './api-error.ts';
import { apiBase } from './base-address.ts';
import { call } from './client.ts';

/**
 * The URL of the live channel for one connection. Our gateway takes a single-use ticket, so that no log ever holds a
 * session token; a provider without tickets takes the token, as the specification says.
 */
export async function liveAddress(): Promise<string> {
  const url = new URL(channel(), location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  url.searchParams.set('token', await ticket());
  return url.href;
}

function channel(): string {
  return import.meta.env.VITE_WS_URL ?? apiBase + livePath;
}

async function ticket(): Promise<string> {
  try {
    return (await call(notificationTicket, {})).ticket;
  } catch (error) {
    if (error instanceof NotOffered) return session.getState().token ?? '';
    throw error;
  }
}
