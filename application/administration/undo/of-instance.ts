import type { InstanceEvent } from '../../../domain/instance/events.ts'
import { instance } from '../../../domain/instance/instance.ts'
import {
  brandingAssets,
  type BrandingAsset,
  type InstancePolicy,
  type PolicyChanges,
} from '../../../domain/instance/policy.ts'
import { theInstance, type InstanceState } from '../../../domain/instance/state.ts'
import { sameJson } from '../../../domain/kernel/same-json.ts'
import { streamName } from '../../../domain/streams.ts'
import type { RecordedEvent } from '../../ports/event-store.ts'
import { actInStream, historyOf, type ActInStream } from './folded-steps.ts'
import { changedNothing, type CannotUndo, type FindUndoing, type UndoStep } from './undo-rule.ts'

type Acted = ActInStream<InstanceState, InstanceEvent>
/** A member of the policy; null for a section that is one value. */
type Member = readonly [section: keyof InstancePolicy, member: string | null]

const stream = streamName('instance', theInstance)
const noOpposite = (why: string): CannotUndo => ({ outcome: 'no_opposite', why })

/** What takes back a change of the configuration: its members get the values from before, as far as a request can give them. */
export const undoOnPolicy: FindUndoing = async ({ events, instancePolicies }, act) => {
  const acted = actInStream(instance, await historyOf(events, stream), act)
  if (!acted) return changedNothing
  const members = membersOf(acted)
  const later = changedFrom(acted, ({ changes }) => members.map((member) => valueIn(changes, member)))
  if (later) return { outcome: 'changed_since', by: later }
  const step = stepBack(members, instancePolicies.over(acted.before.changes))
  return 'outcome' in step ? step : { outcome: 'undo', steps: [step], asOf: [acted] }
}

/** What takes back a change of the limits: the rules from before. */
export const undoOnLimits: FindUndoing = async ({ events }, act) => {
  const acted = actInStream(instance, await historyOf(events, stream), act)
  if (!acted) return changedNothing
  const later = changedFrom(acted, ({ limitConfig }) => limitConfig)
  if (later) return { outcome: 'changed_since', by: later }
  return { outcome: 'undo', steps: [{ on: 'limits', config: acted.before.limitConfig }], asOf: [acted] }
}

/** The newest change of what the act left, unless that is so again: values of the instance are nobody's. */
function changedFrom({ after, now, later }: Acted, fact: (state: InstanceState) => unknown): RecordedEvent | undefined {
  if (sameJson(fact(now), fact(after))) return undefined
  return later.findLast((step) => !sameJson(fact(step.before), fact(step.after)))?.recorded
}

function membersOf({ own }: Acted): readonly Member[] {
  return own.flatMap(({ event }) => {
    if (event.type !== 'InstancePolicyChanged') return []
    return Object.entries(event.data.changes).flatMap(([name, changed]: [string, unknown]): readonly Member[] => {
      const section = name as keyof InstancePolicy
      return isSection(changed) ? Object.keys(changed).map((member) => [section, member]) : [[section, null]]
    })
  })
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function valueIn(policy: PolicyChanges, [section, member]: Member): unknown {
  const value: unknown = policy[section]
  if (member === null) return value
  return isSection(value) ? value[member] : undefined
}

function stepBack(members: readonly Member[], before: InstancePolicy): UndoStep | CannotUndo {
  const names = new Set(members.map(([section, member]) => `${section}.${member ?? ''}`))
  if (names.has('setup.configured')) return noOpposite('A setup that was finished does not begin again.')
  const image = brandingAssets.find((kind) => names.has(`branding.${kind}`))
  if (image !== undefined) return imageBack(image, before)
  if (names.has('community.directMessagesLocked') && !names.has('community.directMessagesDisabled'))
    return noOpposite('Private messages are locked by being turned on again, and by nothing else.')
  // The guild that was named stays so: it counts only while there is a single community.
  const given = members.filter(([section, member]) => section !== 'community' || member !== 'guildId')
  const changes: Record<string, unknown> = {}
  for (const [section, member] of given)
    changes[section] =
      member === null
        ? before[section]
        : { ...(changes[section] as object), [member]: valueIn(before, [section, member]) }
  return { on: 'policy', changes: withLock(changes as PolicyChanges, before) }
}

/** Turning private messages on locks them, unless the same request says that they are not. */
function withLock(changes: PolicyChanges, { community: before }: InstancePolicy): PolicyChanges {
  if (changes.community?.directMessagesDisabled === undefined) return changes
  const { directMessagesLocked: _, ...community } = changes.community
  if (before.directMessagesLocked) return { ...changes, community }
  return { ...changes, community: { ...community, directMessagesLocked: false } }
}

function imageBack(kind: BrandingAsset, { branding }: InstancePolicy): UndoStep | CannotUndo {
  if (branding[kind] !== null) return noOpposite('The image that was there before is deleted: set it again.')
  return { on: 'branding', kind }
}
