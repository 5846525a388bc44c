import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { alphanumeric } from '../../application/commands/random-text.ts'
import type { TicketForm, TicketKind, TicketPayload } from '../../application/ports/tickets.ts'
import { typedCode_characters, typedCodeAlphabet } from '../../application/secrets/typed-code.ts'

/** The size of a payload as JSON. */
export const ticketPayload_bytes_max = 16_384
/** No ticket lives longer. */
export const ticketLifetime_s_max = 7 * 24 * 3600

const mailedToken_characters = 64
const random_bytes = 32

/** A new ticket: at least 122 random bits, except for tickets that people type, which have 59. */
export function newTicket(form: TicketForm): string {
  switch (form) {
    case 'base64url':
      return randomBytes(random_bytes).toString('base64url')
    case 'alphanumeric':
      return drawn(alphanumeric, mailedToken_characters)
    case 'typed':
      return drawn(typedCodeAlphabet, typedCode_characters)
    case 'uuid':
      return randomUUID()
  }
}

function drawn(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}

/**
 * The key that a ticket is stored and found under. A plain hash is enough, because nobody can guess a ticket. Finding a row by
 * the hash of the input reveals nothing, by its timing, about existing tickets.
 */
export function ticketId({ name }: TicketKind<TicketPayload>, ticket: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([name, ticket]))
    .digest()
}

/** The payload as text. Throws if it is too large. */
export function payloadText({ name }: TicketKind<TicketPayload>, payload: TicketPayload): string {
  const text = JSON.stringify(payload)
  const size_bytes = Buffer.byteLength(text)
  if (size_bytes > ticketPayload_bytes_max)
    throw new Error(`A ticket of ${name} carries at most ${ticketPayload_bytes_max} bytes, not ${size_bytes}`)
  return text
}

/** Throws if a lifetime is out of bounds. */
export function checkLifetime({ name }: TicketKind<TicketPayload>, lifetime_s: number): void {
  if (!(lifetime_s > 0 && lifetime_s <= ticketLifetime_s_max))
    throw new Error(`A ticket of ${name} lives at most ${ticketLifetime_s_max} s, and not ${lifetime_s} s`)
}
