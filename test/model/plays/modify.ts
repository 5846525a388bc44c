import { auditValues, updateEntries } from '../news/entries.ts'
import { entriesTold, guildUpdated } from '../news/told.ts'
import type { ModelCaller, Person } from '../support/cast.ts'
import { done, refuse, refuseFields, type Play } from '../support/outcomes.ts'
import { authenticated, guildFor, requirePermission, requireSudo, type Proof } from '../support/rules.ts'
import { guildObject } from '../support/wire.ts'
import type { ModelGuild, ModelSettings, World } from '../support/world.ts'

/** Modify guild, with every field except images. */

/** The fields that a request may send, apart from channels and the cutoff, which depend on the guild. */
export interface Changes {
  readonly name?: string
  readonly system_channel_flags?: number
  readonly afk_timeout?: number
  readonly default_message_notifications?: number
  readonly verification_level?: number
  readonly mfa_level?: number
  readonly nsfw_level?: number
  readonly nsfw?: boolean
  readonly content_warning_level?: number
  readonly content_warning_text?: string | null
  readonly explicit_content_filter?: number
  readonly splash_card_alignment?: number
  readonly features?: readonly string[]
  readonly system_channel_id?: string | null
  readonly afk_channel_id?: string | null
  readonly message_history_cutoff?: string | null
}

/** A value that no guild can have, and its error, which comes before all others. */
export interface BadValue {
  readonly field: string
  readonly value: unknown
  readonly code: string
}

export const badValues: readonly BadValue[] = [
  { field: 'name', value: ' ', code: 'STRING_LENGTH_INVALID' },
  { field: 'name', value: 'x'.repeat(101), code: 'STRING_LENGTH_INVALID' },
  { field: 'content_warning_text', value: 'x'.repeat(201), code: 'STRING_LENGTH_INVALID' },
  { field: 'afk_timeout', value: 59, code: 'INVALID_FORMAT' },
  { field: 'afk_timeout', value: 3601, code: 'INVALID_FORMAT' },
  { field: 'verification_level', value: 5, code: 'INVALID_FORMAT' },
  { field: 'default_message_notifications', value: 2, code: 'INVALID_FORMAT' },
  { field: 'explicit_content_filter', value: 3, code: 'INVALID_FORMAT' },
  { field: 'mfa_level', value: 2, code: 'INVALID_FORMAT' },
  { field: 'nsfw_level', value: 1, code: 'INVALID_FORMAT' },
  { field: 'splash_card_alignment', value: 3, code: 'INVALID_FORMAT' },
  { field: 'features', value: Array.from({ length: 101 }, () => 'HIDE_OWNER_CROWN'), code: 'INVALID_FORMAT' },
  { field: 'system_channel_id', value: 'general', code: 'INVALID_SNOWFLAKE_FORMAT' },
  { field: 'message_history_cutoff', value: 'yesterday', code: 'INVALID_ISO_TIMESTAMP' },
]

export const toggleable: readonly string[] = [
  'INVITES_DISABLED',
  'TEXT_CHANNEL_FLEXIBLE_NAMES',
  'DETACHED_BANNER',
  'CLONE_EMOJI_ENABLED',
  'CLONE_STICKER_ENABLED',
  'HIDE_OWNER_CROWN',
]

export interface Modification {
  readonly id: string
  readonly changes: Changes
  readonly bad: BadValue | undefined
  readonly proof: Proof
}

export function modifyGuild(world: World, caller: ModelCaller, { id, changes, bad, proof }: Modification): Play {
  const body = { ...changes, ...(bad ? { [bad.field]: bad.value } : {}) }
  return {
    method: 'PATCH',
    path: `/v1/guilds/${id}`,
    body,
    proof,
    judge() {
      const person = authenticated(caller)
      if (bad) return refuseFields([`${bad.field} ${bad.code}`])
      const guild = guildFor(world, person, id)
      requirePermission(guild, person, 'MANAGE_GUILD')
      const echoesProof = checkChanges(guild, person, changes, proof)
      const before = auditValues(guild)
      const wrote = done(200, () => {
        write(guild, changes)
        return guildObject(guild)
      })
      const records = () => updateEntries(guild, before, person.id)
      // Sent even if nothing was written.
      const tells = () => [...guildUpdated(world, guild), ...entriesTold(world, guild, records())]
      return { ...wrote, echoesProof, touches: id, records, tells }
    },
  }
}

