import { membershipId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import type { MemberJoined } from '../../../domain/membership/events.js'
import { finishingContext } from '../../commands/following-context.js'
import type { CommandContext } from '../../commands/command-context.js'
import type { Position, RecordedEvent } from '../../ports/event-store.js'
import type { JoinedRecord } from '../../ports/queries/guild-ban-queries.js'
import type { Ports } from '../../ports.js'
import { returnRedemption, settleIn } from './join-by-redemption.js'
import { leaveAgain } from './join-unless-banned.js'

export type JoinSettlingNeeds = Pick<Ports, 'aggregates' | 'locks' | 'queries' | 'readModels'>

type Joined = Pick<RecordedEvent, 'metadata' | 'position'> & { readonly data: MemberJoined }

/**
 * Takes once more what follows from a join, for where its process died before: whom the guild kept out by then leaves again, and the
 * use comes back; who stays has its own settings applied to the guild. It is what the request does, with the same ids, so what was
 * done stays as it is. A ban of its network is not asked for: no event says where it came from. Safe to repeat. Decision 39.
 */
export function settleJoin(ports: JoinSettlingNeeds) {
  return async ({ data, metadata, position }: Joined, now: Timestamp): Promise<void> => {
    // Whoever founds a guild is let in by nobody.
    if (data.admission.by === 'founding') return
    await ports.readModels.reached(position)
    const { keptOutBy, chosen } = await findJoined(ports, data, position)
    const isByInvite = data.admission.by === 'invite' || data.admission.by === 'custom_invite'
    const hasChosen = isByInvite && (chosen.hidesMutedChannels || chosen.restrictsGuild)
    if (keptOutBy === undefined && !hasChosen) return
    const { state } = await ports.aggregates.membership.load(membershipId(data.guildId, data.accountId))
    // Who has come back since is looked at by another join.
    if (state.status !== 'member' || state.joinedAt !== data.joinedAt) return
    const context = finishingContext(metadata, 'admission', now)
    if (keptOutBy !== undefined) return letGo(ports, data, context)
    await settleIn(ports, data, chosen, context)
  }
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
