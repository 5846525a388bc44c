import { z } from 'zod'
import type { WrappedKey } from '../../adapters/personal-data/wrapped-keys.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { StoredEvent } from '../../application/ports/stored-events.ts'

/**
 * The file format for moving a history between two stores: JSON objects, one on each line.
 *
 * - `header`, once: format and version, where it comes from, and which part of the history it holds.
 * - `event`: as the store keeps it, so personal members are sealed. Members of data and metadata are in order of their names,
 *   so the same event is always the same line.
 * - `key`: an account's key, wrapped by PERSONAL_DATA_KEY; `destroyed_key`: the tombstone of one. Only if keys were requested.
 * - `block`, after every 1000 events or keys and after the last of each: how many lines it seals, and the SHA-256 of all bytes
 *   of the file before it. Nothing is imported before its block is checked.
 * - `end`, once: counts, and the SHA-256 of all bytes before it. A file without it is incomplete.
 */
export const format = 'guildhall-history'
export const version = 1
export const blockLines_max = 1000

/** For the operator. */
export const leftOut =
  'Such a file holds events, and no messages, images, mails or codes: backup and restore take everything.'

const position = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform(BigInt)
const beginning = z.object({ position, stream: z.string(), revision: z.int().min(0), id: z.string() })
const object = z.custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.int().min(0)
const account = z.string().regex(/^\d{1,19}$/)

const header = z.object({
  kind: z.literal('header'),
  format: z.literal(format),
  version: z.literal(version),
  source: z.object({ store: z.string(), firstEvent: z.string().nullable() }),
  after: beginning
    .nullable()
    .describe('The event before the first one of the file; null if the file begins with the first of all.'),
  end: position.nullable().describe('The position of the last event in the source.'),
  keys: z.string().nullable().describe('Identifies the PERSONAL_DATA_KEY; null if the file has no keys.'),
})

const event = z.object({
  kind: z.literal('event'),
  position: position.describe('The number of the event in the order of all events of its store, as decimal text.'),
  stream: z.string().min(1).describe('The category of the stream, a hyphen and an id.'),
  revision: z.int().min(0).describe('The number of the event in its stream, from 0.'),
  id: z.uuid().lowercase(),
  type: z.string().min(1),
  data: object,
  metadata: object,
})

const key = z.object({ kind: z.literal('key'), account, wrapped: z.base64().min(1) })
const destroyedKey = z.object({ kind: z.literal('destroyed_key'), account, destroyedAt: z.iso.datetime() })

const block = z.object({ kind: z.literal('block'), lines: count, sha256 })
const end = z.object({ kind: z.literal('end'), events: count, keys: count, position: position.nullable(), sha256 })

export const headerLine = header
/** Every kind of line. */
export const lineSchemas = { header, event, key, destroyedKey, block, end } as const
export const bodyLine = z.discriminatedUnion('kind', [event, key, destroyedKey, block, end])
/** The beginning of every version of the format. */
export const anyHeader = z.object({ kind: z.literal('header'), format: z.literal(format), version: z.number() })

export type Header = z.output<typeof header>
export type Beginning = z.output<typeof beginning>
export type BodyLine = z.output<typeof bodyLine>
export type LineOf<Kind extends BodyLine['kind']> = Extract<BodyLine, { readonly kind: Kind }>

/** The line of an event. The same event gives the same text in every store. */
export function eventText(stored: StoredEvent, at: Position | null = stored.position): string {
  const { stream, revision, eventId, type } = stored
  return JSON.stringify({
    kind: 'event',
    position: at?.toString(),
    stream,
    revision,
    id: eventId,
    type,
    data: inOrder(stored.data),
    metadata: inOrder(stored.metadata),
  })
}

export function storedEvent({ id, kind: _, ...rest }: LineOf<'event'>): StoredEvent {
  return { ...rest, eventId: id }
}

export function keyText(key: WrappedKey): string {
  return 'wrapped' in key
    ? JSON.stringify({ kind: 'key', account: key.account, wrapped: Buffer.from(key.wrapped).toString('base64') })
    : JSON.stringify({ kind: 'destroyed_key', ...key })
}

export function wrappedKey(line: LineOf<'key' | 'destroyed_key'>): WrappedKey {
  const { account } = line
  return line.kind === 'key'
    ? { account, wrapped: Buffer.from(line.wrapped, 'base64') }
    : { account, destroyedAt: line.destroyedAt }
}

/** The text of any other line. Positions are decimal text. */
export function lineText(line: Header | LineOf<'block' | 'end'>): string {
  return JSON.stringify(line, (_name, value) => (typeof value === 'bigint' ? value.toString() : value))
}

/** A JSON value whose objects have their members in order of their names. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]))
}
