import type { GuildEvent } from '../../../domain/guild/events.ts'
import { guild } from '../../../domain/guild/guild.ts'
import type { Guild, GuildSettings, GuildState } from '../../../domain/guild/state.ts'
import { sameJson } from '../../../domain/kernel/same-json.ts'
import { categoryOf } from '../../../domain/streams.ts'
import type { Act } from './find-act.ts'
import { actInStream, changedAgain, historyOf, type ActInStream } from './folded-steps.ts'
import { undoListing } from './of-directory.ts'
import { changedNothing, type CannotUndo, type FindUndoing, type Undoing, type UndoNeeds } from './undo-rule.ts'

/** What an act changed in a guild that was there before and after it. */
interface Acted extends Pick<ActInStream<GuildState, GuildEvent>, 'later' | 'revision' | 'stream'> {
  readonly before: Guild
  readonly after: Guild
}

const noOpposite = (why: string): CannotUndo => ({ outcome: 'no_opposite', why })

async function actedOn({ events }: UndoNeeds, act: Act): Promise<Acted | undefined> {
  const stream = act.streams.find((each) => categoryOf(each) === 'guild')
  const acted = stream && actInStream(guild, await historyOf(events, stream), act)
  if (acted?.before.status !== 'active' || acted.after.status !== 'active') return undefined
  return { ...acted, before: acted.before, after: acted.after }
}

/** What stands in the way of giving back what `fact` gives of a guild, or the deletion of the guild. */
function standsInTheWay(acted: Acted, fact: (state: Guild) => unknown): CannotUndo | undefined {
  const by = changedAgain(acted, (state) => (state.status === 'active' ? fact(state) : state.status))
  return by && { outcome: 'changed_since', by }
}

const images = ['icon', 'banner', 'splash', 'embedSplash'] as const satisfies readonly (keyof GuildSettings)[]

/** What takes back a change of the name or the settings: the members that changed have their values from before. */
export const undoOnGuild: FindUndoing = async (needs, act) => {
  const acted = await actedOn(needs, act)
  const whyNone = 'It changed nothing, or its changes belong to the entry of the name, which takes back both.'
  if (!acted) return { outcome: 'nothing_to_undo', why: whyNone }
  const { before, after } = acted
  const members = (Object.keys(before.settings) as (keyof GuildSettings)[]).filter(
    (member) => !sameJson(before.settings[member], after.settings[member]),
  )
  const isRenamed = before.name !== after.name
  if (!isRenamed && members.length === 0) return { outcome: 'nothing_to_undo', why: whyNone }
  const later = standsInTheWay(acted, ({ name, settings }) => [
    isRenamed && name,
    members.map((member) => settings[member]),
  ])
  if (later) return later
  if (images.some((image) => members.includes(image) && before.settings[image] !== null))
    return noOpposite('An image that was taken away is deleted: its guild can set it again.')
  const settings = Object.fromEntries(members.map((member) => [member, before.settings[member]]))
  const changes = { ...(isRenamed && { name: before.name }), settings }
  return { outcome: 'undo', steps: [{ on: 'guild', guildId: before.id, does: 'change', ...changes }], asOf: [acted] }
}

/** What takes back a change of features: those that it added or removed. What it did to the listing is taken back with them. */
export const undoFeatures: FindUndoing = async (needs, act, asker) => {
  const listing = await undoListingOf(needs, act, asker)
  if (listing && listing.outcome !== 'undo') return listing
  const acted = await actedOn(needs, act)
  if (!acted) return listing ?? changedNothing
  const of = (one: Guild, other: Guild) =>
    one.features.filter((feature) => feature !== 'DISCOVERABLE' && !other.features.includes(feature))
  const { before, after } = acted
  const [add, remove] = [of(before, after), of(after, before)]
  if (add.length + remove.length === 0) return listing ?? changedNothing
  const later = standsInTheWay(acted, ({ features }) =>
    [...add, ...remove].map((feature) => features.includes(feature)),
  )
  if (later) return later
  const step = { on: 'guild', guildId: before.id, does: 'features', add, remove } as const
  return { outcome: 'undo', steps: [step, ...(listing?.steps ?? [])], asOf: [acted, ...(listing?.asOf ?? [])] }
}

async function undoListingOf(
  needs: UndoNeeds,
  act: Act,
  asker: Parameters<FindUndoing>[2],
): Promise<Undoing | CannotUndo | undefined> {
  if (act.streams.every((stream) => categoryOf(stream) !== 'discovery_application')) return undefined
  const found = await undoListing(needs, act, asker)
  const isRestored =
    found.outcome === 'undo' && found.steps.some((step) => step.on === 'listing' && step.does === 'restore')
  if (found.outcome !== 'undo' || isRestored) return found
  return noOpposite('The listing was approved with the feature, and a decision is not taken back: remove the listing.')
}

/** What takes back a transfer of ownership: the owner from before owns it again, who must be a member still. */
export const undoOwner: FindUndoing = async (needs, act) => {
  const acted = await actedOn(needs, act)
  if (!acted || acted.before.ownerId === acted.after.ownerId) return changedNothing
  const later = standsInTheWay(acted, ({ ownerId }) => ownerId)
  if (later) return later
  const { id: guildId, ownerId } = acted.before
  return { outcome: 'undo', steps: [{ on: 'guild', guildId, does: 'owner', ownerId }], asOf: [acted] }
}

/** What takes back a change of the custom invite URL: the one from before, if nobody else has it by now. */
export const undoVanityUrl: FindUndoing = async (needs, act) => {
  const acted = await actedOn(needs, act)
  const codeOf = ({ settings }: Guild) => settings.vanityCode
  if (!acted || codeOf(acted.before) === codeOf(acted.after)) return changedNothing
  const later = standsInTheWay(acted, codeOf)
  if (later) return later
  const { id: guildId } = acted.before
  return { outcome: 'undo', steps: [{ on: 'guild', guildId, does: 'code', code: codeOf(acted.before) }], asOf: [acted] }
}
