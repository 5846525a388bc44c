import { channelId as asChannelId, type ChannelId } from '../../domain/ids/ids.js'
import type { Caller } from '../caller.js'
import { Refused, reject } from '../commands/refused.js'
import type { PrivateChannel } from '../ports/queries/private-channel-queries.js'
import type { Ports } from '../ports.js'

/** The types of private channels (reference gateway 3.4). */
export const privateChannelTypes = { direct: 1, group: 3, notes: 999 } as const

/** Everybody's own notes: the channel has its owner's id, and no history of its own. */
function notesOf({ account }: Pick<Caller, 'account'>): PrivateChannel {
  return {
    id: asChannelId(account.id),
    kind: 'notes',
    recipients: [account.id],
    closedFor: [],
    ownerId: null,
    name: null,
    icon: null,
    nicks: {},
  }
}

/** The private channel, for one of its recipients; undefined for everybody else, as for one that does not exist. */
export async function findPrivateChannel(
  { queries }: Pick<Ports, 'queries'>,
  caller: Pick<Caller, 'account'>,
  channelId: ChannelId,
): Promise<PrivateChannel | undefined> {
  if (channelId === asChannelId(caller.account.id)) return notesOf(caller)
  const found = await queries.privateChannels.find(channelId)
  return found?.recipients.includes(caller.account.id) === true ? found : undefined
}

/** The same, or 404 UNKNOWN_CHANNEL. */
export async function requirePrivateChannel(
  ports: Pick<Ports, 'queries'>,
  caller: Pick<Caller, 'account'>,
  channelId: ChannelId,
): Promise<PrivateChannel> {
  return (await findPrivateChannel(ports, caller, channelId)) ?? reject('UNKNOWN_CHANNEL')
}

/**
 * Runs an act of somebody who took part when the channel was read. Whoever was taken out meanwhile is refused as one who comes later
 * is: 404 UNKNOWN_CHANNEL, where a group's stream knows 403 MISSING_ACCESS alone.
 */
export async function asRecipient<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    const isGone = error instanceof Refused && error.refusal.code === 'MISSING_ACCESS'
    throw isGone ? new Refused({ ...error.refusal, code: 'UNKNOWN_CHANNEL' }) : error
  }
}

/**
 * A group, to change who is in it: 404 UNKNOWN_CHANNEL where there is none, 400 INVALID_CHANNEL_TYPE for the caller's own direct
 * messages and notes, 403 MISSING_ACCESS for who is not a recipient (reference gateway 5.9).
 */
export async function requireGroup(
  ports: Pick<Ports, 'queries'>,
  caller: Pick<Caller, 'account'>,
  channelId: ChannelId,
): Promise<PrivateChannel> {
  const own = await findPrivateChannel(ports, caller, channelId)
  if (own) return own.kind === 'group' ? own : reject('INVALID_CHANNEL_TYPE')
  const found = await ports.queries.privateChannels.find(channelId)
  return reject(found?.kind === 'group' ? 'MISSING_ACCESS' : 'UNKNOWN_CHANNEL')
}
