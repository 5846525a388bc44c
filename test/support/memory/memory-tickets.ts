import type { Tickets } from '../../../application/ports/tickets.ts'
import { checkLifetime, newTicket, payloadText, ticketId } from '../../../adapters/tickets/ticket-text.ts'

export const memoryTickets_max = 10_000

interface Kept {
  readonly kind: string
  readonly subject: string | undefined
  readonly text: string
  readonly expires_ms: number
}

/** Tickets in the memory of this process, for tests: at most `memoryTickets_max`, after which the oldest is dropped. */
export function memoryTickets(now_ms: () => number = Date.now): Tickets {
  const kept = new Map<string, Kept>()
  const live = (id: string): Kept | undefined => {
    const found = kept.get(id)
    return found && found.expires_ms > now_ms() ? found : undefined
  }
  return {
    async issue(kind, payload, lifetime_s, subject) {
      checkLifetime(kind, lifetime_s)
      const ticket = newTicket(kind.form)
      const oldest = kept.keys().next()
      if (kept.size >= memoryTickets_max && !oldest.done) kept.delete(oldest.value)
      const expires_ms = now_ms() + lifetime_s * 1000
      kept.set(keyOf(kind, ticket), { kind: kind.name, subject, text: payloadText(kind, payload), expires_ms })
      return ticket
    },
    async take(kind, ticket) {
      const found = live(keyOf(kind, ticket))
      kept.delete(keyOf(kind, ticket))
      return found && JSON.parse(found.text)
    },
    async look(kind, ticket) {
      const found = live(keyOf(kind, ticket))
      return found && JSON.parse(found.text)
    },
    async change(kind, ticket, next, lifetime_s) {
      if (lifetime_s !== undefined) checkLifetime(kind, lifetime_s)
      const found = live(keyOf(kind, ticket))
      if (!found) return undefined
      const before = JSON.parse(found.text)
      const payload = next(before)
      if (payload === before) return before
      const expires_ms = lifetime_s === undefined ? found.expires_ms : now_ms() + lifetime_s * 1000
      kept.set(keyOf(kind, ticket), { ...found, text: payloadText(kind, payload), expires_ms })
      return payload
    },
    async revokeAll({ name }, subject) {
      for (const [id, ticket] of kept) if (ticket.kind === name && ticket.subject === subject) kept.delete(id)
    },
    async forget(subject) {
      for (const [id, ticket] of kept) if (ticket.subject === subject) kept.delete(id)
    },
  }
}

const keyOf = (...[kind, ticket]: Parameters<typeof ticketId>): string => ticketId(kind, ticket).toString('base64')
