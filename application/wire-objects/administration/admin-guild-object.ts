import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { GuildSummary } from '../../ports/queries/guild-queries.ts'
import { nsfwLevel } from '../communities/guild-objects.ts'
import { paddedDiscriminator } from './admin-resolved-user.ts'

export type AdminGuildObject = ReturnType<typeof adminGuildObject>

/**
 * A guild as administrators see it, with images as they are stored. `owner`: undefined if the account is gone.
 * `onlineCount`: undefined if no counts are to be shown.
 */
export function adminGuildObject(
  guild: GuildSummary,
  owner: AccountRecord | undefined,
  onlineCount: number | undefined,
) {
  return {
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
  }
}
