import { bodyOf } from '../../operations/support/answers.ts'
import type { ModelCaller } from '../support/cast.ts'
import type { Stage } from '../support/stage.ts'
import type { ModelPrivateChannel, World } from '../support/world.ts'

/** What happens to private channels around the operations on invites: moves that succeed. */

const isRecipient = ({ recipients }: ModelPrivateChannel, { person }: ModelCaller): boolean =>
  recipients.includes(person?.id ?? '')

/** All accounts that sign in with a password are friends of each other. */
function isFriend({ person, password }: ModelCaller): boolean {
  return person?.isClaimed === true && password !== undefined
}

/** Opens a group of two friends, or their direct messages. */
export async function openPrivate(
  stage: Stage,
  world: World,
  kind: ModelPrivateChannel['kind'],
  [one, other]: readonly [ModelCaller, ModelCaller],
): Promise<void> {
  if (!isFriend(one) || !isFriend(other) || one === other) return
  const [mine, theirs] = [one.person?.id ?? '', other.person?.id ?? '']
  const body = kind === 'group' ? { recipients: [theirs] } : { recipient_id: theirs }
  const { id } = bodyOf(await stage.send(one, { method: 'POST', path: '/v1/users/@me/channels', body }))
  if (world.privateChannel(String(id))) return
  const ownerId = kind === 'group' ? mine : null
  world.privateChannels.push({ id: String(id), kind, ownerId, recipients: [mine, theirs] })
}

/** The remaining members learn who the new owner is: the server draws it at random. */
export async function leavePrivate(
  stage: Stage,
  world: World,
  channel: ModelPrivateChannel,
  who: ModelCaller,
): Promise<void> {
  if (channel.kind !== 'group' || !isRecipient(channel, who)) return
  const path = `/v1/channels/${channel.id}`
  bodyOf(await stage.send(who, { method: 'DELETE', path: `${path}?silent=true` }))
  channel.recipients.splice(channel.recipients.indexOf(who.person?.id ?? ''), 1)
  const left = world.byId(channel.recipients[0] ?? '')
  if (!left) return world.removePrivateChannel(channel.id)
  channel.ownerId = String(bodyOf(await stage.send(left, { method: 'GET', path }))['owner_id'])
}

/** Makes everybody leave every group. */
export async function sweepGroups({ cast, send }: Stage): Promise<void> {
  for (const caller of cast.people.filter(isFriend)) {
    const { body } = await send(caller, { method: 'GET', path: '/v1/users/@me/channels' })
    for (const { id, type } of body as readonly { readonly id: string; readonly type: number }[])
      if (type === 3) await send(caller, { method: 'DELETE', path: `/v1/channels/${id}?silent=true` })
  }
}
