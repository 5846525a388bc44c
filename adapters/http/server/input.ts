import type { z } from 'zod'
import { reject } from '../../../application/commands/refused.js'
import type { SudoFields } from '../../../application/sudo/sudo-request.js'
import { field, type FieldError } from '../../../domain/kernel/refusal.js'
import { fieldErrors, pathText } from '../errors/field-errors.js'
import { keyFaults } from '../idempotency/idempotency-key.js'
import { isSchema, type Operation, type Schema } from '../operation.js'
import { sudoFields } from '../schemas/sudo.js'
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
  /** What the body says to prove who sends it; undefined where the operation never needs sudo mode. */
  readonly sudo: SudoFields | undefined
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
  const bytes = readsBody(operation) ? await readBody(exchange.raw, bodyLimit(operation), exchange.room) : noBytes
  const query = parseQuery(operation.query, exchange)
  const json = readsBody(operation) ? parseJsonBody(operation, bytes, exchange.received) : undefined
  const body = parseBody(operation, json)
  const sudo = parseSudo(operation, json)
  const key = operation.method === 'POST' ? keyFaults(exchange.facts.idempotencyKey) : []
  const faults = [...params.faults, ...query.faults, ...key, ...distinct([...body.faults, ...sudo.faults])]
  if (faults.length > 0) reject('INVALID_FORM_BODY', ...faults)
  return { params: params.value, query: query.value, body: body.value, sudo: sudo.fields, bytes: bytes ?? noBytes }
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

function readsBody({ body, sudo }: Operation): boolean {
  return isSchema(body) || !('none' in sudo)
}

/** A body as it came, read as JSON. */
type JsonBody = ParsedPart & { readonly suspicious: boolean }

/** `bytes` is undefined for a body that was too long to be read. */
function parseJsonBody(operation: Operation, bytes: Uint8Array | undefined, received: unknown[]): JsonBody {
  if (bytes === undefined)
    return unreadable(field('body', operation.takesImage ? 'BASE64_LENGTH_INVALID' : 'TOO_LARGE'))
  const json = parseJson(bytes)
  if (!json.ok) return unreadable(field('body', json.code))
  received.push(json.value)
  return { value: json.value, faults: [], suspicious: mayHideUnstorable(bytes) }
}

function unreadable(fault: FieldError): JsonBody {
  return { value: undefined, faults: [fault], suspicious: false }
}

function parseBody({ body }: Operation, json: JsonBody | undefined): ParsedPart {
  if (!json || json.faults.length > 0) return json ?? nothing
  return isSchema(body) ? parse(body, json.value, json.suspicious) : nothing
}

function parseSudo({ sudo }: Operation, json: JsonBody | undefined): Pick<ParsedPart, 'faults'> & SudoPart {
  if (!json || json.faults.length > 0 || 'none' in sudo) return { faults: [], fields: undefined }
  const { data, error } = sudoFields.safeParse(json.value)
  const unstorable = json.suspicious ? unstorableTexts(sudoFields, json.value) : []
  return {
    fields: data,
    faults: [...fieldErrors(error?.issues ?? []), ...unstorable.map((path) => field(pathText(path), 'INVALID_FORMAT'))],
  }
}

interface SudoPart {
  readonly fields: SudoFields | undefined
}

/** A member that the operation and sudo mode both read is wrong once. */
function distinct(faults: readonly FieldError[]): readonly FieldError[] {
  return faults.filter(
    ({ path, code }, index) => faults.findIndex((other) => other.path === path && other.code === code) === index,
  )
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
