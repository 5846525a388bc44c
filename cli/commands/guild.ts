import { changeGuildFeatures, featuresEntry } from '../../application/administration/guilds/change-guild-features.ts'
import { Refused } from '../../application/commands/refused.ts'
import type { Aggregates } from '../../application/ports.ts'
import { holdsAcl } from '../../domain/admin/acls.ts'
import type { FeatureChanges } from '../../domain/guild/commands.ts'
import { guildFeatures, type GuildFeature } from '../../domain/guild/features.ts'
import { disabledOperationBits, type Guild } from '../../domain/guild/state.ts'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import { openQueries } from '../../projections/read-models.ts'
import { openAggregates } from '../../process/aggregates.ts'
import { actAsOperator } from '../operator/act-as-operator.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import type { Store } from '../../process/store.ts'
import { accountNamed } from './account-named.ts'
import { besideServer } from './beside.ts'
import { changeBesideServer } from './change-beside.ts'
import { guildIn } from './guild-named.ts'

type Print = (line: string) => void

export interface FeatureOptions {
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
  /** The administrator who decides the guild's application to the directory. */
  readonly by?: string
}

/** Prints the features of a guild; adds some and removes others before. A running server applies it once this resolves. */
export async function guildFeaturesCommand(
  text: string,
  { add = [], remove = [], by }: FeatureOptions,
  print: Print,
): Promise<void> {
  const id = guildIn(text)
  const changes = { add: add.map(featureIn), remove: remove.map(featureIn) }
  const named = [...changes.add, ...changes.remove]
  if (named.length === 0)
    return besideServer(async (store) => print(featuresLine(id, (await guildOf(aggregatesOf(store), id)).features)))
  if (named.includes('DISCOVERABLE') && by === undefined)
    throw new Error(
      'DISCOVERABLE goes by the application to the directory: name the administrator who decides with --by',
    )
  await changeBesideServer({ print }, async (store) => {
    await refusalsSaid(id, changeFeatures(store, id, changes, by))
    print(featuresLine(id, (await guildOf(aggregatesOf(store), id)).features))
  })
}

async function changeFeatures(store: Store, id: GuildId, changes: FeatureChanges, by?: string): Promise<void> {
  const reviewer = by === undefined ? undefined : await reviewerNamed(by, store)
  await actAsOperator(store, {
    action: 'update_features',
    target: { type: 'guild', id },
    async run(context, aggregates) {
      if (reviewer === undefined) {
        const { state } = await aggregates.guild.execute(id, { type: 'SetFeatures', ...changes }, context)
        return state.status === 'active' ? state.features : []
      }
      const change = changeGuildFeatures({ aggregates, queries: openQueries(store.database) })
      return change({ account: { id: reviewer }, context }, id, changes)
    },
    metadata: (features) => ({
      ...featuresEntry(changes, features),
      ...(reviewer !== undefined && { reviewer_user_id: reviewer }),
    }),
  })
}

/** Sets which operations nobody in a guild can use: those that are named and no others. A running server applies it once this resolves. */
export async function disableOperations(text: string, names: readonly string[], print: Print): Promise<void> {
  const id = guildIn(text)
  const disabledOperations = names.includes('none') && names.length === 1 ? 0 : bitsOf(names)
  await changeBesideServer({ print }, async (store) => {
    const command = { type: 'ChangeSettings', settings: { disabledOperations } } as const
    const changing = actAsOperator(store, {
      action: 'update_settings',
      target: { type: 'guild', id },
      run: (context, { guild }) => guild.execute(id, command, context),
      metadata: () => ({ disabled_operations: String(disabledOperations) }),
    })
    await refusalsSaid(id, changing)
    print(
      disabledOperations === 0
        ? `Every operation is enabled in guild ${id}`
        : `Disabled in guild ${id}: ${namesOf(disabledOperations).join(', ')}`,
    )
  })
}

const operationNames = Object.keys(disabledOperationBits)

function bitsOf(names: readonly string[]): number {
  const wrong = names.find((name) => !operationNames.includes(name))
  if (wrong !== undefined)
    throw new Error(`${wrong} is not an operation. The operations are: ${operationNames.join(' ')}; none enables all`)
  return Object.entries(disabledOperationBits).reduce(
    (bits, [name, bit]) => (names.includes(name) ? bits | bit : bits),
    0,
  )
}

function namesOf(bits: number): readonly string[] {
  return Object.entries(disabledOperationBits).flatMap(([name, bit]) => ((bits & bit) === 0 ? [] : [name]))
}

function featureIn(text: string): GuildFeature {
  const feature = guildFeatures.find((each) => each === text)
  if (feature === undefined) throw new Error(`${text} is not a feature. The features are: ${guildFeatures.join(' ')}`)
  return feature
}

function aggregatesOf({ events, snapshots }: Store): Aggregates {
  return openAggregates({ store: events, snapshots })
}

async function guildOf({ guild }: Aggregates, id: GuildId): Promise<Guild> {
  const { state } = await guild.load(id)
  if (state.status !== 'active') throw noGuild(id)
  return state
}

async function reviewerNamed(who: string, store: Store): Promise<AccountId> {
  await refuseWithoutReadModels(store)
  const aggregates = aggregatesOf(store)
  const id = await accountNamed(who, store, aggregates)
  const { state } = await aggregates.account.load(id)
  if (state.status !== 'registered' || !holdsAcl(state.acls, 'admin:authenticate'))
    throw new Error(`${who} is not an administrator`)
  return id
}

async function refusalsSaid(id: GuildId, change: Promise<unknown>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (error.refusal.code === 'UNKNOWN_GUILD') throw noGuild(id)
    if (error.refusal.code === 'DISCOVERY_APPLICATION_NOT_FOUND')
      throw new Error(`Guild ${id} has not applied to the directory`, { cause: error })
    throw error
  }
}

const noGuild = (id: GuildId): Error => new Error(`There is no guild ${id}`)

function featuresLine(id: GuildId, features: readonly GuildFeature[]): string {
  return features.length === 0 ? `Guild ${id} has no features` : `Guild ${id} has: ${features.join(', ')}`
}
