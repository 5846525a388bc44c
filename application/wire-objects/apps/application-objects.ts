import type { AccountId } from '../../../domain/ids/ids.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { ApplicationRecord } from '../../ports/queries/application-queries.ts'
import { authenticatorTypes, partialUserObject, type PartialUserObject } from '../identity/user-objects.ts'

/** An application's bot as everybody sees it. */
export interface ApplicationBotObject extends Pick<PartialUserObject, 'id' | 'username' | 'discriminator' | 'flags'> {
  readonly avatar: string | null
  readonly banner: string | null
  readonly bio: string | null
}

/** The same for the owner, with the token if it was just made. */
export interface OwnBotObject extends ApplicationBotObject {
  readonly token?: string
  readonly mfa_enabled: boolean
  readonly authenticator_types: readonly number[]
}

/** Secrets that are shown only once. */
export interface ShownSecrets {
  readonly botToken?: string
  readonly clientSecret?: string
}

/** An application as its owner sees it. */
export type ApplicationObject = ReturnType<typeof applicationObject>

/** `bot`: undefined if there is none to show. */
export function applicationObject(
  application: ApplicationRecord,
  bot: AccountRecord | undefined,
  { botToken, clientSecret }: ShownSecrets = {},
) {
  return {
    id: application.id,
    name: application.name,
    redirect_uris: application.redirectUris,
    bot_public: application.botPublic,
    bot_require_code_grant: application.botRequireCodeGrant,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    ...(bot && { bot: ownBotObject(bot, botToken) }),
  }
}

/** The bot as its owner sees it. */
export function ownBotObject(bot: AccountRecord, token?: string): OwnBotObject {
  const types = authenticatorTypes(bot)
  return {
    ...botObject(bot),
    ...(token === undefined ? {} : { token }),
    mfa_enabled: types.length > 0,
    authenticator_types: types,
  }
}

/** The bot as everybody sees it; its profile is the same. */
export function botObject(bot: AccountRecord): ApplicationBotObject {
  const { id, username, discriminator, flags, avatar } = partialUserObject(bot)
  return { id, username, discriminator, avatar, banner: bot.profile.banner, bio: bot.profile.bio, flags }
}

/** The public object of an application. `viewer`: the caller, for a user session. The owner may always add the bot. */
export type PublicApplicationObject = ReturnType<typeof publicApplicationObject>

export function publicApplicationObject(
  application: ApplicationRecord,
  bot: AccountRecord | undefined,
  viewer: AccountRecord | undefined,
) {
  const viewerId: AccountId | undefined = viewer?.id
  return {
    id: application.id,
    name: application.name,
    icon: bot ? botObject(bot).avatar : null,
    description: null,
    redirect_uris: application.redirectUris,
    scopes: bot ? ['bot'] : [],
    bot_public: application.botPublic || viewerId === application.ownerId,
    bot: bot ? botObject(bot) : null,
    current_user: viewer ? partialUserObject(viewer) : null,
  }
}

/** A bot's own application, as the bot sees it. */
export type CurrentBotApplicationObject = ReturnType<typeof currentBotApplicationObject>

export function currentBotApplicationObject(application: ApplicationRecord, bot: AccountRecord, owner: AccountRecord) {
  return {
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
  }
}

/** Nothing is signed for applications. The member exists because clients read it. */
const verify_key = ''
