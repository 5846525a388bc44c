import { z } from 'zod'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { GuildSummary } from '../../ports/queries/guild-queries.ts'
import { countsIfAsked, nsfwLevel } from '../communities/guild-objects.ts'
import { paddedDiscriminator } from './admin-resolved-user.ts'
import { imageHashOutput, nullableText, snowflakeOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

export const adminGuildSchema = wireObject('AdminGuild', {
  id: snowflakeOutput,
  name: z.string(),
  features: z.array(z.string()).readonly().describe('Names of the registry of guild features.'),
  owner_id: snowflakeOutput.describe('Who owns it.'),
  owner_username: nullableText,
  owner_global_name: nullableText,
  owner_discriminator: nullableText,
  icon: imageHashOutput,
  banner: imageHashOutput,
  member_count: z.int().describe('All members.'),
  nsfw_level: z.int().describe('0 for all, 3 for adults only. Follows from nsfw.'),
  ...countsIfAsked,
})

export type AdminGuildObject = ObjectOf<typeof adminGuildSchema>

/**
 * A guild as administrators see it, with images as they are stored. `owner`: undefined if the account is gone.
 * `onlineCount`: undefined if no counts are to be shown.
 */
export function adminGuildObject(
  guild: GuildSummary,
  owner: AccountRecord | undefined,
  onlineCount: number | undefined,
): AdminGuildObject {
  return objectOf(adminGuildSchema, {
    id: guild.id,
    name: guild.name,
    features: guild.features,
    owner_id: guild.ownerId,
    owner_username: owner?.username ?? null,
    owner_global_name: owner?.profile.globalName ?? null,
    owner_discriminator: owner ? paddedDiscriminator(owner.discriminator) : null,
    icon: guild.icon,
    banner: guild.banner,
    member_count: guild.memberCount,
    nsfw_level: nsfwLevel(guild),
    ...(onlineCount === undefined
      ? {}
      : { approximate_member_count: guild.memberCount, approximate_presence_count: onlineCount }),
  })
}
