import { createHash, timingSafeEqual } from 'node:crypto'
import type { AccountId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import { reject } from '../../commands/refused.js'
import { ticketKind, typedCode_characters, typedCodeAlphabet } from '../../ports/tickets.js'

/** A device that waits to be signed in by another one, where its holder is signed in already (reference identity 4.14). */
export interface Handoff {
  /** Of the device that waits: its session will be from there. */
  readonly ip: string
  readonly userAgent: string | null
  /** Hexadecimal SHA-256: whoever knows the secret may fetch the token. */
  readonly pollSecret_hash: string
  readonly expiresAt: Timestamp
  /** How often somebody has looked at what device it is. */
  readonly lookups: number
  /** `completing`: a session is being made for it. */
  readonly state: HandoffState
}

export type HandoffState =
  | { readonly is: 'pending' | 'completing' }
  | { readonly is: 'completed'; readonly accountId: AccountId; readonly token: string }

/** Reference identity 3.1. */
export const handoff_s = 300
/** However late it is completed, the device that waits has this long to fetch the token. */
export const handoffToken_s_min = 60
/** Reference identity 4.14, row 25. */
export const handoffLookups_max = 3

/** The ticket is the code. */
export const handoffTicket = ticketKind<Handoff>('handoff', 'typed')

const code = new RegExp(`^[${typedCodeAlphabet}]{${typedCode_characters}}$`)

/** The code that somebody has typed, in any case, with hyphens and spaces or without. Refuses with INVALID_HANDOFF_CODE. */
export function typedHandoffCode(text: string): string {
  const typed = text.replace(/[-\s]/g, '').toUpperCase()
  return code.test(typed) ? typed : reject('INVALID_HANDOFF_CODE')
}

/** A code as it is shown: two groups of six. */
export function shownHandoffCode(ticket: string): string {
  const half = typedCode_characters / 2
  return `${ticket.slice(0, half)}-${ticket.slice(half)}`
}

/** What is kept of a secret. */
export function pollSecretHash(secret: string): string {
  return digestOf(secret).toString('hex')
}

export function isPollSecret({ pollSecret_hash: hash }: Handoff, secret: string): boolean {
  return timingSafeEqual(Buffer.from(hash, 'hex'), digestOf(secret))
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
