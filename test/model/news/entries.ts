import type { Body } from '../support/wire.ts'
import type { ModelGuild, ModelInvite } from '../support/world.ts'

/** Entries of the guild audit log. Changes are in the order of their keys. */

const guildUpdate = 1
const inviteCreate = 40
const inviteDelete = 42

/** The values that Modify guild can change, by the keys of the audit log. */
export function auditValues({ settings, features, customCode }: ModelGuild): Body {
  const { disabled_operations: _, nsfw, ...plain } = settings
  return {
    ...plain,
    nsfw,
    nsfw_level: nsfw ? 3 : 0,
    features: [...features].toSorted(),
    vanity_url_code: customCode,
  }
}

/** One entry if something differs, otherwise none. */
export function updateEntries(guild: ModelGuild, before: Body, by: string): readonly Body[] {
  const after = auditValues(guild)
  const keys = Object.keys(after).filter((key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]))
  const changes = keys.toSorted().map((key) => ({ key, old_value: before[key], new_value: after[key] }))
  return changes.length === 0 ? [] : [{ action_type: guildUpdate, user_id: by, target_id: guild.id, changes }]
}

export function inviteEntry(invite: ModelInvite, by: string, isGone: boolean): Body {
  const { code, channelId, guildId, inviterId, maxUses, maxAge, temporary, createdAt, uses } = invite
  const options = { channel_id: channelId, inviter_id: inviterId, max_age: maxAge, max_uses: maxUses, temporary }
  const values: Body = { ...options, code, guild_id: guildId, uses, created_at: createdAt }
  const changes = Object.keys(values)
    .toSorted()
    .map((key) => ({ key, [isGone ? 'old_value' : 'new_value']: values[key] }))
  return { action_type: isGone ? inviteDelete : inviteCreate, user_id: by, target_id: code, options, changes }
}
