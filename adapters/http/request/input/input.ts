import type { z } from 'zod'
import { reject } from '../../../../application/commands/refused.ts'
import type { SentFile } from '../../../../application/ports/attachments.ts'
import type { SudoFields } from '../../../../application/identity/sudo/sudo-request.ts'
import { field, type FieldError } from '../../../../domain/kernel/refusal.ts'
import { fieldErrors, pathText } from '../../errors/field-errors.ts'
import { overlongFault } from '../../errors/field-faults.ts'
import { serviceAmong } from '../../callers.ts'
import { keyFaults } from '../../idempotency/idempotency-key.ts'
import { dryRunQuery, takesDryRun } from '../../dry-runs.ts'
import { isSchema, type Operation, type Schema } from '../../operation.ts'
import { repeatable } from '../../schemas/query-inputs.ts'
import { sudoFields } from '../../schemas/sudo.ts'
import type { Exchange } from '../exchange.ts'
import { overlongLists } from './bounded-lists.ts'
import type { FormWithFiles } from './form-with-files.ts'
import { membersBound } from './members-bound.ts'
import { formBytes_max, isUrlEncoded, parseForm, parsePayload } from './parse-form.ts'
import { parseJson, type ParsedJson } from './parse-json.ts'
import { parseQueryString } from './query-string.ts'
import { bodyBytes_max, imageBodyBytes_max, readBody } from './read-body.ts'
import { memberSchema } from '../../schemas/member-schema.ts'
import { unstorableTexts } from './unstorable-text.ts'
import { withWholeIntegers } from './whole-integers.ts'

/** The parsed parts of a request that a handler reads. */
export interface Input {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** Whether the request only asks what it would do. */
  readonly dryRun: boolean
  /** The sudo verification fields of the body; undefined if the operation never needs sudo mode. */
  readonly sudo: SudoFields | undefined
  /** The body as parsed JSON; undefined if it was not read, or is a form. */
  readonly json: unknown
  /** The raw body; of a form with files, what tells it from another one. */
  readonly bytes: Uint8Array
  /** The files of a form. */
  readonly files: readonly SentFile[]
}

/** Reads a form with files. */
export type ReadForm = () => Promise<FormWithFiles>

/** One parsed part of a request: its value, and its faults. */
export interface ParsedPart {
  readonly value: unknown
  readonly faults: readonly FieldError[]
}

/** An answer names at most this many faults. Nobody reads more, and finding them must not take long. */
export const faults_max = 100

const nothing: ParsedPart = { value: undefined, faults: [] }
const noBytes = new Uint8Array()

/**
 * Reads and parses a whole request. 400 INVALID_FORM_BODY with an entry for every fault, wherever it is, up to `faults_max`; a
 * list that is too long gives only that fault. `params` were parsed before.
 */
export async function readInput(
  operation: Operation,
  exchange: Exchange,
  params: ParsedPart,
  readForm?: ReadForm,
): Promise<Input> {
  if (exchange.body !== undefined) {
    const ofPage: ParsedJson = { ok: true, value: exchange.body }
    return exchange.meter.measure(() => parseInput(operation, exchange, params, noBytes, ofPage))
  }
  const sent = readForm && isMultipart(exchange.raw.headers['content-type']) ? await readForm() : undefined
  if (sent) return parseSent(operation, exchange, params, sent)
  const bytes = readsBody(operation) ? await readBody(exchange.raw, bodyLimit(operation), exchange.share) : noBytes
  const form = bytes && (await parsedForm(operation, bytes, exchange.raw.headers['content-type']))
  return exchange.meter.measure(() => parseInput(operation, exchange, params, bytes, form))
}

/** The body as a form, where the operation takes one; undefined for JSON. */
async function parsedForm(
  operation: Operation,
  bytes: Uint8Array,
  contentType: string | undefined,
): Promise<ParsedJson | undefined> {
  if (operation.takesForm) return parseForm(bytes, contentType)
  const isPayload = serviceAmong(operation.callers) !== null && isUrlEncoded(contentType)
  return isPayload ? parsePayload(bytes, membersBound(operation)) : undefined
}

/** Parses a form with files, which are discarded if it is refused. */
async function parseSent(
  operation: Operation,
  exchange: Exchange,
  params: ParsedPart,
  sent: FormWithFiles,
): Promise<Input> {
  try {
    const form = sent.json(membersBound(operation))
    const { fingerprint, files } = sent
    const input = exchange.meter.measure(() => parseInput(operation, exchange, params, fingerprint, form, true))
    return { ...input, files }
  } catch (error) {
    await sent.discard()
    throw error
  }
}

/** Parses the parts that were read. `form`: the body of an operation that takes one, or of a page. */
function parseInput(
  operation: Operation,
  exchange: Exchange,
  params: ParsedPart,
  bytes: Uint8Array | undefined,
  form: ParsedJson | undefined,
  isOfFiles = false,
): Input {
  const query = parseQuery(operation.query, exchange)
  const dry = parseDryRun(operation, exchange)
  const given = readsBody(operation) ? parseGiven(operation, bytes, form, exchange) : undefined
  const body = operation.fromStore
    ? { value: given?.value, faults: [] }
    : asOneFault(isOfFiles ? {} : operation, parseBody(operation, given))
  const sudo = parseSudo(operation, given)
  const key = operation.method === 'POST' && !operation.fromStore ? keyFaults(exchange.facts.idempotencyKey) : []
  const faults = [
    ...params.faults,
    ...query.faults,
    ...dry.faults,
    ...key,
    ...distinct([...body.faults, ...sudo.faults]),
  ]
  if (faults.length > 0) reject('INVALID_FORM_BODY', ...faults.slice(0, faults_max))
  const parsed = { params: params.value, query: query.value, body: body.value, dryRun: dry.dryRun, sudo: sudo.fields }
  return { ...parsed, json: operation.takesForm ? undefined : given?.value, bytes: bytes ?? noBytes, files: [] }
}

