import { z } from 'zod'
import { endedSessions_max } from '../../../../application/identity/sessions/end-own-sessions.ts'
import { timestampOutput } from '../../../../application/wire-objects/scalars.ts'

/** The body of Log out sessions. */
export const endedSessions = z
  .object({ session_id_hashes: z.array(z.string()).max(endedSessions_max) })
  .transform((body) => ({ tokenHashes: body.session_id_hashes }))

/** What is shown of a client: known names, never the header that it sent. */
export const clientInfo = z
  .object({
    platform: z.string().nullable(),
    os: z.string().nullable(),
    browser: z.string().nullable(),
    device: z.enum(['mobile', 'desktop']).describe('What kind of device the client runs on.'),
    location: z.null(),
  })
  .meta({ id: 'ClientInfo' })

export const authSessions = z.array(
  z
    .object({
      id_hash: z.string().describe('The session, by the SHA-256 of its token in base64url.'),
      client_info: clientInfo.nullable().describe('The client that began the session; null if it is not known.'),
      masked_ip: z
        .string()
        .nullable()
        .describe('The address of the session, without its last parts; null if it is not known.'),
      approx_last_used_at: timestampOutput,
      current: z.literal(false).describe('Always false: the list has the other sessions.'),
    })
    .meta({ id: 'AuthSession' }),
)
