import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { ApplicationRecord } from '../../ports/queries/application-queries.ts'
import type { AuthorizationRecord } from '../../ports/queries/oauth2-queries.ts'
import { partialUserObject } from '../identity/user-objects.ts'

/** The data of the account that an application gets with the scope `identify`. */
export type UserinfoObject = ReturnType<typeof userinfoObject>

/** The address, and whether it is verified, need the scope `email`. */
export function userinfoObject(account: AccountRecord, scopes: ReadonlySet<string>) {
  const { id, username, discriminator, global_name, avatar, avatar_color, flags } = partialUserObject(account)
  const email = scopes.has('email') ? account.email : null
  return {
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
  }
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
