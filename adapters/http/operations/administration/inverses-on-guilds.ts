import type { Inverse, StepOn } from './inverse.ts'

/** The operations on guilds and their members that take something back. */
export const guildInverseNames: readonly string[] = [
  'Update Admin guild',
  'Update guild features',
  'Set guild owner',
  'Set guild custom invite URL',
  'Remove guild custom invite URL',
  'Add guild member',
  'Kick guild member',
  'Unban guild member',
]

/** Gives the request that takes an act on a guild back. */
export function inverseOnGuild(step: StepOn<'guild'>): Inverse {
  const params = { guild_id: step.guildId }
  switch (step.does) {
    case 'change': {
      const { name, settings } = step
      // As the admin audit log has them.
      const sentSettings = Object.fromEntries(
        Object.entries(settings).map(([member, value]) => [member, textOf(value)]),
      )
      return { operation: 'Update Admin guild', params, wishes: { name, settings, sentSettings } }
    }
    case 'features':
      return {
        operation: 'Update guild features',
        params,
        body: { add_features: step.add, remove_features: step.remove },
      }
    case 'owner':
      return { operation: 'Set guild owner', params, body: { new_owner_id: step.ownerId } }
    case 'code':
      return step.code === null
        ? { operation: 'Remove guild custom invite URL', params }
        : { operation: 'Set guild custom invite URL', params, body: { code: step.code } }
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const onMembers = { add: 'Add guild member', kick: 'Kick guild member', unban: 'Unban guild member' } as const

/** The same for an act on an account in a guild. */
export function inverseOnMember({ guildId, accountId, does }: StepOn<'member'>): Inverse {
  return { operation: onMembers[does], params: { guild_id: guildId, user_id: accountId } }
}
