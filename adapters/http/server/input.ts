import type { z } from 'zod'
import { reject } from '../../../application/commands/refused.js'
import { field, type FieldError } from '../../../domain/kernel/refusal.js'
import { fieldErrors, pathText } from '../errors/field-errors.js'
import { keyFaults } from '../idempotency/idempotency-key.js'
import { isSchema, type Operation, type Schema } from '../operation.js'
import type { Exchange } from './exchange.js'
import { parseJson } from './parse-json.js'
import { parseQueryString } from './query-string.js'
import { bodyBytes_max, imageBodyBytes_max, readBody } from './read-body.js'
import { unstorableTexts } from './unstorable-text.js'

/** What a handler reads of a request, parsed. */
export interface Input {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** The body as it came. */
  readonly bytes: Uint8Array
}

/** One part of a request, parsed: its value, and what is wrong with it. */
export interface ParsedPart {
  readonly value: unknown
  readonly faults: readonly FieldError[]
}

const nothing: ParsedPart = { value: undefined, faults: [] }
const noBytes = new Uint8Array()

/**
 * Reads and parses all of a request. 400 INVALID_FORM_BODY with an entry for everything that is wrong, wherever it stands;
 * `params` were parsed before.
 */
export async function readInput(operation: Operation, exchange: Exchange, params: ParsedPart): Promise<Input> {
  const bytes = isSchema(operation.body) ? await readBody(exchange.raw, bodyLimit(operation), exchange.room) : noBytes
  const query = parseQuery(operation.query, exchange)
  const body = parseBody(operation, bytes, exchange.received)
  const key = operation.method === 'POST' ? keyFaults(exchange.facts.idempotencyKey) : []
  const faults = [...params.faults, ...query.faults, ...key, ...body.faults]
  if (faults.length > 0) reject('INVALID_FORM_BODY', ...faults)
  return { params: params.value, query: query.value, body: body.value, bytes: bytes ?? noBytes }
}

function parseQuery(schema: Schema, { search, received }: Exchange): ParsedPart {
  if (!isSchema(schema)) return nothing
  const given = parseQueryString(search)
  received.push(given)
  return parse(schema, given, true)
}

/** Parses path parameters. */
export function parseParams(schema: Schema, given: unknown): ParsedPart {
  return isSchema(schema) ? parse(schema, given, true) : nothing
}

/** `bytes` is undefined for a body that was too long to be read. */
function parseBody(operation: Operation, bytes: Uint8Array | undefined, received: unknown[]): ParsedPart {
  if (!isSchema(operation.body)) return nothing
  if (bytes === undefined) return faulty(field('body', operation.takesImage ? 'BASE64_LENGTH_INVALID' : 'TOO_LARGE'))
  const json = parseJson(bytes)
  if (!json.ok) return faulty(field('body', json.code))
  received.push(json.value)
  return parse(operation.body, json.value, mayHideUnstorable(bytes))
}

function faulty(fault: FieldError): ParsedPart {
  return { value: undefined, faults: [fault] }
}

function parse(schema: z.ZodType, given: unknown, suspicious: boolean): ParsedPart {
  const result = schema.safeParse(given)
  const unstorable = suspicious ? unstorableTexts(schema, given) : []
  return {
    value: result.data,
    faults: [
      ...fieldErrors(result.error?.issues ?? []),
      ...unstorable.map((path) => field(pathText(path), 'INVALID_FORMAT')),
    ],
  }
}

/** JSON in UTF-8 can bring a NUL or half a surrogate pair by an escape only. */
function mayHideUnstorable(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('\\u')
}

function bodyLimit({ takesImage }: Operation): number {
  return takesImage ? imageBodyBytes_max : bodyBytes_max
}
