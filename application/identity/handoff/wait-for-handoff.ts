import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import type { AuthToken } from '../accounts/start-session.ts'
import { sessionTokenHash } from '../tokens/session-token.ts'
import type { Requester } from '../../caller.ts'
import { partialUserObject } from '../../wire-objects/identity/user-objects.ts'
import type { Ports } from '../../ports.ts'
import {
  handoff_s,
  handoffTicket,
  isPollSecret,
  pollSecretHash,
  shownHandoffCode,
  typedHandoffCode,
  type Handoff,
} from './handoff.ts'

const secret_bytes = 32

/** What a waiting device gets: the code that it shows, and the secret with which it asks. */
export interface StartedHandoff {
  /** Two groups of six. */
  readonly code: string
  readonly expires_at: Timestamp
  /** base64url, known to this device only. */
  readonly poll_secret: string
}

/** What a waiting device is told; once the handoff is completed, its token. */
export type HandoffStatus = { readonly status: 'pending' | 'expired' } | ({ readonly status: 'completed' } & AuthToken)

/** Starts to wait for another device: gives the code to show. */
export function startHandoff({ tickets }: Pick<Ports, 'tickets'>) {
  return async ({ context, ip, userAgent }: Requester): Promise<StartedHandoff> => {
    const secret = Buffer.from(context.randomBytes(secret_bytes)).toString('base64url')
    const expiresAt = secondsAfter(context.now, handoff_s)
    const pending = { lookups: 0, state: { is: 'pending' } } as const
    const handoff: Handoff = { ip, userAgent, pollSecret_hash: pollSecretHash(secret), expiresAt, ...pending }
    const code = await tickets.issue(handoffTicket, handoff, handoff_s)
    return { code: shownHandoffCode(code), expires_at: expiresAt, poll_secret: secret }
  }
}

/** Whether a code is still valid, for anybody: a completed one reads as pending. Refuses with INVALID_HANDOFF_CODE. */
export function getHandoffStatus({ tickets }: Pick<Ports, 'tickets'>) {
  return async (code: string): Promise<HandoffStatus> => {
    const found = await tickets.look(handoffTicket, typedHandoffCode(code))
    return { status: found ? 'pending' : 'expired' }
  }
}

/**
 * The same for the waiting device. Once completed, it gets the token, a single time, unless its session has ended.
 * Without the right secret the handoff reads as pending. Refuses with INVALID_HANDOFF_CODE. See
 * rules/credentials#handoff.
 */
export function fetchHandoff({ queries, tickets }: Pick<Ports, 'queries' | 'tickets'>) {
  return async (code: string, secret: string): Promise<HandoffStatus> => {
    const typed = typedHandoffCode(code)
    const found = await tickets.look(handoffTicket, typed)
    if (!found) return { status: 'expired' }
    if (found.state.is !== 'completed' || !isPollSecret(found, secret)) return { status: 'pending' }
    const taken = await tickets.take(handoffTicket, typed)
    if (taken?.state.is !== 'completed') return { status: 'expired' }
    const { accountId, token } = taken.state
    const account = await queries.accounts.bySession(sessionTokenHash(token))
    if (!account) return { status: 'expired' }
    return { status: 'completed', token, user_id: accountId, user: partialUserObject(account) }
  }
}

/** Cancels the handoff of a code, whoever asks. Refuses with INVALID_HANDOFF_CODE. */
export function cancelHandoff({ tickets }: Pick<Ports, 'tickets'>) {
  return async (code: string): Promise<void> => {
    await tickets.take(handoffTicket, typedHandoffCode(code))
  }
}
