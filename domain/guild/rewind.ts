import { guildFeatures, toggleableFeatures, type GuildFeature } from './features.ts'
import type { Guild, GuildSettings } from './state.ts'

/** What a rewind brings back of a guild. */
export type GuildPast = Pick<Guild, 'name' | 'features' | 'settings' | 'roles' | 'channels'>

/**
 * Brings a guild nearer to what it was, by as many events as one append takes. Sent again until it changes nothing, it brings back
 * all that comes back.
 */
export interface RewindGuild {
  readonly type: 'RewindGuild'
  readonly to: GuildPast
  readonly events_max: number
  /** Of the data of the events; a single event may have more. */
  readonly bytes_max: number
}

/** Why a setting or a feature stays as it is. */
export type WhyKept = 'image_gone' | 'code_to_be_claimed' | 'set_by_the_instance' | 'needed_by_the_directory'

/** A setting or a feature that differs from what it was, and stays as it is. */
export interface Kept {
  readonly part: keyof GuildSettings | GuildFeature
  readonly why: WhyKept
}

/** The settings and features after a rewind. */
export interface RewoundSettings extends Pick<Guild, 'name' | 'settings' | 'features'> {
  readonly kept: readonly Kept[]
}

/**
 * The settings and features that a guild has once it is rewound, and those of them that it keeps: images, because replaced ones are
 * stored no more; the custom code, which has to be claimed; what only the instance sets; and the verification level that the
 * directory needs (rules/administration#rewinds).
 */
export function rewoundSettings(now: Guild, to: GuildPast): RewoundSettings {
  const keptSettings = (Object.keys(to.settings) as (keyof GuildSettings)[]).flatMap((part): readonly Kept[] => {
    const why = whyKept(now, to, part)
    return why === undefined || isSame(now.settings[part], to.settings[part]) ? [] : [{ part, why }]
  })
  const settings = { ...to.settings, ...picked(now.settings, keptSettings) }
  const isToggled = (feature: GuildFeature): boolean => toggleableFeatures.includes(feature)
  const features = guildFeatures.filter((feature) => (isToggled(feature) ? to : now).features.includes(feature))
  const keptFeatures = guildFeatures
    .filter((feature) => features.includes(feature) !== to.features.includes(feature))
    .map((part): Kept => ({ part, why: 'set_by_the_instance' }))
  return { name: to.name, settings, features, kept: [...keptSettings, ...keptFeatures] }
}

function whyKept(now: Guild, { settings }: GuildPast, part: keyof GuildSettings): WhyKept | undefined {
  switch (part) {
    case 'icon':
    case 'banner':
    case 'splash':
    case 'embedSplash':
      // To have none needs no image.
      return settings[part] === null ? undefined : 'image_gone'
    case 'vanityCode':
      return 'code_to_be_claimed'
    case 'disabledOperations':
      return 'set_by_the_instance'
    case 'verificationLevel':
      return settings[part] === 0 && now.features.includes('DISCOVERABLE') ? 'needed_by_the_directory' : undefined
    default:
      return undefined
  }
}

function picked(settings: GuildSettings, kept: readonly Kept[]): Partial<GuildSettings> {
  const parts: ReadonlySet<string> = new Set(kept.map(({ part }) => part))
  return Object.fromEntries(Object.entries(settings).filter(([part]) => parts.has(part)))
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
