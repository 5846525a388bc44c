import { z } from 'zod'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { ApplicationRecord } from '../../ports/queries/application-queries.ts'
import {
  authenticatorTypes,
  partialUserObject,
  publicFlagsInWords,
  partialUserSchema,
} from '../identity/user-objects.ts'
import { discriminatorOutput, imageHashOutput, secretOutput, snowflakeOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

const botMembers = {
  id: snowflakeOutput,
  username: z.string(),
  discriminator: discriminatorOutput,
  avatar: imageHashOutput,
  banner: imageHashOutput,
  bio: z.string().nullable().describe('About the account, in Markdown. Null if it is empty.'),
  flags: z.int().describe(publicFlagsInWords),
}

export const botSchema = wireObject('BotProfile', botMembers)

export type ApplicationBotObject = ObjectOf<typeof botSchema>

export const ownBotSchema = wireObject('ApplicationBot', {
  ...botMembers,
  token: secretOutput.optional(),
  mfa_enabled: z.boolean().describe('Whether the account has a second factor.'),
  authenticator_types: z.array(z.int()).readonly().describe('0 TOTP, 2 WEBAUTHN.'),
})

export type OwnBotObject = ObjectOf<typeof ownBotSchema>

export const applicationSchema = wireObject('Application', {
  id: snowflakeOutput,
  name: z.string(),
  redirect_uris: z.array(z.string()).readonly(),
  bot_public: z.boolean().describe('Whether everybody may add the bot, not its owner alone.'),
  bot_require_code_grant: z.boolean().describe('Whether the bot is added only by the full OAuth2 grant.'),
  client_secret: secretOutput.optional().describe('The secret of the application. Public clients have none.'),
  bot: ownBotSchema.optional().describe('Whether the account is a bot.'),
})

export type ApplicationObject = ObjectOf<typeof applicationSchema>

export const publicApplicationSchema = wireObject('PublicApplication', {
  id: snowflakeOutput,
  name: z.string(),
  icon: imageHashOutput,
  description: z.null(),
  redirect_uris: z.array(z.string()).readonly(),
  scopes: z.array(z.string()).readonly(),
  bot_public: z.boolean().describe('Whether everybody may add the bot, not its owner alone.'),
  bot: botSchema.nullable().describe('Whether the account is a bot.'),
  current_user: partialUserSchema.nullable(),
})

export type PublicApplicationObject = ObjectOf<typeof publicApplicationSchema>

export const currentBotApplicationSchema = wireObject('CurrentBotApplication', {
  id: snowflakeOutput,
  name: z.string(),
  icon: imageHashOutput,
  description: z.string().nullable(),
  bot_public: z.boolean().describe('Whether everybody may add the bot, not its owner alone.'),
  bot_require_code_grant: z.boolean().describe('Whether the bot is added only by the full OAuth2 grant.'),
  verify_key: z.string(),
  owner: partialUserSchema,
  bot: ownBotSchema.describe('Whether the account is a bot.'),
  redirect_uris: z.array(z.string()).readonly(),
})

export type CurrentBotApplicationObject = ObjectOf<typeof currentBotApplicationSchema>

/** Secrets that are shown only once. */
export interface ShownSecrets {
  readonly botToken?: string
  readonly clientSecret?: string
}

/** `bot`: undefined if there is none to show. */
export function applicationObject(
  application: ApplicationRecord,
  bot: AccountRecord | undefined,
  { botToken, clientSecret }: ShownSecrets = {},
): ApplicationObject {
  return objectOf(applicationSchema, {
    id: application.id,
    name: application.name,
    redirect_uris: application.redirectUris,
    bot_public: application.botPublic,
    bot_require_code_grant: application.botRequireCodeGrant,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    ...(bot && { bot: ownBotObject(bot, botToken) }),
  })
}

/** The bot as its owner sees it. */
export function ownBotObject(bot: AccountRecord, token?: string): OwnBotObject {
  const types = authenticatorTypes(bot)
  return objectOf(ownBotSchema, {
    ...botObject(bot),
    ...(token === undefined ? {} : { token }),
    mfa_enabled: types.length > 0,
    authenticator_types: types,
  })
}

/** The bot as everybody sees it; its profile is the same. */
export function botObject(bot: AccountRecord): ApplicationBotObject {
  const { id, username, discriminator, flags, avatar } = partialUserObject(bot)
  return objectOf(botSchema, {
    id,
    username,
    discriminator,
    avatar,
    banner: bot.profile.banner,
    bio: bot.profile.bio,
    flags,
  })
}

export function publicApplicationObject(
  application: ApplicationRecord,
  bot: AccountRecord | undefined,
  viewer: AccountRecord | undefined,
): PublicApplicationObject {
  const viewerId: AccountId | undefined = viewer?.id
  return objectOf(publicApplicationSchema, {
    id: application.id,
    name: application.name,
    icon: bot ? botObject(bot).avatar : null,
    description: null,
    redirect_uris: application.redirectUris,
    scopes: bot ? ['bot'] : [],
    bot_public: application.botPublic || viewerId === application.ownerId,
    bot: bot ? botObject(bot) : null,
    current_user: viewer ? partialUserObject(viewer) : null,
  })
}

export function currentBotApplicationObject(
  application: ApplicationRecord,
  bot: AccountRecord,
  owner: AccountRecord,
): CurrentBotApplicationObject {
  return objectOf(currentBotApplicationSchema, {
    id: application.id,
    name: application.name,
    icon: botObject(bot).avatar,
    description: bot.profile.bio,
    bot_public: application.botPublic,
    bot_require_code_grant: application.botRequireCodeGrant,
    verify_key,
    owner: partialUserObject(owner),
    bot: ownBotObject(bot),
    redirect_uris: application.redirectUris,
  })
}

/** Nothing is signed for applications. The member exists because clients read it. */
const verify_key = ''
