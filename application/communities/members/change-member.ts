import { membershipId, type AccountId, type GuildId } from '../../../domain/ids/ids.ts'
import { heldRoles } from '../../../domain/permissions/held-roles.ts'
import { requireGuild } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import {
  imageLocationsOfMember,
  readPersonImages,
  removeReplacedOfPerson,
  storePersonImages,
} from '../../images/person-images.ts'
import type { MemberObject } from '../../wire-objects/communities/member-objects.ts'
import type { Ports } from '../../ports.ts'
import { memberView, requireTarget } from './guild-member.ts'
import { attributesIn, requireChangeable, rolesIn, withinPerks, type MemberPatch } from './member-patch.ts'

type Needs = Pick<Ports, 'deferred' | 'aggregates' | 'blocklistBox' | 'images' | 'limits' | 'queries'>

/**
 * Changes a member, or the caller itself. Everything is checked before anything is changed. Refuses, in this order:
 * UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS, UNKNOWN_MEMBER, the refusals of `requireChangeable` and then of
 * `readPersonImages`, COMMUNICATION_DISABLED for changing the own nickname while timed out, and INVALID_TIMEOUT_VALUE
 * and TIMEOUT_CANNOT_EXCEED_365_DAYS on `communication_disabled_until`. If nothing differs, nothing happens. See
 * rules/members#change.
 */
export function changeMember(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, targetId: AccountId, patch: MemberPatch): Promise<MemberObject> => {
    const access = await requireGuild(ports, caller, guildId)
    const target = await requireTarget(ports, access, targetId)
    const edit = { access, target, patch }
    requireChangeable(edit)
    const allowed = await withinPerks(ports, caller, patch)
    const images = await readPersonImages(ports, caller, caller.account, allowed)
    const locations = imageLocationsOfMember(guildId, targetId)
    const stored = await storePersonImages(images, locations)
    const { state } = await ports.aggregates.membership.execute(
      membershipId(guildId, targetId),
      {
        type: 'ChangeMember',
        changes: { ...attributesIn(allowed), ...stored },
        roles: rolesIn(edit),
        isOwn: targetId === caller.account.id,
        timeoutReason: patch.timeout_reason ?? null,
        now: caller.context.now,
      },
      caller.context,
    )
    if (state.status !== 'member') return reject('UNKNOWN_MEMBER')
    removeReplacedOfPerson(ports, locations, { before: target, after: stored }, async () => {
      const { state: now } = await ports.aggregates.membership.load(membershipId(guildId, targetId))
      return now.status === 'member' ? now : {}
    })
    const { status: _, ...changed } = state
    return memberView(ports, caller, heldRoles(access.guild, changed))
  }
}
