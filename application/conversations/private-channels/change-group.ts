import type { AccountId } from '../../../domain/ids/ids.ts'
import { asRecipient } from '../../access/private-channel-access.ts'
import type { Caller } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import type { PrivateChannelObject } from '../../wire-objects/conversations/private-channel-objects.ts'
import { readImage, type ReadingNeeds } from '../../images/read-image.ts'
import { removeReplaced } from '../../images/remove-replaced.ts'
import { iconChanged, renamed } from '../messages/system/said.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import type { Ports } from '../../ports.ts'
import { privateChannelView } from './private-channel-views.ts'
import { postToGroup } from './system-messages.ts'

/** The requested changes to a group; absent members stay as they are. */
export interface GroupWishes {
  /** 1-100 characters; null for none. */
  readonly name?: string | null | undefined
  /** An image as sent; null for none. */
  readonly icon?: Uint8Array | null | undefined
  readonly ownerId?: AccountId | undefined
  /** New nicknames of recipients, 1-32 characters each; null for none. */
  readonly nicks?: readonly { readonly accountId: AccountId; readonly nick: string | null }[] | undefined
}

type Needs = Pick<
  Ports,
  'deferred' | 'aggregates' | 'blocklistBox' | 'images' | 'limits' | 'messages' | 'queries' | 'readModels'
>

/**
 * Changes a group of the caller. A new name and a new icon are each announced by a system message. Direct messages and
 * notes cannot be changed: INVALID_CHANNEL_TYPE. Otherwise refuses as `readImage` on `icon` and as ChangeGroup do. See
 * rules/messages#groups.
 */
export async function changeGroup(
  ports: Needs,
  caller: Caller,
  channel: PrivateChannel,
  wishes: GroupWishes,
): Promise<PrivateChannelObject> {
  if (channel.kind !== 'group') return reject('INVALID_CHANNEL_TYPE')
  const { account, context } = caller
  const changes = { ...differing(channel, wishes), ...(await storedIcon(ports, caller, channel, wishes)) }
  const command = { type: 'ChangeGroup', by: account.id, changeId: context.commandId, ...changes } as const
  await asRecipient(() => ports.aggregates.privateChannel.execute(channel.id, command, context))
  await ports.readModels.reached(context.written)
  const changed = (await ports.queries.privateChannels.find(channel.id)) ?? reject('UNKNOWN_CHANNEL')
  if (changes.name !== undefined) {
    await postToGroup(ports, changed, renamed(account.id, changes.name), context)
  }
  if (changes.icon !== undefined) await tellOfIcon(ports, channel, changed, context, account.id)
  return privateChannelView(ports, caller, changed)
}

/** Stores the icon before the group names it. If that fails, the previous icon stays. */
async function storedIcon(
  ports: ReadingNeeds & Pick<Needs, 'limits'>,
  caller: Caller,
  { id: owner, icon: present }: PrivateChannel,
  { icon: bytes }: GroupWishes,
): Promise<{ readonly icon?: string | null }> {
  if (bytes === undefined) return {}
  const { avatar_max_size: bytes_max } = await ports.limits.ofAccount(caller.account)
  const image = bytes && (await readImage(ports, caller, { path: 'icon', bytes, bytes_max }))
  const icon = image && (await image.store({ kind: 'channel-icons', owner })).hash
  return icon === present ? {} : { icon }
}

async function tellOfIcon(
  ports: Needs,
  before: PrivateChannel,
  after: PrivateChannel,
  context: CommandContext,
  authorId: AccountId,
): Promise<void> {
  const { id: owner } = after
  removeReplaced(ports, { kind: 'channel-icons', owner }, { before: before.icon, after: after.icon }, async () => {
    const { state } = await ports.aggregates.privateChannel.load(owner)
    return state.status === 'standing' ? state.icon : null
  })
  await postToGroup(ports, after, iconChanged(authorId, after.icon), context)
}

/** The requested changes that differ from the current state. */
function differing(channel: PrivateChannel, { name, ownerId, nicks = [] }: GroupWishes) {
  const others = nicks.filter(({ accountId, nick }) => (channel.nicks[accountId] ?? null) !== nick)
  return {
    ...(name === undefined || name === channel.name ? {} : { name }),
    ...(ownerId === undefined ? {} : { ownerId }),
    ...(others.length === 0 ? {} : { nicks: others }),
  }
}
