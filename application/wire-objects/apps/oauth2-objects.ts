import { z } from 'zod'
import { scopes } from '../../../domain/oauth2-authorization/scopes.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { ApplicationRecord } from '../../ports/queries/application-queries.ts'
import type { AuthorizationRecord } from '../../ports/queries/oauth2-queries.ts'
import { partialUserObject, publicFlagsInWords } from '../identity/user-objects.ts'
import { discriminatorOutput, imageHashOutput, snowflakeOutput, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

const scopeList = z.array(z.enum(scopes)).readonly()

export const userinfoSchema = wireObject('Userinfo', {
  sub: snowflakeOutput,
  id: snowflakeOutput,
  username: z.string(),
  discriminator: discriminatorOutput,
  global_name: z.string().nullable(),
  avatar: imageHashOutput,
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
  icon: imageHashOutput,
  description: z.null(),
  bot_public: z.boolean().describe('Whether everybody may add the bot, not its owner alone.'),
}

const authorizedApplicationSchema = z.object({
  ...applicationMembers,
  bot_require_code_grant: z.boolean().describe('Whether the bot is added only by the full OAuth2 grant.'),
  flags: z.int().describe('Always 0.'),
})

type AuthorizedApplicationObject = ObjectOf<typeof authorizedApplicationSchema>

export const currentGrantSchema = wireObject('OAuth2Grant', {
  application: authorizedApplicationSchema,
  scopes: z.array(z.string()).readonly(),
  expires: timestampOutput,
  user: userinfoSchema.optional(),
})

/** An application that the account has authorised. */
export const authorizationSchema = wireObject('OAuth2Authorization', {
  application: z.object(applicationMembers),
  scopes: scopeList,
  authorized_at: timestampOutput,
})

export type AuthorizationObject = ObjectOf<typeof authorizationSchema>

export const authorizationListSchema = z.array(authorizationSchema).readonly()

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
export function authorizedApplicationObject({
  id,
  name,
  botPublic,
  botRequireCodeGrant,
}: ApplicationRecord): AuthorizedApplicationObject {
  return objectOf(authorizedApplicationSchema, {
    id,
    name,
    icon: null,
    description: null,
    bot_public: botPublic,
    bot_require_code_grant: botRequireCodeGrant,
    flags: 0,
  })
}

export function authorizationObject(
  { scopes, authorizedAt }: AuthorizationRecord,
  { id, name, botPublic }: ApplicationRecord,
  bot: AccountRecord | undefined,
): AuthorizationObject {
  const icon = bot ? partialUserObject(bot).avatar : null
  return objectOf(authorizationSchema, {
    application: { id, name, icon, description: null, bot_public: botPublic },
    scopes,
    authorized_at: authorizedAt,
  })
}
