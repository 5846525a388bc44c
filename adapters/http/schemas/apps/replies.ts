import { z } from 'zod'
import { snowflakeOutput, secretOutput } from '../../../../application/wire-objects/scalars.ts'

export const consented = z
  .object({ redirect_to: secretOutput.describe('Where the browser goes on.') })
  .meta({ id: 'Consented' })

export const tokenObject = z
  .object({
    access_token: secretOutput,
    token_type: z.literal('Bearer'),
    expires_in: z.int().describe('Seconds.'),
    refresh_token: secretOutput,
    scope: z.string(),
  })
  .meta({ id: 'OAuth2Tokens' })

export const introspection = z
  .discriminatedUnion('active', [
    z.object({ active: z.literal(false) }),
    z.object({
      active: z.literal(true),
      scope: z.string(),
      client_id: snowflakeOutput,
      token_type: z.enum(['Bearer', 'refresh_token']),
      exp: z.int().optional().describe('Seconds since 1970 when it expires.'),
      iat: z.int().describe('Seconds since 1970 when it was issued.'),
      sub: snowflakeOutput,
    }),
  ])
  .meta({ id: 'OAuth2Introspection' })