/** Sudo mode, then ownership, then the field values; returns whether the answer contains a proof. */
function checkChanges(guild: ModelGuild, person: Person, changes: Changes, proof: Proof): boolean {
  const { mfa_level: level } = changes
  const changesLevel = level !== undefined && level !== guild.settings.mfa_level
  const echoesProof = changesLevel && requireSudo(person, proof)
  const fields = fieldFaults(guild, changes)
  const isOwner = guild.ownerId === person.id
  if (changesLevel && !isOwner) {
    if (fields.length > 0) refuseFields(fields, 'MISSING_PERMISSIONS')
    refuse('MISSING_PERMISSIONS')
  }
  if (changesLevel && !person.hasSecondFactor) fields.push('mfa_level MUST_ENABLE_2FA_BEFORE_REQUIRING_FOR_MODS')
  if (fields.length > 0) refuseFields(fields)
  return echoesProof
}

function fieldFaults(guild: ModelGuild, changes: Changes): string[] {
  const { features, verification_level: verification, message_history_cutoff: cutoff } = changes
  const faults: string[] = []
  const checkChannel = (field: string, id: string | null | undefined, types: readonly number[], codes: Codes): void => {
    if (id === undefined || id === null) return
    const channel = guild.channels?.find((one) => one.id === id)
    if (!channel) faults.push(`${field} ${codes.outside}`)
    else if (!types.includes(channel.type)) faults.push(`${field} ${codes.type}`)
  }
  checkChannel('system_channel_id', changes.system_channel_id, [0, 5], {
    outside: 'SYSTEM_CHANNEL_MUST_BE_IN_GUILD',
    type: 'SYSTEM_CHANNEL_MUST_BE_TEXT',
  })
  checkChannel('afk_channel_id', changes.afk_channel_id, [2], {
    outside: 'AFK_CHANNEL_MUST_BE_IN_GUILD',
    type: 'AFK_CHANNEL_MUST_BE_VOICE',
  })
  if (verification === 0 && guild.features.has('DISCOVERABLE'))
    faults.push('verification_level DISCOVERABLE_GUILD_VERIFICATION_LEVEL_TOO_LOW')
  if (features?.some((feature) => !toggleable.includes(feature) && !guild.features.has(feature)))
    faults.push('features GUILD_FEATURE_NOT_TOGGLEABLE')
  if (typeof cutoff === 'string' && Date.parse(cutoff) < guild.createdAt_ms)
    faults.push('message_history_cutoff MESSAGE_HISTORY_CUTOFF_BEFORE_GUILD_CREATION')
  if (typeof cutoff === 'string' && Date.parse(cutoff) > Date.now() + 1000)
    faults.push('message_history_cutoff MESSAGE_HISTORY_CUTOFF_IN_FUTURE')
  return faults
}

interface Codes {
  readonly outside: string
  readonly type: string
}

function write(guild: ModelGuild, changes: Changes): void {
  const { settings } = guild
  const { nsfw, nsfw_level: level, features, name, content_warning_text: text } = changes
  const plain = [
    'afk_timeout',
    'default_message_notifications',
    'mfa_level',
    'explicit_content_filter',
    'splash_card_alignment',
    'system_channel_id',
    'afk_channel_id',
    'message_history_cutoff',
  ] as const
  for (const key of plain) if (changes[key] !== undefined) Object.assign(settings, { [key]: changes[key] })
  if (name !== undefined) settings.name = name.trim()
  if (changes.system_channel_flags !== undefined) settings.system_channel_flags = changes.system_channel_flags & 1
  if (changes.verification_level !== undefined) settings.verification_level = Math.min(changes.verification_level, 3)
  if (text !== undefined) settings.content_warning_text = text === null || text.trim() === '' ? null : text.trim()
  if (nsfw !== undefined || level !== undefined) settings.nsfw = nsfw ?? level === 3
  writeWarning(settings, changes)
  if (features !== undefined) writeFeatures(guild, features)
}

function writeWarning(
  settings: ModelSettings,
  { nsfw, nsfw_level: level, content_warning_level: warning }: Changes,
): void {
  if (warning !== undefined) settings.content_warning_level = warning === 1 ? 1 : 0
  else if (nsfw === undefined && level === 3 && settings.content_warning_level === 0) settings.content_warning_level = 1
}

/** Sets the features that can be toggled, and keeps all others. */
function writeFeatures({ features }: ModelGuild, wanted: readonly string[]): void {
  for (const feature of toggleable) {
    if (wanted.includes(feature)) features.add(feature)
    else features.delete(feature)
  }
}
