import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { OwnedApplication } from '../../ports/queries/application-queries.ts'
import { paddedDiscriminator } from './admin-resolved-user.ts'

export type AdminApplicationObject = ReturnType<typeof adminApplicationObject>

/**
 * An application as administrators see it. Its secrets are kept as hashes alone, so there is no preview of the bot's
 * token. `bot`: undefined while its account is not there.
 */
export function adminApplicationObject(
  application: OwnedApplication,
  owner: AccountRecord,
  bot: AccountRecord | undefined,
) {
  return {
    id: application.id,
    name: application.name,
    owner_user_id: application.ownerId,
    owner_username: owner.username,
    owner_global_name: owner.profile.globalName,
    owner_discriminator: paddedDiscriminator(owner.discriminator),
    bot_user_id: bot?.id ?? null,
    bot_username: bot?.username ?? null,
    bot_global_name: bot?.profile.globalName ?? null,
    bot_discriminator: bot ? paddedDiscriminator(bot.discriminator) : null,
    bot_is_public: application.botPublic,
    bot_require_code_grant: application.botRequireCodeGrant,
    oauth2_redirect_uris: application.redirectUris,
    has_client_secret: true,
    has_bot_token: true,
    bot_token_preview: null,
    bot_token_created_at: application.botTokenCreatedAt,
    client_secret_created_at: application.clientSecretCreatedAt,
    version: application.version,
  }
}
