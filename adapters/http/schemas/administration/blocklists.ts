import { z } from 'zod'
import { readListedValue, valueLengths, type ListedValue } from '../../../../application/content-rules/listed-value.ts'
import type { EntryDetails } from '../../../../domain/blocklist-entry/events.ts'
import {
  blocklists,
  entryCategories,
  profileScopes,
  severities,
  type Blocklist,
} from '../../../../domain/blocklist-entry/lists.ts'
import type { EntryCursor } from '../../../../application/ports/queries/blocklist-queries.ts'
import type { Timestamp } from '../../../../domain/kernel/timestamp.ts'
import { queryInteger } from '../query-inputs.ts'
import { issue, orNull, readBy, textInput, withDefault } from '../scalars.ts'
import { snowflakeOutput, timestampOutput } from '../../../../application/wire-objects/scalars.ts'

const severity = z.literal(Object.values(severities))
const category = z.enum(entryCategories)
const scope = z.enum(profileScopes)
const remark = textInput({ min: 1, max: 1024 })
const sourceUrl = textInput({ min: 1, max: 2048 })
const contentType = textInput({ min: 1, max: 128 })
export const listedValues_max = 1000
export const hashes_max = 10_000

/** One value of a list. */
const valueOf = (list: Blocklist) => readBy((text) => readListedValue(list, text), valueLengths[list])

const many = (list: Blocklist, values_max: number) => z.array(valueOf(list)).min(1).max(values_max)

/** The members of a body beside its values; null means the default. */
const details = {
  category: withDefault(category, 'manual'),
  severity: withDefault(severity, severities.BLOCK),
  match_subdomains: withDefault(z.boolean(), true),
  source_url: orNull(sourceUrl),
  notes: orNull(remark),
  reason: orNull(remark),
  content_type: orNull(contentType),
}

type GivenDetails = z.output<z.ZodObject<typeof details>>

const detailsOf = (body: GivenDetails): EntryDetails => ({
  category: body.category,
  severity: body.severity,
  matchSubdomains: body.match_subdomains,
  sourceUrl: body.source_url,
  notes: body.notes,
  reason: body.reason,
  contentType: body.content_type,
})

const one = (value: ListedValue): readonly ListedValue[] => [value]

/** The value members of a body, by list: their names differ. */
const valueBodies = {
  ip: z.object({ ip: valueOf('ip').transform(one), ...details }).transform(({ ip, ...rest }) => bodyOf(ip, rest)),
  email: z
    .object({ email: valueOf('email').transform(one), ...details })
    .transform(({ email, ...rest }) => bodyOf(email, rest)),
  phrase: z
    .object({ phrase: valueOf('phrase').transform(one), ...details })
    .transform(({ phrase, ...rest }) => bodyOf(phrase, rest)),
  url: z.object({ url: valueOf('url').transform(one), ...details }).transform(({ url, ...rest }) => bodyOf(url, rest)),
  'url-domain': z
    .object({ domain: valueOf('url-domain').transform(one), ...details })
    .transform(({ domain, ...rest }) => bodyOf(domain, rest)),
  'file-sha': z
    .object({ sha256_hex: valueOf('file-sha').transform(one), ...details })
    .transform(({ sha256_hex: hash, ...rest }) => bodyOf(hash, rest)),
  'avatar-hash': z
    .object({ hashes: many('avatar-hash', listedValues_max), ...details })
    .transform(({ hashes, ...rest }) => bodyOf(hashes, rest)),
  'profile-substring': z
    .object({ substrings: many('profile-substring', listedValues_max), scope, ...details })
    .transform(({ substrings, scope: where, ...rest }) => ({ ...bodyOf(substrings, rest), scope: where })),
}

function bodyOf(values: readonly ListedValue[], given: GivenDetails) {
  return { values, scope: null, details: detailsOf(given) }
}

/** Entries to add to a list. */
export const newEntries = (list: Blocklist) => valueBodies[list]