function parseQuery(schema: Schema, { search, received }: Exchange): ParsedPart {
  if (!isSchema(schema)) return nothing
  const given = parseQueryString(search)
  received.push(given)
  const { value, faults } = parse(schema, given, true)
  const repeats = repeatedOnes(schema, given).filter((name) => !faults.some(({ path }) => path.split('.')[0] === name))
  return { value, faults: [...faults, ...repeats.map((name) => field(name, 'INVALID_FORMAT'))] }
}

type DryRunPart = Pick<ParsedPart, 'faults'> & Pick<Input, 'dryRun'>
const noDryRun: DryRunPart = { faults: [], dryRun: false }

function parseDryRun(operation: Operation, exchange: Exchange): DryRunPart {
  if (!takesDryRun(operation)) return noDryRun
  const { value, faults } = parseQuery(dryRunQuery, exchange)
  return { faults, dryRun: (value as z.output<typeof dryRunQuery> | undefined)?.dry_run ?? false }
}

/** The names of parameters that the schema accepts once but that occur more often. */
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

/** Every body is read except that of a GET, even if the operation does not use it: invalid JSON is refused everywhere. */
function readsBody({ method }: Operation): boolean {
  return method !== 'GET'
}

/** The body as JSON or as a form. */
type GivenBody = ParsedPart & { readonly suspicious: boolean }

/** `bytes` is undefined for a body that was too long to read. */
function parseGiven(
  operation: Operation,
  bytes: Uint8Array | undefined,
  form: ParsedJson | undefined,
  { received }: Exchange,
): GivenBody {
  const { takesImage, body, sudo } = operation
  if (bytes === undefined) return unreadable(field('body', takesImage ? 'BASE64_LENGTH_INVALID' : 'TOO_LARGE'))
  const given = form ?? parseJson(bytes, membersBound(operation))
  if (!given.ok && operation.badJsonIsEmpty) return { value: {}, faults: [], suspicious: false }
  if (!given.ok) return unreadable(given.fault)
  const { longIntegersAsTexts: texts } = given
  const value = isSchema(body) && texts !== undefined ? withWholeIntegers(body, given.value, texts) : given.value
  if (isSchema(body) || !('none' in sudo)) received.push(value)
  return { value, faults: [], suspicious: form !== undefined || mayHideUnstorable(bytes) }
}

function isMultipart(contentType = ''): boolean {
  return contentType.trim().toLowerCase().startsWith('multipart/')
}

function unreadable(fault: FieldError): GivenBody {
  return { value: undefined, faults: [fault], suspicious: false }
}

function parseBody({ body }: Operation, given: GivenBody | undefined): ParsedPart {
  if (!given || given.faults.length > 0) return given ?? nothing
  return isSchema(body) ? parse(body, given.value, given.suspicious) : nothing
}

/** The text of a message, or a whole body, that is too long, and what is not supported keep their own faults. */
function asOneFault({ bodyFault }: Partial<Pick<Operation, 'bodyFault'>>, { value, faults }: ParsedPart): ParsedPart {
  if (bodyFault === undefined || faults.length === 0) return { value, faults }
  const kept = faults.filter(
    ({ path, code, fault }) =>
      (code === 'CONTENT_EXCEEDS_MAX_LENGTH' && path === 'content') ||
      code === 'TOO_LARGE' ||
      fault?.reason === 'not_supported',
  )
  return { value, faults: kept.length > 0 ? kept : [bodyFault] }
}

function parseSudo({ sudo }: Operation, given: GivenBody | undefined): Pick<ParsedPart, 'faults'> & SudoPart {
  if (!given || given.faults.length > 0 || 'none' in sudo) return { faults: [], fields: undefined }
  const { data, error } = sudoFields.safeParse(given.value)
  const unstorable = given.suspicious ? unstorableTexts(sudoFields, given.value) : []
  return {
    fields: data,
    faults: [
      ...fieldErrors(error?.issues ?? [], { schema: sudoFields, value: given.value }),
      ...unstorable.map((path) => field(pathText(path), 'INVALID_FORMAT')),
    ],
  }
}

interface SudoPart {
  readonly fields: SudoFields | undefined
}

/** A member that both the operation and sudo mode read is reported once. */
function distinct(faults: readonly FieldError[]): readonly FieldError[] {
  return [...new Map(faults.map((fault) => [`${fault.path} ${fault.code}`, fault])).values()]
}

/** Parses a value with a schema. `suspicious` if one of its texts may hold characters that can't be stored. */
export function parse(schema: z.ZodType, given: unknown, suspicious: boolean): ParsedPart {
  const overlong = overlongLists(schema, given)
  if (overlong.length > 0)
    return {
      value: undefined,
      faults: overlong.map((path) => field(pathText(path), 'INVALID_FORMAT', overlongFault(schema, path))),
    }
  const result = schema.safeParse(given)
  const unstorable = suspicious ? unstorableTexts(schema, given) : []
  return {
    value: result.data,
    faults: [
      ...fieldErrors(result.error?.issues ?? [], { schema, value: given }),
      ...unstorable.map((path) => field(pathText(path), 'INVALID_FORMAT')),
    ],
  }
}

/** JSON in UTF-8 can contain a NUL or half a surrogate pair only as an escape. */
function mayHideUnstorable(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('\\u')
}

function bodyLimit({ takesImage, takesForm }: Operation): number {
  if (takesForm) return formBytes_max
  return takesImage ? imageBodyBytes_max : bodyBytes_max
}
