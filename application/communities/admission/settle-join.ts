import { membershipId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { MemberJoined } from '../../../domain/membership/events.ts'
import { finishingContext } from '../../commands/following-context.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import type { RecordedEvent } from '../../ports/event-store.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import type { JoinedRecord } from '../../ports/queries/guild-ban-queries.ts'
import type { Ports } from '../../ports.ts'
import { returnRedemption, settleIn } from './join-by-redemption.ts'
import { leaveAgain } from './join-unless-banned.ts'

export type JoinSettlingNeeds = Pick<Ports, 'aggregates' | 'locks' | 'queries' | 'readModels'>

type Joined = Pick<RecordedEvent, 'metadata' | 'position'> & { readonly data: MemberJoined }

/**
 * Repeats the steps after a join, in case its process died before them. An account that was banned before the join leaves again
 * and the use is returned. An account that stays has its own settings applied to the guild. These are the request's steps with
 * the same ids, so finished steps change nothing. Does not check bans of the network: no event records the address. Safe to
 * repeat. Decision 39.
 */
export function settleJoin(ports: JoinSettlingNeeds) {
  return async ({ data, metadata, position }: Joined, now: Timestamp): Promise<void> => {
    // A founder is not let in by anybody.
    if (data.admission.by === 'founding') return
    await ports.readModels.reached(position)
    const { keptOutBy, chosen } = await findJoined(ports, data, position)
    const hasChosen = takesOwnSettings(data) && (chosen.hidesMutedChannels || chosen.restrictsGuild)
    if (keptOutBy === undefined && !hasChosen) return
    const { state } = await ports.aggregates.membership.load(membershipId(data.guildId, data.accountId))
    // If the account has left and joined again, the newer join is settled instead.
    if (state.status !== 'member' || state.joinedAt !== data.joinedAt) return
    const context = finishingContext(metadata, 'admission', now)
    if (keptOutBy !== undefined) return letGo(ports, data, context)
    await settleIn(ports, data, chosen, context)
  }
}

/** Whether the account's own settings for every guild that it joins are applied: not for bots, and not in the single community. */
function takesOwnSettings({ admission: { by } }: MemberJoined): boolean {
  return by === 'invite' || by === 'custom_invite' || by === 'discovery' || by === 'administration'
}

/** Only bans that came before the join in the log count: a later one lets those stay who are in. */
async function findJoined(
  { queries }: JoinSettlingNeeds,
  { guildId, accountId, joinedAt }: MemberJoined,
  position: Position,
): Promise<JoinedRecord> {
  const account = await queries.accounts.find(accountId)
  const newcomer = { accountId, email: account?.email ?? null, ip: null }
  return queries.guildBans.ofJoined(guildId, newcomer, joinedAt, position)
}

async function letGo(ports: JoinSettlingNeeds, joined: MemberJoined, context: CommandContext): Promise<void> {
  await leaveAgain(ports, joined, context)
  const { admission } = joined
  if (admission.by === 'invite') await returnRedemption(ports, admission, context)
}
