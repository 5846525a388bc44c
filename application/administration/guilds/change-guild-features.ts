import type { DiscoveryApplicationCommand } from '../../../domain/discovery-application/commands.ts'
import { discoveryApplication } from '../../../domain/discovery-application/discovery-application.ts'
import type { FeatureChanges } from '../../../domain/guild/commands.ts'
import type { GuildFeature } from '../../../domain/guild/features.ts'
import { guild } from '../../../domain/guild/guild.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import { accept, type Decision } from '../../../domain/kernel/decider.ts'
import type { Acting } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { changeDiscoverable } from '../discovery/review-application.ts'
import { asInstance } from './as-instance.ts'
import { changedGuild, type ChangedGuildNeeds } from './changed-guild.ts'

/**
 * Adds features to a guild and removes others; one that is both added and removed is removed. DISCOVERABLE goes by the
 * guild's application to the directory, which is decided first. Returns the features after it. Refuses with
 * UNKNOWN_GUILD, and with DISCOVERY_APPLICATION_NOT_FOUND where DISCOVERABLE is added without an application.
 */
export function changeGuildFeatures(ports: Pick<Ports, 'aggregates' | 'queries'>) {
  const changeListing = changeDiscoverable(ports)
  return async (by: Acting, guildId: GuildId, changes: FeatureChanges): Promise<readonly GuildFeature[]> => {
    const { state: before } = await ports.aggregates.guild.load(guildId)
    if (before.status !== 'active') return reject('UNKNOWN_GUILD')
    const { discoverable, others } = apart(changes)
    if (discoverable !== null) await changeListing(by, guildId, discoverable)
    const { state } = await ports.aggregates.guild.execute(guildId, command(others), asInstance(by.context))
    return state.status === 'active' ? state.features : []
  }
}

/** The same as an operation of its own: gives the guild, and what the admin audit log says of it. Refuses as `changeGuildFeatures`. */
export function changeGuildFeaturesAsAdmin(ports: ChangedGuildNeeds & Pick<Ports, 'aggregates'>) {
  const change = changeGuildFeatures(ports)
  return async (by: Acting, guildId: GuildId, changes: FeatureChanges) => {
    const entry = featuresEntry(changes, await change(by, guildId, changes))
    return { guild: await changedGuild(ports, guildId, by.context), entry }
  }
}

/** What the admin audit log says of a change of features: what was asked for, and the features after it. */
export function featuresEntry(
  { add, remove }: FeatureChanges,
  features: readonly GuildFeature[],
): Readonly<Record<string, string>> {
  return {
    ...(add.length > 0 && { add_features: add.join(',') }),
    ...(remove.length > 0 && { remove_features: remove.join(',') }),
    new_features: features.join(','),
  }
}

/** What `changeGuildFeatures` would decide, without doing it. */
export function previewGuildFeatures({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async (
    { account, context }: Acting,
    guildId: GuildId,
    changes: FeatureChanges,
  ): Promise<Decision<unknown>> => {
    const { discoverable, others } = apart(changes)
    const { state } = await aggregates.guild.load(guildId)
    const features = guild.decide(state, command(others))
    if (features.outcome === 'refused' || discoverable === null) return features
    const { state: application } = await aggregates.discoveryApplication.load(guildId)
    const listing: DiscoveryApplicationCommand = {
      type: 'ChangeDiscoveryByFeature',
      discoverable,
      by: account.id,
      guild: null,
      now: context.now,
    }
    const listed = discoveryApplication.decide(application, listing)
    return listed.outcome === 'refused' ? listed : accept<unknown>(...features.events, ...listed.events)
  }
}

const command = (changes: FeatureChanges) => ({ type: 'SetFeatures', ...changes }) as const

/** DISCOVERABLE apart from the others: true to add it, false to remove it, null to leave it. */
function apart({ add, remove }: FeatureChanges): {
  readonly discoverable: boolean | null
  readonly others: FeatureChanges
} {
  const isOther = (feature: GuildFeature): boolean => feature !== 'DISCOVERABLE'
  const isNamed = !add.every(isOther) || !remove.every(isOther)
  return {
    discoverable: isNamed ? remove.every(isOther) : null,
    others: { add: add.filter(isOther), remove: remove.filter(isOther) },
  }
}
