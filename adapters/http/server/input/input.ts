import type { z } from 'zod'
import { reject } from '../../../../application/commands/refused.js'
import type { SudoFields } from '../../../../application/identity/sudo/sudo-request.js'
import { field, type FieldError } from '../../../../domain/kernel/refusal.js'
import { fieldErrors, pathText } from '../../errors/field-errors.js'
import { keyFaults } from '../../idempotency/idempotency-key.js'
import { isSchema, type Operation, type Schema } from '../../operation.js'
import { repeatable } from '../../schemas/query-inputs.js'
import { sudoFields } from '../../schemas/sudo.js'
import type { Exchange } from '../exchange.js'
import { overlongLists } from './bounded-lists.js'
import { parseForm } from './parse-form.js'
import { parseJson, type ParsedJson } from './parse-json.js'
import { parseQueryString } from './query-string.js'
import { bodyBytes_max, imageBodyBytes_max, readBody } from './read-body.js'
import { memberSchema, unstorableTexts } from './unstorable-text.js'
import { withWholeIntegers } from './whole-integers.js'

/** What a handler reads of a request, parsed. */
export interface Input {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** What the body says to prove who sends it; undefined where the operation never needs sudo mode. */
  readonly sudo: SudoFields | undefined
  /** The body as JSON has it; undefined where none is read, or a form. */
  readonly json: unknown
  /** The body as it came. */
  readonly bytes: Uint8Array
}

/** One part of a request, parsed: its value, and what is wrong with it. */
export interface ParsedPart {
  readonly value: unknown
  readonly faults: readonly FieldError[]
}

/** An answer names no more of what is wrong. Nobody reads them all, and finding them must not take long. */
export const faults_max = 100

const nothing: ParsedPart = { value: undefined, faults: [] }
const noBytes = new Uint8Array()

/**
 * Reads and parses all of a request. 400 INVALID_FORM_BODY with an entry for everything that is wrong, wherever it stands, up
 * to `faults_max`; of a list that is too long, nothing but that. `params` were parsed before.
 */
export async function readInput(operation: Operation, exchange: Exchange, params: ParsedPart): Promise<Input> {
  const bytes = readsBody(operation) ? await readBody(exchange.raw, bodyLimit(operation), exchange.share) : noBytes
  const form = operation.takesForm && bytes ? await parseForm(bytes, exchange.raw.headers['content-type']) : undefined
  return exchange.meter.measure(() => parseInput(operation, exchange, params, bytes, form))
}

/** Parses what was read. `form`: the body of an operation that takes one. */
function parseInput(
  operation: Operation,
  exchange: Exchange,
  params: ParsedPart,
  bytes: Uint8Array | undefined,
  form: ParsedJson | undefined,
): Input {
  const query = parseQuery(operation.query, exchange)
  const given = readsBody(operation) ? parseGiven(operation, bytes, form, exchange) : undefined
  const body = asOneFault(operation, parseBody(operation, given))
  const sudo = parseSudo(operation, given)
  const key = operation.method === 'POST' ? keyFaults(exchange.facts.idempotencyKey) : []
  const faults = [...params.faults, ...query.faults, ...key, ...distinct([...body.faults, ...sudo.faults])]
  if (faults.length > 0) reject('INVALID_FORM_BODY', ...faults.slice(0, faults_max))
  const parsed = { params: params.value, query: query.value, body: body.value, sudo: sudo.fields }
  return { ...parsed, json: operation.takesForm ? undefined : given?.value, bytes: bytes ?? noBytes }
}

function parseQuery(schema: Schema, { search, received }: Exchange): ParsedPart {
  if (!isSchema(schema)) return nothing
  const given = parseQueryString(search)
  received.push(given)
  const { value, faults } = parse(schema, given, true)
  const repeats = repeatedOnes(schema, given).filter((name) => !faults.some(({ path }) => path.split('.')[0] === name))
  return { value, faults: [...faults, ...repeats.map((name) => field(name, 'INVALID_FORMAT'))] }
}

/** The names of parameters that the schema knows and takes once, and that come more often (reference identity 2.9). */
function repeatedOnes(schema: z.ZodType, given: Readonly<Record<string, string | readonly string[]>>) {
  return Object.keys(given).filter((name) => {
    const member = Array.isArray(given[name]) ? memberSchema(schema, name) : undefined
    return member !== undefined && !repeatable.has(member)
  })
}

/** Parses path parameters. */
export function parseParams(schema: Schema, given: unknown): ParsedPart {
  return isSchema(schema) ? parse(schema, given, true) : nothing
}

/** Every body is read but that of a GET, also where nothing in it counts: what is no JSON is refused everywhere. */
function readsBody({ method }: Operation): boolean {
  return method !== 'GET'
}

/** A body as it came, read as JSON or as a form. */
type GivenBody = ParsedPart & { readonly suspicious: boolean }

/** `bytes` is undefined for a body that was too long to be read. */
function parseGiven(
  { takesImage, body, sudo }: Operation,
  bytes: Uint8Array | undefined,
  form: ParsedJson | undefined,
  { received }: Exchange,
): GivenBody {
  if (bytes === undefined) return unreadable(field('body', takesImage ? 'BASE64_LENGTH_INVALID' : 'TOO_LARGE'))
  const given = form ?? parseJson(bytes)
  if (!given.ok) return unreadable(given.fault)
  const { longIntegersAsTexts: texts } = given
  const value = isSchema(body) && texts !== undefined ? withWholeIntegers(body, given.value, texts) : given.value
  if (isSchema(body) || !('none' in sudo)) received.push(value)
  return { value, faults: [], suspicious: form !== undefined || mayHideUnstorable(bytes) }
}

function unreadable(fault: FieldError): GivenBody {
  return { value: undefined, faults: [fault], suspicious: false }
}

function parseBody({ body }: Operation, given: GivenBody | undefined): ParsedPart {
  if (!given || given.faults.length > 0) return given ?? nothing
  return isSchema(body) ? parse(body, given.value, given.suspicious) : nothing
}

/** A text, or a whole body, that is too long stays what it is. */
function asOneFault({ bodyFault }: Operation, { value, faults }: ParsedPart): ParsedPart {
  if (bodyFault === undefined || faults.length === 0) return { value, faults }
  const tooLong = faults.filter(({ code }) => code === 'CONTENT_EXCEEDS_MAX_LENGTH' || code === 'TOO_LARGE')
  return { value, faults: tooLong.length > 0 ? tooLong : [bodyFault] }
}

function parseSudo({ sudo }: Operation, given: GivenBody | undefined): Pick<ParsedPart, 'faults'> & SudoPart {
  if (!given || given.faults.length > 0 || 'none' in sudo) return { faults: [], fields: undefined }
  const { data, error } = sudoFields.safeParse(given.value)
  const unstorable = given.suspicious ? unstorableTexts(sudoFields, given.value) : []
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
  return [...new Map(faults.map((fault) => [`${fault.path} ${fault.code}`, fault])).values()]
}

/** What a schema reads of a value. `suspicious` where a text of it may hold what can't be stored. */
export function parse(schema: z.ZodType, given: unknown, suspicious: boolean): ParsedPart {
  const overlong = overlongLists(schema, given)
  if (overlong.length > 0)
    return { value: undefined, faults: overlong.map((path) => field(pathText(path), 'INVALID_FORMAT')) }
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
