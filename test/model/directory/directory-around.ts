import { places, type Directory, type Outcome, type Place } from './directory-world.ts'

/** The part of the model around the applications: who finds guilds, lists them, joins them, and changes their features. */

export type AroundCommand =
  | { readonly op: 'search'; readonly by: 'visitor' | 'owner'; readonly category?: number; readonly language?: string }
  | { readonly op: 'join'; readonly by: 'visitor'; readonly guild: Place | 'nowhere' }
  | { readonly op: 'leave'; readonly by: 'visitor'; readonly guild: Place }
  | { readonly op: 'applications' | 'listings' | 'categories'; readonly by: 'first' | 'reviewer' }
  | { readonly op: 'category'; readonly by: 'first' | 'reviewer'; readonly category: number }
  | { readonly op: 'publicCategories'; readonly by: 'visitor' | 'member' }
  /** What a bulk job of an administrator does with each guild. */
  | {
      readonly op: 'features'
      readonly by: 'first' | 'second'
      readonly guild: Place | 'nowhere'
      readonly feature: 'DISCOVERABLE' | 'VERIFIED'
      readonly adds: boolean
    }
  /** The guild's own switch. */
  | { readonly op: 'toggle'; readonly by: 'owner' | 'manager'; readonly guild: Place; readonly closes: boolean }

const ops: ReadonlySet<string> = new Set([
  'search',
  'join',
  'leave',
  'applications',
  'listings',
  'categories',
  'category',
  'publicCategories',
  'features',
  'toggle',
])

export function isAround<Other extends { readonly op: string }>(
  command: AroundCommand | Other,
): command is AroundCommand {
  return ops.has(command.op)
}

/** What such a command is answered. */
export function judgeAround(directory: Directory, command: AroundCommand): Outcome {
  const { applications } = directory
  const shows = (isIn: (place: Place) => boolean): Outcome => ({
    answer: { status: 200, found: places.filter(isIn) },
    after: directory,
  })
  const isApproved = (place: Place): boolean => applications[place]?.status === 'approved'
  switch (command.op) {
    case 'search': {
      const { category, language } = command
      const fits = <Value>(wanted: Value | undefined, has: Value | undefined) => wanted === undefined || wanted === has
      return shows(
        (place) =>
          isApproved(place) &&
          fits(category, applications[place]?.category_type) &&
          fits(language, applications[place]?.primary_language),
      )
    }
    case 'applications':
      return shows((place) => applications[place]?.status === 'pending')
    case 'listings':
      return shows(isApproved)
    case 'category':
      return shows((place) => isApproved(place) && applications[place]?.category_type === command.category)
    case 'categories':
    case 'publicCategories':
      return { answer: { status: 200, categories: 9 }, after: directory }
    case 'join':
      return joined(directory, command.guild)
    case 'leave':
      return left(directory, command.guild)
    case 'features':
      return featured(directory, command)
    case 'toggle':
      return {
        answer: { status: 200 },
        after: withFeature(directory, command.guild, 'INVITES_DISABLED', command.closes),
      }
  }
}

const refused = (after: Directory, status: number, code: string): Outcome => ({ answer: { status, code }, after })

/** A listed guild takes everyone in, unless it is closed; a member stays. */
function joined(directory: Directory, guild: Place | 'nowhere'): Outcome {
  const { applications, features, visited } = directory
  if (guild === 'nowhere' || applications[guild]?.status !== 'approved')
    return refused(directory, 400, 'DISCOVERY_NOT_DISCOVERABLE')
  if (visited.includes(guild)) return { answer: { status: 204 }, after: directory }
  if (features[guild].includes('INVITES_DISABLED')) return refused(directory, 403, 'INVITES_DISABLED')
  const after = { ...directory, visited: places.filter((place) => place === guild || visited.includes(place)) }
  return { answer: { status: 204 }, after }
}

function left(directory: Directory, guild: Place): Outcome {
  if (!directory.visited.includes(guild)) return refused(directory, 404, 'UNKNOWN_MEMBER')
  return {
    answer: { status: 204 },
    after: { ...directory, visited: directory.visited.filter((each) => each !== guild) },
  }
}

/** DISCOVERABLE approves an application in any status, and removes an approved one. */
function featured(
  directory: Directory,
  { guild, feature, adds }: Extract<AroundCommand, { readonly op: 'features' }>,
): Outcome {
  if (guild === 'nowhere') return refused(directory, 404, 'UNKNOWN_GUILD')
  const done = { status: 200 }
  if (feature === 'VERIFIED') return { answer: done, after: withFeature(directory, guild, feature, adds) }
  const { [guild]: own } = directory.applications
  if (!own)
    return adds ? refused(directory, 404, 'DISCOVERY_APPLICATION_NOT_FOUND') : { answer: done, after: directory }
  if (adds === (own.status === 'approved')) return { answer: done, after: directory }
  const after = adds
    ? ({ ...own, status: 'approved', review_reason: null, removal_reason: null } as const)
    : ({ ...own, status: 'removed', removal_reason: null } as const)
  return { answer: done, after: { ...directory, applications: { ...directory.applications, [guild]: after } } }
}

function withFeature(
  directory: Directory,
  guild: Place,
  feature: 'VERIFIED' | 'INVITES_DISABLED',
  isOn: boolean,
): Directory {
  const others = directory.features[guild].filter((each) => each !== feature)
  const own = (isOn ? [...others, feature] : others).toSorted()
  return { ...directory, features: { ...directory.features, [guild]: own } }
}
