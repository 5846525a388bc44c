import { z } from 'zod'
import type { ChangesPage } from '../../../../application/ports/queries/user-change-log-queries.ts'
import { emailLength, parseEmail } from '../../../../domain/account/names.ts'
import { parsed, unparsed, type Parsed } from '../../../../domain/kernel/parsed.ts'
import { parseText } from '../../../../domain/text/normalise.ts'
import { queryInteger } from '../query-inputs.ts'
import { readBy } from '../scalars.ts'
import { nullableText } from '../../../../application/wire-objects/scalars.ts'
import { adminUserChangeSchema } from '../../../../application/wire-objects/administration/admin-user-change-object.ts'

const limit = { min: 1, max: 200, default: 50 }
const tokenLength = { min: 1, max: 64 }
const unsigned64_max = 2n ** 64n - 1n

export const emailChange = z.object({ email: readBy(parseEmail, emailLength) })

/** The query of List user change log. */
export const userChangesPage = z
  .object({ limit: queryInteger(limit, limit.default), page_token: readBy(parsePageToken, tokenLength).optional() })
  .transform((query): ChangesPage => ({ limit: query.limit, before: query.page_token ?? null }))

/** The id of a change, an unsigned 64-bit decimal: STRING_LENGTH_INVALID or INVALID_FORMAT. */
function parsePageToken(given: string): Parsed<string> {
  const token = parseText(given, tokenLength)
  if (!token.ok) return token
  const isId = /^(?:0|[1-9][0-9]*)$/.test(token.value) && BigInt(token.value) <= unsigned64_max
  return isId ? parsed(token.value) : unparsed('INVALID_FORMAT')
}

export const userChangeLog = z.object({
  entries: z.array(adminUserChangeSchema).readonly(),
  next_page_token: nullableText,
})
