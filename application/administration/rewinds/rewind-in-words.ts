import { channelTypes } from '../../../domain/guild/channel.ts'
import { guild as guildDecider } from '../../../domain/guild/guild.ts'
import type { GuildSettings } from '../../../domain/guild/state.ts'
import type { Kept } from '../../../domain/guild/rewind.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { streamName } from '../../../domain/streams.ts'
import { inWords, type GuildNames } from '../history/changes-in-words.ts'
import { differences } from '../history/differences.ts'
import { asJson } from '../history/stream-states.ts'
import type { RewindPlan } from './plan-rewind.ts'

/** Why something does not come back. */
export const whysLost = [
  'image_gone',
  'code_to_be_claimed',
  'set_by_the_instance',
  'needed_by_the_directory',
  'messages_gone',
  'ownership_stays',
  'member_again',
  'account_gone',
  'code_taken',
  'channel_gone',
] as const
type WhyLost = (typeof whysLost)[number]

/** Something that does not come back. */
export interface LostObject {
  readonly text: string
  readonly why: WhyLost
}

/** What a rewind does, as sentences without a full stop: settings, roles and channels, bans, invites, webhooks. */
export function changesInWords({ now, past, events, bans, invites, webhooks }: RewindPlan): readonly string[] {
  const active = { status: 'active', ...now } as const
  const after = fold(guildDecider, events, active)
  const names: GuildNames = {
    roles: namesIn([...past.roles, ...now.roles]),
    channels: namesIn([...past.channels, ...now.channels]),
  }
  const stream = streamName('guild', now.id)
  const found = differences(asJson(active), asJson(after))
  return [
    // Things that come back are last in a list: their positions are among their members.
    ...found
      .filter(({ path }) => !path.endsWith('/order'))
      .map((change) => inWords(stream, { ...change, leftOut: false }, names)),
    ...bans.lifted.map((id) => `account ${id} is banned no more`),
    ...bans.imposed.map(({ accountId }) => `account ${accountId} is banned again`),
    ...invites.deleted.map((code) => `invite ${code} is deleted`),
    ...invites.restored.map(({ code }) => `invite ${code} comes back`),
    ...webhooks.deleted.map(({ name }) => `webhook ${JSON.stringify(name)} is deleted`),
    ...webhooks.restored.map(({ name }) => `webhook ${JSON.stringify(name)} comes back`),
    ...webhooks.renewed.map(({ name }) => `webhook ${JSON.stringify(name)} is named and placed as before`),
  ]
}

/** What does not come back. */
export function lostInWords(plan: RewindPlan): readonly LostObject[] {
  const { now, past, events, kept, bans, invites, webhooks } = plan
  const emptied = events.flatMap((event) => (event.type === 'ChannelCreated' ? [event.data.channel] : []))
  return [
    ...(now.ownerId === past.ownerId
      ? []
      : [
          {
            text: `account ${past.ownerId} owned the guild, which account ${now.ownerId} owns`,
            why: 'ownership_stays',
          } as const,
        ]),
    ...kept.map(({ part, why }) => ({ text: keptText(part, why, past.settings), why })),
    ...emptied
      .filter(({ type }) => type !== channelTypes.category && type !== channelTypes.link)
      .map(({ name }) => ({ text: `the messages of channel ${name}`, why: 'messages_gone' }) as const),
    ...bans.lost.map(({ accountId, why }) => ({ text: `the ban of account ${accountId}`, why })),
    ...invites.lost.map(({ code, why }) => ({ text: `invite ${code}`, why })),
    ...webhooks.lost.map(({ name, why }) => ({ text: `webhook ${JSON.stringify(name)}`, why })),
  ]
}

function keptText(part: Kept['part'], why: Kept['why'], settings: GuildSettings): string {
  if (why === 'image_gone') return `the image ${part}`
  return part in settings
    ? `${part} ${JSON.stringify(settings[part as keyof GuildSettings])}`
    : `whether the guild has ${part}`
}

function namesIn(things: readonly { readonly id: string; readonly name: string }[]): ReadonlyMap<string, string> {
  return new Map(things.map(({ id, name }) => [id, name]))
}
