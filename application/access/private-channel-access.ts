import { channelId as asChannelId, type ChannelId } from '../../domain/ids/ids.ts'
import type { Caller } from '../caller.ts'
import { Refused, reject } from '../commands/refused.ts'
import type { PrivateChannel } from '../ports/queries/private-channel-queries.ts'
import type { Ports } from '../ports.ts'

/** The types of private channels, by number. */
export const privateChannelTypes = { direct: 1, group: 3, notes: 999 } as const

/** The notes of an account: a channel with its owner's id and without a history. */
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

/** Gives the private channel to one of its recipients; undefined for everybody else, and for a channel that does not exist. */
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
 * Runs an act of somebody who was a recipient when the channel was read. If the recipient was removed since, the group's stream
 * refuses with 403 MISSING_ACCESS; this turns it into 404 UNKNOWN_CHANNEL, as for anybody who is not a recipient.
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
 * Gives a group whose recipients are to be changed. Refuses with 404 UNKNOWN_CHANNEL if it does not exist, 400
 * INVALID_CHANNEL_TYPE for the caller's own direct messages and notes, and 403 MISSING_ACCESS for callers who are not
 * recipients (rules/messages#private-channels).
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
