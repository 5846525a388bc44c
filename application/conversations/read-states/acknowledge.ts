import type { ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import type { Acknowledgement, Beginnings, ReadState, Stay } from '../../ports/read-states.ts'
import { readStateObject, type ReadStateObject } from '../../wire-objects/conversations/read-state-objects.ts'
import type { TextChannelNeeds } from '../messages/text-places.ts'
import { isInSight } from './in-sight.ts'
import { readStates_max } from './read-states-max.ts'

type Needs = TextChannelNeeds & Pick<Ports, 'readStates'>

/** An acknowledgement as a request has it. */
export interface SentAcknowledgement {
  readonly channelId: ChannelId
  readonly messageId: MessageId
  /** Undefined counts as 0. */
  readonly mentionCount: number | undefined
  readonly isManual: boolean
}

/**
 * Moves the caller's read state of a channel to a message. Refuses nothing: where the caller does not see the channel, its sessions are
 * told, and nothing is kept (rules/messages#read-states).
 */
export function acknowledgeMessage(ports: Needs) {
  return async (caller: Caller, sent: SentAcknowledgement): Promise<void> => {
    await acknowledge(ports, caller, [sent], false)
  }
}

/**
 * The same for several channels, in their order; gives the read states that they come to. Without a count and without `manual` in
 * all of them, they count together.
 */
export function acknowledgeMessages(ports: Needs) {
  return async (caller: Caller, sent: readonly SentAcknowledgement[]): Promise<readonly ReadStateObject[]> =>
    acknowledge(ports, caller, sent, !sent.some(({ isManual, mentionCount }) => isManual || mentionCount !== undefined))
}

/** The same together, whatever they say. */
export function acknowledgeTogether(ports: Needs) {
  return async (caller: Caller, sent: readonly SentAcknowledgement[]): Promise<void> => {
    await acknowledge(ports, caller, sent, true)
  }
}

async function acknowledge(
  ports: Needs,
  caller: Caller,
  sent: readonly SentAcknowledgement[],
  together: boolean,
): Promise<readonly ReadStateObject[]> {
  const { account } = caller
  const asked = sent.map((each): Acknowledgement => ({ ...each, mentionCount: each.mentionCount ?? 0 }))
  const done =
    (await ports.readStates.acknowledge(account.id, asked, { together })) ??
    (await ports.readStates.acknowledge(account.id, asked, {
      together,
      begins: await beginnings(ports, caller, asked),
    }))
  if (!done) throw new Error('acknowledgements were not carried out')
  const later = done.every(({ hasMoved }) => hasMoved) ? noneLater : await laterMentions(ports, caller)
  const states = []
  const stayed = []
  for (const [index, { isManual, channelId }] of asked.entries()) {
    const state = done[index]
    if (!state) throw new Error('an acknowledgement has no outcome')
    const more = state.hasMoved ? 0 : await later(channelId)
    const shown = { ...state, channelId, mentionCount: state.mentionCount + more }
    states.push(readStateObject(shown))
    if (!state.hasMoved)
      stayed.push({ channelId, messageId: state.lastMessageId, mentionCount: shown.mentionCount, isManual, together })
  }
  await ports.readStates.tell(account.id, stayed)
  return states
}

/** Where a read state may begin: in the channels that the caller sees. */
async function beginnings(
  ports: Needs,
  caller: Caller,
  asked: readonly Pick<Acknowledgement, 'channelId'>[],
): Promise<Beginnings> {
  const channels = await existing(ports, caller, [...new Set(asked.map(({ channelId }) => channelId))])
  const seen = await Promise.all(channels.map((channel) => isInSight(ports, caller, channel)))
  return {
    inSight: channels.filter((_, index) => seen[index] === true),
    states_max: await readStates_max(ports, caller),
  }
}

/** Those of some channels that exist, if there are several: what nobody has is found in three questions for all of them. */
async function existing(
  { queries }: Needs,
  { account }: Caller,
  channels: readonly ChannelId[],
): Promise<readonly ChannelId[]> {
  if (channels.length === 1) return channels
  const [inGuilds, threads, among] = await Promise.all([
    queries.guilds.channelNamesOf(channels),
    queries.threads.findMany(channels),
    queries.privateChannels.findMany(channels),
  ])
  const found = new Set<string>([account.id, ...[...inGuilds, ...among].map(({ id }) => id)])
  for (const { threadId } of threads) found.add(threadId)
  return channels.filter((id) => found.has(id))
}

const noneLater = async (): Promise<number> => 0

/** How many mentions came to the caller in a channel since it was last read: where a read state stays, they count. */
async function laterMentions(ports: Needs, caller: Caller): Promise<(channel: ChannelId) => Promise<number>> {
  const states = await ports.readStates.of(caller.account.id, await staysOf(ports, caller))
  const byChannel = new Map(states.map((state): [ChannelId, ReadState] => [state.channelId, state]))
  return async (channel) => {
    const count = byChannel.get(channel)?.later?.count ?? 0
    return count > 0 && (await isInSight(ports, caller, channel)) === true ? count : 0
  }
}

/** The caller's guilds. */
export async function staysOf(
  { queries }: Pick<Ports, 'queries'>,
  { account }: Pick<Caller, 'account'>,
): Promise<readonly Stay[]> {
  return queries.members.ofAccount(account.id)
}
