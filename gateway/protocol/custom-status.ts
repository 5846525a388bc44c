import { timestamp, type Timestamp } from '../../domain/kernel/timestamp.ts'
import { parseText } from '../../domain/text/normalise.ts'
import { hasExpired, type CustomStatus } from '../../domain/user-settings/settings.ts'
import { isObject, snowflakeIn } from './read.ts'

const text_max = 128
const emojiName_max = 32
const isoInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/
const unix_ms_max = 8.64e15

/**
 * Parses a session's custom status: null for none, undefined if it is not valid. In a Presence Update, texts must have
 * valid lengths and the expiry must be in the future; in an Identify this is not checked.
 */
export function customStatusIn(value: unknown, checkedAt?: Timestamp): CustomStatus | null | undefined {
  if (value === null) return null
  if (!isObject(value)) return undefined
  const isChecked = checkedAt !== undefined
  const text = textIn(value['text'], isChecked ? text_max : undefined)
  const emojiName = textIn(value['emoji_name'], isChecked ? emojiName_max : undefined)
  const emojiId = isAbsent(value['emoji_id']) ? null : snowflakeIn(value['emoji_id'])
  const expiresAt = isAbsent(value['expires_at']) ? null : instantIn(value['expires_at'])
  if (text === undefined || emojiName === undefined || emojiId === undefined || expiresAt === undefined)
    return undefined
  const status = { text, expiresAt, emojiId, emojiName }
  if (isChecked && hasExpired(status, checkedAt)) return undefined
  // An empty status counts as none.
  return text === null && emojiId === null && emojiName === null ? null : status
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function textIn(value: unknown, length_max: number | undefined): string | null | undefined {
  if (isAbsent(value)) return null
  if (typeof value !== 'string') return undefined
  if (length_max === undefined) return value
  const read = parseText(value, { min: 1, max: length_max })
  return read.ok ? read.value : undefined
}

/** ISO 8601, or milliseconds since 1970, as in settings. */
function instantIn(value: unknown): Timestamp | undefined {
  const ms = typeof value === 'string' && isoInstant.test(value) ? Date.parse(value) : value
  return typeof ms === 'number' && Number.isInteger(ms) && ms >= 0 && ms <= unix_ms_max ? timestamp(ms) : undefined
}
