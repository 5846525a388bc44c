import type { z } from 'zod'
import type { ContentFilter } from '../../../application/content-rules/content-filter.ts'
import type { SentText } from '../../../application/content-rules/content-rules.ts'
import { reject } from '../../../application/commands/refused.ts'
import type { ProfileScope } from '../../../domain/blocklist-entry/lists.ts'
import { isSchema, type Operation } from '../operation.ts'
import { filteredMembers } from '../schemas/filtered-text.ts'
import type { Input } from '../request/input/input.ts'
import { memberSchema } from '../schemas/member-schema.ts'

/**
 * Refuses a request body with blocklisted content, in its texts or in the names of its files: CONTENT_BLOCKED
 * (rules/http-and-limits#content). It runs after validation and before the handler. Administrators may write what they put on a list, except in texts that are always
 * filtered.
 */
export function requireAllowedContent(
  filter: Pick<ContentFilter, 'blocks'>,
  { method, callers, body, keepsNoText, showsCode }: Operation,
  { json, files }: Pick<Input, 'json' | 'files'>,
): void {
  if (method === 'GET' || method === 'DELETE' || keepsNoText || !isSchema(body)) return
  const read = callers.kind === 'admin' ? membersOf(json, filteredMembers(body)) : json
  if (read === undefined) return
  const names = files.flatMap(({ filename }) => checked(filename, null))
  if (filter.blocks([...textsIn(body, read, '', showsCode), ...names])) reject('CONTENT_BLOCKED')
}

/** The object with these members alone; undefined if there are none to read. */
function membersOf(json: unknown, members: readonly string[]): object | undefined {
  if (members.length === 0 || typeof json !== 'object' || json === null) return undefined
  return Object.fromEntries(Object.entries(json).filter(([name]) => members.includes(name)))
}

/** Shorter texts are not checked. */
const text_chars_min = 3
/** No member accepts a longer text, so a longer one is in no member that is kept. */
const text_chars_max = 8192

/** Members that identify or authenticate somebody. They are shown to nobody. */
const secret =
  /^(?:code|password|email|response|.+_(?:code|password|email))$|(?:token|secret|ticket|proof|key|challenge)$/
const image = /^(?:avatar|banner|icon|image|splash|embed_splash)$/
const mask = /_flags$/

const scopes = new Map<string, ProfileScope>([
  ['username', 'username'],
  ['global_name', 'global_name'],
  ['nick', 'nickname'],
  ['bio', 'bio'],
  ['pronouns', 'pronouns'],
])

/** The texts that a schema reads from a value; dropped members are skipped. `name` is the member that holds the value. */
function textsIn(schema: z.core.$ZodType, value: unknown, name: string, showsCode: boolean): readonly SentText[] {
  if (typeof value === 'string') return checked(value, scopes.get(name) ?? null)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([member, inner]) => {
    const kept = memberSchema(schema, member)
    // An element of a list has the name of the list.
    const called = Array.isArray(value) ? name : member
    const isRead = !isSkipped(called, inner) || (showsCode && called === 'code')
    return kept && isRead ? textsIn(kept, inner, called, showsCode) : []
  })
}

function checked(text: string, scope: ProfileScope | null): readonly SentText[] {
  return text.length < text_chars_min || text.length > text_chars_max ? [] : [{ text, scope }]
}

/** An image is text that encodes it. Where the member holds an object, that only describes one, as in an embed. */
function isSkipped(name: string, value: unknown): boolean {
  return secret.test(name) || (image.test(name) && typeof value === 'string') || mask.test(name)
}
