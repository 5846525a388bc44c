import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { ApplicationRecord } from '../../ports/queries/application-queries.ts'
import type { AuthorizationRecord } from '../../ports/queries/oauth2-queries.ts'
import { partialUserObject, publicFlagsInWords } from '../identity/user-objects.ts'
import { z } from 'zod'
import { scopes } from '../../../domain/oauth2-authorization/scopes.ts'
import { snowflakeOutput, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

const scopeList = z.array(z.enum(scopes)).readonly()

export const userinfoSchema = wireObject('Userinfo', {
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
  flags: z.int().describe(publicFlagsInWords),
  avatar_color: z
    .int()
    .nullable()
    .describe('The average colour of the avatar, as 24 bits of RGB; null without an avatar.'),
  bot: z.boolean().describe('Whether the account is a bot.'),
  system: z.boolean().describe('Whether the account is the service’s own.'),
})

export type UserinfoObject = ObjectOf<typeof userinfoSchema>

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

export const currentGrantSchema = wireObject('OAuth2Grant', {
  application: z.object({
    ...applicationMembers,
    bot_require_code_grant: z.boolean().describe('Whether the bot is added only by the full OAuth2 grant.'),
    flags: z.int().describe('Always 0.'),
  }),
  scopes: z.array(z.string()).readonly(),
  expires: timestampOutput,
  user: userinfoSchema.optional(),
})

export const authorizationListSchema = z
  .array(
    wireObject('OAuth2Authorization', {
      application: z.object(applicationMembers),
      scopes: scopeList,
      authorized_at: timestampOutput,
    }),
  )
  .readonly()

/** The address, and whether it is verified, need the scope `email`. */
export function userinfoObject(account: AccountRecord, scopes: ReadonlySet<string>): UserinfoObject {
  const { id, username, discriminator, global_name, avatar, avatar_color, flags } = partialUserObject(account)
  const email = scopes.has('email') ? account.email : null
  return objectOf(userinfoSchema, {
    sub: id,
    id,
    username,
    discriminator,
    global_name,
    avatar,
    email,
    ...(email === null ? {} : { verified: account.emailVerified }),
    flags,
    avatar_color,
    bot: account.bot,
    system: false,
  })
}

/** The application that a token was issued to. */
export function authorizedApplicationObject({ id, name, botPublic, botRequireCodeGrant }: ApplicationRecord) {
  return {
    id,
    name,
    icon: null,
    description: null,
    bot_public: botPublic,
    bot_require_code_grant: botRequireCodeGrant,
    flags: 0,
  }
}

/** An application that the account has authorised. */
export type AuthorizationObject = ReturnType<typeof authorizationObject>

export function authorizationObject(
  { scopes, authorizedAt }: AuthorizationRecord,
  { id, name, botPublic }: ApplicationRecord,
  bot: AccountRecord | undefined,
) {
  const icon = bot ? partialUserObject(bot).avatar : null
  return {
    application: { id, name, icon, description: null, bot_public: botPublic },
    scopes,
    authorized_at: authorizedAt,
  }
}
