import { z } from 'zod'
import { scopes } from '../../../../domain/oauth2-authorization/scopes.ts'
import { snowflakeOutput, timestampOutput } from '../outputs.ts'
import { secretOutput } from '../secrets.ts'
import { publicFlags } from '../identity/account/users.ts'

const scopeList = z.array(z.enum(scopes)).readonly()

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

export const userinfo = z
  .object({
    sub: snowflakeOutput,
    id: snowflakeOutput,
    username: z.string(),
    discriminator: z
      .string()
      .regex(/^\d{4}$/)
      .describe('Four digits, with leading zeros.'),
    global_name: z.string().nullable(),
    avatar: z
      .string()
      .nullable()
      .describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
    email: z.string().nullable().describe('Null if the account has none, or if the caller may not see it.'),
    verified: z.boolean().optional().describe('Whether the e-mail address is confirmed.'),
    flags: z.int().describe(publicFlags),
    avatar_color: z
      .int()
      .nullable()
      .describe('The average colour of the avatar, as 24 bits of RGB; null without an avatar.'),
    bot: z.boolean().describe('Whether the account is a bot.'),
    system: z.boolean().describe('Whether the account is the service’s own.'),
  })
  .meta({ id: 'Userinfo' })

const applicationMembers = {
  id: snowflakeOutput,
  name: z.string(),
  icon: z
    .string()
    .nullable()
    .describe('The hash of the image; it begins with a_ if the image moves. Null if there is none.'),
  description: z.null(),
  bot_public: z.boolean().describe('Whether everybody may add the bot, not its owner alone.'),
}

export const currentGrant = z
  .object({
    application: z.object({
      ...applicationMembers,
      bot_require_code_grant: z.boolean().describe('Whether the bot is added only by the full OAuth2 grant.'),
      flags: z.int().describe('Always 0.'),
    }),
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
