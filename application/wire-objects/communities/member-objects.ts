import { z } from 'zod'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Admission } from '../../../domain/membership/events.ts'
import { isTimedOut, type Membership } from '../../../domain/membership/state.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import { partialUserObject, partialUserSchema } from '../identity/user-objects.ts'
import { imageHashOutput, snowflakeOutput, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

export const memberSchema = wireObject('GuildMember', {
  user: partialUserSchema,
  nick: z.string().nullable().describe('The name in this guild; null for that of the account.'),
  avatar: imageHashOutput,
  banner: imageHashOutput,
  accent_color: z.int().nullable().describe('Null if none is chosen.'),
  roles: z.array(snowflakeOutput).readonly().describe('Without the role of everyone.'),
  joined_at: timestampOutput,
  mute: z.boolean().describe('Whether the member cannot be heard in voice channels. Also true while a timeout lasts.'),
  deaf: z.boolean().describe('Whether the member hears nobody in voice channels.'),
  communication_disabled_until: timestampOutput
    .nullable()
    .describe('Until when the member cannot write or speak, at most 365.25 days ahead; null for no timeout.'),
  profile_flags: z
    .int()
    .optional()
    .describe('Bits: 1 AVATAR_UNSET, 2 BANNER_UNSET: in this guild the account shows none.'),
  mention_flags: z
    .int()
    .optional()
    .describe('0 no preference, 1 prefers replies that mention, 2 prefers replies that do not.'),
})

export type MemberObject = ObjectOf<typeof memberSchema>

/** The ways into a guild. */
export const admissionWays = [
  'founding',
  'invite',
  'custom_invite',
  'discovery',
  'community',
  'administration',
  'bot_installation',
] as const satisfies readonly Admission['by'][]

/** The account that invited a member or installed a bot; null for none. */
export function inviterOf(admission: Admission): AccountId | null {
  switch (admission.by) {
    case 'invite':
      return admission.inviterId
    case 'bot_installation':
      return admission.installerId
    case 'founding':
    case 'community':
    case 'administration':
    case 'custom_invite':
    case 'discovery':
      return null
  }
}

/** A member as shown at an instant; a timed out member is also shown as muted. Flags are left out if there are none. */
export function memberObject(member: Membership, account: AccountRecord, now: Timestamp): MemberObject {
  const { profileFlags, mentionFlags } = member
  return objectOf(memberSchema, {
    user: partialUserObject(account),
    nick: member.nick,
    avatar: member.avatar,
    banner: member.banner,
    accent_color: member.accentColor,
    roles: member.roles,
    joined_at: member.joinedAt,
    mute: member.mute || isTimedOut(member, now),
    deaf: member.deaf,
    communication_disabled_until: member.communicationDisabledUntil,
    ...(profileFlags === 0 ? {} : { profile_flags: profileFlags }),
    ...(mentionFlags === 0 ? {} : { mention_flags: mentionFlags }),
  })
}
