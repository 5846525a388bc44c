import { z } from 'zod'
import { scopes } from '../../../../domain/oauth2-authorization/scopes.ts'
import { snowflakeOutput, timestampOutput } from '../outputs.ts'
import { secretOutput } from '../secrets.ts'

const scopeList = z.array(z.enum(scopes)).readonly()

export const consented = z.object({ redirect_to: secretOutput }).meta({ id: 'Consented' })

export const tokenObject = z
  .object({
    access_token: secretOutput,
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
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
      exp: z.int().optional(),
      iat: z.int(),
      sub: snowflakeOutput,
    }),
  ])
  .meta({ id: 'OAuth2Introspection' })

export const userinfo = z
  .object({
    sub: snowflakeOutput,
    id: snowflakeOutput,
    username: z.string(),
    discriminator: z.string().regex(/^\d{4}$/),
    global_name: z.string().nullable(),
    avatar: z.string().nullable(),
    email: z.string().nullable(),
    verified: z.boolean().optional(),
    flags: z.int(),
    avatar_color: z.int().nullable(),
    bot: z.boolean(),
    system: z.boolean(),
  })
  .meta({ id: 'Userinfo' })

const applicationMembers = {
  id: snowflakeOutput,
  name: z.string(),
  icon: z.string().nullable(),
  description: z.null(),
  bot_public: z.boolean(),
}

export const currentGrant = z
  .object({
    application: z.object({ ...applicationMembers, bot_require_code_grant: z.boolean(), flags: z.int() }),
    scopes: z.array(z.string()).readonly(),
    expires: timestampOutput,
    user: userinfo.optional(),
  })
  .meta({ id: 'OAuth2Grant' })

export const authorizationList = z
  .array(
    z
      .object({ application: z.object(applicationMembers), scopes: scopeList, authorized_at: timestampOutput })
      .meta({ id: 'OAuth2Authorization' }),
  )
  .readonly()
