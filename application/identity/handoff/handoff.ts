import { createHash, timingSafeEqual } from 'node:crypto'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { reject } from '../../commands/refused.ts'
import { ticketKind } from '../../secrets/ticket-kind.ts'
import { typedCode_characters, typedCodeAlphabet } from '../../secrets/typed-code.ts'

/** A device that waits for another, signed-in device of its holder to sign it in (rules/credentials#handoff). */
export interface Handoff {
  /** The address of the waiting device; its session gets this address. */
  readonly ip: string
  readonly userAgent: string | null
  /** Hexadecimal SHA-256. The holder of the secret may fetch the token. */
  readonly pollSecret_hash: string
  readonly expiresAt: Timestamp
  /** How many times the device's information was looked up. */
  readonly lookups: number
  /** `completing`: its session is being started. */
  readonly state: HandoffState
}

export type HandoffState =
  | { readonly is: 'pending' | 'completing' }
  | { readonly is: 'completed'; readonly accountId: AccountId; readonly token: string }

/** How long a device waits under a code. */
export const handoff_s = 300
/** However late the handoff is completed, the waiting device has at least this long to fetch the token. */
export const handoffToken_s_min = 60
/** How often a code can be looked up: a device that is signed in looks once or twice. */
export const handoffLookups_max = 3

/** The ticket is the code itself. */
export const handoffTicket = ticketKind<Handoff>('handoff', 'typed')

const code = new RegExp(`^[${typedCodeAlphabet}]{${typedCode_characters}}$`)

/** A typed code, in any case, with or without hyphens and spaces. Refuses with INVALID_HANDOFF_CODE. */
export function typedHandoffCode(text: string): string {
  const typed = text.replace(/[-\s]/g, '').toUpperCase()
  return code.test(typed) ? typed : reject('INVALID_HANDOFF_CODE')
}

/** A code as it is shown: two groups of six. */
export function shownHandoffCode(ticket: string): string {
  const half = typedCode_characters / 2
  return `${ticket.slice(0, half)}-${ticket.slice(half)}`
}

/** The stored hash of a secret. */
export function pollSecretHash(secret: string): string {
  return digestOf(secret).toString('hex')
}

export function isPollSecret({ pollSecret_hash: hash }: Handoff, secret: string): boolean {
  return timingSafeEqual(Buffer.from(hash, 'hex'), digestOf(secret))
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
