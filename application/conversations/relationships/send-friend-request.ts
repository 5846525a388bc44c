import { hasFlag } from '../../../domain/account/flags.ts'
import { pairId, type AccountId } from '../../../domain/ids/ids.ts'
import { requestRefusal } from '../../../domain/relationship/relationship.ts'
import { sideOf } from '../../../domain/relationship/state.ts'
import type { RequestFriendship } from '../../../domain/relationship/commands.ts'
import type { RelationshipState } from '../../../domain/relationship/state.ts'
import { friendSources } from '../../../domain/user-settings/settings.ts'
import { isClaimed } from '../../access/account-standing.ts'
import type { Caller } from '../../caller.ts'
import { Refused, reject } from '../../commands/refused.ts'
import { friendSourcesOf } from '../../wire-objects/identity/user-settings-object.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { Ports } from '../../ports.ts'
import { requireDirectMessages } from '../private-channels/require-may-message.ts'
import { acceptRequest, openForBoth, type BefriendingNeeds } from './befriend.ts'
import { relationshipView } from './read-relationships.ts'
import { withinRelationships } from './within-relationships.ts'
import type { RelationshipObject } from '../../wire-objects/conversations/relationship-objects.ts'

type Needs = BefriendingNeeds & Pick<Ports, 'instancePolicies'>

/** The tag of the account that a request goes to. */
export interface RequestedTag {
  readonly username: string
  readonly discriminator: number
}

/**
 * Sends a friend request to the account with a tag. Refuses with NO_USERS_WITH_GUILDHALLTAG_EXIST, ALREADY_FRIENDS, and
 * as sending by id does.
 */
export function sendFriendRequestByTag(ports: Needs) {
  return async (caller: Caller, { username, discriminator }: RequestedTag): Promise<RelationshipObject> => {
    const target = await ports.queries.accounts.byTag(username, discriminator)
    if (!target) return reject('NO_USERS_WITH_GUILDHALLTAG_EXIST')
    await requireDirectMessages(ports, caller)
    return request(ports, caller, target, { refusesFriends: true })
  }
}

/**
 * Sends a friend request to an account, or accepts the one that it sent before. Gives the existing relationship if
 * there is one. Refuses with DIRECT_MESSAGES_DISABLED, UNKNOWN_USER, CANNOT_SEND_FRIEND_REQUEST_TO_SELF,
 * FRIEND_REQUEST_BLOCKED if the account does not accept requests from the caller, whatever the cause,
 * UNCLAIMED_ACCOUNT_CANNOT_SEND_FRIEND_REQUESTS, FRIEND_REQUEST_EMAIL_VERIFICATION_REQUIRED,
 * CANNOT_SEND_FRIEND_REQUEST_TO_BLOCKED_USER, and MAX_FRIENDS if either is at the limit. See
 * rules/messages#friend-requests.
 */
export function sendFriendRequest(ports: Needs) {
  return async (caller: Caller, targetId: AccountId): Promise<RelationshipObject> => {
    await requireDirectMessages(ports, caller)
    const target = await ports.queries.accounts.find(targetId)
    return target ? request(ports, caller, target, { refusesFriends: false }) : reject('UNKNOWN_USER')
  }
}

interface Asking {
  /** Whether to refuse an existing friend: only by tag. */
  readonly refusesFriends: boolean
  /** Whether a request of the other account was read but gone when it was to be accepted. */
  readonly hasMissed?: true
}

/** Rows 4 to 17 of the table. */
async function request(
  ports: Needs,
  caller: Caller,
  target: AccountRecord,
  asking: Asking,
): Promise<RelationshipObject> {
  const { account } = caller
  if (target.id === account.id) reject('CANNOT_SEND_FRIEND_REQUEST_TO_SELF')
  if (target.isErased) reject('FRIEND_REQUEST_BLOCKED')
  const { state } = await ports.aggregates.relationship.load(pairId(account.id, target.id))
  const own = sideOf(state, account.id)?.kind
  if (own === 'incoming') return acceptOrAsk(ports, caller, target, asking)
  if (own === 'friend' && asking.refusesFriends && !caller.context.mayRepeat) reject('ALREADY_FRIENDS')
  if (own === 'friend' || own === 'outgoing') {
    await ports.readModels.reached(caller.context.written)
    return relationshipView(state, caller, target)
  }
  await requireMayAsk(ports, caller, target, state)
  const asked = await withinRelationships(ports, [account, target], () => ask(ports, caller, target))
  return relationshipView(asked, caller, target)
}

/** Row 6. If the request that was read is gone meanwhile, accepted or withdrawn, continues as for a new request. */
async function acceptOrAsk(
  ports: Needs,
  caller: Caller,
  target: AccountRecord,
  asking: Asking,
): Promise<RelationshipObject> {
  try {
    return await acceptRequest(ports, caller, target)
  } catch (error) {
    const isGone = error instanceof Refused && error.refusal.code === 'UNKNOWN_USER'
    if (!isGone || asking.hasMissed) throw error
    return request(ports, caller, target, { ...asking, hasMissed: true })
  }
}

/** Rows 8 to 13. */
async function requireMayAsk(
  { queries }: Needs,
  { account }: Caller,
  target: AccountRecord,
  state: RelationshipState,
): Promise<void> {
  if (!isClaimed(account)) reject('UNCLAIMED_ACCOUNT_CANNOT_SEND_FRIEND_REQUESTS')
  if (!account.emailVerified) reject('FRIEND_REQUEST_EMAIL_VERIFICATION_REQUIRED')
  const takesNobodys = (target.bot && !hasFlag(target, 'FRIENDLY_BOT')) || hasFlag(target, 'APP_STORE_REVIEWER')
  if (takesNobodys) reject('FRIEND_REQUEST_BLOCKED')
  const refusal = requestRefusal(state, account.id, target.id)
  if (refusal) reject(refusal)
  if (!(await isFromAllowedSource(queries, account.id, target))) reject('FRIEND_REQUEST_BLOCKED')
}

/** Whether the target accepts requests from the caller, by what they have in common. */
async function isFromAllowedSource(
  { members, relationships, userSettings }: Needs['queries'],
  account: AccountId,
  target: AccountRecord,
): Promise<boolean> {
  const sources = friendSourcesOf(target, await userSettings.find(target.id))
  const allows = (source: keyof typeof friendSources): boolean => (sources & friendSources[source]) !== 0
  if (allows('NO_RELATION')) return true
  if (allows('MUTUAL_FRIENDS') && (await relationships.haveMutualFriend(account, target.id))) return true
  return allows('MUTUAL_GUILDS') && (await members.sharedGuilds(account, target.id)).length > 0
}

/** Rows 16 and 17. If the target sent a request meanwhile, they become friends at once. */
async function ask(ports: Needs, caller: Caller, target: AccountRecord): Promise<RelationshipState> {
  const { account, context } = caller
  const as = waysOfAsking(account, target)
  const command = {
    type: 'RequestFriendship',
    accountId: account.id,
    otherId: target.id,
    as,
    now: context.now,
  } as const
  const { state } = await ports.aggregates.relationship.execute(pairId(account.id, target.id), command, context)
  if (sideOf(state, account.id)?.kind === 'friend') await openForBoth(ports, caller, target)
  else await ports.readModels.reached(context.written)
  return state
}

function waysOfAsking(account: AccountRecord, target: AccountRecord): RequestFriendship['as'] {
  if (hasFlag(account, 'SPAMMER')) return 'hidden'
  return target.bot && !hasFlag(target, 'FRIENDLY_BOT_MANUAL_APPROVAL') ? 'befriended' : 'asked'
}
