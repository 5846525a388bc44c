import type { TypingStart } from '../../application/ports/typing.ts'
import { memberObject } from '../../application/wire-objects/communities/member-objects.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { deliver } from '../dispatches/deliver.ts'
import { same, type Dispatch } from '../dispatches/dispatch.ts'
import type { GatewayLog } from '../log.ts'
import type { Lookups } from '../visibility/lookups.ts'
import type { World } from '../visibility/world.ts'
import { notesType } from './existing-places.ts'
import { membershipsOf } from './memberships.ts'
import { audienceOf, isThread, type Place } from './message-audience.ts'

export interface TypingSettings {
  readonly world: World
  readonly lookups: Lookups
  readonly log: GatewayLog
  readonly now: () => Timestamp
  /** Called with the number of sessions that got each dispatch. */
  readonly onDispatched: (sessions: number) => void
}

/** Starts that are being looked up. Further ones are dropped meanwhile: what is late says nothing any more. */
const lookedUp_max = 256

/**
 * Tells sessions who is writing: TYPING_START. It does not wait in turn with events, since nothing follows from it; who
 * sees the place is judged as it is told. Never throws.
 */
export function tellTyping(settings: TypingSettings): (typing: TypingStart) => void {
  const { world, log, now, onDispatched } = settings
  let lookedUp_count = 0
  const tell = async (typing: TypingStart): Promise<void> => {
    const told = await lookUp(settings, typing)
    if (!told) return
    const { place, member } = told
    const { guildId } = place
    const { channelId } = place
    const guild = guildId === null ? {} : { guild_id: guildId, member }
    const dispatch: Dispatch = {
      t: 'TYPING_START',
      guildId,
      threadAccessOnly: isThread(place),
      audience: audienceOf(place, world, now(), {}),
      body: same({ channel_id: channelId, user_id: typing.accountId, timestamp: typing.at_s, ...guild }),
    }
    onDispatched(deliver(dispatch, guildId === null ? undefined : world.room(guildId), undefined))
  }
  return (typing) => {
    if (lookedUp_count >= lookedUp_max) return
    lookedUp_count += 1
    void tell(typing)
      .catch((error: unknown) => {
        log.warn({ error }, 'it could not be told who is writing')
      })
      .finally(() => {
        lookedUp_count -= 1
      })
  }
}

/** The place with those who hear of it, and the writer as a member of its guild; undefined if nobody here does. */
async function lookUp(settings: TypingSettings, { accountId, place }: TypingStart) {
  const { world, lookups, now } = settings
  const { guildId } = place
  if (guildId === null) {
    const recipients = await recipientsOf(settings, place, accountId)
    return { place: { ...place, recipients }, member: undefined }
  }
  if (!world.room(guildId)) return undefined
  const recipients = isThread(place) ? (await lookups.heardBy([place.channelId])).get(place.channelId)?.members : null
  const memberOf = await membershipsOf(settings, [{ guildId, accountId }])
  const member = memberOf({ guildId, accountId })
  const account = (await lookups.accountsOf([accountId])).get(accountId)
  // The thread was deleted, or the writer has left.
  if (recipients === undefined || !member || !account) return undefined
  return { place: { ...place, recipients }, member: memberObject(member, account, now()) }
}

async function recipientsOf(
  { lookups }: TypingSettings,
  { channelId, channelType }: Pick<Place, 'channelId' | 'channelType'>,
  writer: AccountId,
): Promise<readonly AccountId[]> {
  if (channelType === notesType) return [writer]
  const channel = (await lookups.privateChannelsOf([channelId])).get(channelId)
  return channel ? channel.recipients.filter((id) => !channel.closedFor.includes(id)) : []
}