/** Many hashes of files at once. */
export const newFileHashes = z
  .object({ hashes: many('file-sha', hashes_max), ...details })
  .transform(({ hashes, ...rest }) => bodyOf(hashes, rest))

/** Values to remove from a list. */
export const goneHashes = z
  .object({ hashes: many('avatar-hash', listedValues_max) })
  .transform(({ hashes }) => ({ values: hashes, scope: null }))
export const goneFileHashes = z
  .object({ hashes: many('file-sha', hashes_max) })
  .transform(({ hashes }) => ({ values: hashes, scope: null }))
export const goneSubstrings = z
  .object({ substrings: many('profile-substring', listedValues_max), scope: orNull(scope) })
  .transform(({ substrings, scope: where }) => ({ values: substrings, scope: where }))

/** Changes to an entry. Members that are not sent stay as they are. */
export const entryChanges = z
  .object({
    category: category.optional(),
    severity: severity.optional(),
    match_subdomains: z.boolean().optional(),
    source_url: sourceUrl.nullable().optional(),
    notes: remark.nullable().optional(),
    reason: remark.nullable().optional(),
    content_type: contentType.nullable().optional(),
  })
  .transform((body): Partial<EntryDetails> => {
    const { match_subdomains: matchSubdomains, source_url: sourceOf, content_type: typeOf, ...same } = body
    const changes = { ...same, matchSubdomains, sourceUrl: sourceOf, contentType: typeOf }
    return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  })

/** The value in a path: an object, not a text, so that it is not taken for an id. */
export const entryParams = (list: Blocklist) => z.object({ value: valueOf(list) })
export const scopeQuery = z.object({ scope: scope.optional() }).transform(({ scope: given }) => given ?? null)

const cursor = z
  .string()
  .transform((text, context): EntryCursor => {
    const found = /^(?<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(?<id>[0-9a-f]{64})$/.exec(text)?.groups
    if (!found || Number.isNaN(Date.parse(found['at'] ?? ''))) return issue(context, 'INVALID_FORMAT')
    return { addedAt: found['at'] as Timestamp, entryId: found['id'] ?? '' }
  })
  .meta({ description: 'What the page before gave as next_after.' })

export const entriesQuery = z
  .object({ limit: queryInteger({ min: 1, max: 200 }, 50), after: cursor.optional(), scope: scope.optional() })
  .transform((query) => ({ limit: query.limit, after: query.after ?? null, scope: query.scope ?? null }))

const entry = z
  .object({
    list_type: z.enum(blocklists),
    value: z.string(),
    scope: scope.nullable().describe('Which members of a profile it is about; null for other lists.'),
    category,
    severity: severity.describe('0 allow, 1 warn, 2 refuse, 3 refuse and report.'),
    source_url: z.string().nullable(),
    notes: z.string().nullable(),
    content_type: z.string().nullable(),
    match_subdomains: z
      .boolean()
      .describe('Kept with the entry and shown. It changes nothing: hosts are compared exactly.'),
    reason: z.string().nullable(),
    expires_at: timestampOutput.nullable().describe('Null for never.'),
    created_at: timestampOutput,
    created_by_user_id: snowflakeOutput.nullable().describe('Null if nobody did.'),
  })
  .meta({ id: 'BlocklistEntry' })

export const entriesPage = z
  .object({
    items: z.array(entry).readonly(),
    has_more: z.boolean().describe('Whether there is another page.'),
    next_after: z.string().nullable(),
  })
  .meta({ id: 'BlocklistEntriesPage' })

export const listTypes = z.object({ lists: z.array(z.enum(blocklists)).readonly() }).meta({ id: 'Blocklists' })
export const isBanned = z.object({ banned: z.boolean().describe('Whether the list has the value.') })
export const queuedJob = z.object({ job_id: z.string() }).meta({ id: 'QueuedJob' })
