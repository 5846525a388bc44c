import { z } from 'zod'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { OwnedApplication } from '../../ports/queries/application-queries.ts'
import { paddedDiscriminator } from './admin-resolved-user.ts'
import { snowflakeOutput, nullableText, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

export const adminApplicationSchema = wireObject('AdminApplication', {
  id: snowflakeOutput,
  name: z.string(),
  owner_user_id: snowflakeOutput,
  owner_username: nullableText,
  owner_global_name: nullableText,
  owner_discriminator: nullableText,
  bot_user_id: snowflakeOutput.nullable(),
  bot_username: nullableText,
  bot_global_name: nullableText,
  bot_discriminator: nullableText,
  bot_is_public: z.boolean().describe('Whether everybody may add the bot, not its owner alone.'),
  bot_require_code_grant: z.boolean().describe('Whether the bot is added only by the full OAuth2 grant.'),
  oauth2_redirect_uris: z.array(z.string()).readonly(),
  has_client_secret: z.boolean().describe('Whether it has a secret; it is never shown.'),
  has_bot_token: z.boolean().describe('Whether its bot has a token; it is never shown.'),
  bot_token_preview: nullableText,
  bot_token_created_at: timestampOutput.nullable(),
  client_secret_created_at: timestampOutput.nullable(),
  version: z.int().describe('Rises with each change.'),
})

export type AdminApplicationObject = ObjectOf<typeof adminApplicationSchema>

/**
 * An application as administrators see it. Its secrets are kept as hashes alone, so there is no preview of the bot's
 * token. `bot`: undefined while its account is not there.
 */
export function adminApplicationObject(
  application: OwnedApplication,
  owner: AccountRecord,
  bot: AccountRecord | undefined,
): AdminApplicationObject {
  return objectOf(adminApplicationSchema, {
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
  })
}
