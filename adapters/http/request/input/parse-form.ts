import { MIMEType } from 'node:util'
import type { FieldCode } from '../../../../domain/kernel/field-codes.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { parseJson, type ParsedJson } from './parse-json.ts'
import { parseQueryString } from './query-string.ts'

/** The most bytes and fields of a form. */
export const formBytes_max = 64 * 1024
export const formFields_max = 100

const urlEncoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data'
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a body as a form of either kind. A repeated name gives an array, and an empty field counts as left out (RFC
 * 6749, 3.2). A body without a type is read as URL-encoded. TOO_LARGE beyond `formFields_max`, before the fields are
 * parsed; INVALID_FORMAT for another type, and for an invalid form. The caller reads at most `formBytes_max`.
 */
export async function parseForm(bytes: Uint8Array, contentType = urlEncoded): Promise<ParsedJson> {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase()
  if (type === multipart) return parseMultipart(bytes, contentType)
  return type === urlEncoded ? parseUrlEncoded(bytes) : unreadable('INVALID_FORMAT')
}

/** Whether a body is a form of the kind that `parsePayload` reads. */
export function isUrlEncoded(contentType = ''): boolean {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() === urlEncoded
}

/** Parses the JSON in the field `payload` of a URL-encoded form, with at most `bound` members. INVALID_FORMAT if there is none. */
export function parsePayload(bytes: Uint8Array, bound: number): ParsedJson {
  const form = parseUrlEncoded(bytes)
  if (!form.ok) return form
  const payload: unknown = Reflect.get(form.value as object, 'payload')
  return typeof payload === 'string' ? parseJson(Buffer.from(payload), bound) : unreadable('INVALID_FORMAT')
}

function unreadable(code: FieldCode): ParsedJson {
  return { ok: false, fault: field('body', code) }
}

function parseUrlEncoded(bytes: Uint8Array): ParsedJson {
  const text = decoded(bytes)
  if (text === undefined) return unreadable('INVALID_FORMAT')
  if (text.split('&', formFields_max + 1).length > formFields_max) return unreadable('TOO_LARGE')
  const fields = Object.entries(parseQueryString(text.trim()))
  return { ok: true, value: Object.fromEntries(fields.filter(([, value]) => value !== '')) }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/**
 * Uses the platform's own parser, which takes long for many parts: they are counted first. A file is not a field value: no
 * schema accepts it.
 */
async function parseMultipart(bytes: Uint8Array, contentType: string): Promise<ParsedJson> {
  const boundary = boundaryOf(contentType)
  if (!boundary) return unreadable('INVALID_FORMAT')
  if (hasTooManyParts(bytes, boundary)) return unreadable('TOO_LARGE')
  const form = await readForm(bytes, boundary)
  if (!form) return unreadable('INVALID_FORMAT')
  const names = new Set(form.keys())
  const fields = [...names].map((name) => [name, oneOrAll(form.getAll(name))] as const)
  return { ok: true, value: Object.fromEntries(fields.filter(([, value]) => value !== '')) }
}

/** The text between the parts; undefined if the type has none, or is invalid. */
function boundaryOf(contentType: string): string | undefined {
  try {
    return new MIMEType(contentType).params.get('boundary') ?? undefined
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Stops at the first part too many. Each part begins with the boundary, and one more ends the last. */
function hasTooManyParts(bytes: Uint8Array, boundary: string): boolean {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const delimiter = Buffer.from(`--${boundary}`, 'latin1')
  let parts = -1
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at + delimiter.length)) {
    parts += 1
    if (parts > formFields_max) return true
  }
  return false
}

/** Gives the parser the boundary by which the parts were counted, and no other of a Content-Type that names several. */
async function readForm(bytes: Uint8Array, boundary: string): Promise<FormData | undefined> {
  const type = new MIMEType(multipart)
  type.params.set('boundary', boundary)
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': String(type) } }).formData()
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function oneOrAll(values: readonly (string | File)[]): unknown {
  const plain = values.map((value) => (typeof value === 'string' ? value : { file: value.size }))
  return plain.length === 1 ? plain[0] : plain
}
