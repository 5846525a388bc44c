import { z } from 'zod'
import { keyedQueue } from '../../application/commands/keyed-queue.ts'
import { sql } from '../../application/sql/sql.ts'
import type { TicketKind, TicketPayload, Tickets } from '../../application/ports/tickets.ts'
import { Unavailable } from '../../application/failures/unavailable.ts'
import { sealedBox, type SealedBox } from '../../application/secrets/sealed-box.ts'
import type { PostgresDatabase } from '../postgres/database.ts'
import { checkLifetime, newTicket, payloadText, ticketId } from './ticket-text.ts'

export interface PostgresTicketsSettings {
  readonly database: PostgresDatabase
  /** The 32 bytes of PERSONAL_DATA_KEY, which seal the payloads. */
  readonly personalDataKey: Uint8Array
  /** Called for sweeps that fail. */
  readonly onError?: (error: unknown) => void
}

export type PostgresTickets = Tickets & {
  /** Removes expired tickets, at most `sweepRows_max`. */
  sweep(): Promise<void>
  close(): void
}

export const sweepRows_max = 10_000
const sweepEvery_ms = 10_000
/** How often a change is retried while other processes change the same ticket. */
const changeTries_max = 20

const row = z.object({ payload: z.instanceof(Uint8Array), revision: z.int() })
const nothing = z.object({})
const binary = (value: Buffer) => sql.binary(value)
const fromNow = (seconds: number) => sql.fragment`now() + make_interval(secs => ${seconds})`

/** Tickets in the schema `tickets`. Expired ones are swept every ten seconds until it is closed. */
export function openPostgresTickets(settings: PostgresTicketsSettings): PostgresTickets {
  const { database, personalDataKey, onError = () => undefined } = settings
  const box = sealedBox(personalDataKey, 'tickets')
  const timer = setInterval(() => void sweep(database).catch(onError), sweepEvery_ms).unref()
  return {
    ...issuing(database, box),
    ...reading(database, box),
    ...changing(database, box),
    sweep: () => sweep(database),
    close: () => clearInterval(timer),
  }
}

function issuing(database: PostgresDatabase, box: SealedBox): Pick<Tickets, 'issue' | 'revokeAll' | 'forget'> {
  return {
    async issue(kind, payload, lifetime_s, subject) {
      checkLifetime(kind, lifetime_s)
      const ticket = newTicket(kind.form)
      const id = ticketId(kind, ticket)
      const sealed = box.seal(contextOf(kind, id), payloadText(kind, payload))
      await database.any(sql.type(nothing)`
        insert into tickets.tickets (id, kind, subject, payload, expires_at)
        values (${binary(id)}, ${kind.name}, ${subject ?? null}, ${binary(sealed)}, ${fromNow(lifetime_s)})`)
      return ticket
    },
    async revokeAll({ name }, subject) {
      await database.any(sql.type(nothing)`delete from tickets.tickets where subject = ${subject} and kind = ${name}`)
    },
    async forget(subject) {
      await database.any(sql.type(nothing)`delete from tickets.tickets where subject = ${subject}`)
    },
  }
}

function reading(database: PostgresDatabase, box: SealedBox): Pick<Tickets, 'take' | 'look'> {
  return {
    async take(kind, ticket) {
      const id = ticketId(kind, ticket)
      const taken = await database.maybeOne(sql.type(row)`
        delete from tickets.tickets where id = ${binary(id)} and expires_at > now() returning payload, revision`)
      return taken && opened(box, kind, id, taken.payload)
    },
    async look(kind, ticket) {
      const id = ticketId(kind, ticket)
      const found = await find(database, id)
      return found && opened(box, kind, id, found.payload)
    },
  }
}

/** Changes of one ticket take turns in this process. Between processes, they compare and set its revision. */
function changing(database: PostgresDatabase, box: SealedBox): Pick<Tickets, 'change'> {
  const turns = keyedQueue()
  return {
    change(kind, ticket, next, lifetime_s) {
      if (lifetime_s !== undefined) checkLifetime(kind, lifetime_s)
      const id = ticketId(kind, ticket)
      const expires = lifetime_s === undefined ? sql.fragment`expires_at` : fromNow(lifetime_s)
      return turns.run(id.toString('base64'), async () => {
        for (let tries = 0; tries < changeTries_max; tries += 1) {
          const found = await find(database, id)
          if (!found) return undefined
          const before = opened(box, kind, id, found.payload)
          const payload = next(before)
          if (payload === before) return before
          const sealed = box.seal(contextOf(kind, id), payloadText(kind, payload))
          const changed = await database.maybeOne(sql.type(nothing)`
            update tickets.tickets
            set payload = ${binary(sealed)}, revision = revision + 1, expires_at = ${expires}
            where id = ${binary(id)} and revision = ${found.revision} and expires_at > now() returning id`)
          if (changed) return payload
        }
        throw new Unavailable('A ticket is being changed by too many at once')
      })
    },
  }
}

function find(database: PostgresDatabase, id: Buffer) {
  return database.maybeOne(sql.type(row)`
    select payload, revision from tickets.tickets where id = ${binary(id)} and expires_at > now()`)
}

const contextOf = ({ name }: TicketKind<TicketPayload>, id: Buffer): readonly string[] => [name, id.toString('base64')]

/** `issue` or `change` sealed it for this kind, and sealing authenticates it. */
function opened<Payload extends TicketPayload>(
  box: SealedBox,
  kind: TicketKind<Payload>,
  id: Buffer,
  sealed: Uint8Array,
): Payload {
  return JSON.parse(box.open(contextOf(kind, id), sealed)) as Payload
}

async function sweep(database: PostgresDatabase): Promise<void> {
  await database.any(sql.type(nothing)`
    delete from tickets.tickets where id in (
      select id from tickets.tickets where expires_at <= now()
      order by expires_at limit ${sweepRows_max} for update skip locked)`)
}
