import type { FieldCode } from '../../../../domain/kernel/field-codes.js'
import { field } from '../../../../domain/kernel/refusal.js'
import type { ParsedJson } from './parse-json.js'
import { parseQueryString } from './query-string.js'

/** The most fields of a form. */
export const formFields_max = 100

const urlEncoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data'
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a body as a form of either kind (reference identity 2.3). A repeated name gives an array, and an empty field counts as
 * left out (RFC 6749, 3.2). A body without a type is read as URL-encoded. TOO_LARGE beyond `formFields_max`; INVALID_FORMAT for
 * another type, and for an invalid form.
 */
export async function parseForm(bytes: Uint8Array, contentType = urlEncoded): Promise<ParsedJson> {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase()
  if (type === multipart) return parseMultipart(bytes, contentType)
  return type === urlEncoded ? parseUrlEncoded(bytes) : unreadable('INVALID_FORMAT')
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

/** Uses the platform's own parser. A file is not a field value: no schema accepts it. */
async function parseMultipart(bytes: Uint8Array, contentType: string): Promise<ParsedJson> {
  const form = await readForm(bytes, contentType)
  if (!form) return unreadable('INVALID_FORMAT')
  const names = new Set(form.keys())
  if ([...form.keys()].length > formFields_max) return unreadable('TOO_LARGE')
  const fields = [...names].map((name) => [name, oneOrAll(form.getAll(name))] as const)
  return { ok: true, value: Object.fromEntries(fields.filter(([, value]) => value !== '')) }
}

async function readForm(bytes: Uint8Array, contentType: string): Promise<FormData | undefined> {
  try {
    return await new Response(Uint8Array.from(bytes), { headers: { 'content-type': contentType } }).formData()
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function oneOrAll(values: readonly (string | File)[]): unknown {
  const plain = values.map((value) => (typeof value === 'string' ? value : { file: value.size }))
  return plain.length === 1 ? plain[0] : plain
}
