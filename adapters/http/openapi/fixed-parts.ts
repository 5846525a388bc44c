import type { JsonSchema } from './component-schemas.ts'

const inAuthorization = (description: string): JsonSchema => ({
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description,
})

/** The forms of the Authorization header. */
export const securitySchemes: Readonly<Record<string, JsonSchema>> = {
  session: inAuthorization('A user session token by itself: `gld_` and 36 letters and digits.'),
  bot: inAuthorization('`Bot`, a space and a bot token.'),
  oauth2: { type: 'http', scheme: 'bearer', description: 'An OAuth2 access token; the operation names the scope.' },
  adminKey: inAuthorization('`Admin`, a space and an Admin API key; the operation names the ACLs.'),
}

const header = (type: string, description: string): JsonSchema => ({ schema: { type }, description })

export const rateLimitHeaders: Readonly<Record<string, JsonSchema>> = {
  'Retry-After': header('integer', 'Whole seconds until one more request is admitted.'),
  'X-RateLimit-Scope': header('string', '`user`, `global` or `shared`.'),
  'X-RateLimit-Global': header('string', '`true` where the global bucket is empty; the headers below are then absent.'),
  'X-RateLimit-Limit': header(
    'integer',
    'Requests that the bucket admits at once; milliseconds or bytes where X-RateLimit-Unit says so.',
  ),
  'X-RateLimit-Remaining': header('integer', 'Whole requests left.'),
  'X-RateLimit-Reset': header('integer', 'Unix seconds when the bucket is full again.'),
  'X-RateLimit-Reset-After': header('number', 'Seconds until the bucket is full again.'),
  'X-RateLimit-Bucket': header('string', 'Names the bucket, whatever its parameters.'),
  'X-RateLimit-Unit': header(
    'string',
    '`milliseconds` of the processor or `bytes`, where requests took too much of them; absent where they are counted.',
  ),
}

/** docs/decisions/0006-idempotency-keys.md. */
export const idempotencyKeyParameter: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description:
    'Lets the operation do its work once however often the request is sent: for a day, the same key has the same answer, ' +
    'which then carries `Idempotent-Replayed: true`. With another request the same key is 409 CONFLICT.',
}

export const auditLogReasonParameter: JsonSchema = {
  name: 'X-Audit-Log-Reason',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description:
    'Why: kept with the entry that the request makes in an audit log, in at most 512 characters; a longer one counts as none.',
}

export const clientCapabilitiesParameter: JsonSchema = {
  name: 'X-Service-Features',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description:
    'What the client can do, separated by commas. A user session that does not declare `channel_threads` gets 404 ' +
    'from the operations on threads, and no permission bits of threads; a bot need not declare it.',
}

const sudoHeaderName = 'X-Service-Sudo-Mode-JWT'

export const sudoProofParameter: JsonSchema = {
  name: sudoHeaderName,
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'A proof that an earlier answer carried, in place of the sudo verification fields: for five minutes.',
}

export const sudoProofHeaders: Readonly<Record<string, JsonSchema>> = {
  [sudoHeaderName]: header(
    'string',
    'A new proof where the account has a second factor and gave it; the proof of the request where that was right.',
  ),
}

/** For answers that redirect the client. */
export const locationHeaders: Readonly<Record<string, JsonSchema>> = {
  Location: { schema: { type: 'string', format: 'uri' }, description: 'Where to.' },
}
